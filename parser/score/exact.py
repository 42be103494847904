"""Prove how many triples two graphs share at most, which hill climbing cannot.

Bounds of the number of shared triples, from the cheapest to the dearest; each is tried only if the one before
is above the best mapping that is known::

    isomorphic graphs     all triples are shared (`parser.score.net`)
    assignment            every pair of nodes gets its concept and attributes, and half of each relation that
                          both nodes have; the best assignment of nodes (Hungarian method)
    relaxation            the integer linear program of `parser.graphs.program`, solved in fractions
    program               the same in whole numbers (HiGHS, branch and bound): exact, unless it is stopped

Counts are whole numbers: fractional bounds are rounded down, and the triples of a mapping are counted.
"""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from parser.graphs.program import Pair, Program, state
from parser.graphs.triples import Triple
from parser.score.net import Net, names

_TOLERANCE = 1e-4
"""Error allowed to the solver, which works in floating point; its own tolerance is 1e-6."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of the proof of a score; sizes are those of `candidates`."""

    relaxed: int  # largest size that is solved in fractions
    whole: int  # largest size that is solved in whole numbers
    branches: int  # nodes of the branch-and-bound search
    seconds: float  # time of the solver per step


QUICK = Effort(relaxed=4000, whole=250, branches=20, seconds=math.inf)
"""Limits under which a pair takes less than about 50 ms, or less than hill climbing; without a clock, so that
a score is the same on every machine."""
THOROUGH = Effort(relaxed=1_000_000, whole=1_000_000, branches=2**31 - 1, seconds=20.0)
"""Limits for a proof of nearly every pair; the bound of a pair that is stopped depends on the machine."""


class Match(NamedTuple):
    """Number of triples that two graphs share."""

    shared: int  # under the best mapping that is known
    bound: int  # under no mapping more; the number is proved if both are equal


def improve(gold: Net, predicted: Net, shared: int, effort: Effort) -> Match:
    """Raise a known number of shared triples to the maximum, or bound it, within the limits."""
    bound = bound_by_assignment(gold, predicted)
    size = candidates(gold, predicted)
    if shared >= bound or size > effort.relaxed:
        return Match(shared, bound)
    program = state(_shared_labels(gold, predicted), gold.relations, predicted.relations)
    clock = {} if math.isinf(effort.seconds) else {"time_limit": effort.seconds}
    # a gap below one triple is a proof
    search = {"node_limit": effort.branches, "mip_rel_gap": (1 - _TOLERANCE) / bound}
    for integral, limits in ((False, clock), (True, clock | search)):
        if integral and size > effort.whole:
            break
        result = program.solve(integral=integral, **limits)
        shared = max(shared, _count(program, result.x))
        bound = max(shared, min(bound, _bound(result, integral=integral)))
        if shared >= bound:
            break
    return Match(shared, bound)


def _bound(result: Any, *, integral: bool) -> int:  # noqa: ANN401 (scipy has no types)
    """Return the bound of a solved or stopped program; a relaxation that was stopped has none."""
    value = result.mip_dual_bound if integral else result.fun if result.status == 0 else None
    return 2**62 if value is None or not math.isfinite(value) else math.floor(_TOLERANCE - value)


def _count(program: Program, solution: Any) -> int:  # noqa: ANN401 (scipy has no types)
    """Count the triples shared under the mapping of a solution: the pairs above one half."""
    if solution is None:
        return 0
    chosen = {pair for pair, part in zip(program.pairs, solution, strict=False) if part > 0.5 + _TOLERANCE}
    alone = sum(int(program.values.get(pair, 0)) for pair in chosen)
    return alone + sum(source in chosen and target in chosen for source, target in program.ends)


def candidates(gold: Net, predicted: Net) -> int:
    """Count the pairs of equal concepts, attributes and roles, which is about the size of the program."""
    first, second = names(gold), names(predicted)
    return sum(count * second[name] for name, count in first.items())


def _shared_labels(gold: Net, predicted: Net) -> dict[Pair, float]:
    """Count the concepts and attributes that each pair of nodes shares."""
    bearers: dict[Triple, list[int]] = defaultdict(list)
    for node, labels in enumerate(predicted.labels):
        for label in labels:
            bearers[label].append(node)
    values: dict[Pair, float] = defaultdict(float)
    for node, labels in enumerate(gold.labels):
        for label in labels:
            for other in bearers[label]:
                values[node, other] += 1
    return dict(values)


def bound_by_assignment(gold: Net, predicted: Net) -> int:
    """Return a bound: each node of a relation brings half of it, whatever the other node is mapped to."""
    from scipy.optimize import linear_sum_assignment

    halves = np.zeros((len(gold.labels), len(predicted.labels)), dtype=np.int64)
    for (node, other), value in _shared_labels(gold, predicted).items():
        halves[node, other] = 2 * value
    ends, others = _ends(gold), _ends(predicted)
    for end in ends.keys() & others.keys():
        one, two = ends[end], others[end]
        for (node, count), (other, counted) in product(one.items(), two.items()):
            halves[node, other] += min(count, counted)
    rows, columns = linear_sum_assignment(halves, maximize=True)
    return int(halves[rows, columns].sum()) // 2


def _ends(net: Net) -> dict[tuple[str, int], Counter[int]]:
    """Count the relations of each node by role and end."""
    counts: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for role, *nodes in net.relations:
        for end, node in enumerate(nodes):
            counts[role, end][node] += 1
    return counts
