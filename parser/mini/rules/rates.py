"""Write how often something happens as AMR does.

::

    dreimal am Tag (de)    (r / rate-entity-91 :ARG3 (t / temporal-quantity :quant 3 :unit (d / day)))
                      ──>  (r / rate-entity-91 :ARG1 3 :ARG2 (t / temporal-quantity :quant 1 :unit (d / day)))
    every Monday           (r / rate-entity-91 :ARG3 (t / temporal-quantity :quant 1 :unit (d / day)))
                      ──>  (r / rate-entity-91 :ARG4 (d / date-entity :weekday (m / monday)))

The parser reads the first as *every three days*, or loses the number, and the second as *every day*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.bounds import numbers_in
from parser.mini.rules.calendar_names import WEEKDAYS, weekdays_in
from parser.mini.rules.measures import measures_of
from parser.mini.rules.number_words import number_words
from parser.mini.rules.spelled_numbers import with_digits

RATE, QUANTITY = "rate-entity-91", "temporal-quantity"
_TIMES = {
    "de": r"\s?mal\s+(?:am|pro|im|in der|jede[ns]?|die)\s+", "en": r"\s+times\s+(?:an?|per|each|every)\s+",
    "es": r"\s+ve(?:z|ces)\s+(?:al|por|a\s+la|cada)\s+", "fr": r"\s+fois\s+(?:par|chaque)\s+",
    "it": r"\s+volt[ae]\s+(?:all?[ae]?|a|per|ogni)\b['’]?\s*",
    "nl": r"\s+(?:keer|maal)\s+(?:per|in de|elke)\s+",
    "pl": r"\s+razy?\s+(?:w|na)\s+", "pt": r"\s+ve(?:z|zes)\s+(?:por|ao|à|a cada)\s+",
    "ru": r"\s+раза?\s+в\s+", "sv": r"\s+gång(?:er)?\s+(?:i|per|om)\s+",
    "uk": r"\s+раз(?:и|ів|у)?\s+(?:на|в|у)\s+",
}  # fmt: skip
"""The words between a number and its unit of time."""
_TWICE = {"en": {"once": 1, "twice": 2}}
_EVERY = {
    "de": r"jede[nmrs]?", "en": "every|each", "es": r"todos\s+los|cada", "fr": r"tous\s+les|chaque",
    "it": r"ogni|tutti\s+i|tutte\s+le", "nl": "elke|iedere", "pl": r"każd\w+", "pt": r"tod[ao]s\s+[ao]s|cada",
    "ru": r"кажд\w+", "sv": "varje", "tr": "her", "uk": r"кожн\w+", "zh": "每个?",
}  # fmt: skip


class _Rate(NamedTuple):
    """A rate that has only a period."""

    node: str
    period: str
    unit: str


def with_rates(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the only rate of its sentence; the same object if nothing changes.

    Example:
        >>> graph = penman.decode('''(c / call-02 :frequency (r / rate-entity-91
        ...     :ARG3 (t / temporal-quantity :quant 3 :unit (d / day))))''')
        >>> graph = with_rates(graph, "Elle appelle trois fois par jour.", "fr")
        >>> print([tuple(triple) for triple in graph.attributes()])
        [('r', ':ARG1', '3'), ('t', ':quant', '1')]
    """
    rate = _only_rate(graph)
    times = list(_times_in(text, lang))
    triples = list[Triple](graph.triples)
    if len(times) == 1:
        number, noun = times[0]
        place, rate = _place(triples, rate, number, noun)
        if rate is None:
            return graph
        triples[place : place + 1] = [(rate.node, ":ARG1", number), (rate.node, ":ARG2", rate.period)]
        triples = [
            (rate.unit, ":instance", noun) if triple[:2] == (rate.unit, ":instance") else triple
            for triple in triples
            if triple[:2] != (rate.period, ":quant")
        ]
        triples.insert(triples.index((rate.period, ":unit", rate.unit)), (rate.period, ":quant", "1"))
    else:
        day = _every_day(text, lang) if rate else None
        if rate is None or day is None or any(concept in WEEKDAYS for _, _, concept in triples):
            return graph
        gone = {rate.period, rate.unit}
        date, weekday = (free_variable(letter, graph.variables()) for letter in ("d", day[0]))
        triples[triples.index((rate.node, ":ARG3", rate.period))] = (rate.node, ":ARG4", date)
        triples = [triple for triple in triples if triple[0] not in gone]
        triples += [
            (date, ":instance", "date-entity"),
            (date, ":weekday", weekday),
            (weekday, ":instance", day),
        ]
    return laid_out(triples, graph.top)


