"""The parsers ``voted:PARSER`` and ``voted@K:PARSER``: search and draws of a parser elect the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amrx.types import Parse
from parser.ensemble.agreement import consensus
from parser.ensemble.draws import DrawnParser
from parser.ensemble.elect import elect
from parser.ensemble.votes import count

SAMPLES = 8
"""Graphs drawn, by default."""
LAW = "2"
"""Version of how votes are counted and a graph is elected; it stands in the fingerprint."""


class VotedParser(DrawnParser):
    """A parser whose graph is elected by several readings; is itself a parser.

    Law: the pivot of the votes is the reading that agrees best with all (`parser.ensemble.agreement`). The
    parse has its status, repairs, and alignments of the nodes that were elected. A sentence that the search
    fails on stays failed.
    """

    kind = f"voted{LAW}"

    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return the pivot with the elected graph."""
        graphs = [reading.graph for reading in readings]
        pivot = consensus(graphs)
        graph, chosen = elect(count(graphs, pivot)), readings[pivot]
        here = graph.variables()
        spans = {variable: span for variable, span in chosen.alignments.items() if variable in here}
        return replace(chosen, graph=graph, alignments=spans)


def load_voted(name: str | None, samples: int | None = None) -> VotedParser:
    """Load the parser of the name after ``voted:`` or ``voted@K:``, ``mini`` where there is none.

    Args:
        name: What stands after the colon.
        samples: ``K``; `SAMPLES` when ``None``.

    Raises:
        OptionError: The parser cannot draw, or ``samples`` is below 1.
        MissingResourceError: Its weights are not on this machine.
    """
    return VotedParser.load(name, SAMPLES if samples is None else samples)
