"""Write temperatures with their sign and scale.

::

    auf minus zwölf Grad (de)    (d / distance-quantity :quant 12 :unit (c / celsius))
    fell to -12 °C               (p / percentage-entity :value -12)
                            ──>  (d / temperature-quantity :quant -12 :scale (c / celsius))

Degrees without a sign or scale may be angles and stay as they are.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.bounds import numbers_in
from parser.mini.rules.spelled_numbers import with_digits

_DEGREE = (
    r"\s*(?:°\s?(?P<sign>[CF])\b|℃|°|(?:degrees?|grad[ios]*|degrés?|graden|grader|graus?|stop(?:ni|nia|nie|ień)"
    r"|градус\w*|derece\w*|度|도)(?![^\W_\u3040-\u9fff\uac00-\ud7a3]))(?:\s*(?P<scale>Celsius|Fahrenheit|Цельси\w*))?"
)
_MINUS = r"(?:minus|moins|menos|meno|min|минус|мінус|eksi|マイナス|零下|氷点下|영하)\s*"
_BELOW = (
    r"\s+(?:below (?:zero|freezing)|unter null|sous zéro|au-dessous de zéro|bajo cero|sotto (?:lo )?zero"
    r"|abaixo de zero|onder nul|under noll|poniżej zera|ниже нуля|мороза|нижче нуля|морозу)\b"
)
_BEFORE = re.compile(rf"(?:\b|(?<=[\u3040-\u9fff\uac00-\ud7a3])){_MINUS}$", re.IGNORECASE)
_AFTER = re.compile(rf"{_DEGREE}(?P<below>{_BELOW})?", re.IGNORECASE)
_WRONG = re.compile(r"(?:distance|temporal|temperature|mass)-quantity|percentage-entity")


class Temperature(NamedTuple):
    """A temperature of a sentence."""

    number: str  # without its sign
    is_negative: bool
    scale: str  # ``celsius``, ``fahrenheit``, or empty


def with_temperatures(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the temperature of its sentence; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(f / fall-01 :ARG4 (d / distance-quantity :quant 5 :unit (i / inch)))")
        >>> print(penman.encode(with_temperatures(graph, "Il est tombé à moins 5 degrés", "fr"), indent=None))
        (f / fall-01 :ARG4 (d / temperature-quantity :quant -5))
    """
    temperatures = list(temperatures_in(text, lang))
    if len(temperatures) != 1:
        return graph
    number, is_negative, scale = temperatures[0]
    signed = f"-{number}" if is_negative else number
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    amounts = [triple for triple in graph.attributes() if triple[1] in (":quant", ":value")]
    nodes = [triple for triple in amounts if str(triple[2]).lstrip("-") == number]
    if not nodes:  # -5 °C as 1 °C
        warm = {edge.source for edge in graph.edges(role=":unit") if concepts[edge.target] == "celsius"}
        nodes = [triple for triple in amounts if triple[0] in warm]
    if len(nodes) != 1 or not _WRONG.fullmatch(concepts[nodes[0][0]]):
        return graph
    node = nodes[0][0]
    units = {unit.target for unit in graph.edges(source=node) if unit.role in (":unit", ":scale")}
    if any(edge.source in units or (edge.target in units and edge.source != node) for edge in graph.edges()):
        return graph
    own: list[Triple] = [(node, ":instance", "temperature-quantity"), (node, ":quant", signed)]
    if scale or any(concepts[unit] == "celsius" for unit in units):
        variable = free_variable("c", graph.variables())
        own += [(node, ":scale", variable), (variable, ":instance", scale or "celsius")]
    gone = {(node, ":instance", concepts[node]), nodes[0]}
    triples: list[Triple] = [
        triple for triple in graph.triples if triple not in gone and not units & {triple[0], triple[2]}
    ]
    if {*own} <= {*graph.triples}:
        return graph
    return laid_out([*triples, *own], graph.top)


def temperatures_in(text: str, lang: str) -> list[Temperature]:
    """Return the temperatures of a sentence that have a sign or a scale.

    Example:
        >>> temperatures_in("at 5 degrees below zero, not 90 degrees", "en")
        [Temperature(number='5', is_negative=True, scale='')]
    """
    if not _AFTER.search(text):
        return []
    text = with_digits(compose(text), lang).text
    temperatures = []
    for (begin, end), number in sorted({span: number for span, number in numbers_in(text, lang)}.items()):
        after = _AFTER.match(text, end)
        if after is None:
            continue
        sign, name = (after["sign"] or "").upper(), (after["scale"] or "").lower()
        is_celsius = sign == "C" or name.startswith(("cel", "цел")) or "℃" in after[0]
        scale = "celsius" if is_celsius else "fahrenheit" if sign == "F" or name else ""
        is_negative = number.startswith("-") or bool(after["below"] or _BEFORE.search(text[:begin]))
        if is_negative or scale:
            temperatures.append(Temperature(number.lstrip("-"), is_negative, scale))
    return temperatures
