"""Find the numbers that Chinese, Japanese and Korean texts write in numerals of their own.

::

    四十五分钟 (zh)  45     下午三点十五分 (zh)  3, 15     三冊 (ja)  3
    사십오 분 (ko)   45     스물다섯 명 (ko)     25        百 권 (ko) 100
    几十个, 二百五, 三分之一, 八百屋 (ja)        none: vague, ambiguous, a fraction, a word
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from amrx.composed_text import Span
from parser.values.words import WORD, pattern_of, words_of

LEAST = 11
"""Smallest number that is written in digits without a counter."""
_DIGITS = {
    sign: value for value, signs in enumerate("〇零 一 二两兩 三 四 五 六 七 八 九".split()) for sign in signs
}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_SIGNS = "".join((*_DIGITS, *_GROUPS, *_POWERS))
_NUMERAL = re.compile(rf"(?<![数數几幾])[{_SIGNS}]+")
_KANJI = re.compile(r"[\u3400-\u9fff々]")
_MINUTES = "[二三四五]?十[一二三四五六七八九]?"
_CLOCK = re.compile(
    rf"[点點](?:半|[钟鐘整]|(?:{_MINUTES}|[一二三四五六七八九])分(?!之)|{_MINUTES}(?![一-九]))"
)
_DIGIT = f"[{''.join(sign for sign, value in _DIGITS.items() if value)}]"
_VAGUE = re.compile(f"{_DIGIT}{{2}}|^[{''.join(_GROUPS)}]")
_SHORT = re.compile(f"^[百千]|[百千万萬亿億]{_DIGIT}$")
"""In Chinese 百 and 千 follow a digit, and 二百五 leaves out a power of ten: it is ambiguous."""
_HANGUL = str.maketrans("일이삼사오육륙칠팔구십백천만억", "一二三四五六六七八九十百千万亿")
"""Sino-Korean numerals are the Chinese ones in Hangul."""
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE = {ten + one: 10 * n + m for n, ten in enumerate(_TENS) for m, one in enumerate(_ONES) if n or m}
_NATIVE["스무"] = 20
_NATIVE_COUNTERS = frozenset("명 개 시간 살 권 마리 대 번 장 잔 병".split())


def in_chinese(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers of a text, and their digits, from left to right."""
    fixed = {place for match in pattern_of("fixed", lang).finditer(text) for place in range(*match.span())}
    is_number = _is_japanese if lang == "ja" else _is_chinese
    for match in _NUMERAL.finditer(text):
        number = read_chinese(match[0], lang)
        if number is not None and match.start() not in fixed and is_number(text, match.span(), number):
            yield match.span(), str(number)


def _is_japanese(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral counts, and is no part of a name (五十嵐) or another word (八百屋)."""
    after, words = text[span[1] : span[1] + 1], words_of("ja")
    if after and after in words["counters"]:
        return number > 1 or after == "月"
    counts = not _KANJI.match(after) or after in words["more_counters"]
    return number >= LEAST and span[1] - span[0] > 1 and counts


def _is_chinese(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral is a whole number; clock times are."""
    before, after = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 1]
    if _CLOCK.match(text, span[1]):
        return number <= 24
    if after and after in words_of("zh")["counters"] and (number > 1 or "月" in (before, after)):
        return True
    is_counted = pattern_of("more_counters", "zh").match(text, span[1]) is not None
    return (2 < number < LEAST and is_counted) or (number >= LEAST and span[1] - span[0] > 1)


def read_chinese(signs: str, lang: str = "zh") -> int | None:
    """Return the value of a Chinese numeral, such as a year by its digits; ``None`` if it is ambiguous.

    Example:
        >>> [read_chinese(signs) for signs in ("四十五", "两百五十", "一千零一", "二〇二四", "三万", "千万")]
        [45, 250, 1001, 2024, 30000, None]
        >>> read_chinese("百二十", "ja")
        120
    """
    if all(sign in _DIGITS for sign in signs):
        return int("".join(str(_DIGITS[sign]) for sign in signs)) if len(signs) in (1, 4) else None
    if _VAGUE.search(signs) or (lang != "ja" and _SHORT.search(signs)):
        return None
    total = group = digit = 0
    for sign in signs:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _POWERS:
            group, digit = group + (digit or 1) * _POWERS[sign], 0
        else:
            base = total if total < _GROUPS[sign] else 0  # 一万亿
            total = total - base + (base + group + digit or 1) * _GROUPS[sign]
            group = digit = 0
    return total + group + digit


def in_korean(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers before a counter of a text, and their digits, from left to right."""
    for match in WORD.finditer(text):
        for end in range(len(match[0]), 0, -1):
            last, letters = match.start() + end, match[0][:end]
            counter = pattern_of("counters", "ko").match(text, last)
            number = read_korean(letters) if counter else None
            if counter and number is not None and letters != "백일":  # the hundredth day, a feast
                if _counts(letters, number, counter):
                    yield (match.start(), last), str(number)
                break


def _counts(letters: str, number: int, counter: re.Match[str]) -> bool:
    """Return whether a counter of its kind follows: small numbers and powers of ten only behind a space."""
    if counter["counter"] == "시":
        return LEAST <= number <= 24  # 이천시 is a city
    is_kind = number >= LEAST or (letters in _NATIVE) == (counter["counter"] in _NATIVE_COUNTERS)
    is_long = len(letters) > 1 and number >= LEAST
    return is_long or (counter["gap"] is not None and number > 2 and is_kind)


def read_korean(letters: str) -> int | None:
    """Return the value of a Korean numeral, native or of Chinese origin; ``None`` if it is none."""
    signs = letters.translate(_HANGUL)
    return _NATIVE.get(letters) or (read_chinese(signs, "ja") if set(signs) <= set(_SIGNS) else None)
