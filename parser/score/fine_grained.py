"""Score parts of the graph by Smatch, as in Damonte, Cohen and Satta (EACL 2017).

::

    unlabelled        every role counts as the same role
    no word sense     want-01 and want-02 are one concept
    concepts          the concepts, without their nodes
    named entities    the concepts that have :name
    negation          the concepts that have :polarity
    wikification      the values of :wiki
    reentrancies      the edges into nodes with several parents, and the nodes they join
    SRL               the :ARGn edges, and the nodes they join

Triples are those of `parser.graphs.triples`: inverse roles are normalised (``:ARG0-of`` is ``:ARG0``), and
``:mod`` is an inverse ``:domain``, which does not count as a parent here. Four scores count labels: a
label that a sentence has twice counts twice, as in the authors' program (mdtux89/amr-evaluation). All but the
first three cover a part of a graph, so they are empty for many sentences; their corpus score is the sum over
the others.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from parser.graphs.triples import SENSE, TOP, Graph, Triple
from parser.score.exact import QUICK, Effort
from parser.score.net import Triples
from parser.score.smatch import Counts, Smatch, bootstrap, bounded_counts, read_triples, score

_ARGUMENT = re.compile(r":arg\d+$")


def unlabelled(triples: Triples) -> Triples:
    """Give every role the same name, so that roles between the same nodes become one; keep the top mark."""
    instances, attributes, relations = triples
    values = dict.fromkeys((TOP if role == TOP else "role", node, value) for role, node, value in attributes)
    edges = dict.fromkeys(("role", source, target) for _, source, target in relations)
    return instances, list(values), list(edges)


def no_word_sense(triples: Triples) -> Triples:
    """Remove the sense number of every concept."""
    instances, attributes, relations = triples
    return [(role, node, SENSE.sub("", concept)) for role, node, concept in instances], attributes, relations


def reentrancies(triples: Triples) -> Triples:
    """Keep the edges into nodes that have more than one parent."""
    edges = [edge for edge in triples[2] if edge[0] != ":domain"]
    parents: dict[str, int] = {}
    for _, _, target in edges:
        parents[target] = parents.get(target, 0) + 1
    return _around(triples, [edge for edge in edges if parents[edge[2]] > 1])


def srl(triples: Triples) -> Triples:
    """Keep the edges from a predicate to its numbered arguments."""
    return _around(triples, [edge for edge in triples[2] if _ARGUMENT.match(edge[0])])


def _around(triples: Triples, edges: list[Triple]) -> Triples:
    """Return ``edges`` with the nodes that they join, renumbered as required by the smatch package."""
    joined = {node for _, source, target in edges for node in (source, target)}
    kept = [instance for instance in triples[0] if instance[1] in joined]
    names = {node: f"{node[0]}{number}" for number, (_, node, _) in enumerate(kept)}
    instances = [(role, names[node], concept) for role, node, concept in kept]
    return instances, [], [(role, names[source], names[target]) for role, source, target in edges]


VIEWS: Mapping[str, Callable[[Triples], Triples]] = {
    "unlabelled": unlabelled,
    "no word sense": no_word_sense,
    "reentrancies": reentrancies,
    "SRL": srl,
}


def _bearers(role: str) -> Callable[[Triples], list[str]]:
    """Return the function that lists the concepts that have a role."""

    def listed(triples: Triples) -> list[str]:
        instances, attributes, relations = triples
        concepts = {node: concept for _, node, concept in instances}
        return [concepts[node] for name, node, _ in [*attributes, *relations] if name == role]

    return listed


LABELS: Mapping[str, Callable[[Triples], list[str]]] = {
    "concepts": lambda triples: [concept for _, _, concept in triples[0]],
    "named entities": _bearers(":name"),
    "negation": _bearers(":polarity"),
    "wikification": lambda triples: [value for role, _, value in triples[1] if role == ":wiki"],
}
ORDER = (
    "unlabelled", "no word sense", "concepts", "named entities", "negation", "wikification",
    "reentrancies", "SRL",
)  # fmt: skip
"""The scores in the order in which parsers are usually compared."""


def label_counts(gold: Sequence[Graph], predicted: Sequence[Graph], name: str) -> Counts:
    """Count the labels of one score of `LABELS`, sentence by sentence.

    Returns:
        Integers ``(n, 3)``: shared, predicted, gold.

    Example:
        >>> label_counts(["(g / go-02 :polarity -)"], ["(g / go-02 :polarity - :ARG0 (i / i))"], "concepts")
        array([[1, 2, 1]])
    """
    rows = []
    for pair in zip(gold, predicted, strict=True):
        a, b = (Counter(LABELS[name](read_triples(graph).triples)) for graph in pair)
        rows.append(((a & b).total(), b.total(), a.total()))
    return np.array(rows, dtype=np.int64).reshape(len(rows), 3)


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of every pair."""

    whole: Counts  # (n, 4), of `bounded_counts`
    parts: Mapping[str, Counts]  # (n, 3) by name

    def of(self, places: Sequence[int]) -> "Tally":
        """Return the counts of some pairs."""
        rows = np.array(places, dtype=np.int64)
        return Tally(self.whole[rows], {name: counts[rows] for name, counts in self.parts.items()})


@dataclass(frozen=True, slots=True)
class Report:
    """Smatch with its bootstrap interval, and the sub-scores by name, all 0-100.

    A score is ``None`` if neither side has such triples in any sentence.
    """

    smatch: Smatch
    interval: tuple[float, float]
    parts: Mapping[str, Smatch | None]
    proved: int  # number of pairs whose Smatch is proved to be the maximum
    bound: float  # F1 that no mappings of the other pairs exceed; Smatch F1 if all are proved


def tally(
    gold: Sequence[Graph],
    predicted: Sequence[Graph],
    *,
    seed: int = 0,
    restarts: int = 4,
    processes: int = 1,
    effort: Effort = QUICK,
) -> Tally:
    """Count the triples of all scores, pair by pair; ``effort`` is for the whole graphs only."""
    count = partial(bounded_counts, gold, predicted, seed=seed, restarts=restarts, processes=processes)
    parts = {name: label_counts(gold, predicted, name) for name in LABELS}
    parts |= {name: count(view=view)[:, :3] for name, view in VIEWS.items()}
    return Tally(count(effort=effort), parts)


def summarise(counts: Tally, *, seed: int = 0) -> Report:
    """Sum counts to corpus scores."""
    shared, predicted, gold, bound = counts.whole.T
    scores = {name: score(counts.parts[name]) if counts.parts[name][:, 1:].any() else None for name in ORDER}
    return Report(
        score(counts.whole[:, :3]),
        bootstrap(counts.whole[:, :3], seed=seed),
        scores,
        int(np.sum(shared == bound)),
        score(np.stack([bound, predicted, gold], axis=1)).f1,
    )


def report(
    gold: Sequence[Graph], predicted: Sequence[Graph], *, seed: int = 0, restarts: int = 4, processes: int = 1
) -> Report:
    """Score predicted graphs against gold ones by all of these scores."""
    return summarise(tally(gold, predicted, seed=seed, restarts=restarts, processes=processes), seed=seed)
