"""The text control: a base encoder beside a second encoder that reads the sentence itself.

The AMR encoder was made from a sentence encoder, so part of what it adds, any second sentence encoder would
add. The control is that encoder, joined as the AMR side is joined, ``s/|s| ⊕ w t/|t|``, with a weight fitted
in the same way on the same pairs (STS-B dev). The AMR encoder itself, reading the sentence instead of its
graph, is one of them (`SentenceReader`): it has the same weights and differs in its input alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.types import Encoder, Vectors
from amrx.vectors import cosine, normalise
from retrofit.weight import FittedWeight, PairCosines, fit_weight

if TYPE_CHECKING:
    from retrofit.amr.encoder import AmrEncoder


class SentenceReader:
    """An AMR encoder that is given the sentence itself; is an `amrx.types.Encoder`.

    Args:
        encoder: The AMR encoder; Algorithm 1 has shown it English sentences too.
    """

    def __init__(self, encoder: AmrEncoder) -> None:
        self._encoder = encoder
        self.name, self.dimension = f"{encoder.name}-text", encoder.dimension
        self.fingerprint = f"{encoder.fingerprint}-text"

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Return float32 ``(n, d)``; the language changes nothing."""
        return self._encoder.encode_texts(sentences)


class TextControl:
    """Two encoders side by side; is itself an `amrx.types.Encoder`.

    Args:
        base: The encoder that the AMR side is measured on.
        text: The second encoder.
        weight: ``w``; 0 gives the base's own vectors.
    """

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

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Return float32 ``(n, d_base + d_text)``."""
        base = self._base.encode(sentences, lang=lang, batch_size=batch_size, progress=progress)
        if self.weight == 0:
            return base
        text = self._text.encode(sentences, lang=lang, batch_size=batch_size, progress=progress)
        joined = np.hstack([normalise(base), np.float32(self.weight) * normalise(text)])
        return joined.astype(np.float32, copy=False)


def fit_control(base: Encoder, text: Encoder, data: Path, *, progress: bool = False) -> FittedWeight:
    """Return the weight of ``text`` with the best mean Spearman on STS-B dev, over the AMR side's languages.

    Args:
        base: The base encoder.
        text: The second encoder.
        data: Folder that holds ``sts/stsb/<language>/dev.csv``.
        progress: Show bars.

    Raises:
        InputError: A file is missing or a row is wrong.
    """
    from retrofit.fit import LANGUAGES, stsb_pairs

    rows = [(code, *pair) for code in LANGUAGES for pair in stsb_pairs(data, code)]
    place: dict[tuple[str, str], int] = {}
    sides = np.array(
        [[place.setdefault((code, side), len(place)) for side in (a, b)] for code, a, b, _ in rows]
    )
    codes, texts = [code for code, _ in place], [text for _, text in place]
    similar = []
    for encoder in (base, text):
        vectors = encoder.encode(texts, lang=codes, progress=progress)
        similar.append(cosine(vectors[sides[:, 0]], vectors[sides[:, 1]]))
    return fit_weight(
        PairCosines(
            base=similar[0],
            amr=similar[1],
            parsed=np.ones((len(rows), 2), dtype=np.bool_),
            gold=np.array([score for *_, score in rows]),
            languages=[code for code, *_ in rows],
        )
    )
