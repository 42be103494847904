"""Build tables of the number words of a language from num2words.

::

    en    twohundredandfifty  250    twohundredfifty  250    nineteeneightyfour  1984    twentyfirst  21st
    ru    сорокпять  45              однатысяча  1000        тысяча  1000
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

LEAST = 11
"""Smallest number that is written in digits."""
_SHORTEST_STEM = 4
WORD = re.compile(r"[^\W\d_]+(?:(?<=[а-яієїґў])['’ʼ](?=[яюєї])[^\W\d_]+)*")
"""A word; Ukrainian ones have apostrophes."""
_VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ar": ((" و ", " و"), ("ون", "ين"), ("خمسة", "خمس"), ("خمسة", "خمسا"), ("مائة", "مئة")),
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
    "pt": (("entos", "entas"), ("dois", "duas"), ("um", "uma")),
    "ru": (("одна тысяча", "тысяча"), ("один", "одна"), ("два", "две")),
    "sv": (("etthundra", "hundra"), ("etttusen", "tusen")),
    "vi": (("mươi bốn", "mươi tư"), (" lẻ ", " linh ")),
}
"""Other forms of the same number, by replacement in num2words' form."""
_CODES = {"nb": ("no",), "pt": ("pt", "pt_BR"), "fr": ("fr", "fr_CH")}
"""num2words' codes of a language, if they differ from ours."""
_YEARS = ("de", "en", "nl")
_ORDINALS = {
    "de": [(ending, ".") for ending in ("", "n", "r", "s", "m")],
    "en": [("", "")],
    "fr": [("", "e")],
}
"""Endings of ordinals, and the sign after their digits."""

Letters = str
"""The letters of a number, without spaces and hyphens."""


class Table(NamedTuple):
    """The numbers of a language."""

    values: Mapping[Letters, int]
    starts: frozenset[str]  # the first two letters of the first words
    ordinals: Mapping[Letters, str]  # ordinals from `LEAST` on, in digits
    last_ordinals: tuple[str, ...]  # beginnings of the last words of ordinals
    longest: int  # number of letters of the longest number


@cache
def number_words(lang: str) -> Table:
    """Return the numbers of a language; an empty table if num2words does not know it."""
    from num2words import CONVERTER_CLASSES

    codes = [code for code in _CODES.get(lang, (lang,)) if code in CONVERTER_CLASSES]
    numbers = [*range(1, 1000), *range(1000, 100_000, 1000), *range(100_000, 1_000_000, 50_000)]
    forms = [(form, number) for code in codes for form, number in _forms(numbers, code, "cardinal")]
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
        "".join(folded_word(word) for word in WORD.findall(form + ending)): f"{number}{sign}"
        for ending, sign in _ORDINALS.get(lang, ())
        for form, number in _forms(range(LEAST, 101), lang, "ordinal")
    }
    if lang == "en":
        ordinals = {letters: _with_english_ending(digits) for letters, digits in ordinals.items()}
    longest = max(map(len, (*values, *ordinals)), default=0)
    return Table(values, frozenset(starts), ordinals, tuple(sorted(stems)), longest)


def _with_english_ending(digits: str) -> str:
    ending = "th" if digits[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
    return digits + ending


def folded_word(word: str) -> str:
    """Return a word in small letters, without the apostrophe of Ukrainian."""
    return re.sub("['’ʼ]", "", word.casefold())


def number_word(number: int, code: str, kind: str) -> str | None:
    """Return num2words' form of a number; ``None`` for an ordinal that it lacks.

    num2words 0.5.14 has no Czech ordinals, and lacks Catalan 30th, Korean 10,000th and Polish 0th.
    """
    from num2words import num2words

    try:
        return str(num2words(number, lang=code, to=kind))
    except (NotImplementedError, KeyError, IndexError):
        if kind == "ordinal":
            return None
        raise


def _forms(numbers: Sequence[int], code: str, kind: str) -> list[tuple[str, int]]:
    """Return the forms of numbers in small letters, with the numbers."""
    forms = ((number_word(number, code, kind), number) for number in numbers)
    return [(form.casefold(), number) for form, number in forms if form is not None]


def _variants(form: str, lang: str) -> list[str]:
    """Return a form and its `_VARIANTS`."""
    forms = [form.replace(",", "")]
    for old, new in _VARIANTS.get(lang, ()):
        forms += [one.replace(old, new) for one in forms if old in one]
    return forms
