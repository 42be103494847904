"""Beam search under the grammar.

Of each sentence the ``K`` most probable beginnings are kept; of the finished ones that with the highest mean
log-probability a symbol is taken (a sum would favour graphs that stop early). Probabilities are those of the
training loss: roles among roles, nodes among nodes, copies and spelling.
"""

from __future__ import annotations

import torch
from torch import Tensor

from amrx.errors import OptionError
from parser.mini.decode import Decoded, blank, close
from parser.mini.decoder_step import NEVER, Rows, Stepper, fill
from parser.mini.model import MiniNetwork
from parser.mini.symbols import END, Alphabet
from parser.mini.words import Source


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
            raise OptionError(f"beam must be at least 1, got {beam}")
        super().__init__(network, alphabet)
        self.beam = beam

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch; a reading beyond its sentence's limit (`Stepper.limits`) is cut there."""
        batch, width, device = len(sources), self.beam, self.device
        limits = self.limits(sources)
        limit, steps = torch.tensor(limits, device=device)[:, None], max(limits)
        rows = self.start(features, vector, mask, sources, width)
        # all readings of a sentence begin alike: one is enough
        score = torch.full((batch, width), NEVER, device=device)
        score[:, 0] = 0.0
        output, cut = blank(batch, width, steps, device)
        length = torch.zeros((batch, width), dtype=torch.long, device=device)
        for step in range(steps):
            at = rows.rows
            first = torch.arange(len(at), device=device)[:, None] * width
            gain, choice = self._continuations(self.hidden(rows, step), rows)  # (B K, K)
            total = score[at][..., None] + gain.view(len(at), width, width)
            best, flat_index = total.flatten(1).topk(width)  # (B, K)
            parent = flat_index // width
            rows.branch((first + parent).flatten())
            finished = (rows.token == END).view(-1, width)
            self.follow(rows, choice.view(len(at), -1).gather(1, flat_index).flatten())
            over = (rows.token != END).view(-1, width) & (step + 1 >= limit[at])
            new = torch.stack((rows.token, rows.copied, torch.where(finished.flatten(), 0, rows.looked)), -1)
            # repeated rows (see `fill`) write the same values twice
            score[at] = best
            output[at] = output[at[:, None], parent]
            output[at, :, :, step] = new.view(len(at), width, 3)
            length[at] = length[at].gather(1, parent) + ~finished
            cut[at] = cut[at].gather(1, parent) | over
            going = close(rows, over)
            if going is None:
                break
            rows = going
        mean = score / length.clamp_min(1)
        chosen = torch.arange(batch, device=device), mean.argmax(1)
        ids, slots, looked = output[chosen].unbind(1)
        return Decoded(ids, slots, looked, cut[chosen])

    def _continuations(self, hidden: Tensor, rows: Rows) -> tuple[Tensor, Tensor]:
        """Return log-probabilities and choices ``(N, K)`` of the best continuations."""
        low, some = self.low(hidden, rows), self.wanting(rows)
        best, choice = low.topk(self.beam)
        total = low.logsumexp(1)
        if len(some):
            # roles and nodes are scored apart: the best of both are merged, over one sum of probabilities
            some = fill(some, len(low))
            high = self.high(hidden, rows, some)
            best_high, choice_high = high.topk(self.beam)
            scores = torch.cat((best[some], best_high), 1)
            choices = torch.cat((choice[some], choice_high + self.tables.first_node), 1)
            best[some], index = scores.topk(self.beam)
            choice[some] = choices.gather(1, index)
            total[some] = torch.logaddexp(total[some], high.logsumexp(1))
        best = best - total[:, None]
        finished = (rows.token == END)[:, None]
        only = torch.full_like(best[:1], NEVER).index_fill(1, torch.tensor([0], device=best.device), 0.0)
        # what the grammar forbids stays without hope, and without a choice that the states could not follow
        return torch.where(finished, only, best), torch.where(finished | (best == NEVER), END, choice)
