"""Encode many sentences with mUSE: batches of similar length, shared work once per distinct subword.

A sentence vector needs only the sum ``sum_t f_t`` of the token features. With ``x_t`` the 1280 numbers before
the last layer norm, ``μ_t`` and ``σ_t`` their mean and deviation, ``g`` and ``o`` its gain and offset, and
``n`` tokens::

    sum_t f_t = g (sum_t x_t / σ_t  -  sum_t μ_t / σ_t) + n o

so the norm costs two reductions and one weighted sum. Values that depend on a single token (its projection,
its embedding, their sums) are computed once per distinct subword. So are its contributions to the first
convolutions at each position of a window: these convolutions become sums of rows instead of products.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from amrx.device import length_buckets, pad_rows, progress
from amrx.muse.model import BRANCH, FEATURES, WIDTH, MuseModel
from amrx.muse.weights import ORDERS
from amrx.types import Vectors


def pad(ids: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> tuple[Tensor, Tensor]:
    """Return ids ``(B, T)`` int64, padded with 0, and mask ``(B, T)`` bool."""
    mask = pad_rows([[1] * len(row) for row in ids], 0).bool()
    return pad_rows(ids, 0).to(device), mask.to(device)


ROWS = 4096
# Orders whose first convolution is a sum of rows. In bfloat16 every row is rounded: with order 3 included,
# a sentence of STS17 has a cosine below 0.9999 to the package's vector.
SUMMED = (2, 5)


class Distinct:
    """Features of the distinct subwords of some sentences; the last row is zero, for padding."""

    def __init__(self, model: MuseModel, ids: Iterable[Iterable[int]], slots: Tensor) -> None:
        distinct = torch.tensor(sorted(set().union(*ids)), dtype=torch.int64, device=slots.device)
        slots[distinct] = torch.arange(len(distinct), device=slots.device)
        self.none = len(distinct)
        parts = [distinct[start : start + ROWS] for start in range(0, self.none, ROWS)]
        projected = F.pad(torch.cat([model.project(part) for part in parts]), (0, 0, 0, 1))  # (U+1, 768)
        self.projected = [part.contiguous() for part in projected.split(BRANCH, dim=-1)]
        self.shares = {
            order: torch.cat([model.shares(part, order) for part in table.split(ROWS)]).flatten(0, 1)
            for order, table in zip(ORDERS, self.projected, strict=True)
            if order in SUMMED
        }  # ((U+1) n, 256) each
        self.embedded = F.pad(torch.cat([model.embed(part) for part in parts]), (0, 0, 0, 1))  # (U+1, 512)
        self.sum, self.squares = self.embedded.sum(-1), self.embedded.square().sum(-1)


def feature_sums(model: MuseModel, distinct: Distinct, rows: Tensor, mask: Tensor) -> Tensor:
    """Return ``sum_t f_t`` float32 ``(B, 1280)``.

    ``rows`` ``(B, T)`` are rows of ``distinct``, its ``none`` where the mask is false.
    """
    mixed = _convolved(model, distinct, rows, mask)  # (B, T, 768)
    mean = (distinct.sum[rows] + mixed.sum(-1, dtype=torch.float32)) / FEATURES
    squares = torch.linalg.vector_norm(mixed, dim=-1, dtype=torch.float32).square_()
    variance = (distinct.squares[rows] + squares) / FEATURES - mean.square()
    weight = (variance + model.epsilon).rsqrt() * mask  # 1 / σ, (B, T)
    embedded = F.embedding_bag(rows, distinct.embedded, per_sample_weights=weight, mode="sum")
    convolved = (weight[:, None] @ mixed.float())[:, 0]
    total = torch.cat((embedded, convolved), -1) - (weight * mean).sum(1, keepdim=True)
    sums: Tensor = total * model.norm_gain + mask.sum(1, keepdim=True) * model.norm_offset
    return sums


def _convolved(model: MuseModel, distinct: Distinct, rows: Tensor, mask: Tensor) -> Tensor:
    """Return the three branches after both convolutions ``(B, T, 768)``."""
    batch, length = rows.shape
    table = distinct.projected[0]
    mixed: Tensor = table.new_empty((batch, length, len(ORDERS) * BRANCH))
    for branch, (order, table) in enumerate(zip(ORDERS, distinct.projected, strict=True)):
        left = (order - 1) // 2
        around = F.pad(rows, (left, order - 1 - left), value=distinct.none)
        window = around.unfold(1, order, 1)  # (B, T, order)
        if order in SUMMED:
            cells = window.flatten(0, 1) * order + torch.arange(order, device=rows.device)
            h = F.embedding_bag(cells, distinct.shares[order], mode="sum").relu_()
        else:
            h = model.convolve(F.embedding(window, table).flatten(2), order, 1)
        h = h.view(batch, length, BRANCH).add_(F.embedding(rows, table))
        inner = table.new_zeros((batch, length + order - 1, BRANCH))
        torch.mul(h, mask[..., None], out=inner[:, left : left + length])
        window = torch.cat([inner[:, i : i + length] for i in range(order)], -1)
        out = mixed[..., branch * BRANCH : (branch + 1) * BRANCH]
        torch.add(model.convolve(window, order, 2), inner[:, left : left + length], out=out)
    return mixed


BLOCK = 8192
"""Sentences whose distinct subwords are projected together; bounds the memory, 4 kB per subword."""


def sentence_vectors(
    model: MuseModel, ids: Sequence[Sequence[int]], *, batch_size: int = 64, show: bool = False
) -> Vectors:
    """Return unit vectors float32 ``(len(ids), 512)``, in order."""
    vectors = np.empty((len(ids), WIDTH), dtype=np.float32)
    done = 0
    with torch.inference_mode():
        for sums, lengths in summed_blocks(model, ids, batch_size=batch_size, show=show):
            # one product per block, so that the matrices are read once
            vectors[done : done + len(sums)] = model.from_sums(sums, lengths).cpu().numpy()
            done += len(sums)
    return vectors


def summed_blocks(
    model: MuseModel, ids: Sequence[Sequence[int]], *, batch_size: int = 64, show: bool = False
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield sums of token features ``(B, 1280)`` and lengths ``(B,)``, block by block, in order."""
    slots = torch.zeros(model.table.shape[0], dtype=torch.int64, device=model.table.device)
    starts = range(0, len(ids), BLOCK)
    for start in progress(
        starts, len(ids), "muse", show=show, size=lambda start: min(BLOCK, len(ids) - start)
    ):
        yield _block_sums(model, ids[start : start + BLOCK], slots, batch_size)


def _block_sums(
    model: MuseModel, ids: Sequence[Sequence[int]], slots: Tensor, batch_size: int
) -> tuple[Tensor, Tensor]:
    """Return sums ``(len(ids), 1280)`` and lengths of one block; ``slots`` is overwritten."""
    distinct = Distinct(model, ids, slots)
    lengths = [len(row) for row in ids]
    sums = torch.empty((len(ids), FEATURES), device=slots.device)
    for batch in length_buckets(lengths, batch_size):
        tokens, mask = pad([ids[index] for index in batch], slots.device)
        rows = torch.where(mask, slots[tokens], distinct.none)
        sums[batch] = feature_sums(model, distinct, rows, mask)
    return sums, torch.tensor(lengths, device=slots.device)
