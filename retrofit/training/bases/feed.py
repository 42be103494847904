"""Convert rows to batches of token ids, with named columns for the objective."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from retrofit.training.bases.mixture import Mixture, Row

Features = dict[str, Tensor]
"""Ids, mask and further inputs of an encoder, each ``(B, T)``."""

Batch = dict[str, Features]
"""Column name to sentences; row i of all columns belongs together."""

Columns = Callable[[Sequence[Row], np.random.Generator], Mapping[str, Sequence[str]]]
"""Function from rows to named columns, each with one sentence per row."""


class Feed(Protocol):
    """Endless batches that continue after a kill as if uninterrupted."""

    def take(self, step: int) -> Batch:
        """Return the batch of a step; steps are requested in order."""

    def state(self) -> dict[str, object]:
        """Return the position of the feed, as JSON values."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore such a position."""


class TextFeed:
    """Batches of a mixture of sources.

    Args:
        mixture: Source of the rows.
        size: Rows per batch, over all processes.
        columns: Function from rows to named columns; its draws depend only on the seed and the step.
        tokenize: Function from sentences to the encoder's input.
        seed: Seed of the draws.
        share: Index of this process and number of processes; each takes its part of every batch.
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
        # another stream than (seed, step), from which the mixture draws
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
    """Return both sides of parallel rows; the side of the anchor is drawn for each row."""
    turned = random.random(len(rows)) < 0.5
    both = [row.texts[::-1] if turn else row.texts for row, turn in zip(rows, turned.tolist(), strict=True)]
    return {"anchor": [first for first, _ in both], "positive": [second for _, second in both]}
