"""Complete the dates of a graph from the dates and clock times of its sentence.

::

    am 3. Mai um 16:30 Uhr        (d / date-entity :month 5 :day 3)      + :time "16:30"
    née le 03/05/2026 (fr)        (d / date-entity :day 3 :year 2026)    + :month 5
    the report of 2026-05         (d / date-entity :year 2026)           + :month 5

A parser rarely sees such dates in training, and writes only the parts that it has learnt.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, laid_out
from parser.mini.rules.clocks import is_clock
from parser.mini.rules.literals import Word, read_words
from parser.mini.rules.locales import locale_of

PARTS = (":year", ":month", ":day")
_NUMERIC = re.compile(
    r"(?<![\w.,/-])(?:(?P<year>\d{4})(?P<sign>[-./])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)"
    r"|(?P<first>\d\d?)(?P<sign2>[-./])(?P<second>\d\d?)(?P=sign2)(?P<year2>\d{4})"
    r"|(?P<year3>\d{4})-(?P<month3>0[1-9]|1[0-2]))(?![/-]?\w)"
    r"|(?:(?P<year4>\d{4}) ?[年년] ?)?(?<!\d)(?P<month4>\d\d?) ?[月월](?: ?(?P<day4>\d\d?) ?[日号號일])?"
)
_ORDINAL = r"(?:\.|st|nd|rd|th|er|re|º|°)?"
_LINK = r",?\s+(?:de\s+|del\s+|of\s+)?"
_GAP = re.compile(r"\W*(?:\w{1,4}\W+){0,2}\w{0,4}\W*")
"""Text between a date and its clock time: at most two short words, such as *at* or *a las*."""


@dataclass(frozen=True)
class Moment:
    """A date of a sentence."""

    span: Span  # span in the sentence
    parts: Mapping[str, int] = field(hash=False)  # values of some of `PARTS`


def read_dates(text: str, lang: str) -> list[Moment]:
    """Return the dates of a sentence, in order.

    Example:
        >>> [date.parts for date in read_dates("vom 3. Mai bis 17.06.2024", "de")]
        [{':month': 5, ':day': 3}, {':year': 2024, ':month': 6, ':day': 17}]
    """
    moments = sorted((*_numeric(text, lang), *_named(text, lang)), key=lambda moment: moment.span)
    return [
        moment
        for moment, before in zip(moments, (None, *moments), strict=False)
        if before is None or moment.span[0] >= before.span[1]
    ]


def _numeric(text: str, lang: str) -> Iterator[Moment]:
    for match in _NUMERIC.finditer(text):
        numbers = {
            name.rstrip("234"): int(value)
            for name, value in match.groupdict().items()
            if value and "s" != name[0]
        }
        if match["first"]:
            day, month = int(match["first"]), int(match["second"])
            if day <= 12 and (month > 12 or (match["sign2"] != "." and _month_first(lang))):
                day, month = month, day
            numbers |= {"day": day, "month": month}
        # a range of years, such as 2011-12, is not a month
        if not match["year3"] or (numbers["year"] + 1) % 100 != numbers["month"]:
            yield from _moment(match.span(), numbers)


def _named(text: str, lang: str) -> Iterator[Moment]:
    months = _months(lang)
    if not months or not re.search(r"\d", text):
        return
    names = "|".join(re.escape(name) for name in sorted(months, key=len, reverse=True))
    for pattern in (
        rf"(?<![\w.,:])(?P<day>\d\d?){_ORDINAL}\s+(?:de\s+|of\s+)?(?P<month>{names})(?!\w)\.?(?:{_LINK}(?P<year>\d{{4}})(?!\w))?",
        rf"(?<!\w)(?P<month>{names})(?:\.?\s+(?P<day>\d\d?){_ORDINAL}(?!\w|\s?%|[.,:]\d))?(?:{_LINK}(?P<year>\d{{4}})(?!\w))?",
    ):
        for match in re.finditer(pattern, text):
            numbers = {
                name: int(value) for name, value in match.groupdict().items() if value and name != "month"
            }
            if numbers:
                yield from _moment(match.span(), numbers | {"month": months[match["month"]]})


def _moment(span: Span, numbers: Mapping[str, int]) -> Iterator[Moment]:
    parts = {part: numbers[part[1:]] for part in PARTS if part[1:] in numbers}
    if len(parts) > 1 and _exists(numbers.get("year", 4), numbers["month"], numbers.get("day", 1)):
        yield Moment(span, parts)


def _exists(year: int, month: int, day: int) -> bool:
    """Return whether the calendar has a date.

    Example:
        >>> _exists(2024, 2, 29), _exists(2026, 2, 29), _exists(2026, 4, 31)
        (True, False, False)
    """
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 4, month)[1]


@cache
def _months(lang: str) -> Mapping[str, int]:
    """Return the numbers of the months by their names in a language, from CLDR."""
    locale = locale_of(lang)
    if locale is None:
        return {}
    months: dict[str, int] = {}
    for context in locale.months.values():
        for width in ("wide", "abbreviated"):
            for month, name in context.get(width, {}).items():
                name = name.rstrip(".")
                if len(name) > 2 and name.isalpha():
                    months |= {name: month, name.capitalize(): month}
    return months


@cache
def _month_first(lang: str) -> bool:
    """Return whether a language writes the month before the day, by CLDR."""
    locale = locale_of(lang)
    if locale is None:
        return False
    pattern = str(locale.date_formats["short"].pattern)
    return pattern.find("M") < pattern.find("d")


def with_dates(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with complete dates; the same object if nothing is missing.

    A ``date-entity`` belongs to a date of the sentence if they share a part, and its other numbers do not
    occur elsewhere in the sentence. The clock time beside the date becomes its ``:time``, unless the graph
    already has that time.

    Example:
        >>> graph = penman.decode("(b / begin-01 :time (d / date-entity :month 5 :day 3))")
        >>> print(penman.encode(with_dates(graph, "It begins on 3 May at 16:30.", "en"), indent=None))
        (b / begin-01 :time (d / date-entity :month 5 :day 3 :time "16:30"))
    """
    entities = [instance.source for instance in graph.instances() if instance.target == "date-entity"]
    if not entities:
        return graph
    triples = list[Triple](graph.triples)
    dates, words = read_dates(text, lang), read_words(text, lang)
    clocks = [(span, word.plain) for span, word in words if word.plain and is_clock(word.plain)]
    targets = {target for _, _, target in triples}
    clocks = [clock for clock in clocks if clock[1] not in targets]
    free = list(entities)
    for date in dates:
        # a part that is a node is not replaced
        elsewhere = _numbers_outside(words, date.span) | graph.variables()
        entity = next((e for e in free if _is_of(triples, e, date, elsewhere)), None)
        if entity is None:
            continue
        free.remove(entity)
        for part, value in date.parts.items():
            _set(triples, entity, part, str(value))
        beside = next((clock for clock in clocks if _is_beside(text, date.span, clock[0])), None)
        if beside and not _values(triples, entity, ":time"):
            _set(triples, entity, ":time", beside[1])
            clocks.remove(beside)
    empty = [e for e in free if not any(e == source and role != ":instance" for source, role, _ in triples)]
    if len(clocks) == len(empty) == 1:
        _set(triples, empty[0], ":time", clocks[0][1])
    if triples == graph.triples:
        return graph
    return laid_out(triples, graph.top)


