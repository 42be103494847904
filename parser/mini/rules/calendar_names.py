"""Correct the weekdays and months of a graph by the names in its sentence, from CLDR.

::

    Der Laden ist am Dienstag zu. (de)   (d / date-entity :weekday (w / wednesday))  ──>  (w / tuesday)
    회의는 12월입니다. (ko)               (d / date-entity :month 11)                  ──>  :month 12

A weekday or month that the sentence does not name is replaced by one that it names and the graph lacks: the
one that the node is aligned to, or the only one. Abbreviations and numeric dates (*Fri.*, 24/06/2019) name a
weekday or month too, but correct none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple

import penman

from amrx.composed_text import Composed, Span, compose, overlap, with_letters_for_marks
from linearize.frames import replace_triples
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.locales import locale_of

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNSPACED = frozenset({"ja", "th", "zh"})
ENDING, STEM, MOST_LETTERS = 2, 4, 4
"""Letters that an inflected name may lose, letters that it keeps, and letters that it may gain."""
_INFLECTED = frozenset("be bg cs el et fi hr hu hy ka lt lv mk pl ro ru sk sl sr tr uk".split())
"""Languages whose names of days and months change their ending."""
_ADDING = frozenset({"tr"})
"""Languages among these whose names lose no letter."""
_SLAVIC = frozenset("be bg cs hr mk pl ru sk sl sr uk".split())
_VOWELS, _FEWEST = "aąeęiouyаеиіоуыюяї", 5
"""Last letters of cases, and minimum number of letters of a name with cases."""
_JOINED = frozenset({"ko"})
"""Languages that write particles at the end of any noun."""
_MORE = {"de": {"sonnabend": "saturday"}, "zh": {"星期天": "sunday"}}
"""Names that CLDR lacks."""
_MORE_MONTHS = {
    "pl": {"maju": "5", "majem": "5"},
    "ru": {"мае": "5", "маю": "5", "маем": "5"},
    "sk": {"máji": "5", "májom": "5"},
    "sl": {"maju": "5", "majem": "5"},
}
"""Forms of names that are too short for the rule of endings."""
_CAPITAL = frozenset({"en"})
"""Languages whose names of months are other words (*may*, *march*) without a capital."""
_NUMERIC_DATE = re.compile(r"(?<![\d./-])\d{1,4}([./-])\d{1,2}(?:\1\d{1,4})?(?![\d/-])")
_NUMBERED_MONTH = re.compile(r"(?<!\d)(?P<month>1[0-2]|[1-9]) ?[月월]")


class Name(NamedTuple):
    """A weekday or month in a sentence."""

    value: str  # as AMR writes it: ``tuesday``, ``12``
    span: Span  # in the given text


def with_calendar_names(
    graph: penman.Graph, composed: Composed, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the weekdays and months of its sentence; the same object if nothing changes.

    Args:
        graph: The graph.
        composed: The sentence as it was read.
        lang: Its language.
        alignments: Span of the word of each node in the given text, by variable.
    """
    weekdays = [triple for triple in graph.instances() if triple[2] in WEEKDAYS]
    months = graph.attributes(role=":month")
    changed: dict[penman.graph.Triple, penman.graph.Triple] = {}
    if weekdays:
        names = list(_named(composed, _weekdays(lang), lang))
        others = _abbreviated(composed.text, _short_weekdays(lang))
        changed |= _corrections(weekdays, names, others, alignments)
    if months:
        names = list(_months_in(composed, lang))
        others = _abbreviated(composed.text, _short_months(lang)) | _in_numeric_dates(composed.text)
        changed |= _corrections(months, names, others, alignments)
    return replace_triples(graph, changed) if changed else graph


