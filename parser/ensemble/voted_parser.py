"""Parse by a vote over a parser's beam search and samples: ``voted:PARSER`` and ``voted@K:PARSER``.

The pivot of the vote is the reading with the highest total agreement with all readings. This is minimum Bayes
risk decoding (Kumar and Byrne 2004; Eikema and Aziz 2020): even the most probable graph has a low probability
under a small parser, while the reading with the least expected loss is close to many probable graphs. With
readings ``G_0`` (from beam search) to ``G_K`` (samples) the pivot is ::

    G_i,  i = argmax_i  sum_j F(G_i, G_j)

``F`` is F1 over statements without variables: concepts, concept-role-concept triples and the top. Smatch
would need a search for the best mapping of variables for each pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations

import penman

from amrx.types import Parse, Parser, Sentence
from parser.ensemble.count_votes import count
from parser.ensemble.elect import elect
from parser.protocols import Drawing, Mending, TextParser, draws

SAMPLES = 8
"""Default number of samples per sentence."""
LAW = "5"
"""Version of counting and electing; part of the fingerprint."""


class VotedParser(TextParser):
    """Elect the graph by the votes of all readings: the beam search and the samples of one or more parsers.

    The parse has the status and repairs of the pivot (`consensus`), and its alignments of elected nodes;
    ``readings`` holds the graph of the search, then the samples that did not fail. If the search fails, the
    parse is failed and has no readings.
    """

    def __init__(self, drawing: Drawing, *others: Drawing) -> None:
        self.drawings = (drawing, *others)
        self.fingerprint = f"voted{LAW}:{'&'.join(parser.fingerprint for parser in self.drawings)}"

    def with_beam(self, beam: int) -> VotedParser:
        """Return this parser with a search of ``beam`` beams; the samples stay the same."""
        return VotedParser(*(parser.with_beam(beam) for parser in self.drawings))

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one parse per sentence, in order."""
        columns = [
            parser.readings(records, batch_size=batch_size, progress=progress) for parser in self.drawings
        ]
        readings = (chain.from_iterable(row) for row in zip(*columns, strict=True))
        return [replace(self._elected(first, drawn), parser=self.fingerprint) for first, *drawn in readings]

    def _elected(self, first: Parse, drawn: Sequence[Parse]) -> Parse:
        if first.status == "failed":
            return first
        readings = [first, *(other for other in drawn if other.status != "failed")]
        graphs = [reading.graph for reading in readings]
        pivot = consensus(graphs)
        graph, confidence = elect(count(graphs, pivot))
        nodes = graph.variables()
        spans = {node: span for node, span in readings[pivot].alignments.items() if node in nodes}
        elected = replace(readings[pivot], graph=graph, alignments=spans, confidence=round(confidence, 2))
        if len(self.drawings) == 1 and isinstance(self.drawings[0], Mending):
            elected = self.drawings[0].mended(elected)
        return replace(elected, readings=tuple(graphs))


def vote(parser: Parser, samples: int = SAMPLES, *others: Parser) -> VotedParser:
    """Return a parser that votes over the beam search and ``samples`` samples of each given parser."""
    return VotedParser(*(draws(one, samples) for one in (parser, *others)))


Bag = Counter[tuple[str | None, ...]]


def consensus(graphs: Sequence[penman.Graph]) -> int:
    """Return the index of the graph with the highest total agreement with all; ties go to the first.

    Example:
        >>> consensus([penman.decode(f"(a / {name})") for name in ("cat", "dog", "dog")])
        1
    """
    # equal readings are compared once: short sentences have few distinct ones
    readings = [(graph.top, *graph.triples) for graph in graphs]
    times = Counter(readings)
    bags = {reading: bag(graphs[readings.index(reading)]) for reading in times}
    totals = {reading: times[reading] - 1.0 for reading in bags}
    for one, other in combinations(bags, 2):
        agreed = agreement(bags[one], bags[other])
        totals[one] += times[other] * agreed
        totals[other] += times[one] * agreed
    # rounded, so that floating-point error does not decide ties
    return readings.index(max(totals, key=lambda reading: round(totals[reading], 9)))


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
