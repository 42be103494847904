"""Let the search and the draws of a parser elect the graph: ``voted:PARSER`` and ``voted@K:PARSER``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import ClassVar, Self

from amrx.types import Parse, Parser, Sentence
from parser.ensemble.agreement import consensus
from parser.ensemble.count_votes import count
from parser.ensemble.elect import elect_with_confidence
from parser.protocols import Drawing, TextParser, draws

SAMPLES = 8
"""Graphs drawn, by default."""
LAW = "4"
"""Version of counting and electing; a part of the fingerprint."""


class DrawnParser(TextParser):
    """Combine a parser's search and its draws into one parse; is itself a parser.

    ``readings`` of a parse are the search's graph and the drawn ones that did not fail, in order. A sentence
    that the search fails on stays failed, and has none.
    """

    kind: ClassVar[str]  # beginning of the fingerprint

    def __init__(self, drawing: Drawing, *others: Drawing) -> None:
        self.drawings = (drawing, *others)
        self.fingerprint = f"{self.kind}:{'&'.join(parser.fingerprint for parser in self.drawings)}"

    @abstractmethod
    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return one parse for all readings, of which the search's is the first."""

    def with_beam(self, beam: int) -> Self:
        """Return this parser with a search of ``beam`` beams; the draws stay the same."""
        return type(self)(*(parser.with_beam(beam) for parser in self.drawings))

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order."""
        columns = [
            parser.readings(records, batch_size=batch_size, progress=progress) for parser in self.drawings
        ]
        readings = (chain.from_iterable(row) for row in zip(*columns, strict=True))
        return [replace(self._made(first, drawn), parser=self.fingerprint) for first, *drawn in readings]

    def _made(self, first: Parse, drawn: Sequence[Parse]) -> Parse:
        if first.status == "failed":
            return first
        readings = [first, *(other for other in drawn if other.status != "failed")]
        return replace(self.choose(readings), readings=tuple(reading.graph for reading in readings))


class VotedParser(DrawnParser):
    """Elect the graph by the votes of all readings.

    The pivot of the votes is the reading that agrees best with all (`parser.ensemble.agreement`). The parse
    has its status, repairs, and alignments of the nodes that were elected.
    """

    kind = f"voted{LAW}"

    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return the pivot with the elected graph."""
        graphs = [reading.graph for reading in readings]
        pivot = consensus(graphs)
        graph, confidence = elect_with_confidence(count(graphs, pivot))
        chosen = readings[pivot]
        elected_nodes = graph.variables()
        spans = {variable: span for variable, span in chosen.alignments.items() if variable in elected_nodes}
        return replace(chosen, graph=graph, alignments=spans, confidence=round(confidence, 2))


def vote(parser: Parser, samples: int = SAMPLES, *others: Parser) -> VotedParser:
    """Let the search of a parser and ``samples`` graphs that it draws elect a graph; others vote with it."""
    return VotedParser(*(draws(one, samples) for one in (parser, *others)))
