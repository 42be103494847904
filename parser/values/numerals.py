"""Read the number words of a language, by the forms that num2words writes.

::

    en    two hundred and fifty  250    nineteen eighty-four  1984    three point five  3.5
    de    zweihundertfünfzigtausend  250000                   ru    сорока пяти  45

A number is read from its parts: the forms of 1 to 99, of the hundreds, and of the powers of ten, which are
derived from num2words' forms of a few hundred numbers, with spaces and hyphens left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from parser.values.words import WORD, folded_word, words_of

Letters = str
"""The letters of a number, without spaces and hyphens."""


@dataclass
class Numerals:
    """The parts of the numbers of a language.

    Example:
        >>> numerals_of("de").read("zweihundertfünfzigtausend", {25})
        (25, 250000)
    """

    small: dict[Letters, int] = field(default_factory=dict)  # from 1 to 99
    hundreds: dict[Letters, int] = field(default_factory=dict)  # 100, 200, ... 900
    hundred: set[Letters] = field(default_factory=set)  # the word behind a number of hundreds
    powers: dict[Letters, int] = field(default_factory=dict)  # thousand, million, ... behind a number
    single: dict[Letters, int] = field(default_factory=dict)  # the same without a number before them
    joint: Letters = ""  # *and* between the parts
    zero: Letters = ""
    points: frozenset[Letters] = frozenset()  # words before decimals

    def __post_init__(self) -> None:
        tables = self.small, self.hundreds, self.single
        self.longest = max((len(one) for table in (*tables, self.powers) for one in table), default=0)
        self.starts = {one[:2] for table in tables for one in table} | {self.zero[:2]}

    def read(self, letters: Letters, ends: Collection[int]) -> tuple[int, int] | None:
        """Return the end and the value of the longest number at the start of ``letters``.

        A million at its end is left out, since digits stand before it: *three million* is 3.

        Args:
            letters: The letters of some words.
            ends: Ends of these words in ``letters``; a number ends with a word.
        """
        options = [
            one
            for one in self._numbers(letters, 0)
            if one[0] in ends and self._is_whole(letters, one[0], ends)
        ]
        if not options:
            return None
        end, number = max(options)
        for word, power in self.powers.items():
            place = end - len(word)
            if power > 1000 and number % power == 0 and letters.endswith(word, 0, end) and place in ends:
                return place, number // power
        return end, number

    def _is_whole(self, letters: Letters, end: int, ends: Collection[int]) -> bool:
        """Return whether a number ends neither with *and* nor inside of another number."""
        is_joint = bool(self.joint) and letters.endswith(self.joint, 0, end) and end - len(self.joint) in ends
        return not is_joint and not any(letters.startswith(one, end) for one in (*self.hundred, *self.powers))

    def _at(self, table: Mapping[Letters, int], letters: Letters, place: int) -> Iterator[tuple[int, int]]:
        for end in range(place + 1, min(len(letters), place + self.longest) + 1):
            if letters[place:end] in table:
                yield end, table[letters[place:end]]

    def _after_joint(self, letters: Letters, place: int) -> Iterator[int]:
        yield place
        if self.joint and letters.startswith(self.joint, place):
            yield place + len(self.joint)

    def _below_thousand(self, letters: Letters, place: int) -> Iterator[tuple[int, int]]:
        hundreds = list(self._at(self.hundreds, letters, place))
        for end, value in self._at(self.small, letters, place):
            yield end, value
            if 10 < value < 20:  # nineteen hundred
                words = [word for word in self.hundred if letters.startswith(word, end)]
                hundreds += [(end + len(word), 100 * value) for word in words]
        yield from hundreds
        for end, value in hundreds:
            for after in self._after_joint(letters, end):
                yield from ((last, value + rest) for last, rest in self._at(self.small, letters, after))

    def _numbers(self, letters: Letters, place: int, most: int = 10**9) -> Iterator[tuple[int, int]]:
        """Yield the ends and values of all numbers at a place that are below a thousand times ``most``."""
        if most < 1000:
            yield from self._below_thousand(letters, place)
            return
        lower = list(self._numbers(letters, place, most // 1000))
        heads = [
            (last, value * power)
            for end, value in lower
            for last, power in self._at(self.powers, letters, end)
            if power == most
        ]
        heads += [one for one in self._at(self.single, letters, place) if most <= one[1] < 1000 * most]
        yield from (*lower, *heads)
        for after, value in (
            (after, value) for end, value in heads for after in self._after_joint(letters, end)
        ):
            rests = self._numbers(letters, after, most // 1000)
            yield from ((last, value + rest) for last, rest in rests if rest < most)


@cache
def numerals_of(lang: str) -> Numerals:
    """Return the number words of a language; without any if num2words does not know it."""
    words, forms = words_of(lang), _Forms(lang)
    if "numerals" in words:
        zero, *names = words["numerals"].split()
        small = {name: value for value, name in enumerate(names, 1)}
        powers = {word: power for word, power in words["powers"].items() if power > 100}
        hundred = next(word for word, power in words["powers"].items() if power == 100)
        hundreds = {one + hundred: 100 * value for one, value in [("", 1), *small.items()] if value < 10}
        return Numerals(small, hundreds, set(), powers, dict(powers), zero=zero)
    if not forms.codes:
        return Numerals()
    own = {letters: number for number in range(1, 100) for letters in forms(number)}
    made = Numerals(own, joint=words.get("and_in_numbers", ""), zero=min(forms(0)))
    made.points = frozenset(words.get("point", "").split("|")).union(*map(_points, forms.codes)) - {""}
    _add_hundreds(made, forms)
    _add_powers(made, forms)
    if lang == "tr":
        for table in (made.small, made.hundreds, made.single):
            table |= {_ablative(letters): number for letters, number in table.items()}
    made.__post_init__()
    return made


class _Forms:
    """The forms of numbers in a language, as num2words writes them, and those derived of them."""

    def __init__(self, lang: str) -> None:
        from num2words import CONVERTER_CLASSES

        words = words_of(lang)
        self.codes = [code for code in words.get("codes", [lang]) if code in CONVERTER_CLASSES]
        self.kinds = [{}, *({"case": case} for case in words.get("cases", ()))]
        self.variants = words.get("variants", ())
        self._of: dict[int, set[Letters]] = {}

    def __call__(self, number: int) -> set[Letters]:
        """Return the letters of all forms of a number."""
        if number not in self._of:
            forms = [spelled(number, code, **kind) for code in self.codes for kind in self.kinds]
            for old, new in self.variants:
                forms += [one.replace(old, new) for one in forms if old in one]
            self._of[number] = {letters_of(form) for form in forms} - {""}
        return self._of[number]

    def rest(self, form: Letters, number: int) -> Letters:
        """Return the shortest rest of a form behind one of a number; empty if there is none."""
        return min(
            (form.removeprefix(one) for one in self(number) if form.startswith(one)), key=len, default=""
        )


def letters_of(form: str) -> Letters:
    """Return the letters of the words of a number.

    Example:
        >>> letters_of("Forty-five")
        'fortyfive'
    """
    return "".join(map(folded_word, WORD.findall(form)))


def spelled(number: float, code: str, to: str = "cardinal", **case: str) -> str:
    """Return num2words' form of a number; empty if it lacks it."""
    from num2words import num2words

    try:
        return str(num2words(number, lang=code, to=to, **case)).casefold()
    except (NotImplementedError, KeyError, IndexError, TypeError, OverflowError):
        return ""  # num2words raises these for the languages, forms and sizes that it lacks


