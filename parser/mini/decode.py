"""Greedy decoding of a batch under the grammar."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from parser.mini.decoder_step import Rows, Stepper, fill, size
from parser.mini.symbols import END
from parser.mini.words import Source


class Decoded(NamedTuple):
    """Decoded symbols, step by step, ``(B, T)`` each.

    Attributes:
        ids: Symbols, `END` after the end.
        slots: Memory slot that a symbol was copied from, 0 for none.
        looked: Memory slot whose meaning weighed most, 0 for none.
        cut: Which rows were cut ``(B,)``.
    """

    ids: Tensor
    slots: Tensor
    looked: Tensor
    cut: Tensor


def blank(batch: int, readings: int, steps: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return empty output ``(B, K, 3, T)`` (symbols, slots, looked) and no cuts ``(B, K)``."""
    output = torch.full((batch, readings, 3, steps), END, device=device)
    output[:, :, 1:] = 0
    return output, torch.zeros((batch, readings), dtype=torch.bool, device=device)


def close(rows: Rows, over: Tensor) -> Rows | None:
    """End the readings that are ``over (B, K)``; return the sentences that go on, ``None`` when none does."""
    rows.token = rows.token.masked_fill(over.flatten(), END)
    alive = (rows.token != END).view_as(over).any(1).nonzero()[:, 0]
    if not len(alive):
        return None
    return rows.keep(fill(alive, len(over))) if size(len(alive)) < len(over) else rows


class Decoder(Stepper):
    """The best symbol at each step, a batch at a time."""

    def __call__(self, features: Tensor, vector: Tensor, mask: Tensor, sources: list[Source]) -> Decoded:
        """Decode a batch; a row beyond its limit (`Stepper.limits`) is cut there."""
        limits = self.limits(sources)
        limit, steps = torch.tensor(limits, device=self.device), max(limits)
        rows = self.start(features, vector, mask, sources)
        batch = len(sources)
        ids = torch.full((batch, steps), END, device=self.device)
        slots = torch.zeros((batch, steps), dtype=torch.long, device=self.device)
        looked = torch.zeros_like(slots)
        cut = torch.zeros(batch, dtype=torch.bool, device=self.device)
        for step in range(steps):
            hidden = self.hidden(rows, step)
            self.follow(rows, self._choose(hidden, rows))
            # repeated rows (see `fill`) write the same values twice
            ids[rows.rows, step], slots[rows.rows, step] = rows.token, rows.copied
            looked[rows.rows, step] = rows.looked
            over = (rows.token != END) & (step + 1 >= limit[rows.rows])
            cut[rows.rows[over]] = True
            alive = ((rows.token != END) & (step + 1 < limit[rows.rows])).nonzero()[:, 0]
            if not len(alive):
                break
            rows.token = torch.where(step + 1 < limit[rows.rows], rows.token, END)
            if size(len(alive)) < len(rows.token):
                rows = rows.keep(fill(alive, len(rows.token)))
        return Decoded(ids, slots, looked, cut)

    def _choose(self, hidden: Tensor, rows: Rows) -> Tensor:
        """Best allowed choice of every row; roles and nodes are scored apart, each over its own symbols."""
        best, choice = self.low(hidden, rows).max(-1)
        some = self.wanting(rows)
        if len(some):
            some = fill(some, len(hidden))
            best_high, choice_high = self.high(hidden, rows, some).max(-1)
            better = best_high > best[some]
            choice = choice.scatter(
                0, some, torch.where(better, choice_high + self.tables.first_node, choice[some])
            )
        return choice
