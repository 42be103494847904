"""Encode rows of subwords as vectors, with multilingual USE and the student's network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import torch
from torch import Tensor

from amrx.muse.encode import summed_blocks
from amrx.muse.model import MuseModel
from retrofit.student.network import StudentNetwork, subwords_of


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
