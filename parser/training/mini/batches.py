"""Make batches of packed training data: weighted epochs, rows of similar length, tensors for the network."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from parser.mini.symbols import COPY, PAD, START

Array = npt.NDArray[np.generic]
SIZES = (14, 20, 28, 40, 60, 100, 256)
EIGHT = 8


@dataclass(frozen=True)
class Batch:
    """Tensors of one step; ``S`` pieces, ``T`` symbols."""

    ids: Tensor  # subword ids ``(B, S)``
    mask: Tensor  # pieces that exist ``(B, S)``
    starts: Tensor  # memory slots that can be copied from ``(B, 1+S)``
    # previous symbol, depth, parent, slot of a copied previous symbol, each ``(B, T)``
    inputs: tuple[Tensor, Tensor, Tensor, Tensor]
    target: Tensor  # symbols ``(B, T)``
    copies: Tensor  # slots that yield the symbol ``(B, T, 1+S)``


def _rounded(lengths: Array) -> npt.NDArray[np.int64]:
    """Return lengths rounded up to one of `SIZES`."""
    return np.array(SIZES)[np.searchsorted(SIZES, lengths)]


def _padded(
    flat: Array, offsets: Array, rows: Array, fill: int, round_up: bool = False
) -> npt.NDArray[np.int64]:
    """Return rows of a ragged array as ``(B, longest)``, padded with ``fill``."""
    begin, lengths = offsets[rows], (offsets[rows + 1] - offsets[rows]).astype(np.int64)
    longest = int(lengths.max(initial=1))
    column = np.arange(int(_rounded(np.array([longest]))[0]) if round_up else longest)
    inside = column < lengths[:, None]
    out = np.full(inside.shape, fill, dtype=np.int64)
    out[inside] = flat[(begin[:, None] + column)[inside]]
    return out


class Corpus:
    """Make batches of packed arrays (`parser.training.mini.pack_data`).

    A mixed batch may hold pairs of several sizes, so that no pair of a small corpus is left out.
    """

    def __init__(self, arrays: Mapping[str, Array], mixed: bool = False) -> None:
        self.arrays, self.mixed = arrays, mixed
        src, tgt = np.diff(arrays["src_offsets"]), np.diff(arrays["tgt_offsets"])
        self.src_length, self.tgt_length = src[arrays["pair_src"]], tgt[arrays["pair_tgt"]]

    def __len__(self) -> int:
        return len(self.src_length)

    def epoch(self, seed: int, epoch: int, budget: int) -> list[npt.NDArray[np.int64]]:
        """Return the batches of an epoch, as arrays of pair numbers.

        Lengths are rounded up to a few sizes and a batch holds pairs of one size, because a CPU compiles the
        products of each new shape.

        A pair of weight ``w`` is drawn ``floor(w)`` times and once more with probability ``w - floor(w)``;
        a batch holds at most ``budget`` padded source pieces plus symbols. Mixed batches are cut by the
        largest source and target of each.
        """
        rng = np.random.default_rng((seed, epoch))
        weight = self.arrays["pair_weight"].astype(np.float64)
        times = np.floor(weight + rng.random(len(weight))).astype(np.int64)
        rows = np.repeat(np.arange(len(weight)), times)
        src, tgt = _rounded(self.src_length[rows]), _rounded(self.tgt_length[rows])
        rows = rows[np.lexsort((rng.random(len(rows)), src, tgt))] if len(rows) else rows
        src, tgt = _rounded(self.src_length[rows]), _rounded(self.tgt_length[rows])
        batches, start = [], 0
        while self.mixed and start < len(rows):
            sizes = np.maximum.accumulate(src[start:]) + np.maximum.accumulate(tgt[start:])
            count = max(1, int((sizes * np.arange(1, len(sizes) + 1) <= budget).sum()))
            batches.append(rows[start : start + count])
            start += count
        while not self.mixed and start < len(rows):
            count = max(EIGHT, int(budget // (src[start] + tgt[start])) // EIGHT * EIGHT)
            alike = (src[start : start + count] == src[start]) & (tgt[start : start + count] == tgt[start])
            count = int(alike.argmin()) or len(alike)
            # a remainder of less than eight pairs is left out of this epoch
            if count >= EIGHT:
                batches.append(rows[start : start + count // EIGHT * EIGHT])
            start += count
        return [batches[i] for i in rng.permutation(len(batches))]

    def steps(self, seed: int, budget: int, skip: int = 0) -> Iterator[npt.NDArray[np.int64]]:
        """Yield batches without end, except the first ``skip`` (to resume)."""
        batches = (batch for epoch in count() for batch in self.epoch(seed, epoch, budget))
        return islice(batches, skip, None)

    def batch(self, pairs: npt.NDArray[np.int64]) -> Batch:
        """Return the tensors of the pairs, on the CPU."""
        a = self.arrays
        src, tgt = a["pair_src"][pairs].astype(np.int64), a["pair_tgt"][pairs].astype(np.int64)
        ids = _padded(a["src_flat"], a["src_offsets"], src, 0, round_up=True)
        mask = np.arange(ids.shape[1]) < np.diff(a["src_offsets"])[src][:, None]
        words = _padded(a["start_flat"], a["start_offsets"], src, -1) + 1  # memory slots, 0 for none
        starts = np.zeros((len(pairs), ids.shape[1] + 1), dtype=bool)
        np.put_along_axis(starts, words, True, 1)
        starts[:, 0] = False
        target, depth, parent = (
            _padded(a[f"tgt_{n}"], a["tgt_offsets"], tgt, PAD, True) for n in ("ids", "depth", "parent")
        )
        copies, slot = self._copies(pairs, words, (*target.shape, ids.shape[1] + 1))
        previous = np.concatenate((np.full((len(pairs), 1), START), target[:, :-1]), 1)
        # the slot is an input only after symbols that copying alone can produce
        slot = np.concatenate((np.zeros((len(pairs), 1), np.int64), slot[:, :-1]), 1) * (previous == COPY)
        ids_, mask_, starts_, target_, copies_ = map(torch.from_numpy, (ids, mask, starts, target, copies))
        p, d, o, s = map(torch.from_numpy, (previous, depth, parent, slot))
        return Batch(ids_, mask_, starts_, (p, d, o, s), target_, copies_)

    def _copies(
        self, pairs: npt.NDArray[np.int64], words: npt.NDArray[np.int64], shape: tuple[int, int, int]
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        offsets = self.arrays["copy_offsets"]
        coded = _padded(self.arrays["copy_flat"], offsets, pairs, -1)
        row, column = np.nonzero(coded >= 0)
        step, word = np.divmod(coded[row, column], 256)
        copies = np.zeros(shape, dtype=bool)
        copies[row, step, words[row, word]] = True
        return copies, copies.argmax(-1)


def to_device(batch: Batch, device: torch.device) -> Batch:
    """Move a batch to a device."""
    ids, mask, starts = (x.to(device, non_blocking=True) for x in (batch.ids, batch.mask, batch.starts))
    previous, depth, parent, slot = (x.to(device, non_blocking=True) for x in batch.inputs)
    target, copies = batch.target.to(device, non_blocking=True), batch.copies.to(device, non_blocking=True)
    return Batch(ids, mask, starts, (previous, depth, parent, slot), target, copies)
