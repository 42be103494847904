"""A vector of each piece of multilingual USE: what the network says of a sentence of that piece alone.

The rows of its own table lie apart by language; what comes out of the network does not. Sentences as means of
these vectors find a translation often enough to start a small encoder from (Tulkens and van Dongen 2024,
"Model2Vec", make static vectors so)::

    piece ── <s> piece </s> ──> mUSE (512) ── less the mean, first principal directions ──> (width,)
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor

from amrx.errors import OptionError
from amrx.muse.model import WIDTH, load_model
from amrx.muse.tokenize import BOS, EOS

BLOCK = 2048
"""Pieces that go through the network at a time."""


def piece_vectors(pieces: int, width: int) -> Tensor:
    """Return the vectors of the first ``pieces`` pieces ``(pieces, width)``, of mean 0 and deviation 1.

    Raises:
        OptionError: There are not so many directions.
        MissingResourceError: Multilingual USE is not on this machine.
    """
    if width > WIDTH:
        raise OptionError(
            f"multilingual USE has {WIDTH} directions, so a table of width {width} cannot be made"
        )
    model = load_model()
    with torch.inference_mode():
        blocks = torch.arange(pieces).split(BLOCK)
        made = torch.cat([model(*_alone(block)) for block in blocks]).double()  # (pieces, 512)
        made -= made.mean(dim=0)
        _, directions = torch.linalg.eigh(made.T @ made)  # variance rises along the columns
        directions = directions[:, -width:].flip(1)
        largest = directions.gather(0, directions.abs().argmax(dim=0, keepdim=True))
        made = made @ (directions * largest.sign())  # the sign of a direction is arbitrary
        return cast("Tensor", (made / made.std()).float()).clone()


def _alone(pieces: Tensor) -> tuple[Tensor, Tensor]:
    """Return ids and mask ``(B, 3)`` of sentences of one piece."""
    ids = torch.stack([torch.full_like(pieces, BOS), pieces, torch.full_like(pieces, EOS)], dim=1)
    return ids, torch.ones_like(ids, dtype=torch.bool)
