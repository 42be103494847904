"""Read the number words of a language, by the forms that num2words writes.

::

    en    two hundred and fifty  250    nineteen eighty-four  1984    three point five  3.5
    de    zweihundertfünfzigtausend  250000                   ru    сорока пяти  45

A number is read from the forms of 1 to 999 and the powers of ten, with spaces and hyphens left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from parser.values.words import WORD, folded_word, words_of

Letters = str
"""The letters of a number, without spaces and hyphens."""
_POWERS = (10**2, 10**3, 10**6, 10**9)


@dataclass(frozen=True)
class Numerals:
    """The parts of the numbers of a language.

    Example:
        >>> numerals_of("de").read("zweihundertfünfzigtausend", {25})
        (25, 250000)
    """

    small: Mapping[Letters, int] = field(default_factory=dict)  # from 1 to 999, in English also years
    powers: Mapping[Letters, int] = field(default_factory=dict)  # hundred, thousand, ... behind a number
    single: Mapping[Letters, int] = field(default_factory=dict)  # the same with their number, or without one
    joint: Letters = ""  # *and* between the parts
    zero: Letters = ""
    points: frozenset[Letters] = frozenset()  # words before decimals
    longest: int = field(init=False)  # number of letters
    starts: frozenset[Letters] = field(init=False)  # first two letters of all numbers

    def __post_init__(self) -> None:
        words = {*self.small, *self.single, self.zero}
        object.__setattr__(self, "longest", max(map(len, (*words, *self.powers))))
        object.__setattr__(self, "starts", frozenset(one[:2] for one in words))

    def read(self, letters: Letters, ends: Collection[int]) -> tuple[int, int] | None:
        """Return the end and the value of the longest number at the start of ``letters``.

        A million at its end is left out, since digits stand before it: *three million* is 3.
        ``ends`` are the ends of the words in ``letters``; a number ends with a word.
        """
        options = [
            (end, number)
            for end, number in self._numbers(letters, 0)
            if end in ends and not any(letters.startswith(one, end) for one in self.powers)
        ]
        if not options:
            return None
        end, number = max(options)
        for word, power in self.powers.items():
            place = end - len(word)
            if power > 1000 and number % power == 0 and letters.endswith(word, 0, end) and place in ends:
                return place, number // power
        return end, number

    def _at(self, table: Mapping[Letters, int], letters: Letters, place: int) -> Iterator[tuple[int, int]]:
        for end in range(place + 1, min(len(letters), place + self.longest) + 1):
            if letters[place:end] in table:
                yield end, table[letters[place:end]]

    def _numbers(self, letters: Letters, place: int, most: int = 10**12) -> Iterator[tuple[int, int]]:
        """Yield the ends and values of all numbers below ``most`` at a place."""
        small = [one for one in self._at(self.small, letters, place) if one[1] < most]
        yield from small
        heads = [
            (last, value * power, power)
            for end, value in small
            for last, power in self._at(self.powers, letters, end)
            if power < most and (power > 100 or value < 20)  # nineteen hundred
        ]
        single = [one for one in self._at(self.single, letters, place) if one[1] < most]
        heads += [(*one, max(power for power in _POWERS if power <= one[1])) for one in single]
        for end, value, power in heads:
            yield end, value
            for after in {end, end + len(self.joint) if letters.startswith(self.joint, end) else end}:
                yield from ((last, value + rest) for last, rest in self._numbers(letters, after, power))


@cache
def numerals_of(lang: str) -> Numerals:
    """Return the number words of a language; without any if num2words does not know it."""
    words = words_of(lang)
    if "numerals" in words:
        zero, *names = words["numerals"].split()
        small = {name: value for value, name in enumerate(names, 1)}
        return Numerals(small, words["powers"], words["powers"], zero=zero)
    small = {form: number for number in range(1, 1000) for form in _forms(lang, number)}
    for form, number in list(small.items()):
        if 100 <= number < 200:
            small.setdefault(_rest(lang, form, 1) or form, number)  # hundred and five
    powers, single = _powers(lang)
    for number in range(1, 100):  # other forms before a thousand
        for word in (word for word, power in powers.items() if power == 1000):
            ended = (form for form in _forms(lang, 1000 * number) if form.endswith(word) and form != word)
            small |= {form.removesuffix(word): number for form in ended} | small
    if lang == "en":
        small |= {letters_of(spelled(year, lang, "year")): year for year in range(1300, 2100)} | small
    if lang == "tr":
        for table in (small, single):
            table |= {_ablative(letters): number for letters, number in table.items()}
    points = {*words.get("point", "").split("|"), *map(_point, words.get("codes", [lang]))} - {""}
    zero = min(_forms(lang, 0), default="")
    return Numerals(small, powers, single, words.get("and_in_numbers", ""), zero, frozenset(points))


@cache
def _forms(lang: str, number: int) -> frozenset[Letters]:
    """Return the letters of all forms of a number: those of num2words, and those derived from them."""
    words = words_of(lang)
    kinds = [{}, *({"case": case} for case in words.get("cases", ()))]
    forms = [spelled(number, code, **kind) for code in words.get("codes", [lang]) for kind in kinds]
    for old, new in words.get("variants", ()):
        forms += [one.replace(old, new) for one in forms if old in one]
    return frozenset(map(letters_of, forms)) - {""}


def _rest(lang: str, form: Letters, number: int) -> Letters:
    """Return the shortest rest of a form behind one of a number; empty if there is none."""
    rests = (form.removeprefix(one) for one in _forms(lang, number) if form.startswith(one))
    return min(rests, key=len, default="")


def _powers(lang: str) -> tuple[dict[Letters, int], dict[Letters, int]]:
    """Return the words for powers of ten behind a number, and those with or without their number."""
    powers: dict[Letters, int] = {}
    single: dict[Letters, int] = {}
    for power in _POWERS:
        for number in (1, 2, 3, 5, 11, 21):
            for form in _forms(lang, number * power):
                rest = _rest(lang, form, number)
                if number == 1 or not rest:
                    single[form] = number * power
                if rest and number == 1 and power <= 1000:
                    single[rest] = power
                if rest:
                    powers.setdefault(rest, power)
    return powers, single


def letters_of(form: str) -> Letters:
    """Return the letters of the words of a number: ``fortyfive``."""
    return "".join(map(folded_word, WORD.findall(form)))


def spelled(number: float, code: str, to: str = "cardinal", **case: str) -> str:
    """Return num2words' form of a number; empty if it lacks it."""
    from num2words import num2words

    try:
        return str(num2words(number, lang=code, to=to, **case)).casefold()
    except (NotImplementedError, KeyError, IndexError, TypeError, OverflowError):
        return ""  # num2words raises these for the languages, forms and sizes that it lacks


