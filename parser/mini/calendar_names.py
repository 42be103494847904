"""Correct the weekdays and months of a graph by the names in its sentence, from CLDR.

::

    Der Laden ist am Dienstag zu. (de)   (d / date-entity :weekday (w / wednesday))  ──>  (w / tuesday)
    회의는 12월입니다. (ko)               (d / date-entity :month 11)                  ──>  :month 12

A weekday or month that the sentence does not name is replaced by one that it names and the graph lacks: the
one that the node is aligned to, or the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import penman

from amrx.composed_text import Composed, Span, with_letters_for_marks
from linearize.frames import replace_triples
from parser.mini.locales import locale_of

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNSPACED = frozenset({"ja", "th", "zh"})
ENDING, STEM, MOST_LETTERS = 2, 4, 4
"""Letters that an inflected name may lose, letters that it keeps, and letters that it may gain."""
_INFLECTED = frozenset("be bg cs el et fi hr hu hy ka lt lv mk pl ro ru sk sl sr tr uk".split())
"""Languages whose names of days and months change their ending."""
_JOINED = frozenset({"ko"})
"""Languages that write particles at the end of any noun."""
_MORE = {"de": {"sonnabend": "saturday"}, "zh": {"星期天": "sunday"}}
"""Names that CLDR lacks."""
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
    changed = {
        triple: (triple[0], triple[1], value)
        for triples, names in (
            (weekdays, _named(composed, _weekdays(lang), lang) if weekdays else ()),
            (months, _months_in(composed, lang) if months else ()),
        )
        for triple, value in _corrections(triples, list(names), alignments)
    }
    return replace_triples(graph, changed) if changed else graph


def _corrections(
    triples: Sequence[penman.graph.Triple], names: Sequence[Name], alignments: Mapping[str, Span]
) -> Iterator[tuple[penman.graph.Triple, str]]:
    """Yield the triples whose value is not in the sentence, with the value that is."""
    written, values = {name.value for name in names}, {str(triple[2]) for triple in triples}
    missing = [name for name in names if name.value not in values]
    wrong = [triple for triple in triples if str(triple[2]) not in written]
    for triple in wrong:
        span = alignments.get(triple[0])
        aligned = [name for name in missing if span and name.span[0] < span[1] and span[0] < name.span[1]]
        single = len({name.value for name in missing}) == len(wrong) == 1
        if aligned or single:
            yield triple, (aligned or missing)[0].value


def _months_in(composed: Composed, lang: str) -> Iterator[Name]:
    yield from _named(composed, _months(lang), lang)
    for match in _NUMBERED_MONTH.finditer(composed.text):
        yield Name(match["month"], composed.given(*match.span()))


def _named(composed: Composed, names: Mapping[str, str], lang: str) -> Iterator[Name]:
    """Yield the names in a sentence, longest first where several match."""
    text = composed.text.lower()
    if lang in UNSPACED:
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        for match in re.finditer(pattern, text) if names else ():
            yield Name(names[match[0]], composed.given(*match.span()))
        return
    for match in re.finditer(r"[^\W\d_]+(?:[-'’ʼ][^\W\d_]+)*", with_letters_for_marks(text)):
        word = _plain(text[slice(*match.span())])
        name = max((name for name in names if _is_form(word, name, lang)), key=len, default="")
        if name:
            yield Name(names[name], composed.given(*match.span()))


def _is_form(word: str, name: str, lang: str) -> bool:
    """Return whether a word is a name, an inflected form of it, or begins with it (*Dienstagabend*)."""
    if word == name or (lang in _JOINED and word.startswith(name)):
        return True
    if lang not in _INFLECTED:
        return len(name) > STEM and word.startswith(name)
    stem = name[: max(STEM, len(name) - ENDING)]
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
    return {
        _plain(name): str(month)
        for context in locale.months.values()
        for month, name in context.get("wide", {}).items()
        if not re.search(r"\d", name)
    }
