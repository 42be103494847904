"""Decode a batch under the grammar: a search with beams, and graphs drawn beside it.

Of each sentence the ``K`` most probable beginnings are kept (one is greedy decoding); of the finished ones
that with the highest mean log-probability a symbol is taken (a sum would favour graphs that stop early).
Probabilities are those of the training loss: roles among roles, nodes among nodes, copies and spelling. What
is drawn takes its steps in the same products.
"""

from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from amrx.errors import OptionError
from parser.mini.decoder_step import NEVER, Rows, Stepper
from parser.mini.model import MOST_STEPS, MiniNetwork
from parser.mini.symbols import END, Alphabet
from parser.mini.words import Source


class Decoded(NamedTuple):
    """Decoded symbols, step by step, ``(B R, T)`` each: the readings of a sentence behind one another."""

    ids: Tensor  # symbols, `END` after the end
    slots: Tensor  # memory slot that a symbol was copied from, 0 for none
    looked: Tensor  # memory slot whose meaning weighed most, 0 for none
    cut: Tensor  # which readings were cut ``(B R,)``


class Beams:
    """Score the beginnings that a search keeps, ``(B, K)`` each.

    Attributes:
        score: Log-probabilities.
        length: Symbols.
    """

    def __init__(self, batch: int, width: int, device: torch.device) -> None:
        self.score = torch.full((batch, width), NEVER, device=device)
        self.score[:, 0] = 0.0
        self.length = torch.zeros((batch, width), dtype=torch.long, device=device)

    def best(self) -> Tensor:
        """Return the best reading of each sentence ``(B,)``."""
        return (self.score / self.length.clamp_min(1)).argmax(1)


class Decoder(Stepper):
    """The best of several readings of every sentence, and draws.

    Readings with the same first symbols share a row (`Rows`), whose scores are computed once; each reading
    takes its own choice from them.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet, beam: int = 1, samples: int = 0) -> None:
        if beam < 1:
            raise OptionError(f"beam must be at least 1, got {beam}")
        if samples < 0:
            raise OptionError(f"samples must be at least 0, got {samples}")
        super().__init__(network, alphabet)
        self.beam, self.samples = beam, samples
        self.points = points(samples).to(self.device)

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch: of each sentence the best reading, then the draws.

        A reading beyond its sentence's limit (`Stepper.limits`) is cut there.
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
            ways, of = (parents[at, reading] * choices + chosen[at, reading]).unique(return_inverse=True)
            rows.branch(ways // choices)
            self.follow(rows, ways % choices)
            output[at, reading, :, step] = torch.stack((rows.token, rows.copied, rows.looked), -1)[of]
            going = rows.token != END
            over = going & (step + 1 >= limit[rows.rows[rows.sentence()]])
            cut[at, reading] = over[of]
            going &= ~over
            row = torch.full_like(row, -1)
            row[at, reading] = torch.where(going, going.cumsum(0) - 1, -1)[of]
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
        """Return the row that every reading goes on from, -1 for none, and its choice, ``(B, K)`` each.

        What is known of the beginnings of a search follows them.
        """
        searching, drawing = row[:, : self.beam], row[:, self.beam :]
        searched, drawn = (_marked(some, len(hidden)) for some in (searching, drawing))
        draws = row.new_zeros((len(hidden), self.samples))
        gains = torch.full((len(hidden), self.beam), NEVER, device=self.device)
        ways = torch.full_like(gains, END, dtype=torch.long)
        for of, scores in self.scores(hidden, rows):
            (some,) = drawn[of].nonzero(as_tuple=True)
            if len(some):
                draws[of[some]] = draw(scores[some], self.points[step])
            (some,) = searched[of].nonzero(as_tuple=True)
            if len(some):
                gains[of[some]], ways[of[some]] = scores[some].log_softmax(-1).topk(self.beam)
        parents, found = self._search(searching, gains, ways, beams, output, cut)
        reading = torch.arange(self.samples, device=self.device)
        return torch.cat((parents, drawing), 1), torch.cat((found, draws[drawing, reading]), 1)

    def _search(
        self, row: Tensor, gains: Tensor, ways: Tensor, beams: Beams, output: Tensor, cut: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Keep the best continuations of each sentence's beginnings, and the finished ones among them."""
        beam, open_ = self.beam, row >= 0
        gain = torch.full((*row.shape, beam), NEVER, device=self.device)
        gain[..., 0] = 0.0  # a finished one stays as it is
        way = torch.full_like(gain, END, dtype=torch.long)
        gain[open_], way[open_] = gains[row[open_]], ways[row[open_]]
        best, index = (beams.score[..., None] + gain).flatten(1).topk(beam)
        before = index // beam
        parents = row.gather(1, before)
        # what the grammar forbids is not gone on with
        lives = (parents >= 0) & (best > NEVER)
        beams.score, beams.length = best, beams.length.gather(1, before) + lives
        every = torch.arange(len(row), device=self.device)[:, None]
        output[:, :beam], cut[:, :beam] = output[every, before], cut[every, before]
        return torch.where(lives, parents, -1), way.flatten(1).gather(1, index)


def _marked(rows: Tensor, many: int) -> Tensor:
    """Return which of ``many`` rows some reading is at; -1 is none."""
    marks = torch.zeros(many + 1, dtype=torch.bool, device=rows.device)
    marks[rows] = True  # -1 is the last
    return marks[:many]


SEED = 0
# below 1 by more than float32 rounds a cumulative probability
LARGEST = 1 - 2.0**-20


def draw(scores: Tensor, points: Tensor) -> Tensor:
    """Return for each point the first choice whose cumulative probability exceeds it ``(N, K)``.

    Args:
        scores: Logarithms of probabilities, up to a constant; -inf for what is never drawn ``(N, V)``.
        points: Numbers from [0, 1), the same for all rows ``(K,)``.

    Example:
        >>> draw(torch.tensor([[0.0, float("-inf"), 0.0]]), torch.tensor([0.4, 0.5, 0.9]))
        tensor([[0, 2, 2]])
    """
    total = scores.softmax(-1).cumsum(-1)
    return torch.searchsorted(total, points * total[:, -1:], right=True)


def points(samples: int) -> Tensor:
    """Return the table of ``u`` ``(MOST_STEPS, K)``: each row has one number in each ``K``-th of [0, 1)."""
    random = Random(SEED)
    table = []
    for _ in range(MOST_STEPS):
        order = sorted(range(samples), key=[random.random() for _ in range(samples)].__getitem__)
        table.append([min((part + random.random()) / samples, LARGEST) for part in order])
    return torch.tensor(table).view(MOST_STEPS, samples)
