"""Read the clock times of a sentence, with CLDR's names of the parts of a day.

::

    16:30, 16h30, 16 h 30 (fr), 16.30 Uhr, alle 16.30 (it)     16:30
    4:30 pm, 4:30 p. m., 下午4点30分, saat 16:30'da (tr)         16:30
    17 Uhr, 5 p.m., à 17 heures, a las 5 de la tarde           17:00

A number with only a unit of time may be a duration (*9 heures*): it is a clock time only with a word like
*at* before it or a part of the day beside it.
"""

import re
from collections.abc import Mapping
from functools import cache

from parser.mini.rules.locales import locale_of

_CLOCK = re.compile(
    r"""
    (?P<hour>2[0-4]|1\d|0?\d)
    (?:(?P<sign>[:hH]|\ ?h\ |[.])(?P<minute>[0-5]\d)(?::[0-5]\d)?
        (?:\ ?(?P<half>[ap])\.?\ ?m\b\.?|\ ?Uhr\b)?
    |\ ?(?P<half2>[ap])\.?\ ?m\b\.?
    |\ ?(?P<sure>Uhr\b(?:\ (?P<minute2>[0-5]\d)(?![.,]?\d))?
        |o['’]clock\b|बजे
        |(?:[点點]|[时時시](?![间間代候간대]))\ ?(?:(?P<minute3>[0-5]?\d)\ ?[分분]|(?P<half3>[半반]))
        |[点點][钟鐘]|[时時시](?![间間代候간대]))
    |\ ?(?P<unit>(?:h|heures?|horas?|часов|часа|час|годин[аиіу]?|uur|giờ|hodin)\b|[点點])
    )?
    (?![^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[:.,]?\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AT = re.compile(
    r"(?:(?P<sure>\b(?:ore|saat|kl\.?|klo|klokken|klockan|pukul|godz\.|godzinie|lúc)|الساعة|ساعت|saat)"
    r"|\b(?:à|vers|dès|às|(?:a|de|para) las?|[ad]alle|om|в|о|около|at|at about)) ?$",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\b(?:[ad]?alle|ore|kl\.?|klo|klokken|klockan|pukul|saat) $", re.IGNORECASE)
_ZONE = re.compile(r"\b(?:UTC|[A-Z]{1,2}[SD]?T|CEST|EEST|WEST|MES?Z|МСК|MSK)\b")
_NEAR = 24
"""Number of characters read before and after a number."""
_NOON, _MIDNIGHT = 12, 24
_TANWIN = "\u064b"
"""An Arabic ending that is rarely written."""
Hours = tuple[int, int]


def is_clock(symbol: str) -> bool:
    """Return whether a symbol is a quoted clock time.

    Example:
        >>> is_clock('"16:30"'), is_clock('"16"'), is_clock("16:30")
        (True, False, False)
    """
    return re.fullmatch(r'"\d\d?:\d\d"', symbol) is not None


def read_clock(text: str, start: int, lang: str) -> tuple[int, str] | None:
    """Read the clock time that starts at a number in a text.

    Returns:
        The end position and ``HH:MM`` in 24 hours; ``None`` if the number is not a clock time.

    Example:
        >>> read_clock("at 5 p.m. today", 3, "en"), read_clock("16 Uhr 30", 0, "de")
        ((9, '17:00'), (9, '16:30'))
    """
    match = _CLOCK.match(text, start)
    if match is None:
        return None
    before = text[max(0, start - _NEAR) : start]
    at, hours = _AT.search(before), _part_of_day(before, text[match.end() : match.end() + _NEAR], lang)
    sure = match["half"] or match["half2"] or match["sure"] or (at and at["sure"])
    if match["sign"] == ".":
        sure = sure or match[0].endswith("hr") or _DOTTED.search(before)
    elif match["sign"]:
        sure = True
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
    begin, end = hours
    both = hour % _NOON, hour % _NOON + _NOON
    for candidate in both:
        if begin <= candidate < end or (end < begin and not end <= candidate < begin):
            return candidate
    return both[begin >= _NOON]


def _part_of_day(before: str, after: str, lang: str) -> Hours | None:
    """Return the hours of the part of the day named directly before or after a clock time."""
    parts = parts_of_day(lang)
    if not parts:
        return None
    names = "|".join(re.escape(name) for name in sorted(parts, key=len, reverse=True))
    match = re.match(rf"\s?(?:{names})(?!\w)", after) or re.search(rf"(?:{names})\s?(?:saat\s)?$", before)
    return parts[match[0].strip().removesuffix(" saat")] if match else None


def names_a_zone(text: str) -> bool:
    """Return whether a text contains the abbreviation of a time zone.

    Example:
        >>> names_a_zone("at 5 pm EST"), names_a_zone("um 17 Uhr MESZ"), names_a_zone("at 5 pm in the UK")
        (True, True, False)
    """
    return _ZONE.search(text) is not None


@cache
def parts_of_day(lang: str) -> Mapping[str, Hours]:
    """Return the hours ``[first, end)`` of each name of a part of the day in a language.

    Example:
        >>> parts_of_day("zh")["下午"], parts_of_day("de")["nachts"], parts_of_day("xx")
        ((13, 19), (0, 5), {})
    """
    locale = locale_of(lang)
    if locale is None:
        return {}
    rules = {"am": [{"from": 0, "before": 43200}], "pm": [{"from": 43200, "before": 86400}]}
    rules |= locale.day_period_rules.get(None, {})
    parts: dict[str, Hours] = {}
    for widths in locale.day_periods.values():
        for width in ("wide", "abbreviated"):
            for period, name in widths.get(width, {}).items():
                for rule in rules.get(period, ()):
                    # am and pm in Latin letters are part of `_CLOCK`
                    if "from" in rule and not (period in ("am", "pm") and name.isascii()):
                        hours = rule["from"] // 3600, rule["before"] // 3600
                        parts.setdefault(name, hours)
                        parts.setdefault(name.replace(_TANWIN, ""), hours)
    return parts
