"""Encode sentences with multilingual-e5-small: mean of the last states, unit length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from amrx.device import length_buckets, progress

if TYPE_CHECKING:
    from amrx.e5.bert import Bert
    from amrx.types import Vectors

PREFIX = "query: "
"""Prefix, by the model card, of texts that are compared with each other."""


def sentence_vectors(
    model: Bert, ids: Sequence[Sequence[int]], *, pad: int, batch_size: int = 64, show: bool = False
) -> Vectors:
    """Return the unit vectors ``(n, width)`` of rows of ids, in order.

    Args:
        model: Of `amrx.e5.model.load_model`.
        ids: Pieces of each sentence, including ``<s>`` and ``</s>``; truncated to the model's positions.
        pad: Id of the padding.
        batch_size: Sentences per batch.
        show: Show a progress bar.
    """
    limit = model.shape.positions
    rows = [list(row) if len(row) <= limit else [*row[: limit - 1], row[-1]] for row in ids]
    vectors = np.zeros((len(rows), model.shape.width), np.float32)
    device = next(model.parameters()).device
    for batch in progress(
        length_buckets([len(row) for row in rows], batch_size), len(rows), "e5", show=show, size=len
    ):
        width = max(len(rows[index]) for index in batch)
        tokens = torch.full((len(batch), width), pad)
        for number, index in enumerate(batch):
            tokens[number, : len(rows[index])] = torch.tensor(rows[index])
        tokens = tokens.to(device)
        mask = tokens != pad
        with torch.inference_mode():
            states = model(tokens, mask)[-1]  # (B, T, d)
            weights = mask[..., None].to(states.dtype)
            mean = (states * weights).sum(1) / weights.sum(1)
            vectors[batch] = F.normalize(mean.float(), dim=-1).cpu().numpy()
    return vectors
