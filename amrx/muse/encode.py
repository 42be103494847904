"""Many sentences through the model: batches of like length, the projection once for each distinct subword."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from amrx.device import length_buckets, progress
from amrx.muse.batch import pad
from amrx.muse.model import WIDTH, MuseModel
from amrx.types import Vectors

BLOCK = 8192
"""Sentences whose distinct subwords are projected together; bounds the memory, 1.5 kB a subword."""

ROWS = 4096


def sentence_vectors(
    model: MuseModel, ids: Sequence[Sequence[int]], *, batch_size: int = 64, show: bool = False
) -> Vectors:
    """Return unit vectors float32 ``(len(ids), 512)``, in order.

    Args:
        model: On any device.
        ids: Subwords of each sentence with ``<s>`` and ``</s>``.
        batch_size: Sentences in a batch at most.
        show: Draw a progress bar on standard error.
    """
    vectors = np.empty((len(ids), WIDTH), dtype=np.float32)
    device = model.table.device
    slots = torch.zeros(model.table.shape[0], dtype=torch.int64, device=device)
    batches = [
        [start + place for place in batch]
        for start in range(0, len(ids), BLOCK)
        for batch in length_buckets([len(row) for row in ids[start : start + BLOCK]], batch_size)
    ]
    block, projected = -1, torch.empty(0)
    with torch.inference_mode():
        for batch in progress(batches, len(batches), "muse", show=show):
            if batch[0] // BLOCK != block:
                block = batch[0] // BLOCK
                projected = _project_distinct(model, ids[block * BLOCK : (block + 1) * BLOCK], slots)
            tokens, mask = pad([ids[place] for place in batch], device)
            vectors[batch] = model(tokens, mask, projected[slots[tokens]]).cpu().numpy()
    return vectors


def _project_distinct(model: MuseModel, ids: Sequence[Sequence[int]], slots: Tensor) -> Tensor:
    """Return ``project`` of the distinct ids ``(U, 768)``; write into ``slots`` the row of each of them."""
    distinct = torch.tensor(sorted({0}.union(*ids)), device=slots.device)  # 0 is the padding
    slots[distinct] = torch.arange(len(distinct), device=slots.device)
    starts = range(0, len(distinct), ROWS)
    return torch.cat([model.project(distinct[start : start + ROWS]) for start in starts])