def with_lost_names(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only weekday and month of its sentence; the same object if nothing changes.

    If the graph has no weekday (or month), the node that is aligned to its name becomes a time. Only
    Slavic languages, whose names the parser loses.

    Example:
        >>> graph = penman.decode("(b / buy-01 :ARG0 (t / they) :location (m / middle))")
        >>> graph = with_lost_names(graph, "Вони купили у середу.", "uk", {"m": (14, 20)})
        >>> print(penman.encode(graph, indent=None))
        (b / buy-01 :ARG0 (t / they) :time (d / date-entity :weekday (w / wednesday)))
    """
    if lang not in _SLAVIC:
        return graph
    has_day = any(concept in WEEKDAYS for _, _, concept in graph.instances())
    has_month = bool(graph.attributes(role=":month"))
    for lost, names in ((not has_day, _weekdays(lang)), (not has_month, _months(lang))):
        words = [
            (value, match.span())
            for match in re.finditer(r"[^\W\d_]+(?:[’'ʼ][^\W\d_]+)?", text)
            for value in {value for name, value in names.items() if _is_case(match[0].lower(), name)}
        ]
        if lost and len(words) == 1:
            graph = _with_time(graph, *words[0], alignments)
    return graph


def with_lost_weekday(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only weekday of its sentence as a time; the same object if it has one.

    It is the day of the only date of the graph, or the time of the nearest verb between the same commas.
    Nothing changes if another node is aligned to its name.

    Example:
        >>> graph = penman.decode("(c / close-01 :ARG1 (s / shop))")
        >>> graph = with_lost_weekday(graph, "The shop closes on Friday.", "en", {"c": (9, 15), "s": (4, 8)})
        >>> print(penman.encode(graph, indent=None))
        (c / close-01 :ARG1 (s / shop) :time (d / date-entity :weekday (f / friday)))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    names = weekdays_in(text, lang)
    if len(names) != 1 or not set(concepts.values()).isdisjoint(WEEKDAYS):
        return graph
    (name,) = names
    others = [span for node, span in alignments.items() if concepts.get(node) != "date-entity"]
    if any(overlap(span, name.span) for span in others):
        return graph  # the word was read as something else
    dates = [node for node, concept in concepts.items() if concept == "date-entity"]
    begin, end = name.span
    distances = {
        node: (min(abs(span[0] - end), abs(begin - span[1])), span[0] > begin)  # rather the one before
        for node, span in alignments.items()
        if is_frame(concepts.get(node, ""))
        and not re.search(r"-9\d$", concepts[node])
        and not re.search("[,;:]", text[min(span[1], end) : max(span[0], begin)])
    }
    if len(dates) > 1 or not (dates or distances):
        return graph
    date = dates[0] if dates else free_variable("d", concepts)
    day = free_variable(name.value[0], {*concepts, date})
    new: list[Triple] = [(date, ":weekday", day), (day, ":instance", name.value)]
    if not dates:
        verb = min(distances, key=distances.__getitem__)
        new = [(verb, ":time", date), (date, ":instance", "date-entity"), *new]
    return laid_out([*graph.triples, *new], graph.top)


def _is_case(word: str, name: str) -> bool:
    """Return whether a word is a name, or differs in a last vowel: *середа*, *середу*."""
    word = re.sub("['’ʼ]", "", word)
    is_short = len(name) < _FEWEST or name[-1] not in _VOWELS
    return word == name or (not is_short and word[:-1] == name[:-1] and word[-1:] in _VOWELS)


def _with_time(graph: penman.Graph, value: str, span: Span, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with a time in place of the node that is aligned to a span, and of all below it."""
    inside = {node for node, own in alignments.items() if own[0] < span[1] and span[0] < own[1]}
    above = [(place, triple) for place, triple in enumerate(graph.triples) if triple[2] in inside]
    tops = [(place, triple) for place, triple in above if triple[0] not in inside]
    if len(tops) != 1 or graph.top in inside or len({triple[2] for _, triple in above}) != len(above):
        return graph
    place, (source, role, _) = tops[0]
    below = {triple[2] for triple in graph.edges() if triple[0] in inside}
    if role.endswith("-of") or below - inside:
        return graph
    triples = list[Triple](graph.triples)
    date = free_variable("d", graph.variables())
    triples[place] = (source, role if role.startswith(":op") else ":time", date)
    triples = [triple for triple in triples if triple[0] not in inside]
    triples.append((date, ":instance", "date-entity"))
    if value in WEEKDAYS:
        day = free_variable(value[0], graph.variables())
        triples += [(date, ":weekday", day), (day, ":instance", value)]
    else:
        triples.append((date, ":month", value))
    return laid_out(triples, graph.top)


def _corrections(
    triples: Sequence[penman.graph.Triple],
    names: Sequence[Name],
    others: Set[str],
    alignments: Mapping[str, Span],
) -> dict[penman.graph.Triple, penman.graph.Triple]:
    """Return the triples whose value is not in the sentence, with those that replace them.

    ``others`` are values that the sentence has in other forms than names.
    """
    written, values = {name.value for name in names} | others, {str(triple[2]) for triple in triples}
    missing = [name for name in names if name.value not in values]
    wrong = [triple for triple in triples if str(triple[2]) not in written]
    changed = {}
    for triple in wrong:
        span = alignments.get(triple[0])
        aligned = [name for name in missing if span and name.span[0] < span[1] and span[0] < name.span[1]]
        single = len({name.value for name in missing}) == len(wrong) == 1
        if aligned or single:
            changed[triple] = (triple[0], triple[1], (aligned or missing)[0].value)
    return changed


def _abbreviated(text: str, short: Mapping[str, str]) -> set[str]:
    """Return the values of the abbreviations in a text; those with a capital are searched with it."""
    return {
        short[word]
        for word in re.findall(r"[^\W\d_]+", text)
        for word in (word, word.lower())
        if word in short
    }


def _in_numeric_dates(text: str) -> set[str]:
    """Return the numbers that may be months in dates such as 24/06/2019 and 2019-06-24."""
    dates = [match[0] for match in _NUMERIC_DATE.finditer(text)]
    return {str(int(part)) for date in dates for part in re.findall(r"\d+", date)}


def _months_in(composed: Composed, lang: str) -> Iterator[Name]:
    yield from _named(composed, _months(lang), lang)
    for match in _NUMBERED_MONTH.finditer(composed.text):
        yield Name(match["month"], composed.given(*match.span()))


@lru_cache(maxsize=256)
def weekdays_in(text: str, lang: str) -> tuple[Name, ...]:
    """Return the weekdays that a sentence names.

    Example:
        >>> weekdays_in("jeden Montag", "de")
        (Name(value='monday', span=(6, 12)),)
    """
    return tuple(_named(compose(text), _weekdays(lang), lang))


@lru_cache(maxsize=256)
def months_in(text: str, lang: str) -> tuple[Name, ...]:
    """Return the months that a sentence names.

    Example:
        >>> months_in("im Mai", "de")
        (Name(value='5', span=(3, 6)),)
    """
    return tuple(_months_in(compose(text), lang))


def _named(composed: Composed, names: Mapping[str, str], lang: str) -> Iterator[Name]:
    """Yield the names in a sentence, longest first where several match."""
    text = composed.text.replace("İ", "i").lower()  # of the same length
    if lang in UNSPACED:
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        for match in re.finditer(pattern, text) if names else ():
            yield Name(names[match[0]], composed.given(*match.span()))
        return
    for match in re.finditer(r"[^\W\d_]+(?:[-'’ʼ][^\W\d_]+)*", with_letters_for_marks(text)):
        word = _plain(text[slice(*match.span())])
        name = max((name for name in names if _is_form(word, name, lang)), key=len, default="")
        is_other = lang in _CAPITAL and names is _months(lang) and not composed.text[match.start()].isupper()
        if name and not is_other:
            yield Name(names[name], composed.given(*match.span()))


def _is_form(word: str, name: str, lang: str) -> bool:
    """Return whether a word is a name, an inflected form of it, or begins with it (*Dienstagabend*)."""
    if word == name or (lang in _JOINED and word.startswith(name)):
        return True
    if lang not in _INFLECTED:
        return len(name) > STEM and word.startswith(name)
    stem = name if lang in _ADDING else name[: max(STEM, len(name) - ENDING)]
    return len(name) >= STEM and word.startswith(stem) and len(word) - len(stem) <= MOST_LETTERS


def _plain(name: str) -> str:
    """Return a name in small letters, without an apostrophe and the ending after it."""
    return re.sub("['’ʼ].{0,3}$|['’ʼ]", "", name.lower().rstrip("."))


@cache
def _weekdays(lang: str) -> Mapping[str, str]:
    """Return AMR's weekdays by their names in a language."""
    locale = locale_of(lang)
    if locale is None:
        return {}
    names: dict[str, str] = {}
    for context in locale.days.values():
        for width in ("wide", "abbreviated") if lang == "zh" else ("wide",):
            for day, name in context.get(width, {}).items():
                names[_plain(name)] = WEEKDAYS[day]
    names |= _MORE.get(lang, {})
    shorter = {re.sub("-feira$|(?<=曜)日$", "", name): day for name, day in names.items()}
    return {**shorter, **{name.replace("星期", "礼拜"): day for name, day in names.items()}, **names}


@cache
def _months(lang: str) -> Mapping[str, str]:
    """Return the numbers of months by their names in a language."""
    locale = locale_of(lang)
    if locale is None:
        return {}
    names = {
        _plain(name): str(month)
        for context in locale.months.values()
        for month, name in context.get("wide", {}).items()
        if not re.search(r"\d", name)
    }
    return names | _MORE_MONTHS.get(lang, {})


@cache
def _short_weekdays(lang: str) -> Mapping[str, str]:
    """Return AMR's weekdays by their abbreviations in a language."""
    locale = locale_of(lang)
    tables = [] if locale is None else list(locale.days.values())
    return {
        name.rstrip("."): WEEKDAYS[day]
        for widths in tables
        for width in ("abbreviated", "short")
        for day, name in widths.get(width, {}).items()
    }


@cache
def _short_months(lang: str) -> Mapping[str, str]:
    """Return the numbers of months by their abbreviations in a language."""
    locale = locale_of(lang)
    tables = [] if locale is None else list(locale.months.values())
    return {
        name.rstrip("."): str(month)
        for widths in tables
        for month, name in widths.get("abbreviated", {}).items()
    }
