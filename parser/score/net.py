"""Number the nodes of a graph, and find graphs that are equal under some renaming of nodes.

Nodes are coloured by their labels, then again and again by the colours around them, until no colour splits
(Weisfeiler and Leman 1968)::

    (a / and :op1 (c / cat) :op1 (d / cat :quant 2))      a: and   c: cat   d: cat with :quant 2
    (x / and :op1 (z / cat :quant 2) :op1 (y / cat))      x: and   y: cat   z: cat with :quant 2

Graphs are equal if each colour has one node in each. A colour of several equal nodes needs a search: one of
them is singled out and mapped to each of its colour in turn. For AMRs the first nearly always succeeds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from parser.graphs.program import Pair, Relation
from parser.graphs.triples import Triple

Triples: TypeAlias = tuple[list[Triple], list[Triple], list[Triple]]
"""Instances, attributes and relations, each a list of ``(role, node, value or node)`` without repetition.

A node is a letter and its number, which is its position among the instances."""

Edges: TypeAlias = list[tuple[str, int, int]]
"""Relations of a node: role, end of the node (0: source), other node."""
DEAD_ENDS = 1000
"""Maximum number of failed attempts to tell nodes of one colour apart."""


class Net(NamedTuple):
    """The triples of a graph by node."""

    labels: list[list[Triple]]  # concept and attributes of each node, without the node
    relations: list[Relation]


def read_net(triples: Triples) -> Net:
    """Group the triples of a graph by node.

    Example:
        >>> read_net(([("instance", "n0", "go-02"), ("instance", "n1", "boy")], [], [(":arg0", "n0", "n1")]))
        Net(labels=[[('instance', '', 'go-02')], [('instance', '', 'boy')]], relations=[(':arg0', 0, 1)])
    """
    instances, attributes, relations = triples
    labels: list[list[Triple]] = [[] for _ in instances]
    for role, node, value in (*instances, *attributes):
        labels[int(node[1:])].append((role, "", value))
    return Net(labels, [(role, int(source[1:]), int(target[1:])) for role, source, target in relations])


def names(net: Net) -> Counter[object]:
    """Count the concepts, attributes and roles of a graph."""
    counts: Counter[object] = Counter(label for labels in net.labels for label in labels)
    counts.update(role for role, _, _ in net.relations)
    return counts


def isomorphic(gold: Net, predicted: Net) -> bool:
    """Return whether two graphs are equal under some renaming of nodes; ``False`` after `DEAD_ENDS`."""
    if len(gold.labels) != len(predicted.labels) or names(gold) != names(predicted):
        return False
    size = len(gold.labels)
    around: list[Edges] = [[] for _ in range(2 * size)]
    for first, net in ((0, gold), (size, predicted)):
        for role, source, target in net.relations:
            around[first + source].append((role, 0, first + target))
            around[first + target].append((role, 1, first + source))
    # an attempt: a colouring, and the nodes that are singled out in it
    attempts: list[tuple[list[int], Pair | None]] = [(_first_colours(gold, predicted, around), None)]
    dead_ends = 0
    while attempts and dead_ends <= DEAD_ENDS:
        before, both = attempts.pop()
        colours = _refine(
            [-1 if both and node in both else colour for node, colour in enumerate(before)], around
        )
        if Counter(colours[:size]) != Counter(colours[size:]):
            dead_ends += 1
            continue
        node = _ambiguous(colours[:size])
        if node is None:
            return True
        attempts += [(colours, (node, one)) for one in range(size, 2 * size) if colours[one] == colours[node]]
    return False


def _first_colours(gold: Net, predicted: Net, around: Sequence[Edges]) -> list[int]:
    """Colour nodes by labels; number those with the same labels and neighbours, as their order is free."""
    labels = [tuple(sorted(labels)) for labels in (*gold.labels, *predicted.labels)]
    twins: Counter[object] = Counter()
    keys = []
    for node, (label, edges) in enumerate(zip(labels, around, strict=True)):
        key = (node < len(gold.labels), label, tuple(sorted(edges)))
        keys.append((label, twins[key]))
        twins[key] += 1
    return _numbered(keys)


def _refine(colours: Sequence[int], around: Sequence[Edges]) -> list[int]:
    """Colour nodes by their colour and those around them, until the number of colours stays."""
    new, number = list(colours), 0
    while (more := len(set(new))) > number:
        number = more
        new = _numbered(
            (colour, tuple(sorted((role, end, new[node]) for role, end, node in edges)))
            for colour, edges in zip(new, around, strict=True)
        )
    return new


def _numbered(keys: Iterable[object]) -> list[int]:
    """Replace equal keys by equal numbers."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _ambiguous(colours: Sequence[int]) -> int | None:
    """Return a node whose colour another node has too."""
    counts = Counter(colours)
    return next((node for node, colour in enumerate(colours) if counts[colour] > 1), None)
