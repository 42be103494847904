"""Write the unit that the sentence names as the unit of a quantity.

::

    500 рублей (ru)       (m / monetary-quantity :quant 500 :unit (d / dollar))  ──>  (d / ruble)
    10 kilometers (en)    (d / distance-quantity :quant 10 :unit (m / mile))     ──>  (m / kilometer)
    drei Liter Milch (de) (m / milk :quant 3)  ──>  (m / milk :quant (q / volume-quantity :quant 3 ...))

The parser saw few units in training: it often writes *dollar* for another currency, *mile* for kilometers,
and leaves others out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import penman

from amrx.composed_text import Span, compose
from linearize.frames import Triple, replace_triples
from parser.graphs.triples import free_variable, laid_out
from parser.mini.rules.bounds import numbers_in
from parser.mini.rules.currencies import amounts_in, currency_named, currency_nouns
from parser.mini.rules.halves import halves_in
from parser.mini.rules.literals import LARGE, NUMBER, read_words
from parser.mini.rules.measures import Unit, kinds_of_units, measures_of
from parser.mini.rules.number_words import WORD

MONEY = "monetary-quantity"
TIME = "temporal-quantity"
_COMMON = frozenset(
    "kilometer meter centimeter millimeter mile foot inch yard kilogram gram milligram pound ounce ton tonne "
    "liter deciliter centiliter milliliter gallon pint hectare acre square-meter square-kilometer "
    "second minute hour day night week month year".split()
)
"""Units that count after a number in words; *dot*, *stone*, *cup* and *bar* are things there."""
_KOREAN = dict(zip("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(), map(str, range(1, 11)), strict=True))
"""Korean numbers of things."""
_HALF = re.compile(r"(?P<number>\d+\.5)个?\s?")
_OF = re.compile(r"^\s+(?:de\s+|di\s+|d['’])", re.IGNORECASE)
"""*Of* after a power of ten, in Romance languages: *5 millions de litres*."""


def with_named_units(graph: penman.Graph, text: str, lang: str, spans: Mapping[str, Span]) -> penman.Graph:
    """Return a graph whose quantities have the units named in the sentence.

    The unit of a quantity becomes the one after the same number in the sentence, or for currencies also the
    one before it, or the one that the word aligned with the unit names; the quantity gets the concept of the
    unit's quantities. A number of things whose unit is missing becomes a quantity, and a quantity without a
    unit gets the one after its number. If there is no such unit,
    or the graph's is no known unit, nothing changes. If nothing changes at all, the same graph is returned.

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
    numbers = {node: str(value) for node, _, value in graph.attributes(role=":quant")}
    # tables of names take a moment to build
    named = units_in(text, lang) if numbers else {}
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    kinds = kinds_of_units()
    replaced: dict[Triple, Triple] = {}
    for quantity, _, unit in graph.edges(role=":unit"):
        kind, concept = concepts.get(quantity, ""), concepts.get(unit, "")
        if kind == concept and concept in kinds:  # (k / kilometer :quant 10 :unit (k2 / kilometer))
            replaced[quantity, ":instance", kind] = (quantity, ":instance", kinds[concept])
            continue
        if not kind.endswith("-quantity") or concept not in kinds.keys() | currency_nouns():
            continue
        right = named.get(numbers.get(quantity, ""), set())
        if not right and kind == MONEY and unit in spans:
            begin, end = spans[unit]
            right = {Unit(MONEY, noun) for noun in [currency_named(text[begin:end], lang)] if noun}
        if len({noun for _, noun in right}) == 1 and concept not in {noun for _, noun in right}:
            new = min(right, key=lambda one: (one.quantity != kind, one))
            replaced[unit, ":instance", concept] = (unit, ":instance", new.noun)
            replaced[quantity, ":instance", kind] = (quantity, ":instance", new.quantity)
        elif kind != MONEY and kinds.get(concept, kind) != kind:  # (v / volume-quantity :unit (k / kilogram))
            replaced[quantity, ":instance", kind] = (quantity, ":instance", kinds[concept])
    if replaced:
        graph = replace_triples(graph, replaced)
    counted = Counter(number for _, number in numbers_in(text, lang)) if named else Counter[str]()
    graph = _with_units_of_quantities(graph, named, numbers, counted)
    return _with_missing_units(graph, named, concepts, numbers)


