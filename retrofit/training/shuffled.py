"""Draw the rows of a step so that each epoch has every row once."""

from __future__ import annotations

import numpy as np


class Epochs:
    """An order of rows drawn for each epoch; the last batch of the last epoch takes rows of the next.

    Args:
        count: Number of rows.
        batch: Rows per step.
        epochs: Number of passes over all rows.
        seed: Seed of the orders.

    Example:
        >>> epochs = Epochs(count=3, batch=2, epochs=2, seed=0)
        >>> drawn = [row for step in range(epochs.steps) for row in epochs.rows(step)]
        >>> sorted(drawn[:3]), sorted(drawn[3:])
        ([0, 1, 2], [0, 1, 2])
    """

    def __init__(self, count: int, batch: int, epochs: int, seed: int) -> None:
        self._count, self._batch, self._seed = count, batch, seed
        self.steps = -(-epochs * count // batch)
        self._epoch, self._order = -1, np.zeros(0, dtype=np.int64)

    def rows(self, step: int) -> list[int]:
        """Return the indices of the rows of a step."""
        chosen = []
        for place in range(step * self._batch, (step + 1) * self._batch):
            epoch, row = divmod(place, self._count)
            if epoch != self._epoch:
                self._order = np.random.default_rng((self._seed, epoch)).permutation(self._count)
                self._epoch = epoch
            chosen.append(int(self._order[row]))
        return chosen
