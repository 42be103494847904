"""Partners: rows whose meanings lie near in the teacher's space, for a batch that tells apart what is alike.

Rows drawn at random mean quite different things, which any student tells apart; what similarity benchmarks
ask is how near two sentences are that are near. The nearest of all meanings would cost M² cosines, so they
are searched in blocks that are drawn once::

    meanings that can be drawn ── shuffled by the seed ──> blocks ── highest cosines ──> near (M, count)
    row -> its meaning -> some of its nearest -> one row of each, whatever its language: a group
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from amrx.errors import OptionError
from retrofit.student.corpus import Corpus, Ints

ROWS = 1024
"""Meanings whose cosines are held at a time."""


def nearest(goals: npt.NDArray[np.floating], count: int, block: int, seed: int) -> Ints:
    """Return the nearest meanings of each by cosine, itself excluded, within a block of about ``block``.

    Args:
        goals: The teacher's vectors ``(M, d)``, none of them 0.
        count: How many; fewer where the blocks are smaller.
        block: Meanings of a block; at least half of it where there are so many.
        seed: Of the blocks.

    Returns:
        Numbers ``(M, k)``, the nearest first.

    Raises:
        OptionError: There are fewer than two meanings.
    """
    total = len(goals)
    if total < 2:
        raise OptionError(f"recipe key 'near.weight': there are no two meanings to compare, but {total}")
    order = np.random.default_rng(seed).permutation(total)
    blocks = [np.sort(part) for part in np.array_split(order, max(1, total // max(2, block)))]
    kept = min(count, min(len(part) for part in blocks) - 1)
    found = np.empty((total, kept), np.int64)
    for part in blocks:
        vectors = F.normalize(torch.from_numpy(np.asarray(goals[part], np.float32)))
        for start in range(0, len(part), ROWS):
            cosines = vectors[start : start + ROWS] @ vectors.T
            own = torch.arange(len(cosines))
            cosines[own, start + own] = -torch.inf
            found[part[start : start + ROWS]] = part[cosines.topk(kept, dim=1).indices.numpy()]
    return found


class Partners:
    """Draws partners for each row.

    Args:
        corpus: The corpus.
        goals: The teacher's vectors of all its meanings.
        drawn: Which rows may be drawn ``(R,)``.
        count: Nearest meanings that partners are drawn from.
        block: See `nearest`.
        seed: See `nearest`.

    Raises:
        OptionError: There are fewer than two meanings.
    """

    def __init__(
        self,
        corpus: Corpus,
        goals: npt.NDArray[np.floating],
        drawn: npt.NDArray[np.bool_],
        count: int,
        block: int,
        seed: int,
    ) -> None:
        rows = np.flatnonzero(drawn)
        self._rows = rows[np.argsort(corpus.meaning[rows], kind="stable")]
        meanings, self._first, self._count = np.unique(
            corpus.meaning[self._rows], return_index=True, return_counts=True
        )
        self._number = np.full(len(corpus.english), -1, np.int64)
        self._number[meanings] = np.arange(len(meanings))
        self._meaning = corpus.meaning
        self._near = nearest(goals[meanings], count, block, seed)

    def draw(self, rows: Ints, partners: int, random: np.random.Generator) -> Ints:
        """Return rows of as many other meanings for each of ``rows``, which may be drawn themselves.

        Returns:
            ``(partners, n)``; those of a row have meanings that differ.

        Raises:
            OptionError: Fewer meanings are near.
        """
        own, count = self._number[self._meaning[rows]], self._near.shape[1]
        if count < partners:
            raise OptionError(f"recipe key 'near.group': only {count} meanings can be drawn beside each")
        order = np.argsort(random.random((len(rows), count)), axis=1)[:, :partners]
        near = np.take_along_axis(self._near[own], order, axis=1).T  # (partners, n)
        within = (random.random(near.shape) * self._count[near]).astype(np.int64)
        drawn: Ints = self._rows[self._first[near] + within]
        return drawn
