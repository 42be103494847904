"""Write the numbers of a sentence in digits, which the parser copies, while it misreads most number words.

::

    forty-five minutes                   45 minutes
    zweihundertfünfzig Tage (de)         250 Tage
    kırk beş dakika (tr)                 45 dakika
    四十五分钟 (zh)                       45分钟
    nineteen eighty-four                 1984
    three million                        3 million
    the twenty-first century             the 21st century

Numbers up to ten stay, which the parser knows, unless a million or billion follows; so do ordinals, but in
English, French and German. The number words of a language are those of num2words; Chinese numerals, and
Korean ones before a counter, are read by rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self, TypeVar

from amrx.composed_text import Composed, Span, with_letters_for_marks
from parser.mini.literals import LARGE

LEAST = 11
"""Smallest number that is written in digits."""
_SHORTEST_STEM = 4
MOST_WORDS = 8
"""Maximum number of words of a number below a thousand, or of its thousands."""
_WORD = re.compile(r"[^\W\d_]+(?:(?<=[а-яієїґў])['’ʼ](?=[яюєї])[^\W\d_]+)*")
_GAP = re.compile(r"[\s\-\u2010\u2011]+")
"""Between two words of a number."""
_LONG_GAP = re.compile(r"[\s,\-\u2010\u2011]+")
"""Between thousands and the rest."""
_PER = frozenset({"per", "por", "pour"})
"""Words before *cent* in words for percent."""
_AMBIGUOUS = {"tr": {"yüz", "bin"}}
"""Words with another frequent meaning: *face*, *get on*."""
_AND = {
    "ar": "و",
    "da": "og",
    "de": "und",
    "en": "and",
    "es": "y",
    "fr": "et",
    "it": "e",
    "pt": "e",
    "ro": "și",
}
_VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ar": ((" و ", " و"), ("ون", "ين"), ("خمسة", "خمس"), ("خمسة", "خمسا")),
    "de": (("einhundert", "hundert"), ("eintausend", "tausend")),
    "en": ((" and ", " "), ("one hundred", "a hundred"), ("one thousand", "a thousand")),
    "es": (
        ("cientos", "cientas"),
        ("quinientos", "quinientas"),
        ("iuno", "iún"),
        ("uno", "un"),
        ("uno", "una"),
    ),
    "id": (("satu ratus", "seratus"),),
    "pt": (("entos", "entas"), ("dois", "duas"), ("um", "uma")),
    "ru": (("одна тысяча", "тысяча"), ("один", "одна"), ("два", "две")),
    "sv": (("etthundra", "hundra"), ("etttusen", "tusen")),
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
Value = TypeVar("Value")


class Table(NamedTuple):
    """The numbers of a language."""

    values: Mapping[Letters, int]
    starts: frozenset[str]  # the first two letters of the first words
    ordinals: Mapping[Letters, str]  # ordinals from `LEAST` on, in digits
    small_ordinals: tuple[str, ...]  # beginnings of the ordinals below ten


def with_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with numbers from `LEAST` on in digits; the same object if it has none in words.

    Example:
        >>> with_digits(Composed("Twenty-one men and two hundred and fifty cars"), "en").text
        '21 men and 250 cars'
    """
    text = composed.text
    found = list(_found(text, lang))
    if not found:
        return composed
    pieces: list[str] = []
    spans: list[Span] = []
    end = 0
    for (first, last), digits in found:
        pieces += [text[end:first], digits]
        spans += [composed.given(place, place + 1) for place in range(end, first)]
        spans += [composed.given(first, last)] * len(digits)
        end = last
    pieces.append(text[end:])
    spans += [composed.given(place, place + 1) for place in range(end, len(text))]
    return Composed("".join(pieces), tuple(spans))


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers to replace, and their digits, from left to right."""
    if lang in ("ja", "zh"):
        yield from _in_chinese(text, lang)
    elif lang == "ko":
        yield from _in_korean(text)
    elif lang != "th":  # no spaces between words
        yield from _in_words(text, lang)


def _in_words(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    words = Words.of(text, lang)
    place = 0
    while place < len(words.spans):
        end, number = words.longest(place)
        last, ordinal = words.entry(place, words.table.ordinals)
        digits = ordinal if last > end and words.is_before_word(last) else None
        if number is not None and last <= end and words.is_number(place, end, number):
            digits = str(number)
        end = max(end, last)
        if digits is not None:
            yield (words.spans[place][0], words.spans[end - 1][1]), digits
        place = max(end, place + 1)


@dataclass(frozen=True)
class Words:
    """The words of a sentence, and the numbers of its language."""

    text: str  # the sentence
    lang: str  # its language
    spans: Sequence[Span]  # the span of each word
    folded: Sequence[str]  # each word in small letters
    table: Table  # the numbers

    @classmethod
    def of(cls, text: str, lang: str) -> Self:
        """Split a sentence."""
        spans = [match.span() for match in _WORD.finditer(with_letters_for_marks(text))]
        return cls(text, lang, spans, [_folded(text[slice(*span)]) for span in spans], _table(lang))

    def longest(self, first: int) -> tuple[int, int | None]:
        """Return the end and the value of the longest number that starts at word ``first``."""
        if self.folded[first][:2] not in self.table.starts:
            return first, None
        end, number = self.entry(first, self.table.values)
        if number is None and (number := _split(self.folded[first], self.table.values)):
            return first + 1, number
        if number is None or number % 1000 or not self._is_gap(end, _LONG_GAP):
            return end, number
        after = self._after_and(end)
        if after < len(self.spans):
            last, rest = self.entry(after, self.table.values)
            if rest is not None and rest < 1000:
                return last, number + rest
        return end, number

    def entry(self, first: int, entries: Mapping[Letters, Value]) -> tuple[int, Value | None]:
        """Return the end and the value of the longest entry that starts at word ``first``."""
        letters = ""
        best: tuple[int, Value | None] = first, None
        for place in range(first, min(first + MOST_WORDS, len(self.spans))):
            if place > first and not self._is_gap(place, _GAP):
                break
            letters += self.folded[place]
            if letters in entries:
                best = place + 1, entries[letters]
        return best

    def _is_gap(self, place: int, gap: re.Pattern[str]) -> bool:
        """Return whether ``gap`` is all that is between a word and the one before it."""
        if not 0 < place < len(self.spans):
            return False
        return gap.fullmatch(self.text, self.spans[place - 1][1], self.spans[place][0]) is not None

    def is_before_word(self, end: int) -> bool:
        """Return whether a word follows; a dot would be a part of a German ordinal."""
        return end < len(self.spans) and self.text[self.spans[end - 1][1]] == " "

    def _after_and(self, place: int) -> int:
        """Return the next place after *and*, if this is its place."""
        return place + (self.folded[place : place + 1] == [_AND.get(self.lang)])

    def is_number(self, first: int, end: int, number: int) -> bool:
        """Return whether the words from ``first`` to ``end`` are to be written in digits."""
        large = LARGE.match(self.text, self.spans[end - 1][1])
        if number < (1 if large and not large["thousand"] else LEAST):
            return False
        before = self.folded[first - 1] if first else ""
        if end - first == 1 and (before in _PER or self.folded[first] in _AMBIGUOUS.get(self.lang, ())):
            return False
        capital = self.text[self.spans[first][0]].isupper()
        in_name = capital and first > 0 and self.text[self.spans[first - 1][0]].islower()
        return not (in_name or (number % 10 == 0 and self._continues_as_ordinal(end)))

    def _continues_as_ordinal(self, end: int) -> bool:
        """Return whether an ordinal below ten follows: *twenty-first*, French *vingt et unième*."""
        after = self._after_and(end)
        if after >= len(self.spans) or not self.folded[after].startswith(self.table.small_ordinals):
            return False
        return self.text[self.spans[end - 1][1]] in ("-" if self.lang == "en" else " -")


def _split(letters: Letters, values: Mapping[Letters, int]) -> int | None:
    """Return the value of thousands and a rest in one word."""
    for cut in range(3, len(letters) - 2):
        thousands, rest = values.get(letters[:cut]), values.get(letters[cut:])
        if thousands and rest and thousands % 1000 == 0 and rest < 1000:
            return thousands + rest
    return None


@cache
def _table(lang: str) -> Table:
    from num2words import CONVERTER_CLASSES

    codes = [code for code in _CODES.get(lang, (lang,)) if code in CONVERTER_CLASSES]
    numbers = [*range(1, 1000), *range(1000, 100_000, 1000), *range(100_000, 1_000_000, 50_000)]
    forms = [(form, number) for code in codes for form, number in _forms(numbers, code, "cardinal")]
    if lang in _YEARS:
        forms += _forms(range(1100, 2100), lang, "year")
    values: dict[Letters, int] = {}
    starts: set[str] = set()
    for form, number in forms:
        for variant in _variants(form, lang):
            words = [_folded(word) for word in _WORD.findall(variant)]
            values.setdefault("".join(words), number)
            starts.add(words[0][:2])
    last_words = [
        _folded(_WORD.findall(form)[-1])
        for code in codes
        for form, _ in _forms((*range(1, 10), *range(21, 30)), code, "ordinal")
    ]
    stems = {word[: max(_SHORTEST_STEM, len(word) - 2)] for word in last_words if word not in values}
    ordinals = {
        "".join(_folded(word) for word in _WORD.findall(form + ending)): f"{number}{sign}"
        for ending, sign in _ORDINALS.get(lang, ())
        for form, number in _forms(range(LEAST, 101), lang, "ordinal")
    }
    if lang == "en":
        ordinals = {letters: _with_english_ending(digits) for letters, digits in ordinals.items()}
    return Table(values, frozenset(starts), ordinals, tuple(sorted(stems)))


def _with_english_ending(digits: str) -> str:
    ending = "th" if digits[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
    return digits + ending


def _folded(word: str) -> str:
    """Return a word in small letters, without the apostrophe of Ukrainian."""
    return re.sub("['’ʼ]", "", word.casefold())


def _forms(numbers: Sequence[int], code: str, kind: str) -> list[tuple[str, int]]:
    """Return num2words' forms of numbers; it lacks the ordinals of some languages."""
    from num2words import num2words

    try:
        return [(num2words(number, lang=code, to=kind).casefold(), number) for number in numbers]
    except (NotImplementedError, KeyError, IndexError):
        if kind == "cardinal":
            raise
        return []


