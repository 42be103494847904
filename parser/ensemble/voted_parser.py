"""Let the search and the draws of a parser elect the graph: ``voted:PARSER`` and ``voted@K:PARSER``.

The pivot of the vote, and the label of a parallel sentence, is the reading that agrees best with all. This is
minimum Bayes risk decoding (Kumar and Byrne 2004; Eikema and Aziz 2020). The search gives the most probable
graph, which has little of a small parser's probability; the reading of least expected loss is nearer to the
bulk of it. With readings ``G_0`` (from beam search) to ``G_K`` (drawn) it is ::

    G_i,  i = argmax_i  sum_j F(G_i, G_j)

``F`` is F1 over what the graphs say without their variables: concepts, concept-role-concept triples and the
top. Smatch in its place would cost a search for the best match of variables, for each pair.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import ClassVar, Self

import penman

from amrx.types import Parse, Parser, Sentence
from parser.ensemble.count_votes import count
from parser.ensemble.elect import elect_with_confidence
from parser.protocols import Drawing, Mending, TextParser, draws

SAMPLES = 8
"""Graphs drawn, by default."""
LAW = "5"
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
        chosen = self.choose(readings)
        if len(self.drawings) == 1 and isinstance(self.drawings[0], Mending):
            chosen = self.drawings[0].mended(chosen)
        return replace(chosen, readings=tuple(reading.graph for reading in readings))


class VotedParser(DrawnParser):
    """Elect the graph by the votes of all readings.

    The pivot of the votes is the reading that agrees best with all (`consensus`). The parse
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


Bag = Counter[tuple[str | None, ...]]


def consensus(graphs: Sequence[penman.Graph]) -> int:
    """Return the number of the graph that agrees best with all; the first of equals.

    Example:
        >>> consensus([penman.decode(f"(a / {name})") for name in ("cat", "dog", "dog")])
        1
    """
    # short sentences have few different readings
    alike = [(graph.top, *graph.triples) for graph in graphs]
    times = Counter(alike)
    bags = {reading: bag(graphs[alike.index(reading)]) for reading in times}
    totals = {reading: times[reading] - 1.0 for reading in bags}
    for one, other in combinations(bags, 2):
        agreed = agreement(bags[one], bags[other])
        totals[one] += times[other] * agreed
        totals[other] += times[one] * agreed
    # equal sums differ by rounding, and the first of them is wanted
    return alike.index(max(totals, key=lambda reading: round(totals[reading], 9)))


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
