"""Find the times of a text: dates by CLDR and clock times, with the words around them.

::

    vom 3. Mai bis 17.06.2024 (de)   (x / date-interval :op1 (d / date-entity :month 5 :day 3) :op2 ...)
    tot dinsdag (nl)                 (x / until :op1 (d / date-entity :weekday (w / tuesday)))
    au XIXe siècle (fr)              (d / date-entity :century 19)
    three days ago                   (x / before :op1 (n / now) :quant (t / temporal-quantity ...))
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from operator import attrgetter

from amrx.composed_text import Span, overlap, with_letters_for_marks
from parser.values.han import read_chinese
from parser.values.literals import literals_in
from parser.values.numerals import numerals_of
from parser.values.value import WEEKDAYS, Value, date_amr, joined_amr
from parser.values.words import (
    UNSPACED,
    first_of_each,
    folded_word,
    is_inflected,
    locale_of,
    pattern_of,
    words_of,
)

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
_SHORTER = (("-feira$", ""), ("(?<=曜)日$", ""), ("星期", "礼拜"), ("星期", "周"))
"""Portuguese, Japanese and Chinese weekdays in full, and in short."""
_ROMAN = {"I": 1, "V": 5, "X": 10}
_BESIDE = re.compile(r"\W*(?:\w{1,4}\W+){0,2}\w{0,4}\W*")
"""Between two parts of one date: at most three short words, such as *at* or *a las*."""
_DASH = re.compile(r"\s?[-–—]\s?")
_YEAR = re.compile(r"(?<![\d.,:/])(?:1[1-9]\d\d|20\d\d)(?![\d.,:/]*\d|\s?[%$€£])(?:年|년)?")
_HOUR = re.compile(
    r"(?<![\d.,:/$€£])(?P<hour>2[0-4]|1\d|0?\d)(?![\d.,:/%]*\d|\s?[%$€£])(?P<unit>\s?(?:h|uur|Uhr|時|时|点|點|시)\b)?"
)
_FIELDS = ("second", "minute", "hour", "day", "week", "month", "year")
_DAY_WORD: str = words_of("all")["day_word"]
"""Words before the second of two days."""


@dataclass(frozen=True)
class Moment:
    """A date or clock time of a sentence; ``parts`` are the roles and values of a ``date-entity``."""

    span: Span
    parts: Mapping[str, str] = field(hash=False)
    sure: bool = True  # whether it is a time without a second one beside it


def times_in(text: str, lang: str) -> list[Value]:
    """Return the times of a text, in order."""
    relative = list(_relative_times(text, lang))
    taken = [one.span for one in relative]
    parts = [one for one in _parts(text, lang) if not any(overlap(one.span, span) for span in taken)]
    values: list[Value] = []
    while parts:
        values.append(_joined(text, lang, parts) or _related(text, lang, parts[0]))
        end = values[-1].span[1]
        if not parts[0].sure and values[-1].span == parts[0].span:
            values.pop()
        parts = [one for one in parts[1:] if one.span[0] >= end]
    return sorted([*values, *relative], key=lambda value: value.span)


def _parts(text: str, lang: str) -> list[Moment]:
    """Return the dates and clock times of a text, and numbers that may be years or hours."""
    clocks = (one for one in literals_in(text, lang) if one.kind == "clock")
    found = [*_dates_in(text, lang), *(Moment(one.span, {":time": one.constant}) for one in clocks)]
    found += [Moment(one.span(), {":year": one[0][:4]}, len(one[0]) > 4) for one in _YEAR.finditer(text)]
    hours = ((one.span(), f'"{int(one["hour"])}:00"') for one in _HOUR.finditer(text))
    found += [Moment(span, {":time": hour}, sure=False) for span, hour in hours]
    parts: list[Moment] = []
    for one in first_of_each(sorted(found, key=lambda one: not one.sure), attrgetter("span")):
        if parts and parts[-1].sure and one.sure and _is_one_date(text, parts[-1], one, lang):
            parts[-1] = Moment((parts[-1].span[0], one.span[1]), {**parts[-1].parts, **one.parts})
        else:
            parts.append(one)
    return parts


def _is_one_date(text: str, first: Moment, second: Moment, lang: str) -> bool:
    """Return whether two parts say different things of one date: *Monday, 3 May at 17:00*."""
    words, between = words_of(lang), text[first.span[1] : second.span[0]]
    joins = [*words.get("from_to", ()), *words.get("between", ()), words.get("and"), words.get("or")]
    joins += [*words.get("time", {}).values(), words.get("to")]
    is_split = re.search(rf"(?<!\w)(?:{'|'.join(filter(None, joins))})(?!\w)", between, re.IGNORECASE)
    roles = first.parts.keys() | second.parts.keys()
    is_other = len(roles) < len(first.parts) + len(second.parts)
    is_split = is_split if re.search(r"\w", between) else _DASH.fullmatch(between)
    return not is_other and not is_split and _BESIDE.fullmatch(between) is not None


def _joined(text: str, lang: str, parts: Sequence[Moment]) -> Value | None:
    """Return the interval or list that begins with the first part, if any."""
    alike = list(takewhile(lambda one: one.parts.keys() == parts[0].parts.keys(), parts))
    if len(alike) < 2:
        return None
    first, second = alike[:2]
    if interval := _range(text, lang, first, second):
        if not (first.sure or second.sure or ":year" in first.parts):
            return None
        amr = joined_amr(interval[0], *(date_amr(one.parts) for one in _in_one_half(text, first, second)))
        return Value("time", (interval[1], second.span[1]), amr, core=(first.span[0], second.span[1]))
    gap = r"\s*" if lang in UNSPACED or lang == "ko" else r"\s+"
    for number, (one, other) in enumerate(pairwise(alike), 2):
        between = text[one.span[1] : other.span[0]] + " "
        for concept in ("and", "or") if one.sure and other.sure else ():
            words = rf"\w{{0,3}}[,、]?\s*(?:{words_of(lang).get(concept, '(?!)')}){gap}?{_DAY_WORD}"
            if re.fullmatch(words, between, re.IGNORECASE):
                amr = joined_amr(concept, *(date_amr(each.parts) for each in alike[:number]))
                return Value("time", (first.span[0], other.span[1]), amr)
        if not re.fullmatch(rf"[,、，]\s*{_DAY_WORD}", between, re.IGNORECASE):
            return None
    return None


def _in_one_half(text: str, first: Moment, second: Moment) -> tuple[Moment, Moment]:
    """Return two clock times in the same half of the day: *from 2 to 4 pm*, 午後三時から五時."""
    if ":time" not in first.parts:
        return first, second
    (hour, minute), (last, end) = (one.parts[":time"].strip('"').split(":") for one in (first, second))
    if not first.sure and second.sure and int(hour) + 12 < int(last):
        first = replace(first, parts={":time": f'"{int(hour) + 12}:{minute}"'})
    if int(last) < int(hour) < int(last) + 12 and str(int(hour)) not in text[slice(*first.span)]:
        second = replace(second, parts={":time": f'"{int(last) + 12}:{end}"'})
    return first, second


def _range(text: str, lang: str, first: Moment, second: Moment) -> tuple[str, int] | None:
    """Return the concept above a range of two times, *from* one *to* the other, and where it begins."""
    words, (begin, end) = words_of(lang), first.span
    between = text[end : second.span[0]]
    if "from_to_after" in words:
        start, last = words["from_to_after"]
        is_from = re.search(rf"(?:{start})\s*$", text[begin : second.span[0]])
        if is_from and re.match(rf"\S*?(?:{last})|\S*\s(?:{last})", text[second.span[0] :]):
            return "date-interval", begin
    space = "" if lang in UNSPACED else r"\s+"
    for name, concept in (("from_to", "date-interval"), ("between", "between")):
        one, other = words.get(name, ("(?!)", "(?!)"))
        one = rf"(?:^|\W|(?<=[\u3000-\u9fff]))(?P<word>(?:{one}){space}{_DAY_WORD})$"
        begins = re.search(one, text[:begin], re.IGNORECASE)
        if begins and re.fullmatch(rf"\w{{0,3}}\s*(?:{other})\s*{_DAY_WORD}", between, re.IGNORECASE):
            return concept, begins.start("word")
    is_day = ":weekday" in first.parts or ":month" in first.parts
    to = rf"\s*(?:{words.get('to', '(?!)')})\s*{_DAY_WORD}"
    if is_day and re.fullmatch(to, between, re.IGNORECASE):
        return None if "from_to_after" in words else ("date-interval", begin)
    is_dash = _DASH.fullmatch(between) and (first.sure or second.sure or ":year" in first.parts)
    return ("date-interval", begin) if is_dash else None


def _related(text: str, lang: str, part: Moment) -> Value:
    """Return a time with the word *before*, *after*, *until* or *since* beside it, if any."""
    words, (begin, end), amr = words_of(lang), part.span, date_amr(part.parts)
    edge, gap = (r"(?<=.)", "") if lang in UNSPACED else (r"\b", r"\s+")
    article = rf"(?:(?:{words['article']})\s*)?" if "article" in words else ""
    if not part.sure and ":time" in part.parts:
        return Value("time", part.span, amr, part.sure)
    for concept, names in words.get("time", {}).items():
        match = re.search(rf"{edge}(?:{names}){gap}{article}$", text[:begin], re.IGNORECASE)
        is_vague = match and lang in ("ru", "uk", "pl") and len(match[0]) < 4  # до is before and until
        if match and not is_vague:
            return Value("time", (match.start(), end), joined_amr(concept, amr), part.sure, part.span)
    for concept, names in words.get("time_after", {}).items():
        match = re.compile(names, re.IGNORECASE).match(text, end)
        if match:
            return Value("time", (begin, match.end()), joined_amr(concept, amr), part.sure, part.span)
    return Value("time", part.span, amr, part.sure)


def _relative_times(text: str, lang: str) -> Iterator[Value]:
    """Yield the times so long before or after now, by CLDR's patterns: *vor drei Tagen*."""
    for pattern, concept, unit in _relative_patterns(lang):
        for match in pattern.finditer(text):
            written = match["number"]
            number = written if written.isdecimal() else numerals_of(lang).small.get(folded_word(written))
            if number is not None:
                quantity = f"(t / temporal-quantity :quant {number} :unit (u / {unit}))"
                amr = f"(x / {concept} :op1 (n / now) :quant {quantity})"
                yield Value("time", match.span(), amr, sure=concept == "before")


