"""Write the values that a text has in words in digits, before the network reads it.

::

    at half past seven, um halb acht (de)        at 7:30, um 7:30
    am ersten Juni (de), in the nineties         am 1. Juni, in the 1990s
    forty-five minutes, two thirds               45 minutes, 2/3
    half an hour, anderthalb Jahre (de)          0.5 hour, 1,5 Jahre
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from operator import itemgetter

from amrx.composed_text import Composed
from parser.values.digits import Found, numbers_in_words, read_whole
from parser.values.literals import FRACTION
from parser.values.numerals import english_ending, numerals_of
from parser.values.units import units_of
from parser.values.words import (
    UNSPACED,
    first_of_each,
    folded_word,
    in_language,
    locale_of,
    pattern_of,
    words_of,
)

_LAST = r"(?=[.,;!?…](?!\d)|$"
"""The end of a clause, or one of the words that follow."""
_TIME = r"(?<![\d.])(?P<h>[01]?\d|2[0-4])\.(?P<m>[0-5]\d)(?![\d.]*\d|\s?(?:%|€|zł|Kč|₽))"
"""A clock time with a dot, which is a decimal point elsewhere."""
_COUNTED = frozenset({"es", "fr", "it", "nl", "pt", "ro"})
"""Languages that number the days of a month by cardinals."""
_MIXED = re.compile(r"(?<![\d.,/:-])(?P<whole>\d{1,3}) (?P<n>1|3|5|7)/(?P<part>[2458])(?![\d/]|[.,:]\d)")
_ORDINAL_BEFORE = pattern_of("ordinal_before")
_EVER = frozenset({"id", "pl", "ru", "sv", "uk"})
"""Languages whose words for parts have no other frequent meaning after *one*."""


@lru_cache(maxsize=256)
def written_in_digits(composed: Composed, lang: str) -> Composed:
    """Return a composed text with values in digits instead of words; the same object if it has none in words.

    Example:
        >>> written_in_digits(Composed("Um halb drei kamen fünfzehn Leute."), "de").text
        'Um 2:30 kamen 15 Leute.'
    """
    composed = composed.with_replaced(first_of_each(_days_and_parts(composed.text, lang), itemgetter(0)))
    composed = composed.with_replaced(numbers_in_words(composed.text, lang))
    dotted = words_of(lang).get("dotted_clock", "(?!)").replace("{time}", _TIME).replace("{last}", _LAST)
    matches = re.finditer(dotted, composed.text, re.IGNORECASE)
    clocks = ((match.span(), f"{match['h']}:{match['m']}") for match in matches)
    composed = composed.with_replaced(clocks)
    return composed.with_replaced(_clocks(composed.text, lang))


def _days_and_parts(text: str, lang: str) -> Iterator[Found]:
    """Yield the days of months, decades, fractions and halves that are words, in no order."""
    for match in _MIXED.finditer(text):  # 2 1/2
        mixed = int(match["whole"]) + int(match["n"]) / int(match["part"])
        yield match.span(), in_language(str(mixed), lang)
    for match in pattern_of("divided", lang).finditer(text):  # 三分之二, üçte ikisi
        digits = "/".join(str(read_whole(match[name].lower(), lang)) for name in ("number", "part"))
        if FRACTION.fullmatch(digits):
            yield match.span(), digits
    for pattern, digits in (*_day_patterns(lang), *_fraction_patterns(lang)):
        for match in pattern.finditer(text):
            if "/" not in digits or not _ORDINAL_BEFORE.search(text[: match.start()]):  # the first half
                yield match.span("day" if "day" in pattern.groupindex else 0), digits
    for pattern, whole in _half_patterns(lang):  # half an hour, a year and a half
        for match in pattern.finditer(text):
            written = match.groupdict().get("n")
            number = read_whole(written, lang) if written else whole
            if number is not None and units_of(lang).after(match["u"]):
                gap = "" if lang in UNSPACED else " "
                yield match.span(), f"{in_language(f'{number}.5', lang)}{gap}{match['u']}"


@cache
def _day_patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of days from the first to the tenth, and of decades, with their digits."""
    words, locale = words_of(lang), locale_of(lang)
    patterns: list[tuple[str, str]] = []
    if "days" in words:
        names = {name for kind in ("format", "stand-alone") for name in locale.months[kind]["wide"].values()}
        months = "|".join(sorted(map(re.escape, names)))
        for day, word in enumerate(words["days"].split(), 1):
            before = rf"(?:{word})(?=\s{words.get('day_of', '')}(?:{months})\b)"
            if lang == "en":  # with a capital: *you may first check it*
                patterns.append((rf"(?<=\bthe ){before}", f"{day}{english_ending(day)}"))
                patterns.append((rf"(?-i:{months}) (?P<day>{word})", str(day)))
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


