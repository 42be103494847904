"""Many sentences through the model: batches of like length, the rest once for each distinct subword."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from amrx.device import length_buckets, progress
from amrx.muse.batch import pad
from amrx.muse.model import FEATURES, WIDTH, MuseModel
from amrx.muse.sums import Distinct, feature_sums
from amrx.types import Vectors

BLOCK = 8192
"""Sentences whose distinct subwords are projected together; bounds the memory, 4 kB a subword."""


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
    done = 0
    with torch.inference_mode():
        for sums, lengths in summed_blocks(model, ids, batch_size=batch_size, show=show):
            # one product for all of them: the matrices are read once
            vectors[done : done + len(sums)] = model.from_sums(sums, lengths).cpu().numpy()
            done += len(sums)
    return vectors


def summed_blocks(
    model: MuseModel, ids: Sequence[Sequence[int]], *, batch_size: int = 64, show: bool = False
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the sums of token features ``(B, 1280)`` and the lengths ``(B,)``, block by block, in order.

    Args:
        model: On any device.
        ids: Subwords of each sentence with ``<s>`` and ``</s>``.
        batch_size: Sentences in a batch at most.
        show: Draw a progress bar on standard error.
    """
    slots = torch.zeros(model.table.shape[0], dtype=torch.int64, device=model.table.device)
    starts = range(0, len(ids), BLOCK)
    for start in progress(starts, len(starts), "muse", show=show):
        yield _block_sums(model, ids[start : start + BLOCK], slots, batch_size)


def _block_sums(
    model: MuseModel, ids: Sequence[Sequence[int]], slots: Tensor, batch_size: int
) -> tuple[Tensor, Tensor]:
    """Return sums ``(len(ids), 1280)`` and lengths of one block; ``slots`` is written over."""
    distinct = Distinct(model, ids, slots)
    lengths = [len(row) for row in ids]
    sums = torch.empty((len(ids), FEATURES), device=slots.device)
    for batch in length_buckets(lengths, batch_size):
        tokens, mask = pad([ids[place] for place in batch], slots.device)
        rows = torch.where(mask, slots[tokens], distinct.none)
        sums[batch] = feature_sums(model, distinct, rows, mask)
    return sums, torch.tensor(lengths, device=slots.device)
