"""Rows of subwords to padded tensors of few shapes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from amrx.muse.batch import pad
from amrx.muse.encode import summed_blocks
from amrx.muse.model import WIDTH, MuseModel
from retrofit.student.bag import subwords_of
from retrofit.student.model import StudentNetwork
from retrofit.student.pooled import PooledNetwork

WIDTHS = (8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128)
"""Padded lengths: oneDNN compiles its bf16 products anew for every shape."""


def padded(ids: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> tuple[Tensor, Tensor]:
    """Return ids and mask ``(B, W)``, with W the first of `WIDTHS` that holds the longest row.

    Example:
        >>> padded([[1, 7, 2], [1, 2]])[1].sum(1).tolist(), padded([[1, 2]])[0].shape[1]
        ([3, 2], 8)
    """
    longest = max(len(row) for row in ids)
    width = next((width for width in WIDTHS if width >= longest), longest)
    tokens, mask = pad([*ids, [0] * width], device)
    return tokens[:-1], mask[:-1]


def by_length(lengths: Sequence[int], rows: int) -> Iterator[list[int]]:
    """Yield places of ``rows`` items each, alike in length; the last may be fewer.

    Example:
        >>> list(by_length([5, 2, 9], 2))
        [[1, 0], [2]]
    """
    order = sorted(range(len(lengths)), key=lambda place: lengths[place])
    for start in range(0, len(order), rows):
        yield order[start : start + rows]


def cut(rows: Sequence[list[int]], most: int) -> list[list[int]]:
    """Return rows of ``most`` subwords at most, each with its last one, ``</s>``, at the end.

    Example:
        >>> cut([[1, 7, 8, 9, 2], [1, 2]], 3)
        [[1, 7, 2], [1, 2]]
    """
    return [row if len(row) <= most else [*row[: most - 1], row[-1]] for row in rows]


AT_ONCE = 1024
"""Sentences that pass a pooled network together."""


def autocast(muse: MuseModel) -> contextlib.AbstractContextManager[object]:
    """Return autocast to the arithmetic of the features: nothing where they are float32."""
    dtype = muse.projection.dtype
    if dtype == torch.float32:
        return contextlib.nullcontext()
    return torch.autocast(muse.projection.device.type, dtype=dtype)


def encode_rows(
    muse: MuseModel, network: StudentNetwork, ids: list[list[int]], rows: int, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Return the student's vectors ``(n, d)`` and those of multilingual USE ``(n, 512)``, in order.

    Args:
        muse: Frozen; no gradient reaches it.
        network: The student.
        ids: Subwords of each sentence.
        rows: Sentences in one pass.
        device: Where both are.
    """
    places, vectors, sentences = list[int](), list[Tensor](), list[Tensor]()
    for batch in by_length([len(row) for row in ids], rows):
        tokens, mask = padded([ids[place] for place in batch], device)
        with torch.no_grad():
            features = muse.token_features(tokens, mask)
            sentence = muse.sentence(features, mask)
        with autocast(muse):
            vectors.append(network(features, sentence, mask).float())
        sentences.append(sentence)
        places += batch
    if not places:
        return torch.zeros(0, network.shape.dimension), torch.zeros(0, WIDTH)
    back = torch.argsort(torch.tensor(places, device=device))
    return torch.cat(vectors)[back], torch.cat(sentences)[back]


def encode_pooled(
    muse: MuseModel, network: PooledNetwork, pooled: Tensor, lengths: Tensor, ids: Sequence[Sequence[int]]
) -> tuple[Tensor, Tensor]:
    """Return the student's vectors ``(n, d)`` and those of multilingual USE ``(n, 512)``.

    Args:
        muse: Frozen; no gradient reaches it.
        network: The student.
        pooled: Sums of token features over the root of the length ``(n, 1280)``.
        lengths: Tokens of each sentence ``(n,)``.
        ids: Subwords of each sentence.
    """
    with torch.no_grad():
        sentence = muse.from_sums(pooled * lengths[:, None].to(pooled.dtype).sqrt(), lengths)
    with autocast(muse):
        subwords = subwords_of(muse, ids) if network.shape.bag else None
        return network(pooled, sentence, subwords).float(), sentence


def pool(muse: MuseModel, ids: Sequence[list[int]], batch_size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield ``pooled`` and ``lengths`` of `encode_pooled`, block by block."""
    for sums, lengths in summed_blocks(muse, ids, batch_size=batch_size):
        yield sums * lengths[:, None].to(sums.dtype).rsqrt(), lengths


def encode(
    muse: MuseModel, network: StudentNetwork | PooledNetwork, ids: list[list[int]], rows: int
) -> tuple[Tensor, Tensor]:
    """Return vectors of either kind of student, and of multilingual USE, of subwords, in order."""
    if isinstance(network, StudentNetwork):
        return encode_rows(muse, network, ids, rows, muse.table.device)
    parts, done = list[tuple[Tensor, Tensor]](), 0
    for pooled, lengths in pool(muse, ids, rows):
        # few at a time: a bag holds a row for each of their distinct subwords
        for some, counts in zip(pooled.split(AT_ONCE), lengths.split(AT_ONCE), strict=True):
            parts.append(encode_pooled(muse, network, some, counts, ids[done : done + len(some)]))
            done += len(some)
    if not parts:
        return torch.zeros(0, network.shape.dimension), torch.zeros(0, WIDTH)
    return torch.cat([vectors for vectors, _ in parts]), torch.cat([base for _, base in parts])