@cache
def _fraction_patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of fractions of a language, with their digits."""
    words = words_of(lang).get("fraction", {"one": "(?!)", "numbers": {}, "parts": {}, "whole": {}})
    of, sources = words.get("of", ""), {words_of(lang).get("halved", "(?!)"): "1/2"}
    for one, digits in words["whole"].items():
        sources[rf"(?<![\w-])(?:{one}{of if '/' in digits else ''})(?!\w)"] = in_language(digits, lang)
    for numbers, number in {words["one"]: 1, **words["numbers"]}.items():
        for part, share in words["parts"].items():
            needs = number == 1 and lang not in _EVER or share == 4 or lang in ("es", "it", "pt")
            gap = r"[\s-]+" if lang != "en" or number > 1 else r"(?:\s+|(?<=one)-)"
            source = rf"(?:{numbers}){gap}{part}\b{of if needs else ''}"
            sources[rf"(?<![\w-])(?:{source})(?!\w)"] = f"{number}/{share}"
    return tuple(
        (re.compile(source, re.IGNORECASE), digits)
        for source, digits in sources.items()
        if FRACTION.fullmatch(digits) or "/" not in digits
    )


@cache
def _half_patterns(lang: str) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return the patterns of halves of a language, with the whole number where none is written."""
    words, is_dense = words_of(lang), lang in ("ja", "ko", "zh")
    names = sorted({*units_of(lang).names, *units_of(lang).signs} if is_dense else (), key=len, reverse=True)
    dense = "|".join(re.escape(name) for name in names if not name.isascii())
    number = r"\d{1,2}|[一二两兩三四五六七八九]" if lang in UNSPACED else r"\w+"
    left, right = ("", "") if is_dense else (r"(?<![\w-])", r"(?![\w-])")
    unit = dense or r"[^\W\d_-]+(?:-[^\W\d_]+)*"
    groups = {"u": f"(?P<u>{unit})", "n": f"(?P<n>{number})"}
    return tuple(
        (re.compile(f"{left}(?:{form.format(**groups)}){right}", re.IGNORECASE), whole)
        for whole, forms in enumerate((words.get("half_unit", ()), words.get("and_a_half", ())))
        for form in forms
    )


def _clocks(text: str, lang: str) -> Iterator[Found]:
    """Yield the clock times in words and their digits, from left to right."""
    pattern = _clock_pattern(lang)
    for match in pattern.finditer(text):
        name = next(name for name, value in match.groupdict().items() if value and name.startswith("hour"))
        _, added, minutes = words_of(lang)["clock"][int(name.removeprefix("hour"))]
        hour = _hours(lang)[folded_word(match[name])] + added
        minutes = minutes or match[name.replace("hour", "minute")]
        before, after = ("saat ", "'da") if lang == "tr" else ("", "")
        yield match.span(), f"{before}{hour or 12}:{minutes}{after}"


@cache
def _clock_pattern(lang: str) -> re.Pattern[str]:
    """Return a pattern of all clock times, with the hour of the n-th one in the group ``hourN``."""
    names = words_of(lang)["hours"].split() if "hours" in words_of(lang) else _hours(lang)
    hour = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True)).replace("'", "['’]")
    parts = (
        pattern.replace("{}", f"(?P<hour{number}>{hour})")
        .replace("{m}", rf"(?P<minute{number}>[0-5]\d)")
        .replace("{last}", _LAST)
        .replace(" ", r"\s+")
        for number, (pattern, _, _) in enumerate(words_of(lang).get("clock", [["(?!)", 0, ""]]))
    )
    left, right = ("", "") if lang in ("ko", "zh") else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{left}(?:{'|'.join(parts)}){right}", re.IGNORECASE)


@cache
def _hours(lang: str) -> Mapping[str, int]:
    """Return the hours from 1 to 12 by their words and digits."""
    words = words_of(lang)
    if "hours" in words:
        return {folded_word(word): hour for hour, word in enumerate(words["hours"].split(), 1)}
    numbers = {word: hour for word, hour in numerals_of(lang).small.items() if hour <= 12}
    return numbers | {str(hour): hour for hour in range(1, 13)}
