"""Compare two graphs fact by fact: concepts, roles, polarity, names, quantities, times.

::

    The dog bites the man.   (b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))
    The man does not bite.   (b / bite-01 :ARG0 (m / man) :polarity -)

    agree     concept: bite-01            differ    concept: dog | (none)
              concept: man                          :ARG0 of bite-01: dog | man
              top of the graph: bite-01             :ARG1 of bite-01: man | (none)
                                                    :polarity of bite-01: (none) | -

Nodes are paired by `parser.graphs.matching`. A name is one fact, although AMR writes it with several nodes
and strings.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

import penman

from parser.graphs.matching import Parts, align, read_parts
from parser.graphs.triples import Triple, directed, plain

Facet = Literal["concept", "role", "polarity", "name", "quantity", "time"]
FACETS: tuple[Facet, ...] = ("concept", "role", "polarity", "name", "quantity", "time")
_QUANTITIES = frozenset(":quant :unit :ord".split())
_TIMES = frozenset(
    ":time :year :month :day :weekday :dayperiod :season :quarter :year2 :decade :century :era :calendar "
    ":timezone".split()
)
_NUMBERED = ":li"
"""Role of an item's number in a list, which counts nothing."""
_NUMBER = re.compile(r'"?[+-]?\d[\d.,:]*"?$')


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that both graphs share, or in which they differ."""

    facet: Facet  # kind of fact
    role: str  # the role; ``TOP`` for the top; empty for a concept alone
    of: str  # the node that has the role, in words; empty if there is none
    left: str | None  # value in the first graph, or ``None``
    right: str | None  # value in the second graph, or ``None``

    @property
    def about(self) -> str:
        """The subject of the fact, without its values."""
        if self.role == "TOP":
            return "top of the graph"
        return f"{self.role} of {self.of}" if self.role else self.facet

    @property
    def words(self) -> str:
        """The fact in one line.

        Example:
            >>> Fact("role", ":ARG0", "bite-01", "dog", "man").words
            ':ARG0 of bite-01: dog | man'
            >>> Fact("polarity", ":polarity", "bite-01", "-", None).words
            ':polarity of bite-01: - | (none)'
        """
        left, right = ("(none)" if side is None else side for side in (self.left, self.right))
        return f"{self.about}: {left if left == right else f'{left} | {right}'}"


@dataclass(frozen=True, slots=True)
class Side:
    """A graph with words for its nodes."""

    parts: Parts
    names: dict[str, str]
    name_nodes: frozenset[str]
    labels: dict[str, str]

    def value(self, triple: Triple) -> str:
        """Return the words for the target of a role."""
        source, role, target = triple
        return self.labels.get(source if role == "TOP" else target, target)

    def is_own_fact(self, triple: Triple) -> bool:
        """Return whether a triple is a fact of its own, not part of a name."""
        return triple[0] not in self.name_nodes and triple[2] not in self.name_nodes


def read_side(parts: Parts) -> Side:
    """Find the names of a graph and the words for its nodes.

    Example:
        >>> import penman
        >>> from parser.graphs.matching import read_parts
        >>> text = '(a / and :op1 (p / person :name (n / name :op1 "Ann")) :op2 (c / cat) :op3 (d / cat))'
        >>> side = read_side(read_parts(penman.decode(text)))
        >>> side.labels["p"], side.labels["d"], sorted(side.name_nodes)
        ('person "Ann"', 'cat (d)', ['n'])
    """
    spelt: dict[str, list[tuple[int, str]]] = {}
    for source, role, value in parts.constants:
        if parts.concepts[source] == "name" and (number := role.removeprefix(":op")).isdigit():
            spelt.setdefault(source, []).append((int(number), value.strip('"')))
    names = {
        source: '"' + " ".join(word for _, word in sorted(spelt[target])) + '"'
        for source, role, target in parts.relations
        if role == ":name" and target in spelt
    }
    nodes = frozenset(target for _, role, target in parts.relations if role == ":name" and target in spelt)
    short = {v: " ".join(filter(None, (parts.concepts[v], names.get(v)))) for v in parts.variables}
    counts = Counter(short.values())
    labels = {v: words if counts[words] == 1 else f"{words} ({v})" for v, words in short.items()}
    return Side(parts, names, nodes, labels)


def facet_of(role: str, value: str) -> Facet:
    """Return the kind of fact that a role states.

    Example:
        >>> facet_of(":ARG0", "b"), facet_of(":polarity", "-"), facet_of(":op1", "3"), facet_of(":time", "t")
        ('role', 'polarity', 'quantity', 'time')
    """
    if role == ":polarity":
        return "polarity"
    plain_role = role.removesuffix("-of")
    if plain_role in _TIMES:
        return "time"
    counted = plain_role in _QUANTITIES or plain_role != _NUMBERED and _NUMBER.match(value)
    return "quantity" if counted else "role"


Matches = list[tuple[Triple, Triple]]
Odd = list[tuple[Triple | None, Triple | None]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two graphs compared."""

    pairs: tuple[tuple[str, str], ...]  # variables of paired nodes, in the order of the first graph
    agree: tuple[Fact, ...]  # facts of both graphs
    differ: tuple[Fact, ...]  # facts with different values, or of one graph only
    # triples (and concepts) without a counterpart, per graph
    odd: tuple[frozenset[Triple], frozenset[Triple]]
    shared: int  # number of triples with a counterpart, as Smatch counts
    sizes: tuple[int, int]  # number of triples of each graph

    @property
    def smatch(self) -> float:
        """Smatch F1 of the two graphs, 0-100."""
        return 200 * self.shared / sum(self.sizes)


