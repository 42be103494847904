"""Count in how many readings of a sentence each statement occurs: its votes.

::

    pivot    (c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball))
    another  (x / chase-01 :ARG0 (y / dog :mod (z / big)))

    nodes      (0,) chase-01 2    (1,) dog 2    (2,) ball 1    (1, ':mod', 'big') big 1
    relations  (0,) :ARG0 (1,) 2    (0,) :ARG1 (2,) 1    (1,) :mod (1, ':mod', 'big') 1

A statement is a concept, a relation or a constant. One graph, the pivot, numbers the nodes; every other
reading is mapped onto it with as many shared triples as possible (`parser.ensemble.match`). Nodes missing
from the pivot are identified by their path from a pivot node, so the same node in several readings is counted
once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import penman

from amrx.errors import InputError
from parser.ensemble.match import Matched, match
from parser.graphs.triples import Triple, directed, plain, upright

Node = tuple[int | str, ...]
"""Number of a pivot node; for other nodes followed by the path from it: role, concept, role, concept ..."""

NAME = "name"
"""The concept whose constants are counted together, as one name."""


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes for each statement; in every table the pivot's statements come first, in its order."""

    readings: int  # number of graphs that voted, ``n``; no count exceeds it
    variables: list[str]  # variables of the pivot, in order of appearance; the first is its top
    concepts: dict[Node, Counter[str]] = field(default_factory=dict)  # votes for each concept of a node
    # votes for each ``(node, role, node)``; roles are not inverted
    relations: Counter[tuple[Node, str, Node]] = field(default_factory=Counter)
    # votes for each ``(node, role, constant)``, except the words of names
    constants: Counter[tuple[Node, str, str]] = field(default_factory=Counter)
    # votes for each whole name of a node, so that words of two names are never mixed
    names: dict[Node, Counter[tuple[str, ...]]] = field(default_factory=dict)
    # for ``({a, b}, c)`` the number of graphs with relations from both ``a`` and ``b`` to ``c``
    under_both: Counter[tuple[frozenset[Node], Node]] = field(default_factory=Counter)


def count(graphs: Sequence[penman.Graph], pivot: int = 0) -> Votes:
    """Count the votes of the graphs for each statement.

    Args:
        graphs: Readings of one sentence, at least one.
        pivot: Index of the graph that the others are mapped onto.

    Example:
        >>> texts = "(d / dog :mod (o / old))", "(x / dog :mod (y / big))", "(z / dog :quant 2)"
        >>> votes = count([penman.decode(text) for text in texts])
        >>> votes.concepts[0,], votes.concepts[1,]
        (Counter({'dog': 3}), Counter({'old': 1, 'big': 1}))
        >>> votes.constants
        Counter({((0,), ':quant', '2'): 1})
    """
    # equal readings are mapped once: short sentences have few distinct ones
    occurrences = Counter((graph.top, *graph.triples) for graph in graphs)
    own = graphs[pivot].top, *graphs[pivot].triples
    first = _Reading(*own)
    target = first.matched()
    votes = Votes(len(graphs), list(first.concepts))
    _add(
        votes,
        first,
        {variable: (number,) for number, variable in enumerate(first.concepts)},
        occurrences.pop(own),
    )
    for reading, times in occurrences.items():
        other = _Reading(*reading)
        matches = zip(other.concepts, match(other.matched(), target), strict=True)
        known: dict[str, Node] = {variable: (number,) for variable, number in matches if number is not None}
        _add(votes, other, _named(other, known), times)
    return votes


class _Reading:
    """Hold a graph with its top first, without inverted roles and duplicate triples.

    Attributes:
        concepts: Concept of each variable.
        edges: Relations between variables.
        constants: The other triples.
    """

    def __init__(self, top: str, *triples: Triple) -> None:
        instances = {source: str(concept) for source, role, concept in triples if role == ":instance"}
        self.concepts = {top: instances.get(top, ""), **instances}
        others = dict.fromkeys(triple for triple in triples if triple[1] != ":instance")
        self.edges = list(dict.fromkeys(upright(one) for one in others if one[2] in self.concepts))
        self.constants = [one for one in others if one[2] not in self.concepts]
        self._check_connected(top)

    def _check_connected(self, top: str) -> None:
        joined: dict[str, list[str]] = {variable: [] for variable in self.concepts}
        for source, _, target in self.edges:
            joined[source].append(target)
            joined[target].append(source)
        reached, waiting = {top}, [top]
        while waiting:
            new = set(joined[waiting.pop()]) - reached
            reached |= new
            waiting += new
        if len(reached) < len(joined):
            raise InputError(f"graph is disconnected: {min(joined.keys() - reached)} has no path to {top}")

    def matched(self) -> Matched:
        """Return the reading as input of `match`."""
        number = {variable: position for position, variable in enumerate(self.concepts)}
        edges = [directed(edge) for edge in self.edges]
        return Matched(
            [plain(concept) for concept in self.concepts.values()],
            [
                (number[source], f"{plain(role)} {plain(str(value))}")
                for source, role, value in self.constants
            ],
            [(number[source], role, number[target]) for source, role, target in edges],
        )


def _named(graph: _Reading, known: dict[str, Node]) -> dict[str, Node]:
    """Identify the other nodes by their paths from known ones.

    A path identifies one node; a second node with the same path is left out, and its votes are not counted.
    """
    named, taken, before = dict(known), set[Node](), -1
    while len(named) > before:
        before = len(named)
        for source, role, target in graph.edges:
            if source in named and target not in named:
                new, name = target, (*named[source], role, graph.concepts[target])
            elif target in named and source not in named:
                new, name = source, (*named[target], f"{role}-of", graph.concepts[source])
            else:
                continue
            if name not in taken:
                taken.add(name)
                named[new] = name
    return named


def _add(votes: Votes, graph: _Reading, named: dict[str, Node], times: int) -> None:
    for source, concept in graph.concepts.items():
        if source in named:
            votes.concepts.setdefault(named[source], Counter())[concept] += times
    _add_relations(votes, graph, named, times)
    parts: dict[Node, dict[str, str]] = {}
    for source, role, constant in graph.constants:
        if source in named and graph.concepts[source] == NAME and role.startswith(":op"):
            parts.setdefault(named[source], {})[role] = str(constant)
        elif source in named:
            votes.constants[named[source], role, str(constant)] += times
    for node, words in parts.items():
        whole = tuple(words[role] for role in sorted(words, key=lambda role: (len(role), role)))
        votes.names.setdefault(node, Counter())[whole] += times


def _add_relations(votes: Votes, graph: _Reading, named: dict[str, Node], times: int) -> None:
    above: dict[Node, set[Node]] = {}
    for source, role, target in graph.edges:
        if source in named and target in named and source != target:
            votes.relations[named[source], role, named[target]] += times
            above.setdefault(named[target], set()).add(named[source])
    for node, sources in above.items():
        for two in combinations(sources, 2):
            votes.under_both[frozenset(two), node] += times
