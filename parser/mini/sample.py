"""Several graphs of a sentence, drawn from the parser's own distribution.

At each step the symbol of a reading is drawn, under the grammar, from the probabilities of the training loss
(with what `parser.mini.recurrence` adds)::

    symbol = first whose cumulative probability exceeds u        u in [0, 1), a fixed table

``u`` depends on the step and on the number of the reading alone. So a sentence has the same readings whatever
stands beside it, and sentences of like distributions have like readings (common random numbers). At each step
the ``K`` numbers fall one into each ``K``-th of [0, 1), in random order (stratified): the readings represent
the distribution better than ``K`` draws that know nothing of each other, and each is still a draw from it.
"""

from __future__ import annotations

from random import Random

import torch
from torch import Tensor

from amrx.errors import OptionError
from parser.mini.decode import Decoded, blank, close
from parser.mini.decoder_step import Rows, Stepper, fill
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.symbols import END, Alphabet
from parser.mini.words import Source

SEED = 0
# below 1 by more than float32 rounds a cumulative probability
LARGEST = 1 - 2.0**-20


class SampleDecoder(Stepper):
    """Draws of every sentence's graph.

    Args:
        network: The network, in evaluation mode.
        alphabet: Its symbols.
        samples: Readings of a sentence, ``K``.

    Raises:
        OptionError: ``samples`` is below 1.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet, samples: int) -> None:
        if samples < 1:
            raise OptionError(f"samples must be at least 1, got {samples}")
        super().__init__(network, alphabet)
        self.samples = samples
        self.points = points(samples).to(self.device)

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Draw the readings of a batch: ``(B K, T)``, those of a sentence behind one another.

        A reading beyond its sentence's limit (`Stepper.limits`) is cut there.
        """
        batch, width, device = len(sources), self.samples, self.device
        limits = self.limits(sources)
        limit, steps = torch.tensor(limits, device=device)[:, None], max(limits)
        rows = self.start(features, vector, mask, sources, width)
        output, cut = blank(batch, width, steps, device)
        for step in range(steps):
            at = rows.rows
            self.follow(rows, self._draw(self.hidden(rows, step), rows, self.points[step].repeat(len(at))))
            # repeated rows (see `fill`) write the same values twice
            new = torch.stack((rows.token, rows.copied, rows.looked), -1)
            output[at, :, :, step] = new.view(len(at), width, 3)
            over = (rows.token != END).view(-1, width) & (step + 1 >= limit[at])
            cut[at] = cut[at] | over
            going = close(rows, over)
            if going is None:
                break
            rows = going
        ids, slots, looked = output.flatten(0, 1).unbind(1)
        return Decoded(ids, slots, looked, cut.flatten())

    def _draw(self, hidden: Tensor, rows: Rows, point: Tensor) -> Tensor:
        """Draw one allowed choice per reading; where a node may follow, roles and nodes share one sum."""
        low, some = self.low(hidden, rows), self.wanting(rows)
        choice = draw(low, point)
        if len(some):
            some = fill(some, len(low))
            scores = torch.cat((low[some], self.high(hidden, rows, some)), 1)
            drawn = draw(scores, point[some])
            # choices of nodes begin where those of `low` end
            choice = choice.scatter(0, some, drawn)
        return choice


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
    return torch.tensor(table)