def compare(one: penman.Graph, other: penman.Graph) -> Comparison:
    """Compare two graphs.

    Example:
        >>> comparison = compare(penman.decode("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))"),
        ...                      penman.decode("(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))"))
        >>> [fact.words for fact in comparison.differ]
        [':ARG0 of bite-01: dog | man', ':ARG1 of bite-01: man | dog']
    """
    left, right = read_parts(one), read_parts(other)
    mapping = align(left, right)
    matches, odd = _match(left, right, mapping)
    same = {a for a, b in mapping.items() if plain(left.concepts[a]) == plain(right.concepts[b])}
    facts = list(_facts(read_side(left), read_side(right), mapping, same, matches, odd))
    facts.sort(key=lambda entry: FACETS.index(entry[1].facet))
    kept = same, {mapping[a] for a in same}
    lone = (
        {triple for pair in odd if (triple := pair[side]) is not None}
        | {(v, ":instance", parts.concepts[v]) for v in parts.variables if v not in kept[side]}
        for side, parts in enumerate((left, right))
    )
    sizes = [len(parts.concepts) + len(parts.constants) + len(parts.relations) for parts in (left, right)]
    return Comparison(
        pairs=tuple(mapping.items()),
        agree=tuple(fact for alike, fact in facts if alike),
        differ=tuple(fact for alike, fact in facts if not alike),
        odd=(frozenset(next(lone)), frozenset(next(lone))),
        shared=len(matches) + len(same),
        sizes=(sizes[0], sizes[1]),
    )


def _match(left: Parts, right: Parts, mapping: Mapping[str, str]) -> tuple[Matches, Odd]:
    """Pair equal triples; then pair the others with the same node and role."""
    free = {directed(triple): triple for triple in right.relations}
    free |= {_constant(triple): triple for triple in right.constants}
    matches: Matches = []
    lone: list[Triple] = []
    for triple in left.relations + left.constants:
        source, role, target = directed(triple) if triple in left.relations else _constant(triple)
        end = mapping.get(target, "") if triple in left.relations else target
        counterpart = free.pop((mapping.get(source, ""), role, end), None)
        if counterpart is None:
            lone.append(triple)
        else:
            matches.append((triple, counterpart))
    return matches, list(_side_by_side(lone, list(free.values()), mapping))


def _constant(triple: Triple) -> Triple:
    """Return a constant in the form for comparison, which differs from the form of every relation."""
    source, role, value = triple
    return source, f"={plain(role)}", plain(value)


