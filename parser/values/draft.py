"""A graph that is being changed: its triples, the spans of its nodes, and nodes that are settled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

import penman

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.values.value import SAME, WEEKDAYS

_INSTANCE = ":instance"


class Draft:
    """A graph that is being changed."""

    def __init__(self, graph: penman.Graph, alignments: Mapping[str, Span]) -> None:
        self.graph, self.top = graph, str(graph.top)
        self.given: list[Triple] = [(str(one), str(role), str(other)) for one, role, other in graph.triples]
        self.triples = list(self.given)
        self.spans = {node: span for node, span in alignments.items() if node in self.concepts()}
        self.settled: set[str] = set()  # nodes that a value accounts for
        self.counted: list[Triple] = []  # attributes that a value accounts for

    def result(self) -> tuple[penman.Graph, Mapping[str, Span]]:
        """Return the graph, the same object if nothing changed, with its alignments."""
        is_graph = self.top in self.concepts() and is_connected(self.triples)
        graph = laid_out(self.triples, self.top) if is_graph and self.triples != self.given else self.graph
        nodes = graph.variables()
        return graph, {node: span for node, span in self.spans.items() if node in nodes}

    def concepts(self) -> dict[str, str]:
        """Return the concept of each node."""
        return {source: target for source, role, target in self.triples if role == _INSTANCE}

    def edges(self) -> list[Triple]:
        """Return the relations between nodes, in order."""
        nodes = self.concepts()
        return [one for one in self.triples if one[1] != _INSTANCE and one[2] in nodes]

    def attributes(self) -> list[Triple]:
        """Return the relations to constants, in order."""
        nodes = self.concepts()
        return [one for one in self.triples if one[1] != _INSTANCE and one[2] not in nodes]

    def above(self, node: str) -> list[Triple]:
        """Return the relations to a node."""
        return [one for one in self.edges() if one[2] == node]

    def only_above(self, node: str) -> Triple:
        """Return the only relation to a node; empty strings if it has none or several."""
        above = self.above(node)
        return above[0] if len(above) == 1 and node != self.top else ("", "", "")

    def below(self, node: str) -> set[str]:
        """Return a node and all nodes that only it leads to."""
        inside, edges, size = {node}, self.edges(), 0
        while size < len(inside):
            size = len(inside)
            for target in {one[2] for one in edges if one[0] in inside} - {self.top}:
                if all(one[0] in inside for one in edges if one[2] == target):
                    inside.add(target)
        return inside

    def aligned(self, span: Span) -> list[str]:
        """Return the nodes whose word overlaps a span."""
        nodes = self.concepts()
        return [node for node, own in self.spans.items() if node in nodes and overlap(own, span)]

    def nearest_verb(self, text: str, span: Span) -> str:
        """Return the verb nearest to a span between the same commas, rather the one before; else the top."""
        concepts, (begin, end) = self.concepts(), span
        distances = {
            node: (min(abs(own[0] - end), abs(begin - own[1])), own[0] > begin)
            for node, own in self.spans.items()
            if is_frame(concepts.get(node, ""))
            and not re.search(r"[,;:]\s", text[min(own[1], end) : max(own[0], begin)])
        }
        return min(distances, key=distances.__getitem__, default=self.top)

    def rename(self, node: str, concept: str) -> None:
        """Change the concept of a node."""
        self.replace((node, _INSTANCE, self.concepts()[node]), (node, _INSTANCE, concept))

    def replace(self, old: Triple, *new: Triple) -> None:
        """Write triples in the place of one; those that stand elsewhere are not repeated."""
        place = self.triples.index(old)
        del self.triples[place]
        self.triples[place:place] = [one for one in new if one not in self.triples]

    def remove(self, nodes: Iterable[str]) -> None:
        """Remove nodes and all their relations; the top is never removed."""
        gone = set(nodes) - {self.top}
        self.triples = [one for one in self.triples if gone.isdisjoint((one[0], one[2]))]

    def attach(self, source: str, role: str, amr: str, span: Span | None = None) -> str:
        """Write a value below a node; return its variable, or the constant."""
        place = max(i for i, one in enumerate(self.triples) if one[0] == source) + 1
        node = self.graft(amr, span)
        self.triples.insert(place, (source, role, node))
        if node == amr:
            self.counted.append((source, role, node))
        return node

    def graft(self, amr: str, span: Span | None = None) -> str:
        """Write a value that nothing leads to yet; return its variable, or the constant."""
        if not amr.startswith("("):
            return amr
        top, triples = decoded(amr)
        taken = set(self.concepts()) | {target for _, _, target in self.triples}
        names: dict[str, str] = {}
        for source, role, target in triples:
            if role == _INSTANCE:
                names[source] = free_variable(target[0] if target[0].isalpha() else "x", taken)
                taken.add(names[source])
        self.triples += [(names[one], role, names.get(other, other)) for one, role, other in triples]
        self.settled |= set(names.values())
        if span:
            self.spans[names[top]] = span
        return names[top]

    def write_over(self, node: str, amr: str, span: Span | None = None, role: str = "") -> None:
        """Write a value in the place of a node and all nodes below it; ``role`` replaces its relation."""
        gone = self.below(node)
        above = [one for one in self.above(node) if one[0] not in gone]
        new = self.graft(amr, span)
        for source, own, target in above:
            self.replace((source, own, target), (source, role or own, new))
            self.counted.append((source, role or own, new))
        self.top = new if node == self.top else self.top
        self.remove(gone)

    def standing(self, amr: str) -> set[str]:
        """Return the nodes where a value stands in the graph; empty if it does not."""
        top, triples = decoded(amr)
        for node in (one for one in self.concepts() if one not in self.settled):
            places: dict[str, str] = {}
            if self._matches(top, node, triples, places):
                return set(places.values())
        return set()

    def _matches(self, own: str, node: str, triples: list[Triple], places: dict[str, str]) -> bool:
        """Return whether a node has all that the node of a value has."""
        concepts, variables = self.concepts(), {source for source, _, _ in triples}
        places[own] = node
        for role, target in ((role, target) for source, role, target in triples if source == own):
            others = [other for source, same, other in self.triples if (source, same) == (node, role)]
            if role == _INSTANCE:
                is_same = concepts[node] == target or concepts[node] in SAME.get(target, ())
            elif target in variables:
                nodes = (other for other in others if other in concepts)
                is_same = any(self._matches(target, other, triples, places) for other in nodes)
            else:
                is_same = target in others
            if not is_same:
                return False
        return True


@lru_cache(maxsize=1024)
def decoded(amr: str) -> tuple[str, list[Triple]]:
    """Return the top and the triples of a graph in PENMAN.

    Example:
        >>> decoded("(d / date-entity :month 5)")
        ('d', [('d', ':instance', 'date-entity'), ('d', ':month', '5')])
    """
    graph = penman.decode(amr)
    return str(graph.top), [(str(one), str(role), str(other)) for one, role, other in graph.triples]


@lru_cache(maxsize=1024)
def constants_of(amr: str) -> frozenset[str]:
    """Return the constants of a value without quotes, and its weekdays.

    Example:
        >>> sorted(constants_of('(d / date-entity :weekday (m / monday) :time "9:00")'))
        ['9:00', 'monday']
    """
    triples = decoded(amr)[1] if amr.startswith("(") else [("", "", amr)]
    nodes = {source for source, _, _ in triples}
    ends = {end for _, role, end in triples if end in WEEKDAYS or (role != _INSTANCE and end not in nodes)}
    return frozenset(end.strip('"') for end in ends)
