"""Choose the reading that agrees best with all: the pivot of a vote, or the label of a parallel sentence.

This is minimum Bayes risk decoding (Kumar and Byrne 2004; Eikema and Aziz 2020). The search gives the most
probable graph, which has little of a small parser's probability; the reading of least expected loss is nearer
to the bulk of it. With readings ``G_0`` (from beam search) to ``G_K`` (drawn) it is ::

    G_i,  i = argmax_i  sum_j F(G_i, G_j)

``F`` is F1 over what the graphs say without their variables: concepts, concept-role-concept triples and the
top. Smatch in its place would cost a search for the best match of variables, for each pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import penman

Bag = Counter[tuple[str | None, ...]]


def consensus(graphs: Sequence[penman.Graph]) -> int:
    """Return the number of the graph that agrees best with all; the first of equals.

    Example:
        >>> consensus([penman.decode(f"(a / {name})") for name in ("cat", "dog", "dog")])
        1
    """
    bags = [bag(graph) for graph in graphs]
    totals = [0.0] * len(bags)
    for i, one in enumerate(bags):
        for j, other in enumerate(bags[:i]):
            agreed = agreement(one, other)
            totals[i] += agreed
            totals[j] += agreed
    # equal graphs have equal sums up to rounding, and the first of them is wanted
    return max(range(len(totals)), key=lambda number: round(totals[number], 9))


def bag(graph: penman.Graph) -> Bag:
    """Count the statements of a graph, without its variables.

    Example:
        >>> sorted(bag(penman.decode("(g / go-02 :ARG0 (b / boy))")))
        [('boy',), ('go-02',), ('go-02', ':ARG0', 'boy'), ('go-02', ':TOP')]
    """
    concepts = {source: target for source, _, target in graph.instances()}
    statements: Bag = Counter((concept,) for concept in concepts.values())
    for source, role, target in graph.triples:
        if role != ":instance":
            statements[concepts.get(source, source), role, concepts.get(target, target)] += 1
    statements[concepts.get(graph.top), ":TOP"] += 1
    return statements


def agreement(one: Bag, other: Bag) -> float:
    """Return F1 of two bags, 0 to 1."""
    return 2 * (one & other).total() / (one.total() + other.total())
