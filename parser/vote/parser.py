"""The parsers ``voted:PARSER`` and ``voted@K:PARSER``: search and draws of a parser elect the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.types import Parse, Parser, Sentence
from parser.consensus import consensus
from parser.vote.count import count
from parser.vote.elect import elect

if TYPE_CHECKING:
    from parser.load import Drawing

SAMPLES = 16
"""Graphs drawn, by default."""
LAW = "1"
"""Version of how votes are counted and a graph is elected; it stands in the fingerprint."""


class VotedParser:
    """A parser whose graph is elected by several readings; is itself a parser.

    Law: the pivot of the votes is the reading that agrees best with all (`parser.consensus`). The parse has
    its status, repairs, and alignments of the nodes that were elected. A sentence that the search fails on
    stays failed.

    Args:
        search: Gives the first reading.
        drawing: Gives the others.
    """

    def __init__(self, search: Parser, drawing: Drawing) -> None:
        self.search, self.drawing = search, drawing
        self.fingerprint = f"voted{LAW}:{search.fingerprint}+{drawing.fingerprint}"

    def with_beam(self, beam: int) -> VotedParser:
        """Return this parser with a search of ``beam`` beams; what is drawn stays.

        Raises:
            OptionError: The searching parser has no beams.
        """
        from parser.load import search

        return VotedParser(search(self.search, beam), self.drawing)

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order."""
        searched = self.search.parse(sentences, batch_size=batch_size, progress=progress)
        drawn = self.drawing.readings(sentences, batch_size=batch_size, progress=progress)
        return [
            replace(first if first.status == "failed" else _elected(first, others), parser=self.fingerprint)
            for first, others in zip(searched, drawn, strict=True)
        ]


def _elected(first: Parse, others: Sequence[Parse]) -> Parse:
    readings = [first, *(other for other in others if other.status != "failed")]
    graphs = [reading.graph for reading in readings]
    pivot = consensus(graphs)
    graph = elect(count(graphs, pivot))
    here = graph.variables()
    chosen = readings[pivot]
    return replace(
        chosen,
        graph=graph,
        alignments={variable: span for variable, span in chosen.alignments.items() if variable in here},
    )


def load_voted(name: str | None, samples: int | None = None) -> VotedParser:
    """Load the parser of the name after ``voted:`` or ``voted@K:``, ``mini`` where there is none.

    Args:
        name: What stands after the colon.
        samples: ``K``; `SAMPLES` when ``None``.

    Raises:
        OptionError: The parser cannot draw, or ``samples`` is below 1.
        MissingResourceError: Its weights are not on this machine.
    """
    from parser.load import draws, load

    parser = load(name or "mini")
    return VotedParser(parser, draws(parser, SAMPLES if samples is None else samples))
