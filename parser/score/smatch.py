"""Compute Smatch: the triples that two graphs share under the best mapping of their variables.

The count is exact, and proved to be, for nearly every pair (`parser.score.exact`). A pair that is too large
for that is scored as the ``smatch`` package does (1.0.4: Cai and Knight 2013, hill climbing with random
restarts), which is a lower bound, made reproducible: every pair has its own random generator, seeded with its
content, so that neither the order of the pairs nor the number of processes changes a score::

    gold       (w / want-01 :ARG0 (b / boy))        4 triples (TOP, want-01, boy, :ARG0)
    predicted  (x / want-01 :ARG1 (y / boy))        4 triples, 3 of them shared
    match 3, predicted 4, gold 4  ->  precision 75, recall 75, F1 75

Scores are on the 0-100 scale. Laws: two notations of one graph score 100, and no score is above 100; a
repeated triple counts once. `parser.graphs.triples` defines which triples are equal. No count of shared
triples is below the package's. The sizes of graphs are the package's except for graphs that repeat a triple,
have ``:mod`` or an inverse role with a constant, such as ``:mod-of``, or have a constant with a space.

The package's own reader is not used: it loses ``:mod`` with a constant, cuts a constant at its first space,
fails on ``12:30`` and counts a repeated triple twice. `parser.graphs.triples` reads the graphs instead,
numbers nodes and makes all values comparable.

`table` writes the scores of single pairs, and `difference` compares two parsers on one gold standard.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import penman
import smatch as smatch_package

from amrx.errors import InputError
from amrx.records.one_line import spaced
from amrx.texts import as_items
from amrx.types import Parse
from parser.graphs.triples import TOP, Graph, Triple, directed, plain, take_apart, valued
from parser.score.exact import QUICK, Effort, improve
from parser.score.net import Triples, isomorphic, read_net

if TYPE_CHECKING:
    from amrx.evaluation.results.bootstrap import Interval


PREFIX = "n"
"""Prefix of a node's number: ``n0`` is the top."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A graph ready to be scored."""

    line: str  # its text on one line, which seeds the search
    triples: Triples  # its triples in the form for comparison, the top mark among the attributes


def read_triples(graph: Graph) -> Scored:
    """Read a graph; nodes are numbered in order of appearance.

    Example:
        >>> graph = '(p / Person :mod "1A" :ARG0-of (g / go-02))'
        >>> instances, attributes, relations = read_triples(graph).triples
        >>> instances
        [('instance', 'n0', 'person'), ('instance', 'n1', 'go-02')]
        >>> attributes, relations
        ([(':mod', 'n0', '1a'), ('TOP', 'n0', 'top')], [(':arg0', 'n1', 'n0')])
    """
    return number_nodes(*take_apart(graph))


def number_nodes(
    line: str, concepts: Mapping[str, str], attributes: Sequence[Triple], relations: Sequence[Triple]
) -> Scored:
    """Convert triples of `parser.graphs.triples.take_apart` to the form for comparison; number the nodes."""
    names = {variable: f"{PREFIX}{number}" for number, variable in enumerate(concepts)}
    constants = [one if one[1] == TOP else valued(one) for one in attributes]
    edges = map(directed, relations)
    # in the package's order, which resolves ties between mappings: by node, the top mark last
    values = [(role, names[source], value) for source, role, value in (*constants[1:], constants[0])]
    return Scored(
        line,
        (
            [("instance", names[variable], plain(concept)) for variable, concept in concepts.items()],
            sorted(values, key=_number),
            sorted(((role, names[source], names[target]) for source, role, target in edges), key=_number),
        ),
    )


def _number(triple: Triple) -> int:
    return int(triple[1].removeprefix(PREFIX))


Counts = npt.NDArray[np.int64]
View = Callable[[Triples], Triples]

_ONE_AT_A_TIME = threading.Lock()  # the package keeps its state in module globals


@dataclass(frozen=True, slots=True)
class Smatch:
    """A corpus score."""

    precision: float  # shared triples over predicted triples, 0-100
    recall: float  # shared triples over gold triples, 0-100
    f1: float  # their harmonic mean, 0-100
    n: int  # number of pairs


class _Steady:
    """Random numbers for the package; its attempts to seed them from the clock are ignored."""

    def __init__(self, seed: str) -> None:
        self._generator = random.Random(seed)

    def seed(self) -> None:
        """Do nothing."""

    def randint(self, low: int, high: int) -> int:
        """Draw a whole number, including both ends."""
        return self._generator.randint(low, high)


