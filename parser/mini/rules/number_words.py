"""Build tables of the number words of a language from num2words.

::

    en    twohundredandfifty  250    twohundredfifty  250    nineteeneightyfour  1984    twentyfirst  21st
    ru    сорокпять  45              однатысяча  1000        тысяча  1000        двадцатипяти  25
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

LEAST = 11
"""Smallest number that is written in digits."""
LEAST_OF = {"cs": 3, "da": 3, "nb": 3, "sv": 3}
"""The same in languages whose small numbers the parser often misreads."""
_SHORTEST_STEM = 4
WORD = re.compile(r"[^\W\d_]+(?:(?<=[а-яієїґў])['’ʼ](?=[яюєї])[^\W\d_]+)*")
"""A word; Ukrainian ones have apostrophes."""
_VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ar": ((" و ", " و"), ("ون", "ين"), ("خمسة", "خمس"), ("خمسة", "خمسا"), ("مائة", "مئة")),
    "cs": (("náct", "nácti"), ("cet", "ceti"), ("desát", "desáti")),
    "de": (("einhundert", "hundert"), ("eintausend", "tausend")),
    "en": ((" and ", " "), ("one hundred", "a hundred"), ("one thousand", "a thousand")),
    "es": (
        ("cientos", "cientas"),
        ("quinientos", "quinientas"),
        ("iuno", "iún"),
        ("uno", "un"),
        ("uno", "una"),
    ),
    "fr": (("vingts", "vingt"),),
    "id": (("satu ratus", "seratus"),),
    "it": (("tuno", "tun"),),
    "pl": (
        ("dwanaście", "dwunastu"),
        ("dwadzieścia", "dwudziestu"),
        ("naście", "nastu"),
        ("dzieścia", "dziestu"),
        ("dzieści", "dziestu"),
        ("dziesiąt", "dziesięciu"),
        ("pięćset", "pięciuset"),
        (" dwa", " dwóch"),
        (" trzy", " trzech"),
        (" cztery", " czterech"),
        (" pięć", " pięciu"),
        (" sześć", " sześciu"),
        (" siedem", " siedmiu"),
        (" osiem", " ośmiu"),
        (" dziewięć", " dziewięciu"),
    ),
    "pt": (("entos", "entas"), ("dois", "duas"), ("um", "uma")),
    "ru": (("одна тысяча", "тысяча"), ("один", "одна"), ("два", "две"), ("ё", "е")),
    "sv": (("etthundra", "hundra"), ("etttusen", "tusen")),
    "vi": (("mươi bốn", "mươi tư"), (" lẻ ", " linh ")),
}
"""Other forms of the same number, by replacement in num2words' form."""
_CASES = {"ru": ("g", "d", "i", "p"), "uk": ("genitive", "dative", "instrumental", "locative")}
"""num2words' names of the cases besides the nominative."""
_CODES = {"nb": ("no",), "pt": ("pt", "pt_BR"), "fr": ("fr", "fr_CH")}
"""num2words' codes of a language, if they differ from ours."""
_YEARS = ("de", "en", "nl")
_ORDINALS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "de": [("", ending, ".") for ending in ("", "n", "r", "s", "m")],
    "en": [("", "", "")],
    "es": [("o", "o", "º"), ("o", "a", "ª")],
    "fr": [("", "", "e")],
    "it": [("o", "o", "º"), ("o", "a", "ª")],
    "nl": [("", "", "e")],
    "pl": [("y", ending, ".") for ending in "y a ą e ego emu ej ym ych".split()],
    "pt": [("o", "o", "º"), ("o", "a", "ª")],
    "ru": [("ый", ending, "-й") for ending in "ый ая ое ого ому ой ую ым ом ые ых".split()],
    "sv": [("", "", ":e")],
    "tr": [("", "", ".")],
    "uk": [("ий", ending, "-й") for ending in "ий а е ого ому ої ій у им і их".split()],
}
"""Endings of num2words' ordinals, those in their place, and the sign after the digits; plurals are parts."""
_TO_HUNDRED = frozenset({"de", "en", "fr"})
"""Languages in which the hundredth has no other meaning; Italian *centesimo* is a cent."""
_OF_ALL = frozenset({"es", "pl", "pt"})
"""Languages whose ordinals change the ending of each word."""

_POINTS = {
    "es": frozenset({"coma"}),
    "pt": frozenset({"ponto"}),
    "ru": frozenset({"целая", "целые"}),
    "tr": frozenset({"virgül", "nokta"}),
    "uk": frozenset({"цілих", "ціла", "цілі"}),
}
"""Words before decimals that num2words lacks."""

Letters = str
"""The letters of a number, without spaces and hyphens."""


class Table(NamedTuple):
    """The numbers of a language."""

    values: Mapping[Letters, int]
    starts: frozenset[str]  # the first two letters of the first words
    ordinals: Mapping[Letters, str]  # ordinals from `LEAST` on, in digits
    last_ordinals: tuple[str, ...]  # beginnings of the last words of ordinals
    longest: int  # number of letters of the longest number
    points: frozenset[str]  # words between a number and its decimals
    zero: str  # the word for zero


