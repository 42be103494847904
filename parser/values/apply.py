"""Find the values of a text, and put them into its graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import penman

from amrx.composed_text import Composed, Span, compose, overlap
from parser.values.amounts import amounts_in
from parser.values.draft import Draft
from parser.values.literals import literals_in
from parser.values.names import names_in
from parser.values.place_ages import place_ages
from parser.values.place_amounts import place_amounts
from parser.values.place_names import place_names
from parser.values.place_times import place_times
from parser.values.text import written_in_digits
from parser.values.times import times_in
from parser.values.value import Value

_ADDRESSES = {"url": "url-entity", "email": "email-address-entity", "phone": "phone-number-entity"}


@lru_cache(maxsize=256)
def find_values(text: str, lang: str) -> tuple[Value, ...]:
    """Return the values of a text, in order.

    Args:
        text: The text, with numbers in digits (`parser.values.text.written_in_digits`).
        lang: Its language.

    Example:
        >>> [(one.kind, one.amr) for one in find_values("Er kommt am Montag mit 20 Leuten.", "de")]
        [('time', '(d / date-entity :weekday (w / monday))'), ('number', '20')]
    """
    found = [
        Value("address", one.span, f"(a / {_ADDRESSES[one.kind]} :value {one.constant})")
        for one in literals_in(text, lang)
        if one.kind in _ADDRESSES
    ]
    found += [*times_in(text, lang), *amounts_in(text, lang), *names_in(text, lang)]
    values: list[Value] = []
    order = {"address": 0, "time": 1, "quantity": 2, "language": 3}
    for one in sorted(found, key=lambda one: (order.get(one.kind, 4), one.span[0] - one.span[1])):
        if not any(overlap(one.place, other.place) for other in values):
            values.append(one)
    return tuple(sorted(values, key=lambda one: one.span))


def values_of(text: str, lang: str, digits: Composed | None = None) -> list[Value]:
    """Return the values of a given text, with their spans in it.

    Args:
        text: The text, as given.
        lang: Its language.
        digits: The text with numbers in digits, if that is known (`parser.values.text.written_in_digits`).

    Example:
        >>> [(one.amr, one.span) for one in values_of("Es kamen fünfzehn Leute.", "de")]
        [('15', (9, 17))]
    """
    composed = written_in_digits(compose(text), lang) if digits is None else digits
    return [
        replace(value, span=composed.given(*value.span), core=value.core and composed.given(*value.core))
        for value in find_values(composed.text, lang)
    ]


def with_values(
    graph: penman.Graph,
    text: str,
    lang: str,
    alignments: Mapping[str, Span],
    digits: Composed | None = None,
) -> tuple[penman.Graph, Mapping[str, Span]]:
    """Return a graph in which each value of its text stands once, with its alignments.

    A value that stands in the graph is left; else the nodes that were read for it are written over; a value
    that is lost altogether is attached to the thing or verb beside it.

    Args:
        graph: The graph.
        text: The sentence, as given.
        lang: Its language.
        alignments: Span in ``text`` of the word of each node, by variable.
        digits: The text with numbers in digits, if that is known.

    Example:
        >>> graph = penman.decode("(c / close-01 :ARG1 (s / shop))")
        >>> spans = {"c": (9, 15), "s": (4, 8)}
        >>> graph, _ = with_values(graph, "The shop closes on Friday.", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (c / close-01 :ARG1 (s / shop) :time (d / date-entity :weekday (f / friday)))
    """
    draft = Draft(graph, alignments)
    values = place_ages(draft, values_of(text, lang, digits), text, lang)
    place_names(draft, values, text, lang)
    place_times(draft, values, text)
    place_amounts(draft, values, text, lang)
    return draft.result()