def _with_units_of_quantities(
    graph: penman.Graph,
    named: Mapping[str, set[Unit]],
    numbers: Mapping[str, str],
    counted: Mapping[str, int],
) -> penman.Graph:
    """Return a graph whose quantities have a unit, and in which no thing has the number of a quantity."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    measured = {edge.source for edge in graph.edges(role=":unit")}
    triples = list(graph.triples)
    for node, number in numbers.items():
        units = named.get(number, set())
        if concepts[node].endswith("-quantity") and node not in measured and len(units) == 1:
            (unit,) = units
            new = free_variable("u", {triple[0] for triple in triples})
            place = triples.index((node, ":quant", number)) + 1
            triples[place:place] = [(node, ":unit", new), (new, ":instance", unit.noun)]
            triples[triples.index((node, ":instance", concepts[node]))] = (node, ":instance", unit.quantity)
    quantities = {node for node in numbers if concepts[node].endswith("-quantity")}
    for node in numbers.keys() - quantities:
        others = [one for one in quantities if numbers[one] == numbers[node] in named]
        if others and counted.get(numbers[node], 0) <= 1:
            triples.remove((node, ":quant", numbers[node]))
    return graph if triples == list(graph.triples) else laid_out(triples, graph.top)


def _with_missing_units(
    graph: penman.Graph,
    named: Mapping[str, set[Unit]],
    concepts: Mapping[str, str],
    numbers: Mapping[str, str],
) -> penman.Graph:
    """Return a graph with quantities in place of numbers that lack the unit of the sentence.

    Money and time are left alone, as is what is a unit itself, and a number that is twice in the graph.
    """
    for node, number in numbers.items():
        units = [unit for unit in named.get(number, ()) if unit.quantity not in (MONEY, TIME)]
        concept = concepts.get(node, "")
        other = concept.endswith(("-quantity", "-entity")) or concept in kinds_of_units()
        if len(units) != 1 or len(named[number]) > 1 or other or list(numbers.values()).count(number) > 1:
            continue
        quantity, unit = (free_variable(letter, graph.variables()) for letter in "qu")
        triples = list(graph.triples)
        place = triples.index((node, ":quant", number))
        triples[place : place + 1] = [
            (node, ":quant", quantity),
            (quantity, ":instance", units[0].quantity),
            (quantity, ":quant", number),
            (quantity, ":unit", unit),
            (unit, ":instance", units[0].noun),
        ]
        # what the parser took for the unit: *3 milks of milk*
        wrong = {edge.target for edge in graph.edges(source=node, role=":unit")}
        wrong -= {edge.source for edge in graph.edges()}
        triples = [one for one in triples if wrong.isdisjoint((one[0], one[2]))]
        graph = penman.Graph(triples, top=graph.top, metadata=graph.metadata)
    return graph


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
    for _, half in halves_in(composed, lang):
        found = _HALF.match(half.replace(",", "."))
        unit = measures_of(lang).after(half[found.end() :]) if found else None
        if found is not None and unit is not None:
            named[found["number"]].add(unit)
    for end, number in _in_words(composed, lang):
        unit = measures_of(lang).after(composed[end:])
        if unit is not None and unit.noun in _COMMON:
            named[number].add(unit)
    for number, noun in amounts_in(text, lang):
        named[number].add(Unit(MONEY, noun))
    return dict(named)


def _in_words(text: str, lang: str) -> Iterator[tuple[int, str]]:
    """Yield the ends of the numbers in words, and their digits.

    Example:
        >>> list(_in_words("drei Liter und zwanzig Gramm", "de")), list(_in_words("两米", "zh"))
        ([(4, '3'), (22, '20')], [(1, '2')])
    """
    yield from ((end, number) for (_, end), number in numbers_in(text, lang))
    if lang == "ko":
        for match in WORD.finditer(text):
            if match[0] in _KOREAN:
                yield match.end(), _KOREAN[match[0]]
