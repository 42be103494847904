"""Find the numbers that Korean texts write in Hangul before a counter.

::

    사십오 분    45      스물다섯 명    25      이천이십사 년    2024
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from amrx.composed_text import Span
from parser.mini.rules.number_words import LEAST, WORD, Letters, number_words

_KOREAN_TENS = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_KOREAN_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_SMALL = {
    word: number
    for words in ("세 네 다섯 여섯 일곱 여덟 아홉 열", "삼 사 오 육 칠 팔 구 십")
    for number, word in enumerate(words.split(), 3)
}
"""Numbers of things below `LEAST`, which the parser reads as 1 or 2."""
_NATIVE = 8
"""How many of them are native words."""
_NATIVE_COUNTERS = frozenset("명 개 시간 살 권 마리 대 번 장 잔 병".split())
_OTHER_COUNTERS = re.compile("년|개월|분|층|킬로|미터|퍼센트")
_KOREAN_DAYS = "백일"
"""The hundredth day, which is a feast; as 101 it is rare."""
_HOURS = 24
_KOREAN_COUNTERS = re.compile(
    r"(?:(?P<gap>\s)|)(?P<counter>명|분(?!의|율|\s의)|개월|개|년|월|일|원|시간|시|살|세|권|마리|대|번|층|회|장|잔|병|주"
    r"|달러|유로|킬로(?:그램|미터)?|미터|퍼센트)"
    r"(?(gap)(?=[^가-힣]|$|[을를이가은는의에도만과와로으입동간쯤정까부씩째전후짜당미반조중생대]))"
)
"""A counter right after the numeral, or after a space and with a particle at most (이천 시장 is a market)."""


@cache
def _korean() -> Mapping[Letters, int]:
    native = {
        ten + one: 10 * tens + ones
        for tens, ten in enumerate(_KOREAN_TENS, 1)
        for ones, one in enumerate(_KOREAN_ONES)
    }
    return {**native, "스무": 20, **number_words("ko").values}


def in_korean(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers of a text, and their digits, from left to right."""
    longest = 2 * number_words("ko").longest
    for match in WORD.finditer(text):
        word = match[0][:longest]
        if word in _SMALL and _counts_things(text, word, match.end()):
            yield match.span(), str(_SMALL[word])
            continue
        for end in range(len(word), 1, -1):
            last = match.start() + end
            counter = _KOREAN_COUNTERS.match(text, last)
            number = _read_korean(word[:end]) if counter else None
            if counter and number is not None and number >= LEAST and word[:end] != _KOREAN_DAYS:
                if counter["counter"] != "시" or number <= _HOURS:  # 이천시 is a city
                    yield (match.start(), last), str(number)
                break


def _counts_things(text: str, word: str, end: int) -> bool:
    """Return whether a counter of its kind follows a number below `LEAST`; clock times are left alone."""
    counter = _KOREAN_COUNTERS.match(text, end)
    if counter is None or counter["gap"] is None:
        return False
    if list(_SMALL).index(word) < _NATIVE:
        return counter["counter"] in _NATIVE_COUNTERS
    return _OTHER_COUNTERS.match(counter["counter"]) is not None


def _read_korean(letters: Letters) -> int | None:
    """Return the value of a Korean numeral; thousands and a rest may be in one word."""
    values = _korean()
    if letters in values:
        return values[letters]
    for cut in range(1, len(letters)):
        thousands, rest = values.get(letters[:cut], 1), values.get(letters[cut:], 1000)
        if thousands % 1000 == 0 and rest < 1000:
            return thousands + rest
    return None
