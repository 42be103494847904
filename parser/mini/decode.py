"""Decode a batch under the grammar by beam search, and draw samples in the same pass.

The ``K`` most probable prefixes of each sentence are kept (``K`` = 1 is greedy decoding). Of the finished
graphs, the one with the highest mean log-probability per symbol is returned (a sum would favour short
graphs). Probabilities are normalised as in the training loss: roles among roles; nodes among nodes, copies
and spelling.
"""

from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from amrx.errors import check_least
from parser.mini.decoder_step import Rows, Stepper
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.symbols import END, Alphabet
from parser.mini.translations import NEVER
from parser.mini.words import Source


class Decoded(NamedTuple):
    """Decoded symbols, ``(B R, T)`` each; the ``R`` readings of a sentence are consecutive rows."""

    ids: Tensor  # symbol ids, `END` after the end
    slots: Tensor  # memory slot that a symbol was copied from, 0 for none
    looked: Tensor  # memory slot with the highest attention, 0 for none
    cut: Tensor  # whether the reading was cut ``(B R,)``


class Beams:
    """Scores of the prefixes that the search keeps, ``(B, K)`` each.

    Attributes:
        score: Log-probabilities.
        length: Number of symbols.
    """

    def __init__(self, batch: int, width: int, device: torch.device) -> None:
        self.score = torch.full((batch, width), NEVER, device=device)
        self.score[:, 0] = 0.0
        self.length = torch.zeros((batch, width), dtype=torch.long, device=device)

    def best(self) -> Tensor:
        """Return the index of each sentence's best reading ``(B,)``."""
        return (self.score / self.length.clamp_min(1)).argmax(1)