def _numbers_outside(words: Sequence[tuple[Span, Word]], span: Span) -> set[str | None]:
    return {word.plain for (begin, end), word in words if end <= span[0] or begin >= span[1]}


def _values(triples: Sequence[Triple], entity: str, role: str) -> list[str | None]:
    return [target for source, own, target in triples if source == entity and own == role]


def _is_of(triples: Sequence[Triple], entity: str, date: Moment, elsewhere: set[str | None]) -> bool:
    """Return whether an entity shares a part with a date, and no other part comes from another number."""
    own = [(part, value) for part in PARTS for value in _values(triples, entity, part)]
    written = {part: str(value) for part, value in date.parts.items()}
    shared = any(written.get(part) == value for part, value in own)
    swapped = sum(value in written.values() for _, value in own) > 1
    return (shared or swapped) and not any(
        value in elsewhere for part, value in own if part in written and written[part] != value
    )


def _is_beside(text: str, date: Span, clock: Span) -> bool:
    begin, end = min(date[1], clock[1]), max(date[0], clock[0])
    return _GAP.fullmatch(text[begin:end]) is not None


def _set(triples: list[Triple], entity: str, role: str, value: str) -> None:
    """Set a role of an entity, replacing existing values."""
    others = [i for i, triple in enumerate(triples) if triple[:2] == (entity, role)]
    for index in reversed(others):
        del triples[index]
    mine = [i for i, triple in enumerate(triples) if triple[0] == entity]
    triples.insert(others[0] if others else mine[-1] + 1, (entity, role, value))
