"""Beam search under the grammar.

Of each sentence the ``K`` most probable beginnings are kept; of the finished ones that with the highest mean
log-probability a symbol is taken (a sum would favour graphs that stop early). Probabilities are those of the
training loss: roles among roles, nodes among nodes, copies and spelling.
"""

from __future__ import annotations

import torch
from torch import Tensor

from amrx.errors import OptionError
from parser.mini.decode import Decoded
from parser.mini.model import MiniNetwork
from parser.mini.source import Source
from parser.mini.step import NEVER, Rows, Stepper
from parser.mini.symbols import END, Alphabet


class BeamDecoder(Stepper):
    """The best of several readings.

    Args:
        network: The network, in evaluation mode.
        alphabet: Its symbols.
        beam: Readings kept, ``K``; 1 is greedy decoding.

    Raises:
        OptionError: ``beam`` is below 1.
    """

    def __init__(self, network: MiniNetwork, alphabet: Alphabet, beam: int) -> None:
        if beam < 1:
            raise OptionError(f"beam {beam}: at least 1")
        super().__init__(network, alphabet)
        self.beam = beam

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch; a reading beyond its sentence's limit (`Stepper.limits`) is cut there."""
        batch, width, device = len(sources), self.beam, self.device
        limits = self.limits(sources)
        limit, steps = torch.tensor(limits, device=device).repeat_interleave(width), max(limits)
        rows = self.start(features, vector, mask, sources)
        rows = rows.keep(torch.arange(batch, device=device).repeat_interleave(width))
        # all readings of a sentence begin alike: one is enough
        score = torch.full((batch, width), NEVER, device=device)
        score[:, 0] = 0.0
        said = torch.full((3, batch * width, steps), END, device=device)  # symbols, slots, looked
        said[1:] = 0
        length = torch.zeros(batch * width, device=device)
        cut = torch.zeros(batch * width, dtype=torch.bool, device=device)
        first = torch.arange(batch, device=device)[:, None] * width
        for step in range(steps):
            hidden = self.hidden(rows, step)
            gain, choice = self._continuations(hidden, rows)  # (B K, K)
            total = (score[..., None] + gain.view(batch, width, width)).flatten(1)
            score, place = total.topk(width)  # (B, K)
            parent = (first + place // width).flatten()
            rows, said, length, cut = rows.keep(parent), said[:, parent], length[parent], cut[parent]
            finished = rows.token == END
            length += ~finished
            self.follow(rows, choice.view(batch, -1).gather(1, place).flatten())
            said[0, :, step], said[1, :, step] = rows.token, rows.copied
            said[2, :, step] = torch.where(finished, 0, rows.looked)
            over = (rows.token != END) & (step + 1 >= limit)
            cut |= over
            rows.token = torch.where(over, END, rows.token)
            if bool((rows.token == END).all()):
                break
        mean = score / length.clamp_min(1).view(batch, width)
        best = (first[:, 0] + mean.argmax(1)).flatten()
        return Decoded(said[0, best], said[1, best], said[2, best], cut[best])

    def _continuations(self, hidden: Tensor, rows: Rows) -> tuple[Tensor, Tensor]:
        """Log-probabilities and choices ``(N, K)`` of the best ways on; a finished row has one, free."""
        low = self.low(hidden, rows)
        some = self.wanting(rows)
        if len(some):
            high = low.new_full((len(low), len(self.nodes[1]) + rows.memory.shape[1]), NEVER)
            high[some] = self.high(hidden, rows, some)
            low = torch.cat((low, high), 1)
        best, choice = torch.log_softmax(low, 1).topk(self.beam)
        finished = (rows.token == END)[:, None]
        only = torch.full_like(best[:1], NEVER).index_fill(1, torch.tensor([0], device=best.device), 0.0)
        # what the grammar forbids stays without hope, and without a choice that the states could not follow
        return torch.where(finished, only, best), torch.where(finished | (best == NEVER), END, choice)
