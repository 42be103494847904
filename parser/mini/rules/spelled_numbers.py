"""Write the numbers of a sentence in digits, which the parser copies, while it misreads most number words.

::

    forty-five minutes                   45 minutes
    zweihundertfünfzig Tage (de)         250 Tage
    kırk beş dakika (tr)                 45 dakika
    四十五分钟 (zh)                       45分钟
    nineteen eighty-four                 1984
    three million                        3 million
    the twenty-first century             the 21st century
    drei Komma fünf, 三点五               3,5 and 3.5

Numbers up to ten stay, which the parser knows, unless a million or billion follows, in four languages a
noun, in Chinese and Korean a counter; so do ordinals of languages that `number_words` does not decline. The
number words of a language are those of num2words; Chinese numerals, and Korean ones before a counter, are
read by rule. A word that is a part of a name, compound or fixed expression (*Ocean's Eleven*,
*mille-feuille*, 八百屋) stays: a wrong number is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self, TypeVar

from amrx.composed_text import Composed, Span, with_letters_for_marks
from parser.mini.rules.chinese_numerals import in_chinese
from parser.mini.rules.korean_numerals import in_korean
from parser.mini.rules.literals import LARGE, group_sign
from parser.mini.rules.number_words import LEAST, LEAST_OF, WORD, Letters, Table, folded_word, number_words

MOST_WORDS = 8
"""Maximum number of words of a number below a thousand, or of its thousands."""
_GAP = re.compile(r"[\s\-\u2010\u2011]+")
"""Between two words of a number."""
_LONG_GAP = re.compile(r"[\s,\-\u2010\u2011]+")
"""Between thousands and the rest."""
_PER, _CENT = frozenset({"per", "por", "pour"}), ("cent", "cien")
"""The words of *per cent*, and their first letters."""
_AMBIGUOUS = {"ru": {"сорока"}, "tr": {"yüz", "bin", "yüzden", "binden"}, "uk": {"сорока"}}
"""Words with another frequent meaning: *magpie*, *face*, *get on*."""
_NOUNS = {"it": {"venti": "i dei ai nei forti".split()}, "nl": {"elf": "de een die deze".split()}}
"""Words that are nouns after some words: *winds*, *elf*."""
_POWERS = {
    "ca": {"cents"},
    "en": {"hundred"},
    "fr": {"cents", "vingts"},
    "he": {"מאות"},
    "id": {"belas", "puluh", "ratus"},
    "nb": {"hundre"},
    "ro": {"sute"},
    "vi": {"mươi", "trăm"},
}
"""Words that multiply the word before: the *two* of *between one hundred and two hundred* is not of 102."""
_PLURALS = frozenset("hundreds twenties thirties forties fifties sixties seventies eighties nineties".split())
"""Words after *nineteen* in centuries and decades."""
_THANKS = frozenset(
    "thanks thank dank danke merci mercis remerciements grazie scuse gracias obrigados desculpas tack takk "
    "tak díků kiitosta kiitokset köszönet mulțumiri scuze شكر תודות".split()
)
"""Words that a hundred or a thousand only intensifies."""
_COMPOUNDS = frozenset({"ca", "es", "fr", "it", "pt"})
"""Languages whose compounds begin with numbers only by name: *mille-feuille*."""
_SENTENCE_END = re.compile(r"[.!?:…¿¡。\n•]")
_SMALL_WORD = 4
"""Minimum number of letters of a word that a headline in Title Case writes with a capital."""
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
_SHORTEST = 3
"""Minimum number of letters of the last word of an ordinal."""
_HOURS = {
    "pl": frozenset("o po przed do od godzina godzinie godziny".split()),
    "ru": frozenset("часу".split()),
    "uk": frozenset("о об до після година годині години".split()),
}
"""Words before an hour, which is an ordinal."""
_WHOLE = ("цел", "ціл")
"""First letters of the word before Russian and Ukrainian decimals."""
_DECIMALS = {"дес": 1, "сот": 2, "тыс": 3, "тис": 3}
"""First letters of the words for tenths, hundredths and thousandths, and their number of digits."""
Value = TypeVar("Value")


@lru_cache(maxsize=256)
def with_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with numbers from `LEAST` on in digits; the same object if it has none in words.

    In some languages smaller numbers count too, before a noun or a counter.

    Example:
        >>> with_digits(Composed("Twenty-one men and two hundred and fifty cars"), "en").text
        '21 men and 250 cars'
    """
    return composed.with_replaced(_found(composed.text, lang))


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers to replace, and their digits, from left to right."""
    if lang in ("ja", "zh"):
        yield from in_chinese(text, lang)
    elif lang == "ko":
        yield from in_korean(text)
    elif lang != "th":  # no spaces between words
        yield from _in_words(text, lang)


def _in_words(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    words = Words.of(text, lang)
    place, after = 0, -1  # the end of the last number
    while place < len(words.spans):
        end, decimal = words.decimal(place)
        if decimal is not None:
            yield (words.spans[place][0], words.spans[end - 1][1]), decimal
            place = end
            continue
        end, number = words.longest(place)
        last, ordinal = words.entry(place, words.table.ordinals)
        if len(words.folded[last - 1]) < _SHORTEST:  # osiemdziesiąt a
            last = end
        is_alone = place != after and not words.is_hour(place)
        is_ordinal = last > end and is_alone and words.is_before_word(last) and not words.is_in_name(place)
        after = end if number is not None else after
        digits = ordinal if is_ordinal else None
        if number is not None and last <= end and words.is_number(place, end, number):
            digits = str(number)
        end = max(end, last)
        if digits is None and number is not None and words.is_cut(end, number):
            end = words.after_and(end) + 1
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
    has_small: bool  # whether a word that Title Case would write with a capital has none

    @classmethod
    def of(cls, text: str, lang: str) -> Self:
        """Split a sentence."""
        spans = [match.span() for match in WORD.finditer(with_letters_for_marks(text))]
        written = [text[slice(*span)] for span in spans]
        has_small = any(len(word) >= _SMALL_WORD and word[0].islower() for word in written)
        return cls(text, lang, spans, [folded_word(word) for word in written], number_words(lang), has_small)

    def longest(self, first: int) -> tuple[int, int | None]:
        """Return the end and the value of the longest number that starts at word ``first``."""
        if self.folded[first][:2] not in self.table.starts:
            return first, None
        end, number = self.entry(first, self.table.values)
        if number is None and (number := _split(self.folded[first], self.table)):
            return first + 1, number
        if number is None or number % 1000 or not self._is_gap(end, _LONG_GAP):
            return end, number
        after = self.after_and(end)
        if self._is_gap(after, _GAP if after > end else _LONG_GAP):
            last, rest = self.entry(after, self.table.values)
            is_listed = "," in self.text[self.spans[end - 1][1] : self.spans[end][0]]
            least = 1 if not is_listed else 100 if self.lang == "en" else 1000
            if rest is not None and least <= rest < 1000:
                return last, number + rest
        return end, number

    def decimal(self, first: int) -> tuple[int, str | None]:
        """Return the end and the digits of the decimal number that starts at word ``first``."""
        end, whole = self.longest(first)
        if whole is None and self.folded[first] == self.table.zero:
            end, whole = first + 1, 0
        if whole is None or end >= len(self.spans) or self.folded[end] not in self.table.points:
            return first, None
        if not (self._is_gap(end, _GAP) and self._is_gap(end + 1, _GAP)):
            return first, None
        after, digits = end + 1, ""
        after += self.folded[after] == "и" and self.lang == "ru"
        while after < len(self.spans) and (not digits or self._is_gap(after, _GAP)):
            last, part = self.entry(after, self.table.values)
            if self.folded[after] == self.table.zero:
                last, part = after + 1, 0
            if part is None or (digits and part >= 10):
                break
            after, digits = last, f"{digits}{part}"
            if part >= 10:
                break
        if digits and self.folded[end].startswith(_WHOLE):  # три целых пять десятых
            stem = self.folded[after][:3] if after < len(self.spans) else ""
            if stem not in _DECIMALS:
                return first, None
            after, digits = after + 1, digits.rjust(_DECIMALS[stem], "0")
        sign = "." if group_sign(self.lang) == "," else ","
        return (after, f"{whole}{sign}{digits}") if digits else (first, None)

    def entry(self, first: int, entries: Mapping[Letters, Value]) -> tuple[int, Value | None]:
        """Return the end and the value of the longest entry that starts at word ``first``."""
        letters = ""
        best: tuple[int, Value | None] = first, None
        for place in range(first, min(first + MOST_WORDS, len(self.spans))):
            if place > first and not self._is_gap(place, _GAP):
                break
            letters += self.folded[place]
            if len(letters) > self.table.longest:
                break
            if letters in entries and not self._is_multiplied(first, place + 1):
                best = place + 1, entries[letters]
        return best

    def _is_gap(self, place: int, gap: re.Pattern[str]) -> bool:
        """Return whether ``gap`` is all that is between a word and the one before it."""
        if not 0 < place < len(self.spans):
            return False
        return gap.fullmatch(self.text, self.spans[place - 1][1], self.spans[place][0]) is not None

    def _is_multiplied(self, first: int, end: int) -> bool:
        """Return whether the word at ``end`` multiplies only the word before it."""
        if not self._is_gap(end, _GAP):
            return False
        word = self.folded[end]
        is_second = word == "thousand" and word in self.folded[first:end]
        return is_second or word in _POWERS.get(self.lang, ())

    def is_hour(self, place: int) -> bool:
        """Return whether an ordinal is an hour: Polish *o dwunastej*, Ukrainian *о дванадцятій*."""
        return place > 0 and self.folded[place - 1] in _HOURS.get(self.lang, ())

    def is_before_word(self, end: int) -> bool:
        """Return whether a word follows; a dot would be a part of a German ordinal."""
        return end < len(self.spans) and self.text[self.spans[end - 1][1]] == " "

    def after_and(self, place: int) -> int:
        """Return the next place after *and* or, in Vietnamese, the words for no hundreds and no tens."""
        if self.lang == "vi":
            place += 2 * (self.folded[place : place + 2] == ["không", "trăm"])
            return place + (self.folded[place : place + 1] in (["lẻ"], ["linh"]))
        return place + (self.folded[place : place + 1] == [_AND.get(self.lang)])

    def is_cut(self, end: int, number: int) -> bool:
        """Return whether an ordinal continues a number: *twenty-first*, French *vingt et unième*."""
        after = self.after_and(end)
        if number % 10 or after >= len(self.spans) or self.folded[after] in self.table.values:
            return False
        if not self.folded[after].startswith(self.table.last_ordinals):
            return False
        has_space = self.lang != "en" or number % 100 == 0
        return self.text[self.spans[end - 1][1]] in ("- " if has_space else "-")

    def is_number(self, first: int, end: int, number: int) -> bool:
        """Return whether the words from ``first`` to ``end`` are to be written in digits."""
        large = LARGE.match(self.text, self.spans[end - 1][1])
        least = LEAST_OF.get(self.lang, LEAST) if self.is_before_word(end) else LEAST
        if number < (1 if large and not large["thousand"] else least):
            return False
        if end - first == 1 and self._has_other_meaning(first):
            return False
        after = self.folded[end] if self._is_gap(end, _GAP) else ""
        if after in _PLURALS or (number in (100, 1000) and after in _THANKS):
            return False
        return not (self.is_in_name(first) or self._is_in_compound(first, end) or self.is_cut(end, number))

    def _has_other_meaning(self, place: int) -> bool:
        """Return whether a word is a part of *per cent*, or has another frequent meaning."""
        word, before = self.folded[place], self.folded[place - 1] if place else ""
        if before in _PER and word.startswith(_CENT):
            return True
        return word in _AMBIGUOUS.get(self.lang, ()) or before in _NOUNS.get(self.lang, {}).get(word, ())

    def is_in_name(self, place: int) -> bool:
        """Return whether a word has a capital inside a sentence that is not in Title Case."""
        begin = self.spans[place][0]
        if not place or not self.text[begin].isupper():
            return False
        if not (self.has_small or self.lang == "de" or self.text[self.spans[place - 1][0]].islower()):
            return False
        return _SENTENCE_END.search(self.text, self.spans[place - 1][1], begin) is None

    def _is_in_compound(self, first: int, end: int) -> bool:
        """Return whether a hyphen joins other words to a number, so that it is no number or not surely one.

        An English compound with a space before its last word, *twenty two-bedroom flats*, may begin there.
        """
        begin, last = self.spans[first][0], self.spans[end - 1][1]
        if self._is_joined(first) and self.folded[first - 1] not in self.table.values:
            return True
        if not self._is_joined(end) or self.folded[end] in self.table.values:
            return False
        has_space = re.search(" (?!and )", self.text[begin:last].casefold()) is not None
        return self.lang in _COMPOUNDS or (self.lang == "en" and has_space)

    def _is_joined(self, place: int) -> bool:
        """Return whether a hyphen joins a word to the one before it."""
        if not 0 < place < len(self.spans):
            return False
        return self.text[self.spans[place - 1][1] : self.spans[place][0]] in ("-", "\u2010", "\u2011")


def _split(letters: Letters, table: Table) -> int | None:
    """Return the value of thousands and a rest in one word."""
    values, longest = table.values, table.longest
    for cut in range(max(3, len(letters) - longest), min(len(letters) - 2, longest + 1)):
        thousands, rest = values.get(letters[:cut]), values.get(letters[cut:])
        if thousands and rest and thousands % 1000 == 0 and rest < 1000:
            return thousands + rest
    return None
