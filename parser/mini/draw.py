"""Draw symbols from the parser's own distribution.

At each step the symbol of a reading is drawn, under the grammar, from the probabilities of the training loss
(with what `parser.mini.recurrence` adds)::

    symbol = first whose cumulative probability exceeds u        u in [0, 1), a fixed table

``u`` depends on the step and on the number of the draw alone. So a sentence has the same draws whatever
stands beside it, and sentences of like distributions have like draws (common random numbers). At each step
the ``K`` numbers fall one into each ``K``-th of [0, 1), in random order (stratified): the draws represent
the distribution better than ``K`` that know nothing of each other, and each is still a draw from it.
"""

from __future__ import annotations

from random import Random

import torch
from torch import Tensor

from parser.mini.model import MOST_STEPS

SEED = 0
# below 1 by more than float32 rounds a cumulative probability
LARGEST = 1 - 2.0**-20


def draw(scores: Tensor, point: Tensor) -> Tensor:
    """Return the first choice whose cumulative probability exceeds ``point``.

    Args:
        scores: Logarithms of probabilities, up to a constant; -inf for what is never drawn ``(N, V)``.
        point: Numbers from [0, 1) ``(N,)``.

    Example:
        >>> draw(torch.tensor([[0.0, float("-inf"), 0.0]]).repeat(3, 1), torch.tensor([0.4, 0.5, 0.9]))
        tensor([0, 2, 2])
    """
    total = scores.softmax(-1).cumsum(-1)
    return torch.searchsorted(total, (point * total[:, -1])[:, None], right=True)[:, 0]


def points(samples: int) -> Tensor:
    """Return the table of ``u`` ``(MOST_STEPS, K)``: each row has one number in each ``K``-th of [0, 1)."""
    random = Random(SEED)
    table = []
    for _ in range(MOST_STEPS):
        order = sorted(range(samples), key=[random.random() for _ in range(samples)].__getitem__)
        table.append([min((part + random.random()) / samples, LARGEST) for part in order])
    return torch.tensor(table).view(MOST_STEPS, samples)