def _place(triples: list[Triple], rate: _Rate | None, number: str, noun: str) -> tuple[int, _Rate | None]:
    """Return the place of a rate's period, and the rate; a duration with the number becomes a new one."""
    if rate is not None:
        return triples.index((rate.node, ":ARG3", rate.period)), rate
    for place, (source, role, period) in enumerate(triples):
        unit = next((target for node, own, target in triples if (node, own) == (period, ":unit")), "")
        parts = {(period, ":instance", QUANTITY), (period, ":quant", number), (unit, ":instance", noun)}
        if role in (":duration", ":frequency", ":time") and parts <= set(triples):
            node = free_variable("r", {node for node, _, _ in triples})
            triples[place : place + 1] = [
                (source, ":frequency", node),
                (node, ":instance", RATE),
                (node, ":ARG3", period),
            ]
            return place + 2, _Rate(node, period, unit)
    return 0, None


def _only_rate(graph: penman.Graph) -> _Rate | None:
    """Return the rate of a graph if it is the only one, and has only a period."""
    rates = [node for node, _, concept in graph.instances() if concept == RATE]
    edges = graph.edges(source=rates[0]) if len(rates) == 1 else []
    if len(edges) != 1 or edges[0].role != ":ARG3" or graph.attributes(source=rates[0]):
        return None
    period = edges[0].target
    units = graph.edges(source=period, role=":unit")
    is_period = (period, ":instance", QUANTITY) in graph.triples
    roles = {role for _, role, _ in graph.edges(source=period)}
    used = [edge for edge in graph.edges() if edge.target in (period, *(unit.target for unit in units))]
    if not is_period or len(units) != 1 or roles != {":unit"} or len(used) != 2:
        return None
    return _Rate(rates[0], period, units[0].target)


def _times_in(text: str, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of times in a unit of time, and AMR's concept of the unit."""
    if lang not in _TIMES:
        return
    text = with_digits(compose(text), lang).text
    found = list(re.finditer(_TIMES[lang], text, re.IGNORECASE))
    ends = {end: number for (_, end), number in numbers_in(text, lang)} if found else {}
    for match in found:
        begin = re.search(r"\w*$", text[: match.start()])
        word = begin[0].lower() if begin else ""
        number = ends.get(match.start()) or number_words(lang).values.get(word)
        unit = measures_of(lang).after(text[match.end() :])
        if number and unit and unit.quantity == QUANTITY:
            yield str(number), unit.noun
    for match in re.finditer(r"\b(once|twice)\s+(?:an?|per|each|every)\s+", text, re.IGNORECASE):
        unit = measures_of(lang).after(text[match.end() :])
        if lang in _TWICE and unit and unit.quantity == QUANTITY:
            yield str(_TWICE[lang][match[1].lower()]), unit.noun


def _every_day(text: str, lang: str) -> str | None:
    """Return the only weekday of a sentence if it is said to recur."""
    days = weekdays_in(text, lang) if lang in _EVERY else ()
    if len(days) != 1:
        return None
    before = text[: days[0].span[0]]
    is_every = re.search(rf"(?:{_EVERY[lang]})\s*$", before, re.IGNORECASE)
    return days[0].value if is_every else None