@contextmanager
def _private_state(seed: str, restarts: int) -> Iterator[None]:
    """Set the package's number of restarts and random generator, and restore its globals at the end."""
    with _ONE_AT_A_TIME:
        iterations, generator = smatch_package.iteration_num, smatch_package.random
        smatch_package.iteration_num, smatch_package.random = restarts + 1, _Steady(seed)
        try:
            yield
        finally:
            smatch_package.iteration_num, smatch_package.random = iterations, generator
            smatch_package.match_triple_dict.clear()


def match_pair(
    pair: tuple[Scored, Scored], *, seed: int, restarts: int, effort: Effort = QUICK, view: View | None = None
) -> tuple[int, int, int, int]:
    """Return ``(shared, predicted, gold, bound)`` of one pair: triple counts, and the most it could share.

    Args:
        pair: Gold and predicted graph.
        seed: Seed of the random restarts, mixed with the pair's content.
        restarts: Number of random restarts, in addition to the first mapping, which is heuristic; only for a
            pair that is not proved within the limits of ``effort``.
        effort: Limits of the proof.
        view: Part of a graph to score; all of it when ``None``.
    """
    gold, predicted = ((one.triples if view is None else view(one.triples)) for one in pair)
    n_predicted, n_gold = sum(map(len, predicted)), sum(map(len, gold))
    if not n_predicted or not n_gold:
        return 0, n_predicted, n_gold, 0
    nets = read_net(gold), read_net(predicted)
    if isomorphic(*nets):
        return n_gold, n_predicted, n_gold, n_gold
    text = f"{seed}\n{pair[0].line}\n{pair[1].line}"
    shared, bound = improve(*nets, _climb(gold, predicted, text, 0), effort)
    if shared < bound:
        shared = max(shared, _climb(gold, predicted, text, restarts))
    return shared, n_predicted, n_gold, bound


def _climb(gold: Triples, predicted: Triples, seed: str, restarts: int) -> int:
    """Return the number of triples shared under the best mapping that the package finds."""
    with _private_state(seed, restarts):
        _, shared = smatch_package.get_best_match(*predicted, *gold, PREFIX, PREFIX)
    return int(shared)


