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


class Moves(NamedTuple):
    """How the readings that are still open go on, ``(N,)`` each."""

    parents: Tensor  # numbers of the readings that go on, among those before
    choices: Tensor  # their choices
    place: Tensor  # their places


class Decoder(Stepper):
    """The best of several readings of every sentence, and draws."""

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
        # all beginnings of a search are alike: one is enough
        place = rows.place
        rows.go_on((place % width == 0) | (place % width >= self.beam))
        output = torch.full((batch, width, 3, steps), END, device=device)
        output[:, :, 1:] = 0
        cut = torch.zeros((batch, width), dtype=torch.bool, device=device)
        for step in range(steps):
            moves = self._moves(self.hidden(rows, step), rows, step, beams, output, cut)
            rows.move(moves.parents, moves.place)
            self.follow(rows, moves.choices)
            at, reading = rows.rows[rows.sentence()], rows.place % width
            output[at, reading, :, step] = torch.stack((rows.token, rows.copied, rows.looked), -1)
            going = rows.token != END
            over = going & (step + 1 >= limit[at])
            cut[at[over], reading[over]] = True
            rows.go_on(going & ~over)
            if not len(rows.place):
                break
        chosen = torch.cat(
            (beams.best()[:, None], torch.arange(self.beam, width, device=device).expand(batch, -1)), 1
        )
        every = torch.arange(batch, device=device)[:, None]
        ids, slots, looked = output[every, chosen].flatten(0, 1).unbind(1)
        return Decoded(ids, slots, looked, cut[every, chosen].flatten())

    def _moves(
        self, hidden: Tensor, rows: Rows, step: int, beams: Beams, output: Tensor, cut: Tensor
    ) -> Moves:
        """Choose how every open reading goes on; what is known of the beginnings follows them."""
        reading = rows.place % rows.readings
        searched = reading < self.beam
        choices = torch.empty_like(rows.place)
        gains = torch.full((len(reading), self.beam), NEVER, device=self.device)
        ways = torch.full_like(gains, END, dtype=torch.long)
        for of, scores in self.scores(hidden, rows):
            mine, draws = searched[of].nonzero()[:, 0], (~searched[of]).nonzero()[:, 0]
            if len(draws):
                choices[of[draws]] = draw(scores[draws], self.points[step, reading[of[draws]] - self.beam])
            if len(mine):
                gains[of[mine]], ways[of[mine]] = scores[mine].log_softmax(-1).topk(self.beam)
        drawn = (~searched).nonzero()[:, 0]
        found = self._search(rows, searched.nonzero()[:, 0], gains, ways, beams, output, cut)
        others = Moves(drawn, choices[drawn], rows.place[drawn])
        return Moves(*(torch.cat(pair) for pair in zip(found, others, strict=True)))

    def _search(
        self,
        rows: Rows,
        searched: Tensor,
        gains: Tensor,
        ways: Tensor,
        beams: Beams,
        output: Tensor,
        cut: Tensor,
    ) -> Moves:
        """Keep the best continuations of each sentence's beginnings, and the finished ones among them."""
        if not len(searched):
            return Moves(searched, searched, searched)
        at, beam = rows.rows, self.beam
        sentence, reading = rows.sentence(searched), rows.place[searched] % rows.readings
        open_ = torch.full((len(at), beam), -1, device=self.device)
        open_[sentence, reading] = searched
        gain = torch.full((len(at), beam, beam), NEVER, device=self.device)
        gain[..., 0] = 0.0  # a finished one stays as it is
        way = torch.full_like(gain, END, dtype=torch.long)
        gain[sentence, reading], way[sentence, reading] = gains[searched], ways[searched]
        best, index = (beams.score[at][..., None] + gain).flatten(1).topk(beam)
        parent = index // beam
        parents = open_.gather(1, parent)
        # what the grammar forbids is not gone on with
        lives = (parents >= 0) & (best > NEVER)
        beams.score[at] = best
        beams.length[at] = beams.length[at].gather(1, parent) + lives
        output[at, :beam] = output[at[:, None], parent]
        cut[at, :beam] = cut[at].gather(1, parent)
        sentence, reading = lives.nonzero().unbind(1)
        chosen = way.flatten(1).gather(1, index)
        place = sentence * rows.readings + reading
        return Moves(parents[sentence, reading], chosen[sentence, reading], place)


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
