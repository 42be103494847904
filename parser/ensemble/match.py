"""Map the nodes of one reading onto those of another, so that as many triples as possible are shared.

Smatch searches for this mapping by hill climbing from random starts. Readings of one sentence are similar, so
graduated assignment (Gold and Rangarajan 1996) finds it faster and deterministically. Given a mapping of the
other nodes, the gain of mapping node ``i`` to ``j`` is ::

    gain_ij = same concept + same constants + sum over relations of one role: mapping of their other ends

First each node is mapped to all others with weights ``exp(β gain)``, normalised by row, for increasing ``β``.
Then linear assignments maximise these gains until the number of shared triples stops increasing.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ends = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
BETAS = 1.0, 1.5, 2.0, 3.0, 4.0
"""Values of ``β``."""
ROUNDS = 20
"""Maximum number of linear assignments; three are usual."""


@dataclass(frozen=True, slots=True)
class Matched:
    """A reading with numbered nodes; the top is 0."""

    concepts: Sequence[str]  # concept of each node
    marks: Sequence[tuple[int, str]]  # ``(node, role and constant)``
    edges: Sequence[tuple[int, str, int]]  # ``(source, role, target)``


def match(first: Matched, second: Matched) -> list[int | None]:
    """Return for each node of the first reading its counterpart in the second, or ``None``.

    Mapping top to top counts as a shared triple, as in Smatch.

    Example:
        >>> small = Matched(["bite-01", "man"], [], [(0, ":ARG1", 1)])
        >>> match(small, Matched(["bite-01", "dog", "man"], [], [(0, ":ARG0", 1), (0, ":ARG1", 2)]))
        [0, 2]
    """
    # imported here, because the import takes longer than a vote on equal readings, which needs no match
    from scipy.optimize import linear_sum_assignment

    alone = _alone(first, second)
    ends = _ends(first, second)
    gains = _soft_gains(alone, ends)
    most, best, best_gains = -1.0, np.zeros_like(alone), gains
    for _ in range(ROUNDS):
        rows, columns = linear_sum_assignment(gains, maximize=True)
        mapped = np.zeros_like(alone)
        mapped[rows, columns] = 1.0
        through = _through(ends, mapped)
        shared = float((mapped * (alone + through / 2)).sum())
        if shared <= most:
            break
        gains = alone + through
        most, best, best_gains = shared, mapped, gains
    best *= best_gains > 0  # the assignment maps every node, even without a shared triple
    return [int(row.argmax()) if row.any() else None for row in best]


def _soft_gains(alone: Floats, ends: Ends) -> Floats:
    """Return the gains under the weighted mapping of each node to all, after the last of `BETAS`."""
    gains = alone + _through(ends, np.full_like(alone, 1 / max(alone.shape)))
    for beta in BETAS:
        soft = np.exp(beta * (gains - gains.max(axis=1, keepdims=True)))
        soft /= soft.sum(axis=1, keepdims=True)
        soft /= np.maximum(soft.sum(axis=0, keepdims=True), 1.0)
        gains = alone + _through(ends, soft)
    return gains


def _alone(first: Matched, second: Matched) -> Floats:
    """Count the triples that each pair of nodes shares regardless of the other nodes."""
    nodes_by_value: dict[str, list[int]] = defaultdict(list)
    for node, value in [*enumerate(second.concepts), *second.marks]:
        nodes_by_value[value].append(node)
    alone = np.zeros((len(first.concepts), len(second.concepts)))
    alone[0, 0] = 1.0
    for node, value in [*enumerate(first.concepts), *first.marks]:
        for other in nodes_by_value.get(value, ()):
            alone[node, other] += 1.0
    return alone


def _ends(first: Matched, second: Matched) -> Ends:
    """Return the flat indices of the sources and of the targets of every two relations of one role."""
    width = len(second.concepts)
    by_role: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for source, role, target in second.edges:
        by_role[role].append((source, target))
    pairs = [
        (source * width + other_source, target * width + other_target)
        for source, role, target in first.edges
        for other_source, other_target in by_role.get(role, ())
    ]
    flat = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return flat[:, 0], flat[:, 1]


def _through(ends: Ends, mapped: Floats) -> Floats:
    """Return how many relations each pair of nodes shares under a mapping."""
    sources, targets = ends
    flat = mapped.reshape(-1)
    counts = np.zeros_like(flat)
    for ends_here, ends_there in ((sources, targets), (targets, sources)):
        counts += np.bincount(ends_here, flat[ends_there], flat.size)
    return counts.reshape(mapped.shape)
