"""Find the dates of a text: weekdays, months, days, years, decades and centuries, by CLDR.

::

    jeden Dienstag (de)              :weekday tuesday
    vom 3. Mai bis 17.06.2024 (de)   :month 5 :day 3      :year 2024 :month 6 :day 17
    au XIXe siècle (fr)              :century 19
    in the 1990s                     :decade 1990
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import attrgetter

from amrx.composed_text import Span, with_letters_for_marks
from parser.values.han import read_chinese
from parser.values.words import UNSPACED, first_of_each, is_inflected, locale_of, pattern_of, words_of

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PARTS = (":year", ":month", ":day")
_INFLECTED = frozenset("be bg cs el et fi hr hu hy ka lt lv mk pl ro ru sk sl sr tr uk".split())
"""Languages whose names of days and months change their ending."""
_NUMERIC = pattern_of("numeric_date")
_NUMBERED_MONTH = re.compile(r"(?<!\d)(?P<month>1[0-2]|[1-9]) ?[月월]")
_ORDINAL = r"(?:\.|st|nd|rd|th|er|re|º|°)?"
_LINK = r",?\s+(?:de\s+|del\s+|of\s+)?"
_CENTURY = r"(?P<n>\d{1,2}|[XVI]{1,5})"
_DECADE = r"(?P<n>\d{4}|\d0)"
_BEFORE_CHRIST = pattern_of("before_christ")
_ROMAN = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True)
class Moment:
    """A date or clock time of a sentence; ``parts`` are the roles and values of a ``date-entity``."""

    span: Span
    parts: Mapping[str, str] = field(hash=False)
    sure: bool = True  # whether it is a time without a second one beside it


def moments_in(text: str, lang: str) -> list[Moment]:
    """Return the dates of a text, in order; of two at one place the longer one."""
    months = dict(_named(text, lang, is_month=True))
    numbered = {match.span(): match["month"] for match in _NUMBERED_MONTH.finditer(text)}
    found = [
        *_numeric(text, lang),
        *_named_dates(text, months | _short_months_in(text, lang)),
        *_eras(text, lang),
    ]
    found += [Moment(span, {":weekday": day}) for span, day in _named(text, lang, is_month=False)]
    found += [Moment(span, {":month": month}) for span, month in (months | numbered).items()]
    return first_of_each(found, attrgetter("span"))


def _numeric(text: str, lang: str) -> Iterator[Moment]:
    for match in _NUMERIC.finditer(text):
        given = {name: int(value) for name, value in match.groupdict().items() if value and name[0] != "s"}
        numbers = {name.rstrip("234"): value for name, value in given.items()}
        if match["first"]:
            day, month = int(match["first"]), int(match["second"])
            if day <= 12 and (month > 12 or (match["sign2"] != "." and _month_first(lang))):
                day, month = month, day
            numbers |= {"day": day, "month": month}
        yield from _moment(match.span(), numbers)


def _named_dates(text: str, months: Mapping[Span, str]) -> Iterator[Moment]:
    """Yield the dates of a month in words with a day, a year, or both."""
    for (begin, end), month in months.items():
        numbers = {"month": int(month)}
        before = re.search(rf"(?<![\w.,:])(\d\d?){_ORDINAL}\s+(?:de\s+|of\s+)?$", text[:begin])
        after = re.compile(rf"\.?\s+(\d\d?){_ORDINAL}(?!\w|\s?%|[.,:]\d)").match(text, end)
        if day := before or after:
            begin, end, numbers["day"] = (
                min(begin, day.start()),
                max(end, day.end() if after else end),
                int(day[1]),
            )
        if year := re.compile(rf"\.?{_LINK}(\d{{4}})(?!\w)").match(text, end):
            end, numbers["year"] = year.end(), int(year[1])
        yield from _moment((begin, end), numbers)


def _moment(span: Span, numbers: Mapping[str, int]) -> Iterator[Moment]:
    parts = {part: str(numbers[part[1:]]) for part in PARTS if part[1:] in numbers}
    month, year = numbers["month"], numbers.get("year") or 4
    if len(parts) > 1 and 1 <= month <= 12 and 1 <= numbers.get("day", 1) <= monthrange(year, month)[1]:
        yield Moment(span, parts)


def _eras(text: str, lang: str) -> Iterator[Moment]:
    """Yield the centuries and decades of a text; those before Christ are left out."""
    words = words_of(lang)
    if _BEFORE_CHRIST.search(text):
        return
    for role, name, number in ((":century", "century", _CENTURY), (":decade", "decade", _DECADE)):
        for form in re.split(r"\|(?=\\b)", words.get(name, "(?!)")):
            for match in re.finditer(form.replace("{n}", number), text):
                yield Moment(match.span(), {role: str(_era(match["n"], role))})


def _era(written: str, role: str) -> int:
    """Return the number of an era; decades without a century are those of the twentieth from the 30s on."""
    if written[0] in _ROMAN:
        values = [_ROMAN[sign] for sign in written]
        return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
    number = int(written) if written.isdecimal() else read_chinese(written) or 0
    return number + 1900 if role == ":decade" and 30 <= number < 100 else number


def _named(text: str, lang: str, *, is_month: bool) -> Iterator[tuple[Span, str]]:
    """Yield the spans and values of weekdays or months in a text, the longest where several match."""
    names = _months(lang) if is_month else _weekdays(lang)
    lower = text.replace("İ", "i").lower()  # of the same length
    if lang in UNSPACED:
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        yield from ((one.span(), names[one[0]]) for one in (re.finditer(pattern, lower) if names else ()))
        return
    for match in re.finditer(r"[^\W\d_]+(?:[-'’ʼ][^\W\d_]+)*", with_letters_for_marks(lower)):
        word = _plain(lower[slice(*match.span())])
        name = _name_of(word, lang, is_month)
        is_other = lang == "en" and is_month and not text[match.start()].isupper()  # may, march
        if name and not is_other:
            yield match.span(), names[name]


@lru_cache(maxsize=1 << 14)
def _name_of(word: str, lang: str, is_month: bool) -> str:  # noqa: FBT001
    """Return the longest name of a weekday or month of which a word is a form; empty without any."""
    names = _months(lang) if is_month else _weekdays(lang)
    return max((name for name in names if _is_form(word, name, lang)), key=len, default="")


def _is_form(word: str, name: str, lang: str) -> bool:
    """Return whether a word is a name, an inflected form of it, or begins with it (*Dienstagabend*)."""
    if word == name or (lang == "ko" and word.startswith(name)):
        return True
    if lang not in _INFLECTED:
        return len(name) > 4 and word.startswith(name)
    if len(name) == 4 and name[-1] in "ая":  # июля, в июле
        return word.startswith(name[:-1]) and len(word) < 8
    return is_inflected(name, word) and (lang != "tr" or word.startswith(name))


def _plain(name: str) -> str:
    """Return a name in small letters, without an apostrophe and the ending after it."""
    return re.sub("['’ʼ].{0,3}$|['’ʼ]", "", name.lower().rstrip("."))


def _wide(lang: str, kind: str, *widths: str) -> dict[str, int]:
    """Return the numbers of weekdays or months by their names in a language."""
    contexts = getattr(locale_of(lang), kind).values() if locale_of(lang).language != "root" else ()
    return {name: one for names in contexts for width in widths for one, name in names.get(width, {}).items()}


@cache
def _weekdays(lang: str) -> Mapping[str, str]:
    """Return AMR's weekdays by their names in a language."""
    wide = _wide(lang, "days", *(("abbreviated", "wide") if lang == "zh" else ("wide",)))
    names = {_plain(name): WEEKDAYS[day] for name, day in wide.items()} | words_of(lang).get("weekdays", {})
    shorter = {re.sub("-feira$|(?<=曜)日$", "", name): day for name, day in names.items()}
    return {**shorter, **{name.replace("星期", "礼拜"): day for name, day in names.items()}, **names}


@cache
def _months(lang: str) -> Mapping[str, str]:
    """Return the numbers of months by their names in a language."""
    wide = _wide(lang, "months", "wide")
    more: dict[str, str] = words_of(lang).get("months", {})
    return {_plain(name): str(month) for name, month in wide.items() if not re.search(r"\d", name)} | more


def _short_months_in(text: str, lang: str) -> dict[Span, str]:
    """Return the abbreviated months of a text."""
    short = _wide(lang, "months", "abbreviated")
    names = {name.rstrip(".").lower(): str(month) for name, month in short.items()}
    words = (one for one in re.finditer(r"[^\W\d_]{3,}", text) if one[0].lower() in names)
    return {one.span(): names[one[0].lower()] for one in words}


@cache
def _month_first(lang: str) -> bool:
    """Return whether a language writes the month before the day, by CLDR."""
    pattern = str(locale_of(lang).date_formats["short"].pattern)
    return pattern.find("M") < pattern.find("d")
