"""Group equal graphs: equal up to the names of variables and the order of branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import networkx
import penman

if TYPE_CHECKING:
    from typing import TypeAlias

    Net: TypeAlias = networkx.MultiDiGraph[tuple[int, str]]


def groups(graphs: Sequence[penman.Graph]) -> list[int]:
    """Number the classes of equal graphs in order of appearance.

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
    """Compare the labelled edges first, because the search for a renaming can be long when there is none."""
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
    """Return nodes labelled by concept (and whether they are the top) and edges keyed by their role."""
    net: Net = networkx.MultiDiGraph()
    for source, _, concept in graph.instances():
        net.add_node((0, source), label=concept, top=source == graph.top)
    for number, (source, role, value) in enumerate(graph.attributes()):
        net.add_node((1, str(number)), label=value, top=False)
        net.add_edge((0, source), (1, str(number)), key=role)
    for source, role, target in graph.edges():
        net.add_edge((0, source), (0, target), key=role)
    return net
