"""The text control: a base encoder beside a second encoder that reads the sentence itself.

The AMR encoder was made from a sentence encoder, so part of what it adds, any second sentence encoder would
add. The control is that encoder, joined as the AMR side is joined, ``s/|s| ⊕ w t/|t|``, with a weight fitted
in the same way on the same pairs (STS-B dev). The AMR encoder itself, reading the sentence instead of its
graph, is one of them (`SentenceReader`): it has the same weights and differs in its input alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amrx.encoder import TextEncoder
from amrx.evaluation.data_folders import Data
from amrx.types import Encoder, Vectors
from amrx.vectors import normalise
from retrofit.weight_fitting import FittedWeight, fit_weight

if TYPE_CHECKING:
    from retrofit.amr.encoder import AmrEncoder


class SentenceReader(TextEncoder):
    """An AMR encoder that is given the sentence itself; is an `amrx.types.Encoder`."""

    def __init__(self, encoder: AmrEncoder) -> None:
        self._encoder = encoder
        self.name, self.dimension = f"{encoder.name}-text", encoder.dimension
        self.fingerprint = f"{encoder.fingerprint}-text"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``; the language changes nothing."""
        return self._encoder.encode_texts(texts)


class TextControl(TextEncoder):
    """Two encoders side by side; is itself an `amrx.types.Encoder`."""

    def __init__(self, base: Encoder, text: Encoder, weight: float) -> None:
        self._base, self._text, self.weight = base, text, weight

    @property
    def name(self) -> str:
        """Short name for tables."""
        return f"{self._base.name}+{self._text.name}"

    @property
    def dimension(self) -> int:
        """Width of the vectors."""
        return self._base.dimension + (self._text.dimension if self.weight else 0)

    @property
    def fingerprint(self) -> str:
        """Fingerprints of both encoders, and the weight."""
        return f"{self._base.fingerprint}|{self._text.fingerprint}|{self.weight!r}"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d_base + d_text)``."""
        base = self._base.encode(texts, lang=lang, batch_size=batch_size, progress=progress)
        if self.weight == 0:
            return base
        second = self._text.encode(texts, lang=lang, batch_size=batch_size, progress=progress)
        joined = np.hstack([normalise(base), np.float32(self.weight) * normalise(second)])
        return joined.astype(np.float32, copy=False)


def fit_control(base: Encoder, text: Encoder, data: Data, *, progress: bool = False) -> FittedWeight:
    """Return the weight of ``text`` with the best mean Spearman on STS-B dev, on the AMR side's tracks.

    Raises:
        InputError: A file is missing or a row is wrong.
    """
    from retrofit.weight_fitting import stsb_dev

    dev = stsb_dev(data)
    found = [
        {
            code: encoder.encode(texts, lang=[code] * len(texts), progress=progress)
            for code, texts in dev.texts.items()
        }
        for encoder in (base, text)
    ]
    there = {code: np.ones(len(texts), dtype=np.bool_) for code, texts in dev.texts.items()}
    return fit_weight(dev.pairs(found[0], found[1], there))
