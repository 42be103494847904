"""Draw batches of similar meanings, and compute the loss on their cosines.

Random sentences are so different that every student separates them; similarity benchmarks compare similar
sentences. So a batch consists of groups: a drawn meaning, and some of the nearest meanings in the teacher's
space. A search among all meanings would need M² cosines, so it is limited to random blocks, drawn once::

    meanings ── shuffled by the seed ──> blocks ── highest cosines of the teacher ──> near (M, count)
    meaning -> some of its nearest: a group -> squared difference of student's and teacher's cosines
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.errors import OptionError
from amrx.recipes import require, require_least

if TYPE_CHECKING:
    from torch import Tensor

Ints = npt.NDArray[np.int64]

ROWS = 1024
"""Number of meanings whose cosines are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Near:
    """Squared difference between the student's and the teacher's cosine of two rows of a group."""

    weight: float = 0.0  # weight in the sum; if above 0, the rows of ``distill`` are in groups
    group: int = 4  # rows per group: a drawn row, and rows of the nearest meanings
    count: int = 4  # number of nearest meanings from which partners are drawn
    block: int = 20_000  # number of meanings per block of the search

    def check(self, batch: int) -> None:
        """Check the values beyond their types, for a given ``distill.batch``."""
        require_least(self, {"weight": 0, "group": 2, "block": 2}, "near.")
        require(self.count >= self.group - 1, "near.count", self.count, "must be at least near.group - 1")
        whole = self.weight == 0 or batch % max(1, self.group) == 0
        require(whole, "distill.batch", batch, "must be a multiple of near.group")


def nearest(goals: npt.NDArray[np.floating], count: int, block: int, seed: int) -> Ints:
    """Return the nearest meanings of each by cosine, itself excluded, within a block of about ``block``.

    Returned are indices ``(M, k)``, the nearest first, of ``k`` = ``count`` unless the blocks are smaller;
    blocks have at least half of ``block``, if there are enough meanings. No vector may be 0.
    """
    import torch
    from torch.nn import functional as F

    total = len(goals)
    if total < 2:
        raise OptionError(f"recipe key 'near.weight' needs at least 2 meanings, got {total}")
    order = np.random.default_rng(seed).permutation(total)
    blocks = [np.sort(part) for part in np.array_split(order, max(1, total // max(2, block)))]
    kept = min(count, min(len(part) for part in blocks) - 1)
    neighbours = np.empty((total, kept), np.int64)
    for part in blocks:
        vectors = F.normalize(torch.from_numpy(np.asarray(goals[part], np.float32)))
        for start in range(0, len(part), ROWS):
            cosines = vectors[start : start + ROWS] @ vectors.T
            own = torch.arange(len(cosines))
            cosines[own, start + own] = -torch.inf
            neighbours[part[start : start + ROWS]] = part[cosines.topk(kept, dim=1).indices.numpy()]
    return neighbours


def some_of(near: Ints, partners: int, random: np.random.Generator) -> Ints:
    """Return ``partners`` different entries of each row of ``near`` ``(n, k)``, as ``(partners, n)``."""
    if near.shape[1] < partners:
        raise OptionError(f"recipe key 'near.group' must be at most {near.shape[1] + 1}, got {partners + 1}")
    order = np.argsort(random.random(near.shape), axis=1)[:, :partners]
    return np.take_along_axis(near, order, axis=1).T


def near_loss(student: Tensor, teacher: Tensor, group: int) -> Tensor:
    """Return the mean of ``(cos(s_i, s_j) - cos(t_i, t_j))²`` over all pairs of rows i, j of a group.

    Rows are the first row of each group, then the second row of each, and so on.
    """
    return (_within_groups(student, group) - _within_groups(teacher, group)).square().mean()


def _within_groups(vectors: Tensor, group: int) -> Tensor:
    """Return the cosines of all pairs of rows of a group, ``(n / group, group (group - 1) / 2)``."""
    import torch
    from torch.nn import functional as F

    stacked = F.normalize(vectors).reshape(group, -1, vectors.shape[1])  # (group, n / group, d)
    first, second = torch.triu_indices(group, group, offset=1)
    return (stacked[first] * stacked[second]).sum(dim=-1).T
