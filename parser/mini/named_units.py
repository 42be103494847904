"""Write the unit that the sentence names as the unit of a quantity.

::

    500 рублей (ru)       (m / monetary-quantity :quant 500 :unit (d / dollar))  ──>  (d / ruble)
    10 kilometers (en)    (d / distance-quantity :quant 10 :unit (m / mile))     ──>  (m / kilometer)

The parser saw few units in training: it often writes *dollar* for another currency, *mile* for kilometers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

import penman

from amrx.composed_text import Span, compose
from linearize.frames import Triple, replace_triples
from parser.mini.currencies import amounts_in, currency_named, currency_nouns
from parser.mini.literals import LARGE, NUMBER, read_words
from parser.mini.measures import Unit, measures_of, unit_nouns

MONEY = "monetary-quantity"
_OF = re.compile(r"^\s+(?:de\s+|di\s+|d['’])", re.IGNORECASE)
"""*Of* after a power of ten, in Romance languages: *5 millions de litres*."""


def with_named_units(graph: penman.Graph, text: str, lang: str, spans: Mapping[str, Span]) -> penman.Graph:
    """Return a graph whose quantities have the units named in the sentence.

    The unit of a quantity becomes the one after the same number in the sentence, or for currencies also the
    one before it, or the one that the word aligned with the unit names; the quantity gets the concept of the
    unit's quantities. If there is no such unit, or the graph's is no known unit, nothing changes. If nothing
    changes at all, the same graph is returned.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        spans: Aligned span of each variable in the sentence, if known.

    Example:
        >>> graph = penman.decode("(m / mass-quantity :quant 3 :unit (p / pound))")
        >>> print(penman.encode(with_named_units(graph, "3 литра молока", "ru", {}), indent=None))
        (m / volume-quantity :quant 3 :unit (p / liter))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    units = [
        (quantity, unit)
        for quantity, _, unit in graph.edges(role=":unit")
        if concepts.get(quantity, "").endswith("-quantity")
        and concepts.get(unit) in unit_nouns() | currency_nouns()
    ]
    if not units:
        return graph
    named = units_in(text, lang)
    numbers = {quantity: value for quantity, _, value in graph.attributes(role=":quant")}
    replaced: dict[Triple, Triple] = {}
    for quantity, unit in units:
        kind, concept = concepts[quantity], concepts[unit]
        right = named.get(str(numbers.get(quantity)), set())
        if not right and kind == MONEY and unit in spans:
            begin, end = spans[unit]
            right = {Unit(MONEY, noun) for noun in [currency_named(text[begin:end], lang)] if noun}
        if len({noun for _, noun in right}) == 1 and concept not in {noun for _, noun in right}:
            new = min(right, key=lambda one: (one.quantity != kind, one))
            replaced[unit, ":instance", concept] = (unit, ":instance", new.noun)
            replaced[quantity, ":instance", kind] = (quantity, ":instance", new.quantity)
    return replace_triples(graph, replaced) if replaced else graph


def units_in(text: str, lang: str) -> Mapping[str, set[Unit]]:
    """Return the units beside each number of a sentence.

    Example:
        >>> [[unit.noun for unit in units] for units in units_in("It ran 10 km and cost £20.", "en").values()]
        [['kilometer'], ['pound']]
    """
    composed = compose(text).text
    named: defaultdict[str, set[Unit]] = defaultdict(set)
    for (_, end), word in read_words(composed, lang):
        if word.plain is not None and NUMBER.fullmatch(word.plain):
            large = LARGE.match(composed, end)
            rest = composed[end:] if large is None else _OF.sub("", composed[large.end() :])
            unit = measures_of(lang).after(rest)
            if unit is not None:
                named[word.plain].add(unit)
    for number, noun in amounts_in(text, lang):
        named[number].add(Unit(MONEY, noun))
    return dict(named)
