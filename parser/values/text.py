"""Write the values that a text has in words in digits, before the network reads it.

::

    at half past seven, um halb acht (de)        at 7:30, um 7:30
    am ersten Juni (de), in the nineties         am 1. Juni, in the 1990s
    forty-five minutes, two thirds               45 minutes, 2/3
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from amrx.composed_text import Composed
from parser.values.digits import Found, numbers_in_words
from parser.values.fractions import fractions_in
from parser.values.numerals import english_ending, numerals_of
from parser.values.words import folded_word, locale_of, words_of

_LAST = r"(?=[.,;!?…](?!\d)|$"
"""The end of a clause, or one of the words that follow."""
_TIME = r"(?<![\d.])(?P<h>[01]?\d|2[0-4])\.(?P<m>[0-5]\d)(?![\d.]*\d|\s?(?:%|€|zł|Kč|₽))"
"""A clock time with a dot, which is a decimal point elsewhere."""
_ONE = {"fr": {"une": 1}, "it": {"una": 1}, "pt": {"uma": 1, "duas": 2}}
"""Hours that are feminine."""
_COUNTED = frozenset({"es", "fr", "it", "nl", "pt", "ro"})
"""Languages that number the days of a month by cardinals."""
_APART = frozenset({"ko", "zh"})


@lru_cache(maxsize=256)
def written_in_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with values in digits instead of words; the same object if it has none in words.

    Args:
        composed: The text, as `amrx.composed_text.compose` returns it.
        lang: Its language.

    Example:
        >>> written_in_digits(Composed("Um halb drei kamen fünfzehn Leute."), "de").text
        'Um 2:30 kamen 15 Leute.'
    """
    composed = composed.with_replaced(_first_of_each(_days(composed.text, lang)))
    composed = composed.with_replaced(_first_of_each(fractions_in(composed.text, lang)))
    composed = composed.with_replaced(numbers_in_words(composed.text, lang))
    composed = composed.with_replaced(_first_of_each(_dotted_clocks(composed.text, lang)))
    return composed.with_replaced(_clocks(composed.text, lang))


def _first_of_each(parts: Iterable[Found]) -> Iterator[Found]:
    """Yield parts in order, without those that overlap one before; of one start the longest is taken."""
    end = 0
    for span, digits in sorted(parts, key=lambda part: (part[0][0], -part[0][1])):
        if span[0] >= end:
            end = span[1]
            yield span, digits


def _days(text: str, lang: str) -> Iterator[Found]:
    """Yield the days of months and the decades that are words."""
    for pattern, digits in _day_patterns(lang):
        for match in pattern.finditer(text):
            yield match.span(), digits


@cache
def _day_patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of days from the first to the tenth, and of decades, with their digits."""
    words, locale = words_of(lang), locale_of(lang)
    patterns: list[tuple[str, str]] = []
    if "days" in words and locale is not None:
        names = {name for kind in ("format", "stand-alone") for name in locale.months[kind]["wide"].values()}
        months = "|".join(sorted(map(re.escape, names)))
        for day, word in enumerate(words["days"].split(), 1):
            before = rf"(?:{word})(?=\s{words.get('day_of', '')}(?:{months})\b)"
            if lang == "en":  # with a capital: *you may first check it*
                patterns.append((rf"(?<=\bthe ){before}", f"{day}{english_ending(day)}"))
                patterns += [(rf"(?<=\b(?-i:{month}) ){word}", str(day)) for month in sorted(names)]
            else:
                patterns.append((before, f"{day}{words.get('day_sign', '')}"))
        if lang in _COUNTED:
            for word, day in numerals_of(lang).small.items():
                if 1 < day <= 31 or word == "één":
                    patterns.append((rf"{word}(?=\s{words.get('day_of', '')}(?:{months})\b)", str(day)))
    if "tens" in words:
        form, written = words["decade_words"]
        tens = zip(range(20, 100, 10), words["tens"].split(), strict=True)
        patterns += [(form.format(word), written.format(ten)) for ten, word in tens]
    return tuple((re.compile(rf"\b{pattern}(?!\w)", re.IGNORECASE), digits) for pattern, digits in patterns)


def _dotted_clocks(text: str, lang: str) -> Iterator[Found]:
    """Yield the clock times with a dot, and the same with a colon."""
    pattern = words_of(lang).get("dotted_clock", "(?!)").replace("{time}", _TIME).replace("{last}", _LAST)
    for match in re.finditer(pattern, text, re.IGNORECASE):
        yield match.span(), f"{match['h']}:{match['m']}"


def _clocks(text: str, lang: str) -> Iterator[Found]:
    """Yield the clock times in words and their digits, from left to right."""
    pattern = _clock_pattern(lang)
    for match in pattern.finditer(text) if pattern else ():
        name = next(name for name, value in match.groupdict().items() if value and name.startswith("hour"))
        _, added, minutes = words_of(lang)["clock"][int(name.removeprefix("hour"))]
        hour = _hours(lang)[folded_word(match[name])] + added
        minutes = minutes or match[name.replace("hour", "minute")]
        before, after = ("saat ", "'da") if lang == "tr" else ("", "")
        yield match.span(), f"{before}{hour or 12}:{minutes}{after}"


@cache
def _clock_pattern(lang: str) -> re.Pattern[str] | None:
    """Return a pattern of all clock times, with the hour of the n-th one in the group ``hourN``."""
    patterns = words_of(lang).get("clock")
    if patterns is None:
        return None
    hour = "|".join(re.escape(one) for one in sorted(_hours(lang), key=len, reverse=True))
    if lang == "uk":
        hour = hour.replace("пята", "п['’]?ята").replace("пяті", "п['’]?яті").replace("девят", "дев['’]?ят")
    parts = (
        pattern.replace("{}", f"(?P<hour{number}>{hour})")
        .replace("{m}", rf"(?P<minute{number}>[0-5]\d)")
        .replace("{last}", _LAST)
        .replace(" ", r"\s+")
        for number, (pattern, _, _) in enumerate(patterns)
    )
    left, right = ("", "") if lang in _APART else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{left}(?:{'|'.join(parts)}){right}", re.IGNORECASE)


@cache
def _hours(lang: str) -> Mapping[str, int]:
    """Return the hours from 1 to 12 by their words and digits."""
    words = words_of(lang)
    if "hours" in words:
        return {folded_word(word): hour for hour, word in enumerate(words["hours"].split(), 1)}
    numbers = {word: hour for word, hour in numerals_of(lang).small.items() if hour <= 12}
    return numbers | _ONE.get(lang, {}) | {str(hour): hour for hour in range(1, 13)}
