"""Turn predicates into the form that stands before a noun, in Chinese, Japanese, Korean and Turkish."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from parser.mini.lexicon.dictionaries import entry


def chinese_adnominal(predicate: str) -> str:
    """Return a predicate as an attribute.

    Example:
        >>> chinese_adnominal("在跑")
        '在跑的'
    """
    return predicate + "的"


_POLITE = re.compile("(?:ます|です|ました|ません|でした|だ)$")
_PLAIN = re.compile("[るうくぐすつぬぶむただいた]$")


def japanese_adnominal(predicate: str) -> str | None:
    """Return a predicate in its plain form, without the particle of its subject.

    Example:
        >>> japanese_adnominal("が走っています"), japanese_adnominal("は学生です")
        ('走っている', None)
    """
    predicate = re.sub("^[がはも]", "", predicate)
    predicate = re.sub("ています$", "ている", re.sub("ていました$", "ていた", predicate))
    return None if _POLITE.search(predicate) or not _PLAIN.search(predicate) else predicate


_BASE = 0xAC00  # Hangul syllable: BASE + (initial * 21 + vowel) * 28 + final
_SYLLABLES, _PER_INITIAL, _PER_VOWEL = 11_172, 588, 28
_N, _SS = 4, 20  # numbers of final consonants
_PAST_VOWELS = {9: 8, 14: 13, 6: 20, 10: 11}
"""Vowels of the stem by that of the past: ㅘ ㅗ, ㅝ ㅜ, ㅕ ㅣ, ㅙ ㅚ."""


def korean_adnominal(predicate: str) -> str | None:
    """Return a predicate in plain style as an attribute, without the particle of its subject.

    Example:
        >>> korean_adnominal("가 뛰고 있다"), korean_adnominal("가 책을 샀다"), korean_adnominal("가 먹었다")
        ('뛰고 있는', '책을 산', '먹은')
    """
    words = predicate.strip().split(" ", 1)
    if len(words) < 2 or not words[1].endswith("다") or len(words[1]) < 3:
        return None
    clause, last = words[1][:-2], words[1][-2]
    if last in "있없는":
        return clause + (last if last != "는" else "") + "는"
    code = ord(last) - _BASE
    if not 0 <= code < _SYLLABLES:
        return None
    initial, vowel, final = code // _PER_INITIAL, code % _PER_INITIAL // _PER_VOWEL, code % _PER_VOWEL
    start = _BASE + initial * _PER_INITIAL
    if final == _N:
        return clause + chr(start + vowel * _PER_VOWEL) + "는"
    if final != _SS:
        return None
    if last in "았었" and clause:
        before = ord(clause[-1]) - _BASE
        if not 0 <= before < _SYLLABLES:
            return None
        return clause + "은" if before % _PER_VOWEL else clause[:-1] + chr(_BASE + before + _N)
    vowel = 0 if last == "했" else _PAST_VOWELS.get(vowel, vowel)
    return clause + chr(start + vowel * _PER_VOWEL + _N)


_TURKISH = re.compile(r"(?P<rest>.*\s)(?P<stem>\w+?)(?:[ıiuü]yor|[dt][ıiuü])")


def turkish_adnominal(predicate: str) -> str | None:
    """Return a predicate in the present or past as a participle; its verb must be in the dictionary.

    Example:
        >>> [turkish_adnominal(one) for one in ("gitar çalıyor", "topla oynuyor", "eve gidiyor")]
        ['gitar çalan', 'topla oynayan', 'eve giden']
    """
    match = _TURKISH.fullmatch(predicate)
    vowels = [one for one in match["stem"] if one in "aeıioöuü"] if match else []
    if match is None or not vowels:
        return None
    stem = match["stem"]
    for root in (stem, stem + "a", stem + "e", stem[:-1] + "t" if stem[-1] == "d" else stem):
        if entry(root + "mak", "tr") or entry(root + "mek", "tr"):
            break
    else:
        return None
    if root[-1] in "aeıiuü":
        return match["rest"] + root + ("yan" if root[-1] in "aıu" else "yen")
    return match["rest"] + stem + ("an" if vowels[-1] in "aıou" else "en")


ADNOMINAL: Mapping[str, Callable[[str], str | None]] = {
    "ja": japanese_adnominal, "ko": korean_adnominal, "tr": turkish_adnominal, "zh": chinese_adnominal,
}  # fmt: skip
"""The form of a predicate before a noun, by language."""
