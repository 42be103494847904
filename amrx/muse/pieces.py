"""Compute a vector per piece of multilingual USE: the output of the network for a sentence of that piece.

In the embedding table the rows of different languages are apart; in the output they are not. Means of these
vectors find translations often enough to initialise a small encoder (Tulkens and van Dongen 2024,
"Model2Vec", compute static vectors in this way)::

    piece ── <s> piece </s> ──> mUSE (512) ── minus the mean, first principal directions ──> (width,)
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor

from amrx.errors import OptionError
from amrx.muse.model import WIDTH, load_model
from amrx.muse.tokenize import BOS, EOS

BLOCK = 2048
"""Pieces per batch of the network."""


def piece_vectors(pieces: int, width: int) -> Tensor:
    """Return vectors of the first ``pieces`` pieces ``(pieces, width)``, with mean 0 and deviation 1."""
    if width > WIDTH:
        raise OptionError(f"width must be <= {WIDTH}, the directions of multilingual USE, got {width}")
    model = load_model()
    with torch.inference_mode():
        blocks = torch.arange(pieces).split(BLOCK)
        vectors = torch.cat([model(*_alone(block)) for block in blocks]).double()  # (pieces, 512)
        vectors -= vectors.mean(dim=0)
        _, directions = torch.linalg.eigh(vectors.T @ vectors)  # variance increases along the columns
        directions = directions[:, -width:].flip(1)
        largest = directions.gather(0, directions.abs().argmax(dim=0, keepdim=True))
        vectors = vectors @ (directions * largest.sign())  # the sign of a direction is arbitrary
        return cast("Tensor", (vectors / vectors.std()).float()).clone()


def _alone(pieces: Tensor) -> tuple[Tensor, Tensor]:
    """Return ids and mask ``(B, 3)`` of sentences of one piece each."""
    ids = torch.stack([torch.full_like(pieces, BOS), pieces, torch.full_like(pieces, EOS)], dim=1)
    return ids, torch.ones_like(ids, dtype=torch.bool)
