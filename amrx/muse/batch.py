"""Lists of ids to the padded tensors that the model takes."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def pad(ids: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> tuple[Tensor, Tensor]:
    """Return ids ``(B, T)`` int64, padded with 0, and mask ``(B, T)`` bool.

    Example:
        >>> ids, mask = pad([[1, 7, 2], [1, 2]])
        >>> ids.tolist(), mask.tolist()
        ([[1, 7, 2], [1, 2, 0]], [[True, True, True], [True, True, False]])
    """
    lengths = [len(row) for row in ids]
    width = max(lengths, default=0)
    flat = [index for row in ids for index in (*row, *(0,) * (width - len(row)))]
    padded = torch.tensor(flat, dtype=torch.int64).view(len(ids), width)
    mask = torch.arange(width)[None, :] < torch.tensor(lengths, dtype=torch.int64)[:, None]
    return padded.to(device), mask.to(device)