def _point(code: str) -> Letters:
    """Return the word that num2words writes between a number and its decimals; empty if there is none."""
    whole, decimal = (WORD.findall(spelled(number, code)) for number in (3, 3.5))
    is_beside = decimal[: len(whole)] == whole and len(decimal) > len(whole) + 1 and code not in ("fa", "hu")
    return folded_word(decimal[len(whole)]) if is_beside and len(decimal[len(whole)]) > 1 else ""


def _ablative(word: Letters) -> Letters:
    """Return the Turkish ablative of a word: *yirmi beşten fazla* is more than 25."""
    vowel = next((letter for letter in reversed(word) if letter in "aeıioöuü"), "e")
    return f"{word}{'t' if word[-1] in 'fstkçşhp' else 'd'}{'a' if vowel in 'aıou' else 'e'}n"


@cache
def ordinals_of(lang: str) -> Mapping[Letters, str]:
    """Return the ordinals from 11 to 99 of a language, declined, in digits with their sign."""
    words = words_of(lang)
    if "ordinal_endings" not in words:
        return {}
    old, *endings = words["ordinal_endings"]
    table: dict[Letters, str] = {}
    for number in range(11, 101 if lang in ("de", "en", "fr") else 100):
        form = spelled(number, words.get("codes", [lang])[0], "ordinal")
        sign = english_ending(number) if lang == "en" else words["ordinal_sign"]
        parts = form.split() if lang in ("es", "pl", "pt") else [form]
        for ending in endings:
            ended = [part.removesuffix(old) + ending if part.endswith(old) else part for part in parts]
            table[letters_of(" ".join(ended))] = f"{number}{sign}"
    table.pop("", None)
    return table


def english_ending(number: int) -> str:
    """Return the ending of an English ordinal in digits: 21st, 12th."""
    return "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
