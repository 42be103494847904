"""Find the numbers that Chinese and Japanese texts write in Chinese numerals.

::

    四十五分钟 (zh)     45      下午三点十五分 (zh)   3, 15     三冊 (ja)    3      三点五公斤 (zh)  3.5
    几十个, 二百五, 三分之一, 八百屋 (ja)             none: vague, ambiguous, a fraction, a word
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from amrx.composed_text import Span
from parser.mini.rules.number_words import LEAST

_DIGITS = {
    sign: value
    for value, signs in enumerate(("〇零", "一", "二两兩", "三", "四", "五", "六", "七", "八", "九"))
    for sign in signs
}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE_SIGNS = "".join((*_DIGITS, *_GROUPS)) + "十百千"
_NUMERAL = re.compile(rf"(?<![数數几幾])[{_CHINESE_SIGNS}]+")
_COUNTERS = {
    "ja": "冊人個本枚匹台回日年月時分秒歳階杯頭羽軒着足通円件つパキメグドユセトポペリミ",
    "zh": "月日号號",
}
"""Words after which a single numeral, which the parser misreads there, is a number."""
_CHINESE_COUNTERS = re.compile(
    "[个個只隻本斤天张張把辆輛瓶碗双雙间間岁歲页頁米升克吨座棵朵颗顆句篇头頭匹封]|公(?:里|斤|升|顷|吨)|小时|小時|分钟|分鐘"
    "|厘米|毫米|年(?!级|級)|周(?!年)|星期(?![一二三四五六日天])|块钱|块(?!地)|元(?!旦)"
)
"""Counters and units after a single numeral from three on, which the parser misreads: nine is ten."""
_OTHER_COUNTERS = (
    "名点票校社店歩曲世種度倍割組班号番第間基隻両巻話章条項位級段周週泊畳坪丁箇ヶ品棟戸機発打試勝敗球色カ"
)
"""Kanji that may follow a Japanese number of two signs or more, besides `_COUNTERS`."""
_KANJI = re.compile(r"[\u3400-\u9fff々]")
_MINUTES = "[二三四五]?十[一二三四五六七八九]?"
_CLOCK = re.compile(
    rf"[点點](?:半|[钟鐘整]|(?:{_MINUTES}|[一二三四五六七八九])分(?!之)|{_MINUTES}(?![一-九]))"
)
_POINT = re.compile(rf"[点點][{''.join(_DIGITS)}十]")
_DECIMALS = re.compile(
    rf"[点點](?P<digits>[{''.join(_DIGITS)}]+)(?![{''.join(_GROUPS)}十百千分刻秒起个样些]|[点點{''.join(_DIGITS)}])"
)
FIXED = {
    "ja": re.compile(
        r"(?<!時)十分(?!間|後|前|以|ほど|くらい|ぐらい|おき|かか|遅|早)|三日月|[二三]日酔|三日坊主|[四五八十]日(?:市|町)"
        r"|[一二三四五六七八九十]本(?:木|松)|三軒茶屋|千本桜|百足|五分五分|百人一首|八百万|[一二三]人称|十八番|十人十色"
        r"|千歳|[一二三四五六七八九]割(?:[一二三四五六七八九]分)?"
        r"|(?<![一二三四五六七八九十百千万])[一二三四五六七八九]、[一二三四五六七八九][十百千万]*(?=[人個本枚冊台匹頭回日年分時歳名])"
        r"|五つ星|[三双]つ子|[二三]枚目|[二三]階堂|山本五十六|[一二三四五六七八九]分(?:丈|目|咲)|九十九里"
        r"|(?<![一二三四五六七八九十百])[一二三四五六七八九十百]+分の[一二三四五六七八九十百]+"
    ),
    "zh": re.compile(
        r"双十一|十一(?=假期|长假|黄金周)|[一二三四五六七八九]月天"
        rf"|(?<![{_CHINESE_SIGNS}])[{''.join(_DIGITS)}十百千]+(?=[多余来几][万亿])"
        rf"|(?<![{_CHINESE_SIGNS}])(?!百分之)[{_CHINESE_SIGNS}]+分之[{_CHINESE_SIGNS}]+"
    ),
}
"""Words and fractions with numerals, which are left as they are."""


def in_chinese(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the numbers of a text, and their digits, from left to right."""
    fixed = {place for match in FIXED[lang].finditer(text) for place in range(*match.span())}
    end = 0
    for match in _NUMERAL.finditer(text):
        if match.start() < end:
            continue
        number = read_chinese(match[0], lang)
        if number is None or match.start() in fixed:
            continue
        decimals = _DECIMALS.match(text, match.end())
        if decimals and match[0] not in ("两", "兩"):
            digits = "".join(str(_DIGITS[sign]) for sign in decimals["digits"])
            end = decimals.end()
            yield (match.start(), end), f"{number}.{digits}"
            continue
        if lang == "ja":
            is_number = _is_japanese_number(text, match.span(), number)
        else:
            is_number = _is_chinese_number(text, match.span(), number)
        if is_number:
            yield match.span(), str(number)


def _is_japanese_number(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral counts, and is no part of a name (五十嵐) or another word (八百屋)."""
    after = text[span[1] : span[1] + 1]
    if after and after in _COUNTERS["ja"]:
        return number > 1 or after == "月"
    counts = not _KANJI.match(after) or after in _OTHER_COUNTERS
    return number >= LEAST and span[1] - span[0] > 1 and counts


def _is_chinese_number(text: str, span: Span, number: int) -> bool:
    """Return whether a numeral is a whole number; clock times are."""
    before, after = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 1]
    if _CLOCK.match(text, span[1]):
        return number <= 24
    if _POINT.match(text, span[1]):
        return False
    if before in ("点", "點") and span[0] > 1 and text[span[0] - 2] in _CHINESE_SIGNS:
        return _CLOCK.match(text, span[0] - 1) is not None
    if after and after in _COUNTERS["zh"] and (number > 1 or after == "月" or before == "月"):
        return True
    if 2 < number < LEAST and before != "第" and _CHINESE_COUNTERS.match(text, span[1]):
        return True
    return number >= LEAST and span[1] - span[0] > 1


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