def _side_by_side(
    left: Sequence[Triple], right: Sequence[Triple], mapping: Mapping[str, str]
) -> Iterator[tuple[Triple | None, Triple | None]]:
    """Pair triples of the same role at paired nodes, in order, and the tops of both graphs."""
    groups: dict[tuple[str, str], tuple[list[Triple], list[Triple]]] = defaultdict(lambda: ([], []))
    for triple in left:
        head = mapping.get(triple[0], f"alone {triple[0]}")
        groups["" if triple[1] == "TOP" else head, plain(triple[1])][0].append(triple)
    for triple in right:
        groups["" if triple[1] == "TOP" else triple[0], plain(triple[1])][1].append(triple)
    for one, other in groups.values():
        yield from zip_longest(one, other)


def _facts(
    left: Side, right: Side, mapping: Mapping[str, str], same: set[str], matches: Matches, odd: Odd
) -> Iterator[tuple[bool, Fact]]:
    """Yield each fact with a flag: whether the graphs agree on it."""
    placed: set[str] = set()
    for one, other in matches:
        end = one[0] if one[1] == "TOP" else one[2]
        if not left.is_own_fact(one):
            continue
        if end in left.parts.concepts and end not in same:  # one role of paired nodes, different targets
            if end not in placed:
                yield False, _fact("concept", (left, one), (right, other))
            placed.add(end)
        else:
            fact = _fact(facet_of(one[1], one[2]), (left, one), (right, other))
            value = fact.left if fact.left == fact.right else left.parts.concepts.get(end, fact.left)
            yield True, replace(fact, left=value, right=value)  # names, case and variables may differ
    for first, second in odd:
        pair = (left, first) if first else None, (right, second) if second else None
        sides = [side for side in pair if side]
        if any(side.is_own_fact(triple) for side, triple in sides):
            role, value = sides[0][1][1:]
            yield False, _fact(facet_of(role, value), *pair)
    yield from _concepts(left, right, mapping, same, placed)
    yield from _names(left, right, mapping)


def _fact(facet: Facet, one: tuple[Side, Triple] | None, other: tuple[Side, Triple] | None) -> Fact:
    """Return the fact of two triples with the same role, or of one triple alone."""
    present = [side for side in (one, other) if side is not None]
    heads = list(dict.fromkeys(side.labels[triple[0]] for side, triple in present))
    if len(heads) == 2 and len({side.parts.concepts[triple[0]] for side, triple in present}) == 1:
        heads = heads[:1]  # only name or variable differs
    role = present[0][1][1]
    values = [None if side is None else side[0].value(side[1]) for side in (one, other)]
    return Fact(facet, role, "" if role == "TOP" else " ~ ".join(heads), values[0], values[1])


def _concepts(
    left: Side, right: Side, mapping: Mapping[str, str], same: set[str], placed: set[str]
) -> Iterator[tuple[bool, Fact]]:
    """Yield the concepts of paired nodes without another fact, and of unpaired nodes."""
    one, other = left.parts.concepts, right.parts.concepts
    for a, b in mapping.items():
        if a not in placed and not (a in left.name_nodes and b in right.name_nodes):
            yield a in same, Fact("concept", "", "", one[a], one[a] if a in same else other[b])
    for a in left.parts.variables:
        if a not in mapping and a not in left.name_nodes:
            yield False, Fact("concept", "", "", left.labels[a], None)
    for b in right.parts.variables:
        if b not in mapping.values() and b not in right.name_nodes:
            yield False, Fact("concept", "", "", None, right.labels[b])


def _names(left: Side, right: Side, mapping: Mapping[str, str]) -> Iterator[tuple[bool, Fact]]:
    """Yield the names of paired nodes, and of nodes whose partner has no name."""
    for a, name in left.names.items():
        other_name = right.names.get(mapping.get(a, ""))
        alike = other_name is not None and plain(other_name) == plain(name)
        yield alike, Fact("name", ":name", left.parts.concepts[a], name, name if alike else other_name)
    named = {mapping.get(a) for a in left.names}
    for b, name in right.names.items():
        if b not in named:
            yield False, Fact("name", ":name", right.parts.concepts[b], None, name)
