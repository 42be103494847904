"""Draw the rows of a training step, and partners of similar meaning (`retrofit.training.neighbours`).

::

    row -> its meaning -> some of its nearest -> one row of each, whatever its language: a group

Every draw depends only on (seed, step), so a killed and resumed run ends with the same weights.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from retrofit.training.neighbours import Near, nearest, some_of
from retrofit.training.student.corpus import Corpus, Ints, language_weights
from retrofit.training.student.recipe import Recipe


class Planner:
    """Draw the rows of every step."""

    def __init__(self, corpus: Corpus, recipe: Recipe, goals: npt.NDArray[np.floating]) -> None:
        self._corpus, self._recipe = corpus, recipe
        self._weights = language_weights(corpus, recipe)
        known = np.abs(goals).max(axis=1) > 0
        drawn = known[corpus.meaning] & (np.diff(corpus.ends, prepend=0) <= recipe.subwords)
        counts = np.bincount(corpus.lang[drawn], minlength=len(corpus.languages))
        share = self._weights / np.maximum(counts, 1)
        self._mass = np.cumsum(share[corpus.lang] * drawn)
        self._partners: Partners | None = None
        if recipe.near.weight:
            self._partners = Partners(corpus, goals, drawn, recipe.near, recipe.seed)

    def plan(self, step: int) -> Ints:
        """Draw the rows of one step.

        If the recipe compares similar meanings, the rows are followed by the first partner of each, then by
        the second one, and so on.
        """
        recipe = self._recipe
        random = np.random.default_rng((recipe.seed, step))
        group = recipe.near.group if self._partners else 1
        points = random.random(recipe.distill.batch // group) * self._mass[-1]
        rows: Ints = np.searchsorted(self._mass, points, side="right")
        if self._partners:
            rows = np.concatenate([rows, *self._partners.draw(rows, group - 1, random)])
        return rows


class Partners:
    """Draw partners for each row."""

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
        """Return ``partners`` rows of other, similar meanings for each of ``rows``.

        The rows ``(partners, n)`` of a column have different meanings.
        """
        near = some_of(self._near[self._number[self._meaning[rows]]], partners, random)
        within = (random.random(near.shape) * self._count[near]).astype(np.int64)
        drawn: Ints = self._rows[self._first[near] + within]
        return drawn
