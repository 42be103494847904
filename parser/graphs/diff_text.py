"""What a graph says, in words: labels of nodes, names as wholes, and the kinds of facts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from parser.graphs.matching import Parts
from parser.graphs.triples import Triple

Facet = Literal["concept", "role", "polarity", "name", "quantity"]
FACETS: tuple[Facet, ...] = ("concept", "role", "polarity", "name", "quantity")
_QUANTITIES = frozenset(
    ":quant :value :unit :ord :year :month :day :weekday :time :decade :century".split()
)  # fmt: skip
_NUMBER = re.compile(r'"?[+-]?\d[\d.,:]*"?$')


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that both graphs say, or that they say differently.

    Attributes:
        facet: What kind of thing it is.
        role: The role; ``TOP`` for the top; empty for a concept that stands in no shared place.
        of: The node that has the role, in words; empty where there is none.
        left: What the first graph says; ``None`` for nothing.
        right: What the second graph says.
    """

    facet: Facet
    role: str
    of: str
    left: str | None
    right: str | None

    @property
    def about(self) -> str:
        """What the fact is about, without what the graphs say."""
        if self.role == "TOP":
            return "top of the graph"
        return f"{self.role} of {self.of}" if self.role else self.facet

    @property
    def words(self) -> str:
        """The fact as a line.

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
    """A graph ready to be told."""

    parts: Parts
    names: dict[str, str]
    name_nodes: frozenset[str]
    labels: dict[str, str]

    def value(self, triple: Triple) -> str:
        """Return the words for what a role leads to."""
        source, role, target = triple
        return self.labels.get(source if role == "TOP" else target, target)

    def tells(self, triple: Triple) -> bool:
        """Say whether a triple is told by itself, and not as part of a name."""
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
    """Return what kind of fact a role tells.

    Example:
        >>> facet_of(":ARG0", "b"), facet_of(":polarity", "-"), facet_of(":op1", "3")
        ('role', 'polarity', 'quantity')
    """
    if role == ":polarity":
        return "polarity"
    return "quantity" if role.removesuffix("-of") in _QUANTITIES or _NUMBER.match(value) else "role"
