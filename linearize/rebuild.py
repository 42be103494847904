"""A tree of nodes and pointers to a penman graph.

::

    Node want-01                                   (w / want-01
       :ARG0  Node boy          defined as <1>  ->    :ARG0 (b / boy)
       :ARG1  Node go-02                              :ARG1 (g / go-02
          :ARG0  Again <1>                               :ARG0 b))

Variables are the first letter of the concept and a number, and never the same as a constant of the graph:
in ``(n / name :op1 n)`` penman would read an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import penman
from penman.layout import POP, Push

from linearize.layout import INSTANCE

EMPTY_CONCEPT = "amr-empty"
Triple = tuple[str, str, str | None]


@dataclass(slots=True, eq=False)
class Node:
    """A node under construction.

    Attributes:
        concept: Its concept; ``None`` for a node that has none.
        edges: Roles with their targets, in order.
        named: Whether the concept was given, not filled in.
        variable: Its variable, once it has one.
    """

    concept: str | None = None
    edges: list[tuple[str, Node | Again | str | None]] = field(default_factory=list)
    named: bool = False
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Again:
    """A pointer to a node."""

    key: str


def rebuild(root: Node, defined: Mapping[str, Node]) -> penman.Graph:
    """Build the graph of a tree, with penman's layout marks so that it is written as the same tree.

    Args:
        root: The top node.
        defined: Pointer number to node; every ``Again`` in the tree is in it.
    """
    _name_variables(_depth_first(root))
    triples: list[Triple] = []
    marks: dict[Triple, list[object]] = {}
    last: list[object] = []

    def add(triple: Triple, *mark: object) -> list[object]:
        triples.append(triple)
        added = list(mark)
        marks.setdefault(triple, added)
        return added

    last = add((root.variable, INSTANCE, root.concept))
    stack: list[tuple[Node, Iterator[tuple[str, Node | Again | str | None]]]] = [(root, iter(root.edges))]
    while stack:
        node, edges = stack[-1]
        for role, target in edges:
            if isinstance(target, Node):
                add(_triple(node.variable, role, target.variable), Push(target.variable))
                last = add((target.variable, INSTANCE, target.concept))
                stack.append((target, iter(target.edges)))
                break
            if isinstance(target, Again):
                last = add(_triple(node.variable, role, defined[target.key].variable))
            else:
                last = add((node.variable, role, target))
        else:
            stack.pop()
            if stack:
                last.append(POP)
    graph = penman.Graph(top=root.variable, epidata=marks)
    graph.triples = triples  # passed over the constructor, which checks every role for its colon
    return graph


def _triple(source: str, role: str, target: str) -> Triple:
    """Turn an inverse role round, as penman does on reading."""
    return (target, role[:-3], source) if role.endswith("-of") else (source, role, target)


def _depth_first(root: Node) -> list[Node]:
    nodes: list[Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting.extend(target for _, target in reversed(node.edges) if isinstance(target, Node))
    return nodes


def drop_undefined(root: Node, defined: Mapping[str, Node]) -> list[str]:
    """Drop the edges of a tree that point at no node; return where they pointed."""
    lost: list[str] = []
    for node in _depth_first(root):
        ends = [target.key if isinstance(target, Again) else None for _, target in node.edges]
        here = [key for key in ends if key is not None and key not in defined]
        if here:
            lost += here
            node.edges = [edge for edge, key in zip(node.edges, ends, strict=True) if key not in here]
    return lost


def _name_variables(nodes: list[Node]) -> None:
    taken = {target for node in nodes for _, target in node.edges if isinstance(target, str)}
    counts: Counter[str] = Counter()
    for node in nodes:
        letter = next((c for c in (node.concept or "").lower() if "a" <= c <= "z"), "x")
        variable = ""
        while not variable or variable in taken:
            counts[letter] += 1
            variable = letter if counts[letter] == 1 else f"{letter}{counts[letter]}"
        node.variable = variable