@cache
def _relative_patterns(lang: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    is_dense = lang in ("ja", "ko", "zh")
    number = r"(?P<number>\d+)" if is_dense else r"(?P<number>\d+|[^\W\d_]+)"
    patterns: dict[str, tuple[str, str]] = {}
    for unit in _FIELDS:
        for tense, concept in (("past", "before"), ("future", "after")):
            for form in locale_of(lang)._data["date_fields"][unit].get(tense, {}).values():
                if "{0}" in form:
                    source = re.escape(form.strip()).replace(r"\{0\}", number).replace(r"\ ", r"\s+")
                    patterns.setdefault(source if is_dense else rf"(?<!\w){source}(?!\w)", (concept, unit))
    return tuple((re.compile(source, re.IGNORECASE), *of) for source, of in patterns.items())


def _dates_in(text: str, lang: str) -> list[Moment]:
    """Return the dates of a text, in order; of two at one place the longer one."""
    months, short = dict(_named(text, lang, "months")), _names(lang, "months", "abbreviated")
    numbered = {match.span(): match["month"] for match in _NUMBERED_MONTH.finditer(text)}
    words = [match for match in re.finditer(r"[^\W\d_]{3,}", text) if match[0].lower() in short]
    dated = months | {match.span(): short[match[0].lower()] for match in words}
    found = [*_numeric(text, lang), *_named_dates(text, dated), *_eras(text, lang)]
    found += [Moment(span, {":weekday": day}) for span, day in _named(text, lang, "days")]
    found += [Moment(span, {":month": month}) for span, month in (months | numbered).items()]
    return first_of_each(found, attrgetter("span"))


def _numeric(text: str, lang: str) -> Iterator[Moment]:
    order = str(locale_of(lang).date_formats["short"].pattern)
    for match in _NUMERIC.finditer(text):
        given = {name: int(value) for name, value in match.groupdict().items() if value and name[0] != "s"}
        numbers = {name.rstrip("24"): value for name, value in given.items()}
        if match["first"]:
            day, month = int(match["first"]), int(match["second"])
            is_month_first = match["sign2"] != "." and order.find("M") < order.find("d")
            if day <= 12 and (month > 12 or is_month_first):
                day, month = month, day
            numbers |= {"day": day, "month": month}
        yield from _moment(match.span(), numbers)


def _named_dates(text: str, months: Mapping[Span, str]) -> Iterator[Moment]:
    """Yield the dates of a month in words with a day, a year, or both."""
    for (begin, end), month in months.items():
        numbers = {"month": int(month)}
        before = re.search(rf"(?<![\w.,:])(\d\d?){_ORDINAL}\s+(?:de\s+|of\s+)?$", text[:begin])
        after = re.compile(rf"\.?\s+(\d\d?){_ORDINAL}(?!\w|\s?%|[.,:]\d)").match(text, end)
        if before:
            begin, numbers["day"] = before.start(), int(before[1])
        elif after:
            end, numbers["day"] = after.end(), int(after[1])
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


def _named(text: str, lang: str, kind: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans and values of weekdays or months in a text, the longest where several match."""
    names = _names(lang, kind)
    lower = text.replace("İ", "i").lower()  # of the same length
    if lang in UNSPACED:
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"
        yield from ((match.span(), names[match[0]]) for match in re.finditer(pattern, lower))
        return
    for match in re.finditer(r"[^\W\d_]+(?:[-'’ʼ][^\W\d_]+)*", with_letters_for_marks(lower)):
        name = _name_of(_plain(lower[slice(*match.span())]), lang, kind)
        is_other = lang == "en" and kind == "months" and not text[match.start()].isupper()  # may, march
        if name and not is_other:
            yield match.span(), names[name]


@lru_cache(maxsize=1 << 14)
def _name_of(word: str, lang: str, kind: str) -> str:
    """Return the longest name that a word inflects or begins with (*Dienstagabend*); empty without any."""
    names: Collection[str] = _names(lang, kind)
    if word in names:
        return word
    if lang not in _INFLECTED:
        names = [name for name in names if word.startswith(name) and (len(name) > 4 or lang == "ko")]
    elif lang == "tr":
        names = [name for name in names if word.startswith(name) and is_inflected(name, word)]
    else:
        short = f"{word[:3]}я" if len(word) < 8 else ""  # июля, в июле
        names = [name for name in names if is_inflected(name, word) or name == short]
    return max(names, key=len, default="")


def _plain(name: str) -> str:
    """Return a name in small letters, without an apostrophe and the ending after it."""
    return re.sub("['’ʼ].{0,3}$|['’ʼ]", "", name.lower().rstrip("."))


@cache
def _names(lang: str, kind: str, width: str = "wide") -> Mapping[str, str]:
    """Return the weekdays as AMR writes them, or the numbers of months, by their names in a language."""
    locale = locale_of(lang)
    contexts = getattr(locale, kind).values() if locale.language != "root" else ()
    numbers = {_plain(name): one for names in contexts for one, name in names.get(width, {}).items()}
    values = {
        name: WEEKDAYS[one] if kind == "days" else str(one)
        for name, one in numbers.items()
        if not re.search(r"\d", name)
    }
    values |= words_of(lang).get(f"names_of_{kind}", {})
    for long, short in _SHORTER:
        values = {re.sub(long, short, name): value for name, value in values.items()} | values
    return values