def _variants(form: str, lang: str) -> list[str]:
    """Return a form and its `_VARIANTS`."""
    forms = [form.replace(",", "")]
    for old, new in _VARIANTS.get(lang, ()):
        forms += [one.replace(old, new) for one in forms if old in one]
    return forms


_DIGITS = {
    sign: value
    for value, signs in enumerate(("〇零", "一", "二两兩", "三", "四", "五", "六", "七", "八", "九"))
    for sign in signs
}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_NUMERAL = re.compile(rf"(?<![数數几幾])[{''.join((*_DIGITS, *_GROUPS))}十百千]+")
_COUNTERS = {"ja": "冊人個本枚匹台回日年月時分秒歳階杯頭羽軒着足通円件つ", "zh": "月日号號"}
"""Words after which a single numeral, which the parser misreads there, is a number."""


def _in_chinese(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    for match in _NUMERAL.finditer(text):
        number = read_chinese(match[0], lang)
        if number is None:
            continue
        after = text[match.end() : match.end() + 1]
        counted = after and after in _COUNTERS[lang] and (number > 1 or after == "月")
        if counted or (number >= LEAST and len(match[0]) > 1):
            yield match.span(), str(number)


def read_chinese(signs: str, lang: str = "zh") -> int | None:
    """Return the value of a Chinese numeral; ``None`` if it is not one.

    Digits without powers of ten are those of a year. In Chinese, 百 and 千 follow a digit, and a digit right
    after them or after 万 (二百五) leaves out a power of ten and is ambiguous; in Japanese neither holds.

    Example:
        >>> [read_chinese(signs) for signs in ("四十五", "两百五十", "一千零一", "二〇二四", "三万", "千万")]
        [45, 250, 1001, 2024, 30000, None]
        >>> read_chinese("百二十", "ja")
        120
    """
    if all(sign in _DIGITS for sign in signs):
        return int("".join(str(_DIGITS[sign]) for sign in signs)) if len(signs) in (1, 4) else None
    total = 0
    for part, group in _GROUPED.findall(signs):
        value = _below_group(part, lang) if part or not group else None
        if value is None or (total and lang != "ja" and 0 < value < 10 and len(part) == 1):
            return None
        total += value * _GROUPS.get(group, 1)
    return total


_GROUPED = re.compile(rf"([^{''.join(_GROUPS)}]*)([{''.join(_GROUPS)}]|$)")


def _below_group(signs: str, lang: str) -> int | None:
    """Return the value of a numeral below ten thousand; 0 if it is empty."""
    parts = _PARTS.fullmatch(signs)
    if parts is None:
        return None
    value = 0
    for power, sign in ((1000, "千"), (100, "百"), (10, "十")):
        part = parts[sign]
        if part == sign and sign != "十" and lang != "ja":
            return None
        value += power * (_DIGITS.get(part[0], 1) if part else 0)
    rest = parts["rest"]
    is_short = value and not parts["十"] and not _ZERO.search(signs)
    if rest and lang != "ja" and is_short:
        return None
    return value + (_DIGITS[rest] if rest else 0)


_DIGIT = f"[{''.join(sign for sign, value in _DIGITS.items() if value)}]"
_PARTS = re.compile(
    rf"(?P<千>{_DIGIT}?千)?[零〇]?(?P<百>{_DIGIT}?百)?[零〇]?(?P<十>{_DIGIT}?十)?[零〇]?(?P<rest>{_DIGIT})?"
)
_ZERO = re.compile("[零〇]")


_KOREAN_TENS = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_KOREAN_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_KOREAN_COUNTERS = re.compile(
    r"\s?(?:명|분|개|년|월|일|원|시간|시|살|세|권|마리|대|번|층|회|장|잔|병|주|달러|유로|킬로|미터|퍼센트)"
)


@cache
def _korean() -> Mapping[Letters, int]:
    native = {
        ten + one: 10 * tens + ones
        for tens, ten in enumerate(_KOREAN_TENS, 1)
        for ones, one in enumerate(_KOREAN_ONES)
    }
    return {**native, "스무": 20, **_table("ko").values}


def _in_korean(text: str) -> Iterator[tuple[Span, str]]:
    values = _korean()
    for match in _WORD.finditer(text):
        word = match[0]
        for end in range(len(word), 1, -1):
            number = values.get(word[:end])
            last = match.start() + end
            if number is not None and number >= LEAST and _KOREAN_COUNTERS.match(text, last):
                yield (match.start(), last), str(number)
                break
