"""Define the student's network: a few layers on the sum of multilingual USE's token features.

::

    p = sum_t f_t / sqrt(T) (B, 1280), sentence s (B, 512), bag of subwords b (B, bag)
      -> gelu(W (LN(p) ⊕ sqrt(512) s) + B b)           x (B, width)
      -> x + V gelu(U LN(x)), once per layer           x
      -> O LN(x) + S s                                 (B, d)

``p`` and ``s`` are computed by the base ``muse`` anyway, and those of a whole corpus fit on a disk. ``b`` is
a `SubwordBag`, if the shape has one. ``S s`` is a shortcut: multilingual USE's own sentence vector bypasses
the layers.

A bag of subwords has a vector per subword, computed from its embedding only.

In the sum of multilingual USE's token features the words of a sentence are hard to separate. The layer of the
bag is applied before the sum: it weights words and separates similar embeddings. It runs once per distinct
subword, so it costs little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.muse.encode import summed_blocks
from amrx.muse.model import FEATURES, WIDTH, MuseModel
from retrofit.student.shape import Shape


def cut(rows: Sequence[list[int]], most: int) -> list[list[int]]:
    """Cut rows to at most ``most`` subwords, keeping the last one, ``</s>``, at the end.

    Example:
        >>> cut([[1, 7, 8, 9, 2], [1, 2]], 3)
        [[1, 7, 2], [1, 2]]
    """
    return [row if len(row) <= most else [*row[: most - 1], row[-1]] for row in rows]


AT_ONCE = 1024
"""Number of sentences per batch of the network."""


def encode_pooled(
    muse: MuseModel, network: StudentNetwork, pooled: Tensor, lengths: Tensor, ids: Sequence[Sequence[int]]
) -> Tensor:
    """Return the student's vectors ``(n, d)``.

    ``pooled`` ``(n, 1280)`` are sums of token features over the root of the lengths ``(n,)``.
    """
    with torch.no_grad():
        sentence = muse.from_sums(pooled * lengths[:, None].to(pooled.dtype).sqrt(), lengths)
    lower = muse.projection.dtype == torch.bfloat16
    with torch.autocast(muse.projection.device.type, torch.bfloat16, enabled=lower):
        subwords = subwords_of(muse, ids) if network.shape.bag else None
        return cast(Tensor, network(pooled, sentence, subwords).float())


def pool(muse: MuseModel, ids: Sequence[list[int]], batch_size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield ``pooled`` and ``lengths`` of `encode_pooled`, block by block."""
    for sums, lengths in summed_blocks(muse, ids, batch_size=batch_size):
        yield sums * lengths[:, None].to(sums.dtype).rsqrt(), lengths


def encode(muse: MuseModel, network: StudentNetwork, ids: list[list[int]], rows: int) -> Tensor:
    """Return the student's vectors ``(n, d)`` of rows of subwords, in order."""
    parts, done = list[Tensor](), 0
    for pooled, lengths in pool(muse, ids, rows):
        # few at a time, because a bag needs a row for each distinct subword
        for some, counts in zip(pooled.split(AT_ONCE), lengths.split(AT_ONCE), strict=True):
            parts.append(encode_pooled(muse, network, some, counts, ids[done : done + len(some)]))
            done += len(some)
    return torch.cat(parts) if parts else torch.zeros(0, network.shape.dimension)


class Subwords(NamedTuple):
    """The subwords of some sentences."""

    embedded: Tensor  # embeddings of the distinct subwords ``(U, 512)``
    places: Tensor  # row in ``embedded`` of every subword of every sentence, in order
    starts: Tensor  # index in ``places`` of the first subword of each sentence ``(B,)``
    lengths: Tensor  # number of subwords of each sentence ``(B,)``, at least 1


def subwords_of(muse: MuseModel, ids: Sequence[Sequence[int]]) -> Subwords:
    """Return the subwords of sentences, each with ``<s>`` and ``</s>``."""
    device = muse.table.device
    lengths = torch.tensor([len(row) for row in ids], device=device)
    flat = torch.from_numpy(np.concatenate([np.asarray(row) for row in ids])).to(device)
    distinct, places = torch.unique(flat, return_inverse=True)
    with torch.no_grad():
        embedded = muse.embed(distinct)
    return Subwords(embedded, places, torch.cumsum(lengths, 0) - lengths, lengths)


class SubwordBag(nn.Module):
    """``LN(sum_t gelu(U LN(e_t) + u) / sqrt(T))`` of the embeddings ``e_t`` of T subwords."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, width)
        self.sum_norm = nn.LayerNorm(width)

    def forward(self, subwords: Subwords) -> Tensor:
        """Return ``(B, width)``."""
        projected = F.gelu(self.up(self.norm(subwords.embedded))).float()  # (U, width)
        total = F.embedding_bag(subwords.places, projected, subwords.starts, mode="sum")
        return cast(Tensor, self.sum_norm(total * subwords.lengths[:, None].float().rsqrt()))


class Layer(nn.Module):
    """``x + V gelu(U LN(x))``."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(shape.width)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return ``(B, width)``."""
        return x + self.dropout(self.down(F.gelu(self.up(self.norm(x)))))  # type: ignore[no-any-return]


class StudentNetwork(nn.Module):
    """The network in the module's docstring."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.features_norm = nn.LayerNorm(FEATURES)
        self.enter = nn.Linear(FEATURES + WIDTH, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.out = nn.Linear(shape.width, shape.dimension)
        self.shortcut = nn.Linear(WIDTH, shape.dimension, bias=False)
        if shape.bag:
            self.bag = SubwordBag(shape.bag)
            self.enter_bag = nn.Linear(shape.bag, shape.width, bias=False)

    def forward(self, pooled: Tensor, sentence: Tensor, subwords: Subwords | None = None) -> Tensor:
        """Return vectors ``(B, d)`` of any length.

        Args:
            pooled: ``(B, 1280)``.
            sentence: Unit vectors ``(B, 512)``.
            subwords: Subwords of the sentences, if the shape has a bag.
        """
        x = self.enter(torch.cat((self.features_norm(pooled), sentence * WIDTH**0.5), 1))
        if self.shape.bag:
            assert subwords is not None
            x = x + self.enter_bag(self.bag(subwords))
        x = F.gelu(x)
        for layer in self.layers:
            x = layer(x)
        return cast(Tensor, self.out(self.norm(x)) + self.shortcut(sentence))
