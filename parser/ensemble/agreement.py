"""The graph that several readings agree most on: ``consensus:PARSER`` and ``consensus@K:PARSER``.

::

    sentence ──PARSER's own search──> one reading ──┐
             ──PARSER, drawing K times──> K more  ──┴──> that which agrees best with all of them

That is minimum Bayes risk decoding (Kumar and Byrne 2004; Eikema and Aziz 2020): the search gives the most
probable graph, of which a small parser believes little; the reading of least expected loss is nearer to what
most of its belief agrees on. With readings ``G_0`` (the search's) to ``G_K`` (drawn) the graph is ::

    G_i,  i = argmax_i  sum_j F(G_i, G_j)

``F`` is F1 over what the graphs say without their variables: concepts, concept-role-concept triples and the
top. Smatch in its place would cost a search for the best match of variables, for each pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import penman

from amrx.types import Parse
from parser.ensemble.draws import DrawnParser

SAMPLES = 8
"""Graphs drawn, by default."""

Bag = Counter[tuple[str | None, ...]]


class ConsensusParser(DrawnParser):
    """A parser whose graph is one of several readings; is itself a parser.

    Law: each parse is a reading whole, with its status, repairs and alignments. The search's is kept where no
    drawn one agrees better; a sentence that the search fails on stays failed.
    """

    kind = "consensus"

    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return the reading that agrees best with all."""
        return readings[consensus([reading.graph for reading in readings])]


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
    """Return what a graph says without its variables, and how often.

    Example:
        >>> sorted(bag(penman.decode("(g / go-02 :ARG0 (b / boy))")))
        [('boy',), ('go-02',), ('go-02', ':ARG0', 'boy'), ('go-02', ':TOP')]
    """
    concepts = {source: target for source, _, target in graph.instances()}
    said: Bag = Counter((concept,) for concept in concepts.values())
    for source, role, target in graph.triples:
        if role != ":instance":
            said[concepts.get(source, source), role, concepts.get(target, target)] += 1
    said[concepts.get(graph.top), ":TOP"] += 1
    return said


def agreement(one: Bag, other: Bag) -> float:
    """Return F1 of two bags, 0 to 1."""
    return 2 * (one & other).total() / (one.total() + other.total())


def load_consensus(name: str | None, samples: int | None = None) -> ConsensusParser:
    """Load the parser of the name after ``consensus:`` or ``consensus@K:``, ``mini`` where there is none.

    Args:
        name: What stands after the colon.
        samples: ``K``; `SAMPLES` when ``None``.

    Raises:
        OptionError: The parser cannot draw, or ``samples`` is below 1.
        MissingResourceError: Its weights are not on this machine.
    """
    return ConsensusParser.load(name, SAMPLES if samples is None else samples)
