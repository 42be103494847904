"""Graphs as the triples that the smatch package searches: nodes numbered, everything comparable.

The package's own reader loses ``:mod`` with a constant, cuts a constant at its first blank, stumbles over
``12:30`` and counts a triple twice that is written twice, so `parser.graphs.triples` reads in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from parser.graphs.triples import TOP, Graph, Triple, directed, plain, take_apart, valued

Triples: TypeAlias = tuple[list[Triple], list[Triple], list[Triple]]
"""Instances, attributes and relations, each a list of ``(role, node, value or node)`` without repetition."""
PREFIX = "n"
"""Before the number of a node: ``n0`` is the top."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A graph ready to be scored."""

    line: str  # its text on one line, which seeds the search
    triples: Triples  # its triples as they are compared, the mark of the top among the attributes


def read_triples(graph: Graph) -> Scored:
    """Read a graph; nodes are numbered in order of appearance.

    Example:
        >>> graph = '(p / Person :mod "1A" :ARG0-of (g / go-02))'
        >>> instances, attributes, relations = read_triples(graph).triples
        >>> instances
        [('instance', 'n0', 'person'), ('instance', 'n1', 'go-02')]
        >>> attributes, relations
        ([(':mod', 'n0', '1a'), ('TOP', 'n0', 'top')], [(':arg0', 'n1', 'n0')])
    """
    return number_nodes(*take_apart(graph))


def number_nodes(
    line: str, concepts: Mapping[str, str], attributes: Sequence[Triple], relations: Sequence[Triple]
) -> Scored:
    """Make triples of `parser.graphs.triples.take_apart` comparable; number nodes as in ``concepts``."""
    names = {variable: f"{PREFIX}{number}" for number, variable in enumerate(concepts)}
    constants = [one if one[1] == TOP else valued(one) for one in attributes]
    edges = map(directed, relations)
    # in the package's order, which decides between equally good mappings: by node, the mark of the top last
    values = [(role, names[source], value) for source, role, value in (*constants[1:], constants[0])]
    return Scored(
        line,
        (
            [("instance", names[variable], plain(concept)) for variable, concept in concepts.items()],
            sorted(values, key=_number),
            sorted(((role, names[source], names[target]) for source, role, target in edges), key=_number),
        ),
    )


def _number(triple: Triple) -> int:
    return int(triple[1].removeprefix(PREFIX))
