"""Name the numbers, times, names and negations of a text that its graph does not hold."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

import penman

from amrx.composed_text import Composed
from parser.values.apply import values_of
from parser.values.calendar import WEEKDAYS
from parser.values.draft import decoded
from parser.values.value import Value
from parser.values.words import plain_form, words_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SIMILAR = 0.8
_NEGATIVE = re.compile(
    "no|none|nobody|no-one|nothing|never|nowhere|neither|nor|without|any-?more|.*no-(?:longer|more)|hardly|unless"
    "|(?:un|in|im|dis|non)-?[a-z-]+|lack|absent|fail|refuse|except|stop|[a-z-]+less"
)
"""Concepts that hold a negation, without senses."""


def lost_values(graph: penman.Graph, text: str, lang: str, digits: Composed | None = None) -> tuple[str, ...]:
    """Return the values and negations of a text that its finished graph does not hold, as written, in order.

    Both ends of a range count, and names in another script. Numbers up to ten in words do not: they have
    other meanings too often. A negation is held if the graph has ``:polarity -`` or a concept such as
    ``nobody``, however often. What is returned is lost, or there in a form that is not known here.

    Args:
        graph: The graph.
        text: The sentence, as given.
        lang: Its language.
        digits: The text with numbers in digits, if that is known.

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
    """Return whether the constants and concepts of a graph hold a value."""
    words = {re.sub(r"-\d\d+$", "", one) for one in held}  # without senses
    if value.kind in ("language", "city", "country", "name"):
        names = {plain_form(part) for word in words for part in re.split(r"[\s_-]", word) if part}
        return all(_is_similar(plain_form(word), names) for word in value.amr.strip('"').split())
    runs = {run.lstrip("0") or "0" for word in words for run in re.findall(r"\d+", word)}
    numbers = {abs(float(one)) for one in held if _NUMBER.fullmatch(one)} | (
        {0.5} if "half" in held else set()
    )
    _, triples = decoded(value.amr) if value.amr.startswith("(") else ("", [("", "", value.amr)])
    nodes = {source for source, _, _ in triples}
    constants = {one.strip('"') for _, role, one in triples if role != ":instance" and one not in nodes}
    days = {one for _, _, one in triples if one in WEEKDAYS}
    return days <= held and all(
        one in held or abs(float(one)) in numbers or one.lstrip("-0") in runs
        if _NUMBER.fullmatch(one)
        else one in held
        or ("@" not in one and all(run.lstrip("0") in {"", *runs} for run in re.findall(r"\d+", one)))
        for one in constants
    )


def _is_similar(form: str, names: set[str]) -> bool:
    return any(
        form[:4] == name[:4] or SequenceMatcher(None, form, name).ratio() >= _SIMILAR for name in names
    )
