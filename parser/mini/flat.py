"""Convert a graph to lists of nodes and edges, the form that the one-pass network predicts, and back.

::

    (s / sleep-01 :ARG0 (p / person :name (n / name :op1 "Ann")) :polarity -)

    nodes   sleep-01  person  "Ann"  -
    edges   0 :ARG0 1    1 :name1 2    0 :polarity 3          top 0

A constant is a node with one incoming edge. Inverse roles are turned round, and a ``name`` becomes the
numbered roles ``:name1 :name2 ...`` of the named node, so that each word of a name is one node.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import penman

from linearize.packed import is_constant, is_reference, split_role

NAMED = ":name"
_NAMED = re.compile(r":name(\d+)")
_NO_INVERSES = frozenset({":consist-of", ":prep-on-behalf-of", ":prep-out-of", ":subset-of"})
"""Roles that end in ``-of`` and are no inverse."""
Edge = tuple[int, str, int]
"""Source node, role, target node."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A graph as nodes and edges; node 0 is the top."""

    nodes: tuple[str, ...]  # concepts and constants
    edges: tuple[Edge, ...]  # no role is inverse


@lru_cache(maxsize=1 << 12)
def normal_role(role: str) -> tuple[str, bool]:
    """Return a role without ``-of``, and whether it was inverse.

    Example:
        >>> normal_role(":ARG0-of"), normal_role(":consist-of")
        ((':ARG0', True), (':consist-of', False))
    """
    if role.endswith("-of") and role not in _NO_INVERSES:
        return role[:-3], True
    return role, False


def flatten(packed: Sequence[str]) -> Flat:
    """Return the nodes and edges of a packed graph (`linearize.packed`), nodes in their order.

    Example:
        >>> flat = flatten(["go-02", ":ARG0", "person", ":name", "name", ":op1", '"Ann"', ")):polarity", "-"])
        >>> flat.nodes, flat.edges
        (('go-02', 'person', '"Ann"', '-'), ((0, ':ARG0', 1), (1, ':name1', 2), (0, ':polarity', 3)))
    """
    return _with_folded_names(*_read(packed))


def _read(packed: Sequence[str]) -> tuple[list[str], list[Edge]]:
    nodes: list[str] = []
    edges: list[Edge] = []
    concepts: list[int] = []  # nodes that are no constants, by rank
    stack: list[int] = []
    role = ""
    for symbol in packed:
        split = split_role(symbol)
        closing = split[0] if split else len(symbol) if not symbol.strip(")") else 0
        if closing:
            del stack[max(1, len(stack) - closing) :]
        if split:
            role = split[1]
        if split or closing:
            continue
        if is_reference(symbol):
            node = concepts[int(symbol[1:-1])]
        else:
            node = len(nodes)
            nodes.append(symbol)
        if stack:
            plain, inverse = normal_role(role)
            edges.append((node, plain, stack[-1]) if inverse else (stack[-1], plain, node))
        if not (is_reference(symbol) or is_constant(symbol)):
            concepts.append(node)
            stack.append(node)
    return nodes, edges


def _with_folded_names(nodes: list[str], edges: list[Edge]) -> Flat:
    owner: dict[int, int] = {}
    for name in (i for i, concept in enumerate(nodes) if concept == "name"):
        above = [edge for edge in edges if edge[2] == name]
        below = [edge for edge in edges if edge[0] == name]
        parts = below and all(role.startswith(":op") and is_constant(nodes[end]) for _, role, end in below)
        if parts and len(above) == 1 and above[0][1] == NAMED:
            owner[name] = above[0][0]
    kept = [i for i in range(len(nodes)) if i not in owner]
    number = {old: new for new, old in enumerate(kept)}
    folded = []
    for source, role, target in edges:
        if target in owner:
            continue
        if source in owner:
            source, role = owner[source], NAMED + role[3:]
        folded.append((number[source], role, number[target]))
    return Flat(tuple(nodes[i] for i in kept), tuple(folded))


def unflatten(flat: Flat) -> tuple[penman.Graph, dict[int, str]]:
    """Return the graph, connected and with names, and the variable of each node that has one.

    A constant that a node has twice by one role is written once.
    Variables are the first letter of the concept and a number from the second node of that letter on.

    Example:
        >>> flat = Flat(("go-02", "person", '"Ann"'), ((0, ":ARG0", 1), (1, ":name1", 2)))
        >>> graph, variables = unflatten(flat)
        >>> print(penman.encode(graph, indent=None), variables)
        (g / go-02 :ARG0 (p / person :name (n / name :op1 "Ann"))) {0: 'g', 1: 'p'}
    """
    names = _Variables()
    variables = {i: names.new(node) for i, node in enumerate(flat.nodes) if not is_constant(node)}
    triples: list[tuple[str, str, str]] = [(v, ":instance", flat.nodes[i]) for i, v in variables.items()]
    for source, edges in groupby(sorted(flat.edges, key=lambda edge: edge[0]), key=lambda edge: edge[0]):
        name = ""
        for _, role, target in edges:
            end = variables.get(target, flat.nodes[target])
            part = _NAMED.fullmatch(role)
            if part is None:
                triples.append((variables[source], role, end))
                continue
            if not name:
                name = names.new("name")
                triples += [(variables[source], NAMED, name), (name, ":instance", "name")]
            triples.append((name, f":op{part[1]}", end))
    return penman.Graph(dict.fromkeys(triples), top=variables[0]), variables


class _Variables:
    """New variables: letter, letter2, letter3, ..."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def new(self, concept: str) -> str:
        """Return a new variable for a concept."""
        letter = concept[0].lower() if concept[:1].isalpha() and concept[0].isascii() else "x"
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return letter if self.counts[letter] == 1 else f"{letter}{self.counts[letter]}"
