"""Ablations: several language encoders, or a decoder for each language, in place of one for all.

Every part takes part in every step, as training on several devices asks: one that has no row in a batch reads
the first row, and what it says of it counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from retrofit.bases.training.feed import Features
from retrofit.bases.vmsst.decoder import Decoder
from retrofit.bases.vmsst.language import LanguageEncoder


class LanguageEncoders(nn.Module):
    """q(z_lang | x) by several encoders; language l is read by number ``l mod n``.

    Args:
        each: The encoders.
    """

    def __init__(self, each: Sequence[LanguageEncoder]) -> None:
        super().__init__()
        self.each = nn.ModuleList(each)

    def forward(self, model: nn.Module, features: Features, language: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log-variance, ``(B, latent)`` each; see `LanguageEncoder`."""
        places, found, nothing = [], [], []
        for encoder, rows, counts in _shared(self.each, language):
            given = {name: value[rows] for name, value in features.items()}
            both = encoder(model, given, language[rows])
            if counts:
                places.append(rows)
                found.append(both)
            else:
                nothing.append(0 * (both[0].sum() + both[1].sum()))
        order = torch.cat(places).argsort()
        mean, log_variance = (torch.cat(parts)[order] for parts in zip(*found, strict=True))
        return mean + sum(nothing, mean.new_zeros(())), log_variance


class Decoders(nn.Module):
    """``p(x | z, language)`` by a decoder for each language.

    Args:
        each: The decoders, in the order of the languages' numbers.
    """

    def __init__(self, each: Sequence[Decoder]) -> None:
        super().__init__()
        self.each = nn.ModuleList(each)

    def forward(self, table: nn.Module, target: Tensor, mask: Tensor, language: Tensor, z: Tensor) -> Tensor:
        """Return ``- log p(x | z, language)`` summed over the pieces of all sentences; see `Decoder`."""
        total = z.new_zeros(())
        for decoder, rows, counts in _shared(self.each, language):
            said = decoder(table, target[rows], mask[rows], language[rows], z[rows])
            total = total + (said if counts else 0 * said)
        return total


def _shared(each: nn.ModuleList, language: Tensor) -> Iterator[tuple[nn.Module, Tensor, bool]]:
    """Yield every part with its rows, and whether they count."""
    which = language % len(each)
    for number, part in enumerate(each):
        (rows,) = torch.nonzero(which == number, as_tuple=True)
        yield part, rows if len(rows) else rows.new_zeros(1), bool(len(rows))