def _add_hundreds(made: Numerals, forms: _Forms) -> None:
    for number in range(1, 10):
        for form in forms(100 * number):
            made.hundreds[form] = 100 * number
            rest = forms.rest(form, number)
            if rest and number == 1:
                made.hundreds[rest] = 100
            elif rest:
                made.hundred.add(rest)
        for rest_number in (1, 8):  # Italian centotto
            for form in forms(100 * number + rest_number):
                starts = [form.removesuffix(one) for one in forms(rest_number) if form.endswith(one)]
                made.hundreds |= dict.fromkeys(starts, 100 * number)
    made.hundreds.pop("", None)


def _add_powers(made: Numerals, forms: _Forms) -> None:
    """Add the words for powers of ten, and other forms of small numbers before a thousand."""
    for power in (10**3, 10**6, 10**9):
        for number in (1, 2, 3, 5, 11, 21):
            for form in forms(number * power):
                rest = forms.rest(form, number)
                if number == 1 or not rest:
                    made.single[form] = number * power
                if rest and number == 1 and power == 1000:
                    made.single[rest] = power
                if rest:
                    made.powers.setdefault(rest, power)
    thousands = [word for word, power in made.powers.items() if power == 1000]
    for number in range(1, 100):
        for form, word in ((form, word) for form in forms(1000 * number) for word in thousands):
            if form.endswith(word) and form != word:
                made.small.setdefault(form.removesuffix(word), number)


def _points(code: str) -> Iterator[Letters]:
    """Yield the word that num2words writes between a number and its decimals."""
    whole, decimal = (WORD.findall(spelled(number, code)) for number in (3, 3.5))
    if decimal[: len(whole)] == whole and len(decimal) > len(whole) + 1 and code not in ("fa", "hu"):
        yield from (folded_word(word) for word in decimal[len(whole) :][:1] if len(word) > 1)


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
        form = spelled(number, _Forms(lang).codes[0], "ordinal")
        sign = english_ending(number) if lang == "en" else words["ordinal_sign"]
        parts = form.split() if lang in ("es", "pl", "pt") else [form]
        for ending in endings:
            ended = [part.removesuffix(old) + ending if part.endswith(old) else part for part in parts]
            table[letters_of(" ".join(ended))] = f"{number}{sign}"
    table.pop("", None)
    return table


def english_ending(number: int) -> str:
    """Return the ending of an English ordinal in digits.

    Example:
        >>> english_ending(21), english_ending(12)
        ('st', 'th')
    """
    return "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
