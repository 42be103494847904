"""Find the statements in which two graphs contradict each other while the rest agrees.

::

    The app crashes.               (c / crash-01 :ARG1 (a / app))
    The app does not crash.        (c / crash-01 :ARG1 (a / app) :polarity -)      negation
    The shop opens at nine.        (o / open-01 :ARG1 (s / shop) :time …)
    The shop closes at nine.       (c / close-01 :ARG1 (s / shop) :time …)         antonym

Five kinds, each at nodes that `parser.graphs.matching` pairs:

* negation: one of two paired nodes is negated;
* antonym: their concepts are opposites in WordNet (``data/antonyms.txt``). A negated opposite agrees: *not
  open* is *closed*;
* amount: a number, a part of a date, a weekday or a unit differs. 60 minutes and one hour are not compared:
  both number and unit differ;
* name: each name has a word that is not similar to any word of the other;
* swapped role: two participants have exchanged roles.

A statement that only one graph has is no contradiction. Graphs with less in common than `AGREEMENT`, beside
the contradiction, are two different texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from itertools import combinations

import penman

from parser.graphs.diff import Comparison, Fact, Side, facet_of, read_side
from parser.graphs.matching import read_parts
from parser.graphs.triples import OPERAND, SENSE, Triple, directed, plain

AGREEMENT = 0.6
"""Least share of common triples beside the contradiction; fitted by scripts/evaluate_duplicates.py."""
SIMILAR = 0.6
"""Least similarity of two spellings of one name (`difflib.SequenceMatcher.ratio`)."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?$")
_CORE = re.compile(r":arg\d$")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One statement in which two graphs contradict each other."""

    kind: str  # ``negation``, ``antonym``, ``amount``, ``name`` or ``swapped role``
    fact: Fact  # the statement, with its value in each graph
    triples: tuple[frozenset[Triple], frozenset[Triple]]  # its triples in each graph

    @property
    def words(self) -> str:
        """The contradiction in one line, as a line of ``--why``."""
        return f"{self.kind}: {self.fact.words.removeprefix('concept: ')}"


def contradictions(
    comparison: Comparison, one: penman.Graph, other: penman.Graph, *, agreement: float = AGREEMENT
) -> tuple[Contradiction, ...]:
    """Return the contradictions of two graphs; none if too little of the rest agrees.

    Args:
        comparison: The graphs compared (`parser.graphs.diff.compare`).
        one: The first graph.
        other: The second graph.
        agreement: Least share of common triples beside the contradictions, 0-1.

    Example:
        >>> from parser.graphs.diff import compare
        >>> graphs = [penman.decode(text) for text in (
        ...     "(s / send-01 :ARG0 (i / i) :ARG1 (c / chair :quant 4))",
        ...     "(s / send-01 :ARG0 (i / i) :ARG1 (c / chair :quant 6))")]
        >>> [one.words for one in contradictions(compare(*graphs), *graphs)]
        ['amount: :quant of chair: 4 | 6']
    """
    pairs = _Pairs(read_side(read_parts(one)), read_side(read_parts(other)), dict(comparison.pairs))
    every = (*_opposites(pairs), *_amounts(pairs), *_names(pairs), *_swaps(pairs))
    triples = [frozenset[Triple]().union(*(one.triples[side] for one in every)) for side in (0, 1)]
    rest = sum(comparison.sizes) - sum(map(len, triples))
    return every if every and 2 * comparison.shared >= agreement * rest else ()


def are_opposites(one: str, other: str) -> bool:
    """Return whether two concepts are opposites; senses are ignored.

    Example:
        >>> are_opposites("open-01", "close-01"), are_opposites("hot-05", "cold"), are_opposites("old", "hot")
        (True, True, False)
    """
    first, second = (SENSE.sub("", plain(concept)) for concept in (one, other))
    return second in opposites_of(first)


def opposites_of(word: str) -> frozenset[str]:
    """Return the opposites of an English word in WordNet."""
    return _antonyms().get(word, frozenset())


@cache
def _antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each word."""
    text = (resources.files("retrofit") / "data" / "antonyms.txt").read_text("utf-8")
    table: defaultdict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        if not line.startswith("#"):
            word, *others = line.split()
            table[word].update(others)
            for other in others:
                table[other].add(word)
    return {word: frozenset(others) for word, others in table.items()}


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Two graphs and their paired nodes."""

    left: Side
    right: Side
    mapping: Mapping[str, str]

    def of(self, a: str, b: str) -> str:
        """Return the words for two paired nodes, as in a fact."""
        one, other = self.left.labels[a], self.right.labels[b]
        return one if self.left.parts.concepts[a] == self.right.parts.concepts[b] else f"{one} ~ {other}"


def _opposites(pairs: _Pairs) -> Iterator[Contradiction]:
    """Yield negations and opposites; both at one node cancel each other.

    Negations that are elsewhere in the other graph, but as many, are one statement read in two ways: *cannot
    use* is negated at either verb. If several negations differ, only those of equal concepts count.
    """
    left, right = _negated(pairs.left), _negated(pairs.right)
    back = {b: a for a, b in pairs.mapping.items()}
    alone = [node for node in left if pairs.mapping.get(node) not in right]
    others = [node for node in right if back.get(node) not in left]
    for a, b in pairs.mapping.items():
        one, other = pairs.left.parts.concepts[a], pairs.right.parts.concepts[b]
        signs = ["-" if negated else None for negated in (a in left, b in right)]
        differ = signs[0] != signs[1]
        if are_opposites(one, other):
            if not differ:
                ends = frozenset({(a, ":instance", one)}), frozenset({(b, ":instance", other)})
                yield Contradiction("antonym", Fact("concept", "", "", one, other), ends)
        elif differ and len(alone) != len(others) and (len(alone) + len(others) == 1 or _alike(one, other)):
            fact = Fact("polarity", ":polarity", pairs.of(a, b), signs[0], signs[1])
            first, second = (
                frozenset({(node, ":polarity", "-")} if sign else ())
                for node, sign in zip((a, b), signs, strict=True)
            )
            yield Contradiction("negation", fact, (first, second))


def _alike(one: str, other: str) -> bool:
    """Return whether two concepts are equal up to the sense number."""
    return SENSE.sub("", plain(one)) == SENSE.sub("", plain(other))


def _negated(side: Side) -> set[str]:
    """Return the negated nodes; a negation of a coordination is one of each of its parts."""
    parts = side.parts
    negated = {node for node, role, value in parts.constants if role == ":polarity" and plain(value) == "-"}
    joined = {node for node in negated if parts.concepts[node] in ("and", "or")}
    operands = {t for s, role, t in map(directed, parts.relations) if s in joined and OPERAND.match(role)}
    return negated - joined | operands


def _amounts(pairs: _Pairs) -> Iterator[Contradiction]:
    """Yield different numbers, parts of dates, weekdays and units of paired nodes with one concept.

    A value that is elsewhere in the other graph is no contradiction: nodes can be paired wrongly.
    """
    left, right = _values(pairs.left), _values(pairs.right)
    everywhere = [{value for roles in side.values() for values in roles.values() for value in values}
                  for side in (left, right)]  # fmt: skip
    for a, b in pairs.mapping.items():
        if not _alike(pairs.left.parts.concepts[a], pairs.right.parts.concepts[b]):
            continue
        mine, theirs = left[a], right[b]
        both = [role for role in mine if role in theirs and mine[role].keys() != theirs[role].keys()]
        if {":quant", ":unit"} <= set(both):
            continue
        for role in both:
            one = {value: triple for value, triple in mine[role].items() if value not in everywhere[1]}
            other = {value: triple for value, triple in theirs[role].items() if value not in everywhere[0]}
            if one and other:
                fact = Fact("quantity", role, pairs.of(a, b), ", ".join(one), ", ".join(other))
                yield Contradiction("amount", fact, (frozenset(one.values()), frozenset(other.values())))


def _values(side: Side) -> defaultdict[str, dict[str, dict[str, Triple]]]:
    """Return by node and role the numbers, parts of dates, weekdays and units, each with its triple.

    The number of a thing, as in *order 4821*, is ``:mod`` or an argument, which count as one role.
    """
    values: defaultdict[str, dict[str, dict[str, Triple]]] = defaultdict(lambda: defaultdict(dict))
    for triple in side.parts.constants:
        node, role, value = triple
        if node not in side.name_nodes and facet_of(role, value) in ("quantity", "time"):
            key = ":mod" if _CORE.match(role.lower()) else role.lower()
            values[node][key][_number(value)] = triple
    for node, role, target in map(directed, side.parts.relations):
        if role in (":unit", ":weekday"):
            concept = side.parts.concepts[target]
            values[node][role][plain(concept)] = (target, ":instance", concept)
    return values


def _number(value: str) -> str:
    """Return a number in one notation, any other value as it is.

    Example:
        >>> [_number(value) for value in ("1,250", "3.50", '"14:30"', "100")]
        ['1250', '3.5', '14:30', '100']
    """
    number = plain(value).replace(",", "")
    return f"{Decimal(number).normalize():f}" if _NUMBER.match(number) else plain(value)


def _names(pairs: _Pairs) -> Iterator[Contradiction]:
    """Yield different names of paired nodes; each must differ from all names of the other graph."""
    left, right = pairs.left.names, pairs.right.names
    for a, b in pairs.mapping.items():
        if (
            a in left
            and b in right
            and all(differ(left[a], name) for name in right.values())
            and all(differ(name, right[b]) for name in left.values())
        ):
            fact = Fact("name", ":name", pairs.left.parts.concepts[a], left[a], right[b])
            yield Contradiction("name", fact, (_spelt(pairs.left, a), _spelt(pairs.right, b)))


def _spelt(side: Side, node: str) -> frozenset[Triple]:
    parts = side.parts
    names = {target for source, role, target in parts.relations if source == node and role == ":name"}
    return frozenset(triple for triple in parts.constants if triple[0] in names)


def differ(one: str, other: str) -> bool:
    """Return whether two names cannot be spellings or parts of one name.

    Names in different scripts are not compared.

    Example:
        >>> differ("Peter Novak", "Paul Novak"), differ("Novak", "Peter Nowak"), differ("Berlin", "Rome")
        (True, False, True)
    """
    if _script(one) != _script(other):
        return False
    first, second = _words(one), _words(other)
    return _foreign(first, second) and _foreign(second, first)


def _foreign(words: list[str], others: list[str]) -> bool:
    """Return whether a word is similar to none of the others."""
    return any(
        all(SequenceMatcher(None, word, other).ratio() < SIMILAR for other in others) for word in words
    )


def _words(name: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", name.strip('"').casefold())
    return "".join(sign for sign in folded if not unicodedata.combining(sign)).split()


def _script(name: str) -> str:
    """Return the first word of the Unicode name of the first letter, which is its script."""
    letter = next((sign for sign in name if sign.isalpha()), "")
    return unicodedata.name(letter, "").partition(" ")[0]


def _swaps(pairs: _Pairs) -> Iterator[Contradiction]:
    """Yield exchanged roles of paired nodes, such as ``:ARG0 dog :ARG1 man`` and ``:ARG0 man :ARG1 dog``."""
    left, right = _fillers(pairs.left), _fillers(pairs.right)
    for a, b in pairs.mapping.items():
        for roles in combinations(sorted(left[a].keys() & right[b].keys()), 2):
            ones, others = [left[a][role] for role in roles], [right[b][role] for role in roles]
            first, second = ([_traits(side, node, head) for node in nodes] for side, nodes, head in
                             ((pairs.left, ones, a), (pairs.right, others, b)))  # fmt: skip
            crossed = _common(first, second[::-1])
            if min(crossed) > 0 and sum(crossed) > sum(_common(first, second)):
                labels = pairs.left.labels[ones[0]], pairs.right.labels[others[0]]
                fact = Fact("role", roles[0].upper(), pairs.of(a, b), *labels)
                yield Contradiction("swapped role", fact, (
                    frozenset((a, role, node) for role, node in zip(roles, ones, strict=True)),
                    frozenset((b, role, node) for role, node in zip(roles, others, strict=True)),
                ))  # fmt: skip


def _fillers(side: Side) -> defaultdict[str, dict[str, str]]:
    """Return by node its participants: role and node."""
    fillers: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for node, role, target in map(directed, side.parts.relations):
        if _CORE.match(role):
            fillers[node][role] = target
    return fillers


def _traits(side: Side, node: str, head: str) -> set[tuple[str, str]]:
    """Return concept and name of a node, then its relations except those to the head."""
    traits = {("", plain(side.parts.concepts[node])), (":name", plain(side.names.get(node, "")))}
    for source, role, target in map(directed, side.parts.relations):
        if node in (source, target) and head not in (source, target):
            other = target if source == node else source
            traits.add((role, plain(side.parts.concepts[other])))
    return traits


def _common(one: list[set[tuple[str, str]]], other: list[set[tuple[str, str]]]) -> list[float]:
    """Return the share of common traits of each pair of nodes; 0 if concept or name differ."""
    return [
        len(left & right) / len(left | right) if _same(left, right) else 0.0
        for left, right in zip(one, other, strict=True)
    ]


def _same(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> bool:
    return all({trait for trait in one if trait[0] == key} <= other for key in ("", ":name"))
