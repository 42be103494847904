"""Find the numbers that a text has in words, and their digits.

::

    forty-five minutes, kırk beş dakika (tr)    45 minutes, 45 dakika
    drei Komma fünf, 三点五                      3,5 and 3.5
    the twenty-first century                     the 21st century

Numbers up to ten stay, unless a million follows, or in some languages a noun. So do words that are a part of
a name, compound or fixed expression (*Ocean's Eleven*, *mille-feuille*): a wrong number is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from amrx.composed_text import Span, with_letters_for_marks
from parser.values.han import LEAST, in_chinese, in_korean, read_chinese, read_korean
from parser.values.literals import LARGE
from parser.values.numerals import Numerals, numerals_of, ordinals_of
from parser.values.words import UNSPACED, WORD, folded_word, in_language, pattern_of, words_of

_LEAST_OF = {"cs": 3, "da": 3, "nb": 3, "sv": 3}
"""Smallest number in languages whose small numbers a parser often misreads."""
_MOST_WORDS = 10
_GAP = re.compile(r"[\s\-\u2010\u2011]+")
_LONG_GAP = re.compile(r",?[\s\-\u2010\u2011]+")
_TENTHS = {"дес": 1, "сот": 2, "тыс": 3, "тис": 3}
"""First letters of the Russian words for tenths, hundredths and thousandths, and their number of digits."""
Found = tuple[Span, str]
"""The span of a number in a text, and its digits."""


def numbers_in_words(text: str, lang: str) -> tuple[Found, ...]:
    """Return the spans of the numbers in words that are to be written in digits, and the digits."""
    if lang in ("ja", "zh"):
        return tuple(in_chinese(text, lang))
    return tuple(in_korean(text) if lang == "ko" else Words.of(text, lang).numbers()) if lang != "th" else ()


def small_numbers(text: str, lang: str) -> Iterator[Found]:
    """Yield the numbers in words that stay words, with their digits.

    Example:
        >>> list(small_numbers("drei Liter", "de")), list(small_numbers("两米", "zh"))
        ([((0, 4), '3')], [((0, 1), '2')])
    """
    for match in pattern_of("small", lang).finditer(text):
        number = read_whole(match[0], lang)
        if number is not None:
            yield match.span(), str(number)
    words = Words.of("" if lang in (*UNSPACED, "ko") else text, lang)
    place = 0
    while place < len(words.spans):
        end, number = words.longest(place)
        if number is not None and not words.is_unsure(place, end):
            yield words.span(place, end), str(number)
        place = end if number is not None else place + 1


def read_whole(word: str, lang: str) -> int | None:
    """Return the value of a number in digits or in one word below a hundred."""
    if word.isdecimal():
        return int(word)
    if lang in ("ja", "ko", "zh"):
        return read_korean(word) if lang == "ko" else read_chinese(word, lang)
    is_one = re.fullmatch(words_of(lang).get("one", "(?!)"), word, re.IGNORECASE)
    return 1 if is_one else numerals_of(lang).small.get(folded_word(word))


@dataclass(frozen=True)
class Words:
    """The words of a sentence and the numbers of its language."""

    text: str
    lang: str
    spans: Sequence[Span]
    folded: Sequence[str]  # each word in small letters
    numerals: Numerals

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, text: str, lang: str) -> Words:
        """Split a sentence."""
        spans = [match.span() for match in WORD.finditer(with_letters_for_marks(text))]
        written = [text[slice(*span)] for span in spans]
        letters = written if lang == "hi" else ["".join(WORD.findall(word)) for word in written]
        return cls(text, lang, spans, [folded_word(word) for word in letters], numerals_of(lang))

    def span(self, first: int, end: int) -> Span:
        """Return the span of some words."""
        return self.spans[first][0], self.spans[end - 1][1]

    def numbers(self) -> Iterator[Found]:
        """Yield the numbers to write in digits."""
        ordinals, place = ordinals_of(self.lang), 0
        while place < len(self.spans):
            end, digits = self.decimal(place)
            if digits is None:
                end, number = self.longest(place)
                last, ordinal = self._ordinal(place, ordinals)
                if ordinal and last >= end and not self.is_unsure(place, last):
                    is_before_word = last < len(self.spans) and self.text[self.spans[last - 1][1]] == " "
                    end, digits = last, ordinal if is_before_word else ordinal.rstrip(".")
                elif number is not None and self._is_number(place, end, number):
                    digits = str(number)
            if digits is not None:
                yield self.span(place, end), digits
            place = max(end, place + 1) if digits is not None else place + 1

    def _joined(self, first: int, most: int) -> Iterator[tuple[int, str]]:
        """Yield the ends and letters of one, two, ... ``most`` words from one on, with only gaps between."""
        letters = ""
        for place in range(first, min(first + most, len(self.spans))):
            if place > first and not self._is_gap(place):
                return
            letters += self.folded[place]
            yield place + 1, letters

    def longest(self, first: int) -> tuple[int, int | None]:
        """Return the end and the value of the longest number that starts at word ``first``."""
        word = self.folded[first]
        if len(word) > 1 and word[:2] not in self.numerals.starts:
            return first, None
        runs = list(self._joined(first, _MOST_WORDS))
        ends = {len(letters): end for end, letters in runs}
        read = self.numerals.read(runs[-1][1], ends)
        return (ends[read[0]], read[1]) if read else (first, None)

    def decimal(self, first: int) -> tuple[int, str | None]:
        """Return the end and the digits of the decimal number that starts at word ``first``."""
        end, whole = self._digit(first)
        is_point = end < len(self.spans) and self.folded[end] in self.numerals.points
        if whole is None or not (is_point and self._is_gap(end) and self._is_gap(end + 1)):
            return first, None
        after, digits = end + 1, ""
        while after < len(self.spans) and (not digits or self._is_gap(after)):
            last, part = self._digit(after)
            if part is None:
                break
            after, digits = last, f"{digits}{part}"
        if digits and self.folded[end].startswith(("цел", "ціл")):  # три целых пять десятых
            stem = self.folded[after][:3] if after < len(self.spans) else ""
            if stem not in _TENTHS:
                return first, None
            after, digits = after + 1, digits.rjust(_TENTHS[stem], "0")
        return (after, in_language(f"{whole}.{digits}", self.lang)) if digits else (first, None)

    def _digit(self, place: int) -> tuple[int, int | None]:
        """Return the end and value of a number that may be zero."""
        return (place + 1, 0) if self.folded[place] == self.numerals.zero else self.longest(place)

    def _ordinal(self, first: int, table: Mapping[str, str]) -> tuple[int, str | None]:
        """Return the end and the digits of the ordinal that starts at word ``first``."""
        ordinals = [
            (end, table[letters])
            for end, letters in self._joined(first, 4)
            if letters in table and len(self.folded[end - 1]) > 2
        ]
        return ordinals[-1] if ordinals else (first, None)

    def _is_number(self, first: int, end: int, number: int) -> bool:
        """Return whether the words from ``first`` to ``end`` are to be written in digits."""
        large = LARGE.match(self.text, self.spans[end - 1][1])
        is_before_word = end < len(self.spans) and self.text[self.spans[end - 1][1]] == " "
        least = _LEAST_OF.get(self.lang, LEAST) if is_before_word else LEAST
        is_enough = number >= (1 if large and not large["thousand"] else least)
        return is_enough and not self.is_unsure(first, end) and not self._is_in_name(first)

    def is_unsure(self, first: int, end: int) -> bool:
        """Return whether a number has another meaning here, as in *per cent* and *a thousand thanks*."""
        match = pattern_of("unsure", self.lang).match(self.text, self.spans[first][0])
        return match is not None and match.end() == self.spans[end - 1][1]

    def _is_gap(self, place: int) -> bool:
        """Return whether only spaces and hyphens are between a word and the one before it."""
        if not 0 < place < len(self.spans):
            return False
        is_large = self.lang == "en" and self.folded[place - 1] in self.numerals.powers
        gap = _LONG_GAP if is_large else _GAP
        return gap.fullmatch(self.text, self.spans[place - 1][1], self.spans[place][0]) is not None

    def _is_in_name(self, place: int) -> bool:
        """Return whether a word and the one before it have a capital: *Ocean's Eleven*."""
        is_capital = self.text[self.spans[place][0]].isupper()
        return is_capital and self._is_gap(place) and self.text[self.spans[place - 1][0]].isupper()