@cache
def number_words(lang: str) -> Table:
    """Return the numbers of a language; an empty table if num2words does not know it."""
    from num2words import CONVERTER_CLASSES

    codes = [code for code in _CODES.get(lang, (lang,)) if code in CONVERTER_CLASSES]
    numbers = [*range(1, 1000), *range(1000, 100_000, 1000), *range(100_000, 1_000_000, 50_000)]
    forms = [(form, number) for code in codes for form, number in _forms(numbers, code, "cardinal")]
    forms += [form for case in _CASES.get(lang, ()) for form in _forms(numbers, lang, "cardinal", case=case)]
    if lang in _YEARS:
        forms += [
            (form, year)
            for form, year in _forms(range(1100, 2100), lang, "year")
            if lang != "en" or year >= 1300 or "hundred" in form  # twelve thirty is a time
        ]
    values: dict[Letters, int] = {}
    starts: set[str] = set()
    for form, number in forms:
        for variant in _variants(form, lang):
            words = [folded_word(word) for word in WORD.findall(variant)]
            values.setdefault("".join(words), number)
            starts.add(words[0][:2])
    last_words = [
        folded_word(WORD.findall(form)[-1])
        for code in codes
        for form, _ in _forms((*range(1, 30), *range(30, 100, 10)), code, "ordinal")
    ]
    stems = {word[: max(_SHORTEST_STEM, len(word) - 2)] for word in last_words if word not in values}
    ordinals = {
        "".join(folded_word(word) for word in WORD.findall(other)): f"{number}{sign}"
        for old, new, sign in _ORDINALS.get(lang, ())
        for form, number in _forms(range(LEAST, 101 if lang in _TO_HUNDRED else 100), lang, "ordinal")
        for other in _declined(form, old, new, lang)
    }
    if lang == "en":
        ordinals = {letters: with_english_ending(digits) for letters, digits in ordinals.items()}
    longest = max(map(len, (*values, *ordinals)), default=0)
    zero = folded_word(number_word(0, codes[0], "cardinal") or "") if codes else ""
    points = _POINTS.get(lang, frozenset()).union(*map(_points, codes))
    return Table(values, frozenset(starts), ordinals, tuple(sorted(stems)), longest, points, zero)


def _declined(form: str, old: str, new: str, lang: str) -> Iterator[str]:
    """Yield an ordinal with another ending; in Spanish also without accent (*decimoquinto*)."""
    declined = re.sub(rf"{old}(?!\w)" if lang in _OF_ALL else f"{old}$", new, form)
    yield declined
    if lang == "es":
        yield declined.replace("décim", "decim")
        yield re.sub("^décim[oa]s? ", "decimo", declined)


def _points(code: str) -> Iterator[str]:
    """Yield the word that num2words writes between a number and its decimals.

    Persian has *and*, and Hungarian writes tenths.
    """
    from num2words import num2words

    whole, decimal = (WORD.findall(str(num2words(number, lang=code)).casefold()) for number in (3, 3.5))
    if decimal[: len(whole)] == whole and len(decimal) > len(whole) + 1:
        yield from [word for word in decimal[len(whole) :][:1] if len(word) > 1 and code not in ("fa", "hu")]


def with_english_ending(digits: str) -> str:
    """Return an English ordinal in digits.

    Example:
        >>> with_english_ending("21"), with_english_ending("12")
        ('21st', '12th')
    """
    ending = "th" if digits[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
    return digits + ending


def folded_word(word: str) -> str:
    """Return a word in small letters, without the apostrophe of Ukrainian."""
    return re.sub("['’ʼ]", "", word.replace("İ", "i").casefold())


def number_word(number: int, code: str, kind: str, case: str = "") -> str | None:
    """Return num2words' form of a number, in a case if given; ``None`` for an ordinal that it lacks.

    num2words 0.5.14 has no Czech ordinals, and lacks Catalan 30th, Korean 10,000th and Polish 0th.
    """
    from num2words import num2words

    try:
        return str(num2words(number, lang=code, to=kind, **({"case": case} if case else {})))
    except (NotImplementedError, KeyError, IndexError):
        if kind == "ordinal":
            return None
        raise


def _forms(numbers: Sequence[int], code: str, kind: str, case: str = "") -> list[tuple[str, int]]:
    """Return the forms of numbers in small letters, with the numbers."""
    forms = ((number_word(number, code, kind, case), number) for number in numbers)
    return [(form.casefold(), number) for form, number in forms if form is not None]


def _variants(form: str, lang: str) -> list[str]:
    """Return a form and its `_VARIANTS`."""
    forms = [form.replace(",", "")]
    for old, new in _VARIANTS.get(lang, ()):
        forms += [one.replace(old, new) for one in forms if old in one]
    return [*forms, *(_ablative(one) for one in forms)] if lang == "tr" else forms


def _ablative(word: str) -> str:
    """Return the Turkish ablative of a word: *yirmi beşten fazla* is more than 25."""
    vowel = next((letter for letter in reversed(word) if letter in "aeıioöuü"), "e")
    return f"{word}{'t' if word[-1] in 'fstkçşhp' else 'd'}{'a' if vowel in 'aıou' else 'e'}n"
