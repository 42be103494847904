"""Partners: rows whose meanings lie near in the teacher's space (`retrofit.training.neighbours`).

::

    row -> its meaning -> some of its nearest -> one row of each, whatever its language: a group
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from retrofit.training.neighbours import Near, nearest, some_of
from retrofit.training.student.corpus import Corpus, Ints


class Partners:
    """Draws partners for each row.

    Args:
        corpus: The corpus.
        goals: The teacher's vectors of all its meanings.
        drawn: Which rows may be drawn ``(R,)``.
        near: How the nearest meanings are searched.
        seed: See `nearest`.

    Raises:
        OptionError: There are fewer than two meanings.
    """

    def __init__(
        self,
        corpus: Corpus,
        goals: npt.NDArray[np.floating],
        drawn: npt.NDArray[np.bool_],
        near: Near,
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
        self._near = nearest(goals[meanings], near.count, near.block, seed)

    def draw(self, rows: Ints, partners: int, random: np.random.Generator) -> Ints:
        """Return rows of as many other meanings for each of ``rows``, which may be drawn themselves.

        Returns:
            ``(partners, n)``; those of a row have meanings that differ.

        Raises:
            OptionError: Fewer meanings are near.
        """
        near = some_of(self._near[self._number[self._meaning[rows]]], partners, random)
        within = (random.random(near.shape) * self._count[near]).astype(np.int64)
        drawn: Ints = self._rows[self._first[near] + within]
        return drawn
