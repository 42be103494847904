"""Rows of subwords to padded tensors of few shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from amrx.muse.batch import pad

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
