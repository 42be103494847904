"""Draw the rows of a training step, and partners of near meaning (`retrofit.training.neighbours`) for them.

::

    row -> its meaning -> some of its nearest -> one row of each, whatever its language: a group

Every draw follows from (seed, step), so a killed run ends with the same weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrofit.training.neighbours import Near, nearest, some_of
from retrofit.training.student.corpus import Corpus, Ints, language_weights
from retrofit.training.student.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows of one step: ``distill`` first, then both sides of ``graded``, then both of ``nli``.

    Where the recipe compares near meanings, the first rows of ``distill`` are followed by the first partner
    of each, then by the second one, and so on.

    Attributes:
        rows: Rows of the corpus.
        sizes: Rows of distill, of a side of graded, of a side of nli.
        scores: Gold of the graded pairs.
        labels: Gold of the nli pairs.
    """

    rows: Ints
    sizes: tuple[int, int, int]
    scores: npt.NDArray[np.float64]
    labels: Ints


class Planner:
    """Draws the rows of every step."""

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

    def plan(self, step: int) -> Plan:
        """Draw one step."""
        recipe, corpus = self._recipe, self._corpus
        random = np.random.default_rng((recipe.seed, step))
        group = recipe.near.group if self._partners else 1
        points = random.random(recipe.distill.batch // group) * self._mass[-1]
        parts = [np.searchsorted(self._mass, points, side="right")]
        if self._partners:
            partners = self._partners.draw(parts[0], group - 1, random)
            parts = [np.concatenate([parts[0], *partners])]
        graded = recipe.graded.batch if recipe.graded.weight and len(corpus.graded) else 0
        chosen = random.integers(0, max(1, len(corpus.graded)), graded)
        first, second = self._languages(corpus.graded[chosen], random)
        parts += [first, second]
        nli = recipe.nli.batch if recipe.nli.weight and len(corpus.ranked) else 0
        pairs = random.integers(0, max(1, len(corpus.ranked)), nli)
        parts += [corpus.ranked[pairs, 0], corpus.ranked[pairs, 1]]
        sizes = (len(parts[0]), graded, nli)
        return Plan(np.concatenate(parts), sizes, corpus.scores[chosen], corpus.labels[pairs])

    def _languages(self, pairs: Ints, random: np.random.Generator) -> tuple[Ints, Ints]:
        """Draw the languages of both sides ``(n, 2, L)``: the same in one half of the draws."""
        first, column = self._draw(pairs[:, 0], random)
        second, _ = self._draw(pairs[:, 1], random)
        same = pairs[np.arange(len(pairs)), 1, column]
        return first, np.where((random.random(len(pairs)) < 0.5) & (same >= 0), same, second)

    def _draw(self, rows: Ints, random: np.random.Generator) -> tuple[Ints, Ints]:
        mass = np.cumsum((rows >= 0) * self._weights, axis=1)  # (n, L)
        points = random.random(len(rows))[:, None] * mass[:, -1:]
        column = (points >= mass).sum(axis=1)
        return rows[np.arange(len(rows)), column], column


class Partners:
    """Draws partners for each row.

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