class Decoder(Stepper):
    """Find the best reading of each sentence, and draw samples.

    Readings with a common prefix share a row (`Rows`), whose scores are computed once; each reading makes its
    own choice from them.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet, beam: int = 1, samples: int = 0) -> None:
        check_least("beam", beam)
        check_least("samples", samples, 0)
        super().__init__(network, alphabet)
        self.beam, self.samples = beam, samples
        self.points = points(samples).to(self.device)

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch: for each sentence the best reading, then the samples.

        Readings are cut at the limit of their sentence (`Stepper.limits`).
        """
        batch, width, device = len(sources), self.beam + self.samples, self.device
        limits = self.limits(sources)
        limit, steps = torch.tensor(limits, device=device), max(limits)
        rows, beams = self.start(features, vector, mask, sources, width), Beams(batch, self.beam, device)
        rows.go_on(rows.place % width == 0)
        # the row of each reading, -1 for one that has ended
        row = torch.arange(batch, device=device)[:, None].repeat(1, width)
        output = torch.full((batch, width, 3, steps), END, device=device)
        output[:, :, 1:] = 0
        cut = torch.zeros((batch, width), dtype=torch.bool, device=device)
        choices = len(self.alphabet) + rows.words.plain.shape[1]
        for step in range(steps):
            parents, chosen = self._moves(self.hidden(rows, step), rows, step, row, beams, output, cut)
            at, reading = (parents >= 0).nonzero().unbind(1)
            ways, inverse = (parents[at, reading] * choices + chosen[at, reading]).unique(return_inverse=True)
            rows.branch(ways // choices)
            self.follow(rows, ways % choices)
            output[at, reading, :, step] = torch.stack((rows.token, rows.copied, rows.looked), -1)[inverse]
            going = rows.token != END
            over = going & (step + 1 >= limit[rows.rows[rows.sentence()]])
            cut[at, reading] = over[inverse]
            going &= ~over
            row = torch.full_like(row, -1)
            row[at, reading] = torch.where(going, going.cumsum(0) - 1, -1)[inverse]
            rows.go_on(going)
            if not len(rows.place):
                break
        best = (torch.arange(batch, device=device), beams.best())
        output[:, self.beam - 1], cut[:, self.beam - 1] = output[best], cut[best]
        ids, slots, looked = output[:, self.beam - 1 :].flatten(0, 1).unbind(1)
        return Decoded(ids, slots, looked, cut[:, self.beam - 1 :].flatten())

    def _moves(
        self, hidden: Tensor, rows: Rows, step: int, row: Tensor, beams: Beams, output: Tensor, cut: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return each reading's next row, -1 for none, and its choice, ``(B, beam + samples)`` each.

        ``beams`` and the search's part of ``output`` and ``cut`` are reordered to match.
        """
        searching, drawing = row[:, : self.beam], row[:, self.beam :]
        searched, drawn = (_marked(some, len(hidden)) for some in (searching, drawing))
        draws = row.new_zeros((len(hidden), self.samples))
        gains = torch.full((len(hidden), self.beam), NEVER, device=self.device)
        ways = torch.full_like(gains, END, dtype=torch.long)
        for numbers, scores in self.scores(hidden, rows):
            (some,) = drawn[numbers].nonzero(as_tuple=True)
            if len(some):
                draws[numbers[some]] = draw(scores[some] / TEMPERATURE, self.points[step])
            (some,) = searched[numbers].nonzero(as_tuple=True)
            if len(some):
                gains[numbers[some]], ways[numbers[some]] = scores[some].log_softmax(-1).topk(self.beam)
        parents, chosen = self._search(searching, gains, ways, beams, output, cut)
        reading = torch.arange(self.samples, device=self.device)
        return torch.cat((parents, drawing), 1), torch.cat((chosen, draws[drawing, reading]), 1)

    def _search(
        self, row: Tensor, gains: Tensor, ways: Tensor, beams: Beams, output: Tensor, cut: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Keep the best of each sentence's continued prefixes and finished graphs; return as `_moves`."""
        beam, open_ = self.beam, row >= 0
        gain = torch.full((*row.shape, beam), NEVER, device=self.device)
        gain[..., 0] = 0.0  # a finished graph keeps its score
        way = torch.full_like(gain, END, dtype=torch.long)
        gain[open_], way[open_] = gains[row[open_]], ways[row[open_]]
        best, index = (beams.score[..., None] + gain).flatten(1).topk(beam)
        before = index // beam
        parents = row.gather(1, before)
        # prefixes that the grammar forbids are not continued
        lives = (parents >= 0) & (best > NEVER)
        beams.score, beams.length = best, beams.length.gather(1, before) + lives
        every = torch.arange(len(row), device=self.device)[:, None]
        output[:, :beam], cut[:, :beam] = output[every, before], cut[every, before]
        return torch.where(lives, parents, -1), way.flatten(1).gather(1, index)


def _marked(rows: Tensor, many: int) -> Tensor:
    """Return which of ``many`` rows a reading continues; ``rows`` has -1 for none."""
    marks = torch.zeros(many + 1, dtype=torch.bool, device=rows.device)
    marks[rows] = True  # -1 marks the last, which is cut off
    return marks[:many]


TEMPERATURE = 1.2
"""Divides the scores of samples (Ackley, Hinton and Sejnowski 1985): above 1, samples differ more often."""
SEED = 0
# largest random number: below 1 by more than the rounding error of a float32 cumulative probability
LARGEST = 1 - 2.0**-20


def draw(scores: Tensor, points: Tensor) -> Tensor:
    """Return for each point the first choice whose cumulative probability exceeds it ``(N, K)``.

    Args:
        scores: Log-probabilities up to a constant, -inf for forbidden choices ``(N, V)``.
        points: Numbers in [0, 1), the same for all rows ``(K,)``.

    Example:
        >>> draw(torch.tensor([[0.0, float("-inf"), 0.0]]), torch.tensor([0.4, 0.5, 0.9]))
        tensor([[0, 2, 2]])
    """
    total = scores.softmax(-1).cumsum(-1)
    return torch.searchsorted(total, points * total[:, -1:], right=True)


def points(samples: int) -> Tensor:
    """Return random numbers ``(MOST_STEPS, K)``; each row has one number in each ``K``-th of [0, 1)."""
    random = Random(SEED)
    table = []
    for _ in range(MOST_STEPS):
        order = sorted(range(samples), key=[random.random() for _ in range(samples)].__getitem__)
        table.append([min((part + random.random()) / samples, LARGEST) for part in order])
    return torch.tensor(table).view(MOST_STEPS, samples)