def bounded_counts(
    gold: Sequence[Graph],
    predicted: Sequence[Graph],
    *,
    seed: int = 0,
    restarts: int = 4,
    processes: int = 1,
    effort: Effort = QUICK,
    view: View | None = None,
) -> Counts:
    """Count shared, predicted and gold triples of every pair, and the most it could share, ``(n, 4)``.

    The number of shared triples is proved to be the maximum if it equals the last column.
    """
    if len(gold) != len(predicted):
        raise InputError(f"got {len(gold)} gold graphs but {len(predicted)} predicted ones")
    pairs = list(zip(_read(gold, "gold"), _read(predicted, "predicted"), strict=True))
    count = partial(match_pair, seed=seed, restarts=restarts, effort=effort, view=view)
    processes = min(processes, len(pairs) // 50)  # starting a process takes as long as scoring 50 pairs
    if processes > 1:
        from amrx.processes import Workers

        with Workers(processes) as pool:
            rows = list(pool.map(count, pairs, chunksize=max(1, len(pairs) // (4 * processes))))
    else:
        rows = [count(pair) for pair in pairs]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 4)


def pair_counts(
    gold: Sequence[Graph],
    predicted: Sequence[Graph],
    *,
    seed: int = 0,
    restarts: int = 4,
    processes: int = 1,
    view: View | None = None,
) -> Counts:
    """Count shared, predicted and gold triples of every pair, ``(n, 3)``."""
    counts = bounded_counts(gold, predicted, seed=seed, restarts=restarts, processes=processes, view=view)
    return counts[:, :3]


def _read(graphs: Sequence[Graph], side: str) -> list[Scored]:
    read = []
    for number, graph in enumerate(graphs, start=1):
        try:
            read.append(read_triples(graph))
        except InputError as error:
            raise InputError(f"{side} graph {number}: {error}") from error
    return read


def score(counts: Counts) -> Smatch:
    """Sum triple counts ``(n, 3)`` to a corpus score."""
    shared, predicted, gold = (int(value) for value in counts.sum(axis=0))
    precision = 100 * shared / predicted if predicted else 0.0
    recall = 100 * shared / gold if gold else 0.0
    total = precision + recall
    return Smatch(precision, recall, 2 * precision * recall / total if total else 0.0, len(counts))


def corpus_smatch(
    gold: Sequence[Graph], predicted: Sequence[Graph], *, seed: int = 0, restarts: int = 4, processes: int = 1
) -> Smatch:
    """Score predicted graphs against gold ones."""
    return score(pair_counts(gold, predicted, seed=seed, restarts=restarts, processes=processes))


def smatch(
    gold: Graph | Parse | Sequence[Graph | Parse], predicted: Graph | Parse | Sequence[Graph | Parse]
) -> Smatch:
    """Score one predicted graph, or several, against gold ones.

    Args:
        gold: A graph as PENMAN text, a penman graph or a parse; or a sequence of them.
        predicted: The same number of graphs, in the same order.

    Raises:
        InputError: A text is not a graph or holds several, or the numbers of graphs differ.

    Example:
        >>> smatch("(w / want-01 :ARG0 (b / boy))", "(x / want-01 :ARG1 (y / boy))").f1
        75.0
    """
    return corpus_smatch(_graphs(gold), _graphs(predicted))


def _graphs(given: Graph | Parse | Sequence[Graph | Parse]) -> list[Graph]:
    kinds = (str, penman.Graph, Parse)
    several = [given] if isinstance(given, kinds) else as_items(given, kinds, "graph")
    return [one.graph if isinstance(one, Parse) else one for one in several]


def bootstrap(
    counts: Counts, *, resamples: int = 1000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of corpus F1, sentences drawn with replacement."""
    if not len(counts):
        return 0.0, 0.0
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=resamples)
    shared, predicted, gold = (weights @ counts).T.astype(np.float64)  # each (resamples,)
    f1 = 100 * np.divide(2 * shared, predicted + gold, out=np.zeros(resamples), where=predicted + gold > 0)
    low, high = np.quantile(f1, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


COLUMNS = ("file", "id", "lang", "f1", "precision", "recall", "bound", "shared", "predicted", "gold")
"""Columns of the table; ``bound`` is the F1 that no mapping exceeds: ``f1`` itself if that is proved."""


def table(files: Mapping[str, tuple[Sequence[Parse], Counts]]) -> str:
    r"""Return a table, tab-separated, with one row per pair; scores are 0-100.

    Args:
        files: Graphs and counts ``(n, 4)`` of `parser.score.smatch.bounded_counts`, by the name of the file.

    Example:
        >>> import penman
        >>> parse = Parse("7", "", "en", penman.decode("(b / boy)"))
        >>> lines = table({"mine.amr": ([parse], np.array([[2, 2, 4, 2]]))}).splitlines()
        >>> lines[1].split("\t")
        ['mine.amr', '7', 'en', '66.67', '100.00', '50.00', '66.67', '2', '2', '4']
    """
    lines = [
        COLUMNS,
        *(row for name, (parses, counts) in files.items() for row in _rows(name, parses, counts)),
    ]
    return "".join("\t".join(spaced(cell).replace("\t", " ") for cell in line) + "\n" for line in lines)


def _rows(name: str, parses: Sequence[Parse], counts: Counts) -> Iterator[tuple[str, ...]]:
    for parse, (shared, predicted, gold, bound) in zip(parses, counts.tolist(), strict=True):
        own, most = (score(np.array([[count, predicted, gold]])) for count in (shared, bound))
        values = (f"{value:.2f}" for value in (own.f1, own.precision, own.recall, most.f1))
        yield (name, parse.id, parse.lang, *values, *map(str, (shared, predicted, gold)))


def difference(one: Counts, other: Counts, *, seed: int = 0) -> Interval:
    """Return F1 of the second parser minus F1 of the first, with interval and p-value.

    The sentences of each sample are the same for both, as in `amrx.evaluation.results.bootstrap`.

    Args:
        one: Counts ``(n, 3)`` or ``(n, 4)`` of the first parser.
        other: Counts of the second, of the same sentences.
        seed: Seed of the samples.
    """
    from amrx.evaluation.results.bootstrap import paired_bootstrap

    first, second = (counts[:, :3].astype(np.float64) for counts in (one, other))
    return paired_bootstrap(first, second, "F1", seed=seed)
