"""Rows to batches of token ids: the named columns that an objective compares."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from retrofit.training.bases.mixture import Mixture, Row

Features = dict[str, Tensor]
"""Ids, mask and whatever else an encoder reads, each ``(B, T)``."""

Batch = dict[str, Features]
"""Column name to its sentences; row i of every column belongs together."""

Columns = Callable[[Sequence[Row], np.random.Generator], Mapping[str, Sequence[str]]]
"""Rows to named columns of sentences, as many in each as there are rows."""


class Feed(Protocol):
    """Endless batches that go on after a kill as if there had been none."""

    def take(self, step: int) -> Batch:
        """Return the batch of a step; steps are asked for in order."""

    def state(self) -> dict[str, object]:
        """Return the position of the feed, as JSON can hold it."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go to such a place."""


class TextFeed:
    """Batches of a mixture of sources.

    Args:
        mixture: Where rows come from.
        size: Rows of a batch, over all processes.
        columns: Function from rows to named columns; its draws follow from the seed and the step.
        tokenize: Sentences to what the encoder reads.
        seed: Of the draws.
        share: Number of this process and how many there are; each takes its part of every batch.
    """

    def __init__(
        self,
        mixture: Mixture,
        size: int,
        columns: Columns,
        tokenize: Callable[[Sequence[str]], Features],
        *,
        seed: int,
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self._mixture, self._size, self._columns, self._tokenize = mixture, size, columns, tokenize
        self._seed, self._share = seed, share

    def take(self, step: int) -> Batch:
        """Return the batch of a step."""
        rows = self._mixture.draw(step, self._size)
        # a stream of its own: the mixture draws from (seed, step)
        columns = self._columns(rows, np.random.default_rng((self._seed, step, 1)))
        rank, world = self._share
        return {name: self._tokenize(list(texts)[rank::world]) for name, texts in columns.items()}

    def state(self) -> dict[str, object]:
        """Return the position of the mixture."""
        return self._mixture.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the position of another feed."""
        self._mixture.restore(state)


def pairs(rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
    """Return both sides of parallel rows; which side is the anchor is drawn for each."""
    turned = random.random(len(rows)) < 0.5
    both = [row.texts[::-1] if turn else row.texts for row, turn in zip(rows, turned.tolist(), strict=True)]
    return {"anchor": [first for first, _ in both], "positive": [second for _, second in both]}
