"""Find the values of a text, put them into its graph, and name those that the graph lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache

import penman

from amrx.composed_text import Composed, Span, compose, overlap
from parser.values.amounts import amounts_in
from parser.values.draft import Draft, constants_of
from parser.values.literals import NUMBER, literals_in
from parser.values.names import names_in
from parser.values.place_amounts import place_amounts
from parser.values.place_names import place_names
from parser.values.place_times import place_times
from parser.values.text import written_in_digits
from parser.values.times import times_in
from parser.values.value import Value
from parser.values.words import pattern_of, plain_form, words_of

_ADDRESSES = {"url": "url-entity", "email": "email-address-entity", "phone": "phone-number-entity"}
_SIMILAR = 0.8
_NEGATIVE = pattern_of("negative_concepts")
"""Concepts that hold a negation, without senses."""


@lru_cache(maxsize=256)
def find_values(text: str, lang: str) -> tuple[Value, ...]:
    """Return the values of a text with numbers in digits, in order.

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
    order = {"address": 0, "time": 1, "quantity": 2}
    for one in sorted(found, key=lambda one: (order.get(one.kind, 3), one.span[0] - one.span[1])):
        if not any(overlap(one.place, other.place) for other in values):
            values.append(one)
    return tuple(sorted(values, key=lambda one: one.span))


def values_of(text: str, lang: str, digits: Composed | None = None) -> list[Value]:
    """Return the values of a given text, with their spans in it; ``digits`` is the text in digits."""
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
        digits: The text as `written_in_digits` returns it, if that is known.

    Example:
        >>> graph = penman.decode("(c / close-01 :ARG1 (s / shop))")
        >>> spans = {"c": (9, 15), "s": (4, 8)}
        >>> graph, _ = with_values(graph, "The shop closes on Friday.", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (c / close-01 :ARG1 (s / shop) :time (d / date-entity :weekday (f / friday)))
    """
    draft = Draft(graph, alignments)
    values = values_of(text, lang, digits)
    place_names(draft, values, text)
    place_times(draft, values, text)
    place_amounts(draft, values, text, lang)
    return draft.result()


def lost_values(graph: penman.Graph, text: str, lang: str, digits: Composed | None = None) -> tuple[str, ...]:
    """Return the values and negations of a text that its finished graph does not hold, as written, in order.

    Numbers up to ten in words do not count: they have other meanings too often. A negation is held if the
    graph has ``:polarity -`` or a concept such as ``nobody``, however often.

    Example:
        >>> graph = penman.decode("(l / last-01 :time (d / date-entity :year 1939))")
        >>> lost_values(graph, "It lasted from 1939 to 1945, wrote 田中.", "en")
        ('from 1939 to 1945', '田中')
    """
    constants = [str(value).strip('"') for _, _, value in graph.attributes()]
    held = {*constants, *(str(concept) for _, _, concept in graph.instances())}
    spans = {value.span for value in values_of(text, lang, digits) if value.sure and not _holds(held, value)}
    if not any(role == ":polarity" or is_negative(str(end)) for _, role, end in graph.triples):
        words = re.finditer(rf"\b(?:{words_of(lang).get('negation', '(?!)')})\b", text, re.IGNORECASE)
        spans |= {match.span() for match in words}
    return tuple(text[slice(*span)].strip() for span in sorted(spans))


def is_negative(concept: str) -> bool:
    """Return whether a concept says a negation, as ``nobody`` or ``lack-01`` does."""
    return _NEGATIVE.fullmatch(re.sub(r"-\d\d$", "", concept)) is not None


def _holds(held: set[str], value: Value) -> bool:
    """Return whether the constants and concepts of a graph hold a value; a number also as a part of one."""
    words = {re.sub(r"-\d\d+$", "", one) for one in held}  # without senses
    if value.kind in ("city", "country", "name"):
        names = {plain_form(part) for word in words for part in re.split(r"[\s_-]", word) if part}
        return all(
            any(
                form[:4] == name[:4] or SequenceMatcher(None, form, name).ratio() >= _SIMILAR
                for name in names
            )
            for form in map(plain_form, value.amr.strip('"').split())
        )
    numbers = {abs(float(one)) for one in held if NUMBER.fullmatch(one)}
    numbers |= {0.5} if "half" in held else set()
    runs = _runs(" ".join(words))
    return all(
        one in held
        or (NUMBER.fullmatch(one) and abs(float(one)) in numbers)
        or (_runs(one) and _runs(one) <= runs and "@" not in one)
        for one in constants_of(value.amr)
    )


def _runs(text: str) -> set[str]:
    """Return the numbers in a text that are not 0, as written without zeros before them."""
    return {run.lstrip("0") for run in re.findall(r"\d+", text)} - {""}
