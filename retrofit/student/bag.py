"""A bag of subwords: what each subword says of its sentence by itself, learned from its embedding alone.

The sum of multilingual USE's token features holds a sentence's words only in a blur. A layer before the sum
says which of them matter and sets apart what lies near in their embeddings; it runs once for each distinct
subword, so that it costs little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.muse.model import WIDTH, MuseModel


class Subwords(NamedTuple):
    """The subwords of some sentences.

    Attributes:
        embedded: Embeddings of the distinct ones ``(U, 512)``.
        places: Row of ``embedded`` of every subword of every sentence, in order.
        starts: Place in ``places`` of the first subword of each sentence ``(B,)``.
        lengths: Subwords of each sentence ``(B,)``, 1 at least.
    """

    embedded: Tensor
    places: Tensor
    starts: Tensor
    lengths: Tensor


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
        said = F.gelu(self.up(self.norm(subwords.embedded))).float()  # (U, width)
        total = F.embedding_bag(subwords.places, said, subwords.starts, mode="sum")
        return cast(Tensor, self.sum_norm(total * subwords.lengths[:, None].float().rsqrt()))
