"""Write a price per amount of goods or time as a rate.

::

    Bread costs 3 euros per kilo.    :ARG2 (m / monetary-quantity :quant 3 :unit (e / euro))
                                ──>  :ARG2 (r / rate-entity-91 :ARG1 (m / monetary-quantity ...)
                                              :ARG2 (q / mass-quantity :quant 1 :unit (k / kilogram)))

The parser leaves the amount of goods out, and writes that of time as a frequency. Only sentences with one
sum of money, whose graph has it once, are changed.
"""

from __future__ import annotations

import re

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.bounds import BOUNDS
from parser.mini.rules.currencies import amounts_in, currency_named
from parser.mini.rules.measures import Unit, measures_of
from parser.mini.rules.named_units import MONEY, TIME
from parser.mini.rules.rates import RATE
from parser.mini.rules.spelled_numbers import with_digits

_PER = {
    "da": "per|pr[.]", "de": r"pro|das|die|je|im", "en": "per|an?", "es": r"por|el|la|al",
    "fr": r"par|le|la|l['’]",
    "it": r"al|all['’]|alla|per", "nb": "per", "nl": "per", "pl": "za|na", "pt": "por|o|a|ao", "ro": "pe",
    "ru": "за|в", "sv": "per", "uk": "за|на",
}  # fmt: skip
"""The words between a sum of money and the amount."""
_KILO = re.compile(r"(?:k|ch|qu)ilos?\b|кило\b|кілo\b", re.IGNORECASE)
"""Short for kilogram; CLDR lacks it."""
_SUM = re.compile(r"[$€£¥]\s?\d[\d.,]*(?:\s\w+)?\s+$")
_KINDS = ("mass-quantity", "volume-quantity", "area-quantity", TIME)
_AGO = re.compile(
    r"\w+\s+(?:ago|later|earlier|before|after|early|late|pasado|anterior|próximo|dernier|prochain|precedente|"
    r"scorso|prossimo|passado)\b",
    re.IGNORECASE,
)
"""Words after a unit that is a point in time."""


def with_prices(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the rate of the only price of its sentence; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / cost-01 :ARG2 (m / monetary-quantity :quant 3 :unit (e / euro)))")
        >>> graph = with_prices(graph, "Das kostet 3 Euro pro Liter.", "de")
        >>> print(penman.encode(graph, indent=None)) # doctest: +NORMALIZE_WHITESPACE
        (c / cost-01 :ARG2 (r / rate-entity-91 :ARG1 (m / monetary-quantity :quant 3 :unit (e / euro))
          :ARG2 (v / volume-quantity :quant 1 :unit (l / liter))))
    """
    sums = [node for node, _, concept in graph.instances() if concept == MONEY]
    unit = _unit_after_money(text, lang) if lang in _PER and len(sums) == 1 else None
    if unit is None or graph.top == sums[0]:
        return graph
    triples = _without_period(list(graph.triples), unit)
    concepts = {node: str(concept) for node, role, concept in triples if role == ":instance"}
    above = _above(triples, sums[0])
    if above and concepts[above[0]] in BOUNDS and above[0] != graph.top:
        above = _above(triples, above[0])
    if above is None or RATE in concepts.values() or unit.noun in concepts.values():
        return graph
    rate, amount = (free_variable(word[0], concepts) for word in (RATE, unit.quantity))
    noun = free_variable(unit.noun[0], {*concepts, rate, amount})
    triples[triples.index(above)] = (above[0], above[1], rate)
    triples += [
        (rate, ":instance", RATE), (rate, ":ARG1", above[2]), (rate, ":ARG2", amount),
        (amount, ":instance", unit.quantity), (amount, ":quant", "1"), (amount, ":unit", noun),
        (noun, ":instance", unit.noun),
    ]  # fmt: skip
    return laid_out(triples, graph.top)


def _above(triples: list[Triple], node: str) -> Triple | None:
    """Return the only relation to a node, unless it is the node's whole."""
    above = [triple for triple in triples if triple[2] == node and triple[1] != ":instance"]
    return above[0] if len(above) == 1 else None


def _without_period(triples: list[Triple], unit: Unit) -> list[Triple]:
    """Return triples without the period of the price as a frequency or duration."""
    nodes = {node for node, role, _ in triples if role == ":instance"}
    for _, role, period in triples:
        if role not in (":frequency", ":duration", ":time"):
            continue
        below = {period}
        for source, _, target in triples:  # depth first
            below |= {target} & nodes if source in below else set()
        parts = [triple for triple in triples if triple[0] in below]
        concepts = {str(value) for _, own, value in parts if own == ":instance"}
        numbers = {str(value) for _, own, value in parts if own == ":quant"}
        if {TIME, unit.noun} <= concepts <= {TIME, unit.noun, RATE} and numbers <= {"1"}:
            return [triple for triple in triples if triple not in parts and triple[2] != period]
    return triples


def _unit_after_money(text: str, lang: str) -> Unit | None:
    """Return the unit that a sentence names after its only sum of money."""
    text = with_digits(compose(text), lang).text
    matches = []
    for match in re.finditer(rf"(?<!\w)(?:{_PER[lang]})(?<=['’])|(?<!\w)(?:{_PER[lang]})\s+", text):
        before = text[: match.start()]
        word = re.search(r"(\w+|[$€£¥])\s+$", before)
        is_money = word and (currency_named(word[1], lang) or _SUM.search(before))
        unit = _unit(text[match.end() :], lang) if is_money else None
        if unit is not None:
            matches.append(unit)
    return matches[0] if len(matches) == 1 and len(list(amounts_in(text, lang))) <= 1 else None


def _unit(text: str, lang: str) -> Unit | None:
    """Return the unit of goods or time that a text begins with."""
    if _KILO.match(text):
        return Unit("mass-quantity", "kilogram")
    unit = measures_of(lang).after(text)
    is_other = re.match(r"\w\b|\w+\s+\d", text) or _AGO.match(text)
    return unit if unit and unit.quantity in _KINDS and not is_other else None
