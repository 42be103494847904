"""Read the values that a text writes in digits or signs: numbers, fractions, clock times, addresses.

::

    3.700.000 (de), 10 000, 3.7 million     3700000, 10000, 3700000
    2,5 (de), -5, 2/3                       2.5, -5, "2/3"
    16:30, 4:30 pm, 下午4点30分              "16:30"
    17 Uhr, 5 p.m., à 17 heures             "17:00"
    https://a.org, ann@a.org                "https://a.org", "ann@a.org"

For an ambiguous ``1.200`` the language decides which sign separates thousands. *9 heures* is a clock time
only with a word like *at* before it or a part of the day beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from amrx.composed_text import Span, with_letters_for_marks
from parser.values.words import has_decimal_comma, locale_of, pattern_of

FRACTION = re.compile("1/[2-8]|2/[35]|3/[458]|4/5|5/[68]|7/8")
"""A fraction, with a denominator that a date or a series (9/11, 24/7, 16/17) rarely has."""
_TOKEN = pattern_of("token")
LARGE = pattern_of("large")
"""A power of ten behind a number in digits."""
_POWER = {"thousand": 3, "million": 6, "milliard": 9, "wan": 4, "yi": 8}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
"""A number as AMR writes it."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value in digits or signs."""

    kind: str  # number, fraction, clock, date, url, email or phone
    span: Span
    constant: str  # as AMR writes it; of a date the text


@lru_cache(maxsize=256)
def literals_in(text: str, lang: str) -> tuple[Literal, ...]:
    """Return the values in digits or signs of a composed text."""
    return tuple(_each(text, lang))


def _each(text: str, lang: str) -> Iterator[Literal]:
    marked = with_letters_for_marks(text)
    digits = "".join(map(_ascii, text))
    begin = 0
    while match := _TOKEN.search(marked, begin):
        begin = match.end()
        kind = next(name for name in ("url", "email", "date", "phone", "fraction", "number") if match[name])
        if kind == "date":
            yield Literal(kind, match.span(), match[kind])
        elif kind != "number":
            yield Literal(kind, match.span(), f'"{match[kind]}"')
        elif not match["minus"] and (clock := _clock(digits, match.start(), lang)):
            begin = clock[0]
            yield Literal("clock", (match.start(), begin), f'"{clock[1]}"')
        else:
            large = LARGE.match(marked, match.end())
            number = _number(match, large, lang)
            if number:
                begin = large.end() if large else begin
                yield Literal(kind, (match.start(), begin), number)


def _ascii(sign: str) -> str:
    digit = unicodedata.decimal(sign, None)
    return sign if digit is None else str(digit)


def _number(match: re.Match[str], large: re.Match[str] | None, lang: str) -> str | None:
    """Return a number in AMR's form, multiplied by a following word for a power of ten."""
    number = _without_groups("".join(map(_ascii, match["number"])), lang)
    if number and large:
        whole, _, part = number.partition(".")
        power = next(_POWER[name] for name, value in large.groupdict().items() if value)
        if len(part) <= power:
            number = str(int(whole + part.ljust(power, "0")))
    return number and ("-" if match["minus"] else "") + number


def _without_groups(number: str, lang: str) -> str | None:
    """Remove thousands separators, and write the decimal separator as a point; ``None`` for ``1.2.3``.

    Example:
        >>> [_without_groups(n, "en") for n in ("1,200", "1.200", "1,234.5", "1.234,5", "3.700.000", "0,5")]
        ['1200', '1.200', '1234.5', '1234.5', '3700000', '0.5']
    """
    signs = re.findall(r"\D", number)
    if not signs:
        return number
    parts = re.split(r"\D", number)
    is_grouped = all(len(part) == 3 for part in parts[1:]) and 1 <= len(parts[0]) <= 3 and parts[0] != "0"
    if len(set(signs)) > 1:  # one sign separates thousands, the other one decimals
        return "".join(parts[:-1]) + "." + parts[-1]
    if len(signs) > 1:
        return "".join(parts) if is_grouped else None
    is_group_sign = signs[0] not in ".,٫" or signs[0] == ("." if has_decimal_comma(lang) else ",")
    return "".join(parts) if is_grouped and is_group_sign else f"{parts[0]}.{parts[1]}"


_CLOCK = pattern_of("clock")
_NEAR = 24
"""Number of characters read before and after a number."""
_NOON, _MIDNIGHT = 12, 24
Hours = tuple[int, int]


def _clock(digits: str, start: int, lang: str) -> tuple[int, str] | None:
    """Return the end and ``HH:MM`` in 24 hours of the clock time at a number; ``None`` if it is none."""
    match, continues = _CLOCK.match(digits, start), r"(?:[.,:]|[^\W_\u0e00-\U0010ffff])$"
    if match is None or re.search(continues, digits[max(0, start - 1) : start]):
        return None
    before = digits[max(0, start - _NEAR) : start]
    at = pattern_of("at").search(before)
    hours = _part_of_day(before, digits[match.end() : match.end() + _NEAR], lang)
    sure = match["half"] or match["half2"] or match["sure"] or (at and at["sure"])
    if match["sign"]:
        sure = sure or match["sign"] != "." or match[0].endswith("hr")
    elif not sure:
        sure = (at and (match["unit"] or hours)) or (match["unit"] and hours)
    if not sure:
        return None
    half = (match["half"] or match["half2"] or "").lower()
    hours = {"a": (0, _NOON), "p": (_NOON, _MIDNIGHT)}.get(half, hours)
    minute = match["minute"] or match["minute2"] or match["minute3"] or ("30" if match["half3"] else "00")
    return match.end(), f"{_of_day(int(match['hour']), hours)}:{int(minute):02}"


def _of_day(hour: int, hours: Hours | None) -> int:
    """Convert an hour on the 12-hour clock to the 24-hour clock, by the part of the day."""
    if hours is None or hour > _NOON:
        return hour
    (begin, end), both = hours, (hour % _NOON, hour % _NOON + _NOON)
    inside = [one for one in both if begin <= one < end]
    return inside[0] if inside else both[begin >= _NOON]


def _part_of_day(before: str, after: str, lang: str) -> Hours | None:
    """Return the hours of the part of the day named directly before or after a clock time."""
    parts = parts_of_day(lang)
    names = "|".join(re.escape(name) for name in sorted(parts, key=len, reverse=True)) or "(?!)"
    match = re.match(rf"\s?({names})(?!\w)", after) or re.search(rf"({names})\s?(?:saat\s)?$", before)
    return parts[match[1]] if match else None


@cache
def parts_of_day(lang: str) -> Mapping[str, Hours]:
    """Return the hours ``[first, end)`` of each name of a part of the day in a language.

    Example:
        >>> parts_of_day("zh")["下午"], parts_of_day("de")["nachts"], parts_of_day("xx")
        ((13, 19), (0, 5), {})
    """
    locale = locale_of(lang)
    rules = {"am": [{"from": 0, "before": 43200}], "pm": [{"from": 43200, "before": 86400}]}
    rules |= locale.day_period_rules.get(None, {})
    names = [
        (name, rule)
        for widths in locale.day_periods.values()
        for width in ("wide", "abbreviated")
        for period, name in widths.get(width, {}).items()
        for rule in rules.get(period, ())
        if "from" in rule and not (period in ("am", "pm") and name.isascii())  # in `_CLOCK`
    ]
    parts: dict[str, Hours] = {}
    for name, rule in names:
        parts.setdefault(name.replace("\u064b", ""), (rule["from"] // 3600, rule["before"] // 3600))
    return parts
