"""Map the nodes of one graph to those of another: compute Smatch's mapping exactly.

Smatch (Cai and Knight 2013) counts the triples that two graphs share under the best mapping of variables. The
``smatch`` package climbs towards it from random starts and stops at the first of several equally good ones.
For a role swap its choice is random, because both mappings share four triples::

    (b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))    b=x d=y m=z   top and three concepts
    (x / bite-01 :ARG0 (z / man) :ARG1 (y / dog))    b=x d=z m=y   top, one concept, two roles

Here the best mapping is the solution of an integer linear program (`parser.graphs.program`). Ties are
resolved by more equal concepts, then by more concepts that are equal up to the sense number, then by order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import networkx
import numpy as np
import penman

from parser.graphs.program import Pair, Program, state
from parser.graphs.triples import SENSE, Triple, directed, plain, take_apart

if TYPE_CHECKING:
    from typing import TypeAlias

    Net: TypeAlias = networkx.MultiDiGraph[tuple[int, str]]

NODES = 2000
"""Maximum number of nodes of the branch-and-bound search; almost all graphs need only the root."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A graph as triples of Smatch (`parser.graphs.triples`); concepts, roles and constants as written."""

    variables: tuple[str, ...]  # in order of appearance
    concepts: dict[str, str]  # variable to concept, ``""`` if it has none
    constants: tuple[Triple, ...]  # top mark, and roles whose target is a constant
    relations: tuple[Triple, ...]  # roles between nodes, in the direction of the role without ``-of``


def read_parts(graph: penman.Graph) -> Parts:
    """Split a graph into its parts.

    Example:
        >>> parts = read_parts(penman.decode("(p / person :ARG0-of (t / teach-01 :polarity -))"))
        >>> parts.constants, parts.relations
        ((('p', 'TOP', 'top'), ('t', ':polarity', '-')), (('t', ':ARG0', 'p'),))
    """
    _, concepts, attributes, relations = take_apart(graph)
    return Parts(tuple(concepts), concepts, tuple(attributes), tuple(relations))


def align(one: Parts, other: Parts) -> dict[str, str]:
    """Map variables of ``one`` to those of ``other``, each to at most one; deterministic.

    A pair is kept when its nodes share a concept, a constant or a relation.

    Example:
        >>> swapped = [read_parts(penman.decode(text)) for text in (
        ...     "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))",
        ...     "(x / bite-01 :ARG0 (z / man) :ARG1 (y / dog))")]
        >>> align(*swapped)
        {'b': 'x', 'd': 'y', 'm': 'z'}
    """
    first = {variable: number for number, variable in enumerate(one.variables)}
    second = {variable: number for number, variable in enumerate(other.variables)}
    left = [(role, first[s], first[t]) for s, role, t in map(directed, one.relations)]
    right = [(role, second[s], second[t]) for s, role, t in map(directed, other.relations)]
    values = _values(one, other)
    program = state(values, left, right)
    if not program.pairs:
        return {}
    chosen, used = _solve(program)
    kept_pairs = {pair for pair in chosen if values.get(pair, 0.0) >= 1 or _alike(one, other, pair)} | used
    return {one.variables[i]: other.variables[j] for i, j in sorted(kept_pairs)}


def _values(one: Parts, other: Parts) -> dict[Pair, float]:
    """Return the number of triples that each pair of nodes shares alone, plus a fraction that breaks ties."""
    least = 1 + min(len(one.variables), len(other.variables))
    constants = _constants(one), _constants(other)
    values: dict[Pair, float] = {}
    for (i, a), (j, b) in product(enumerate(one.variables), enumerate(other.variables)):
        same = plain(one.concepts[a]) == plain(other.concepts[b])
        shared = same + len(constants[0][a] & constants[1][b])
        alike = _alike(one, other, (i, j))
        if shared or alike:
            order = 1 - abs(i / len(one.variables) - j / len(other.variables))
            values[i, j] = shared + (0.5 * same + 0.3 * alike + 0.1 * order) / least
    return values


def _constants(parts: Parts) -> defaultdict[str, set[tuple[str, str]]]:
    by_source: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for source, role, value in parts.constants:
        by_source[source].add((plain(role), plain(value)))
    return by_source


def _alike(one: Parts, other: Parts, pair: Pair) -> bool:
    """Return whether two concepts are equal up to the sense number."""
    a, b = one.concepts[one.variables[pair[0]]], other.concepts[other.variables[pair[1]]]
    return bool(a) and SENSE.sub("", plain(a)) == SENSE.sub("", plain(b))


def _solve(program: Program) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs of the best mapping, and the pairs that are ends of a shared relation."""
    result = program.solve(node_limit=NODES, mip_rel_gap=0.0)
    taken = [int(index) for index in np.flatnonzero(np.round(result.x))]
    size = len(program.pairs)
    chosen = {program.pairs[index] for index in taken if index < size}
    used = {pair for index in taken if index >= size for pair in program.ends[index - size]}
    return chosen, used


def groups(graphs: Sequence[penman.Graph]) -> list[int]:
    """Return the class number of each graph; equal graphs share a class, numbered in order of appearance.

    Two are equal if they have the same triples and the same top under some renaming of variables.

    Example:
        >>> texts = "(a / and :op1 (c / cat) :op2 1)", "(a / and)", "(b / and :op2 1 :op1 (d / cat))"
        >>> groups([penman.decode(text) for text in texts])
        [0, 1, 0]
    """
    classes: list[Net] = []
    numbers = []
    for graph in graphs:
        net = _net(graph)
        number = next((index for index, other in enumerate(classes) if _equal(net, other)), len(classes))
        if number == len(classes):
            classes.append(net)
        numbers.append(number)
    return numbers


def _equal(one: Net, other: Net) -> bool:
    """Return whether two graphs are equal; compare edges first, because a failing search can be long."""
    return _edges(one) == _edges(other) and bool(
        networkx.is_isomorphic(
            one,
            other,
            node_match=lambda left, right: left == right,
            edge_match=lambda left, right: sorted(left) == sorted(right),
        )
    )


def _edges(net: Net) -> list[tuple[str, str, str]]:
    labels = networkx.get_node_attributes(net, "label")
    return sorted(
        (str(labels[source]), role, str(labels[target])) for source, target, role in net.edges(keys=True)
    )


def _net(graph: penman.Graph) -> Net:
    """Return a graph whose nodes are labelled by concept (and whether they are the top), edges by role."""
    net: Net = networkx.MultiDiGraph()
    for source, _, concept in graph.instances():
        net.add_node((0, source), label=concept, top=source == graph.top)
    for number, (source, role, value) in enumerate(graph.attributes()):
        net.add_node((1, str(number)), label=value, top=False)
        net.add_edge((0, source), (1, str(number)), key=role)
    for source, role, target in graph.edges():
        net.add_edge((0, source), (0, target), key=role)
    return net
