"""Count how many readings of a sentence make the same statement: the votes.

::

    pivot    (c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball))
    another  (x / chase-01 :ARG0 (y / dog :mod (z / big)))

    nodes      (0,) chase-01 2    (1,) dog 2    (2,) ball 1    (1, ':mod', 'big') big 1
    relations  (0,) :ARG0 (1,) 2    (0,) :ARG1 (2,) 1    (1,) :mod (1, ':mod', 'big') 1

Nodes of different graphs are the same node where the mapping that Smatch looks for says so (`_weighed`). One
graph, the pivot, gives the nodes their numbers; every other reading is mapped onto it. Nodes missing from the
pivot are identified by their path from a pivot node, so the same node in several readings is counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import penman
from penman.models.amr import model as amr_model

from parser.graphs.triples import is_inverse, plain, take_apart
from parser.score.numbered_triples import Scored, number_nodes
from parser.score.smatch import map_nodes

Node = tuple[int | str, ...]
"""Number of a node of the pivot, alone or followed by role, concept, role, concept ... that lead from it."""

NAME = "name"
"""The concept whose constants are one name together."""
RESTARTS = 1
"""Random restarts of the search for the mapping; more of them change next to nothing."""


@dataclass(frozen=True, slots=True)
class Votes:
    """The counts; in every table the pivot's statements come first, in its order.

    Attributes:
        readings: Graphs that voted, ``n``; no count is greater.
        variables: The pivot's, in order of appearance; the first is its top.
        concepts: Node to concepts to votes.
        relations: ``(node, role, node)`` to votes, no role inverted.
        constants: ``(node, role, constant)`` to votes, without those of names.
        names: Node to the words of a name, whole, to votes; half of one and half of another name nobody.
        under_both: ``({node, node}, node)`` to the votes for relations from both of the first to the second.
    """

    readings: int
    variables: list[str]
    concepts: dict[Node, Counter[str]] = field(default_factory=dict)
    relations: Counter[tuple[Node, str, Node]] = field(default_factory=Counter)
    constants: Counter[tuple[Node, str, str]] = field(default_factory=Counter)
    names: dict[Node, Counter[tuple[str, ...]]] = field(default_factory=dict)
    under_both: Counter[tuple[frozenset[Node], Node]] = field(default_factory=Counter)


def count(graphs: Sequence[penman.Graph], pivot: int = 0) -> Votes:
    """Count what each graph says of the nodes.

    Args:
        graphs: Readings of one sentence, at least one.
        pivot: Number of the one that the others are mapped onto.

    Raises:
        InputError: A graph is not connected.

    Example:
        >>> texts = "(d / dog :mod (o / old))", "(x / dog :mod (y / big))", "(z / dog :quant 2)"
        >>> votes = count([penman.decode(text) for text in texts])
        >>> votes.concepts[0,], votes.concepts[1,]
        (Counter({'dog': 3}), Counter({'old': 1, 'big': 1}))
        >>> votes.constants
        Counter({((0,), ':quant', '2'): 1})
    """
    # short sentences have few different readings
    alike = Counter((graph.top, *graph.triples) for graph in graphs)
    first = _read(graphs[pivot])
    weighed = _weighed(first)
    votes = Votes(len(graphs), _variables(first))
    named: dict[str, Node] = {variable: (number,) for number, variable in enumerate(votes.variables)}
    _add(votes, first, named, alike.pop((graphs[pivot].top, *graphs[pivot].triples)))
    for (top, *triples), times in alike.items():
        other = _read(penman.Graph(triples, top=top))
        mapped = map_nodes((_weighed(other), weighed), restarts=RESTARTS)
        places = zip(_variables(other), mapped, strict=True)
        _add(
            votes,
            other,
            _named(other, {name: (place,) for name, place in places if place is not None}),
            times,
        )
    return votes


def _read(graph: penman.Graph) -> penman.Graph:
    """Return the graph with its nodes in order of appearance, no role inverted, without alignments."""
    bare = penman.Graph(graph.triples, top=graph.top)
    return penman.decode(penman.encode(bare, model=amr_model), model=amr_model)


def _weighed(graph: penman.Graph) -> Scored:
    """Return the triples that the nodes of two readings are matched by: those that smatch 1.0.4 reads.

    Unlike in `parser.graphs.triples`, a repeated triple weighs as often as it is written, and ``:mod`` or an
    inverse role with a constant weighs nothing. The scores are better off with the laws there; here they
    would elect another graph for 2 of 300 sentences, and the weights that ship were fitted on the graphs as
    they are.
    """
    line, concepts, (top, *_), _ = take_apart(graph)
    kept = [one for one in graph.attributes() if plain(one[1]) != ":mod" and not is_inverse(one[1])]
    return number_nodes(line, concepts, [top, *kept], graph.edges())


def _variables(graph: penman.Graph) -> list[str]:
    return [variable for variable, _, _ in graph.instances()]


def _named(graph: penman.Graph, known: dict[str, Node]) -> dict[str, Node]:
    """Name the other nodes too, by the way from those that have a name.

    A way that is taken names no second node; what no other leads to has no name, and its vote is lost.
    """
    concepts = {source: str(target) for source, _, target in graph.instances()}
    named, taken, before = dict(known), set[Node](), -1
    while len(named) > before:
        before = len(named)
        for source, role, target in graph.edges():
            if source in named and target not in named:
                new, name = target, (*named[source], role, concepts[target])
            elif target in named and source not in named:
                new, name = source, (*named[target], f"{role}-of", concepts[source])
            else:
                continue
            if name not in taken:
                taken.add(name)
                named[new] = name
    return named


def _add(votes: Votes, graph: penman.Graph, named: dict[str, Node], times: int) -> None:
    for source, _, concept in graph.instances():
        if source in named:
            votes.concepts.setdefault(named[source], Counter())[str(concept)] += times
    _add_relations(votes, graph, named, times)
    parts: dict[Node, dict[str, str]] = {}
    names = {source for source, _, concept in graph.instances() if concept == NAME}
    for source, role, constant in graph.attributes():
        if source in named and source in names and role.startswith(":op"):
            parts.setdefault(named[source], {})[role] = str(constant)
        elif source in named:
            votes.constants[named[source], role, str(constant)] += times
    for node, words in parts.items():
        whole = tuple(words[role] for role in sorted(words, key=lambda role: (len(role), role)))
        votes.names.setdefault(node, Counter())[whole] += times


def _add_relations(votes: Votes, graph: penman.Graph, named: dict[str, Node], times: int) -> None:
    above: dict[Node, set[Node]] = {}
    for source, role, target in graph.edges():
        if source in named and target in named and source != target:
            votes.relations[named[source], role, named[target]] += times
            above.setdefault(named[target], set()).add(named[source])
    for node, sources in above.items():
        for two in combinations(sources, 2):
            votes.under_both[frozenset(two), node] += times
