"""The encoders that ``amrx eval`` scores beside each other, with the caches behind them.

The text control: a base encoder beside a second encoder that reads the sentence itself.

The AMR encoder was made from a sentence encoder, so part of what it adds, any second sentence encoder would
add. The control is that encoder, joined as the AMR side is joined, ``s/|s| ⊕ w t/|t|``, with a weight fitted
in the same way on the same pairs (STS-B dev). The AMR encoder itself, reading the sentence instead of its
graph, is one of them (`SentenceReader`): it has the same weights and differs in its input alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.encoder import TextEncoder
from amrx.evaluation.data_folders import Data
from amrx.evaluation.vector_cache import CachedEncoder, VectorCache
from amrx.types import Encoder, Vectors
from amrx.vectors import normalise
from parser.load import PARSER
from parser.run.cache import ParseCache
from retrofit.weight_fitting import FittedWeight, fit_weight

if TYPE_CHECKING:
    from retrofit.amr.encoder import AmrEncoder, Cut


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


@dataclass(frozen=True, slots=True)
class Contestants:
    """The encoders to score.

    Attributes:
        base: Name of the base encoder.
        controls: Names of second text encoders; ``amr`` is the AMR encoder's own.
        sides: Names of AMR encoders and students that the base is scored with too.
        parser: Name of the parser, if not the default one.
        encoder: Name of the AMR encoder that the control ``amr`` reads with, if not ``mini``.
        weight: Of the AMR side, if not the fitted one.
    """

    base: str
    controls: Sequence[str]
    sides: Sequence[str]
    parser: str | None
    encoder: str | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class Caches:
    """Where parses and vectors are kept; ``None`` keeps none."""

    parses: ParseCache | None = None
    vectors: VectorCache | None = None
    encoders: list[CachedEncoder] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)

    def keep(self, encoder: Encoder) -> Encoder:
        """Return the encoder, behind the cache if there is one."""
        cut = getattr(getattr(encoder, "encoder", None), "cut", None)  # of a RetrofittedEncoder
        if cut is not None:
            self.cuts.append(cut)
        if self.vectors is None:
            return encoder
        cached = CachedEncoder(encoder, self.vectors)
        self.encoders.append(cached)
        return cached

    def told(self) -> str:
        """Return lines that tell how many vectors were not computed, and how many graphs were cut."""
        cut = "".join(cut.told() for cut in self.cuts)
        hits = sum(encoder.hits for encoder in self.encoders)
        if self.vectors is None or not hits:
            return cut
        return f"{cut}{hits:,} vectors came from {self.vectors.path}; --no-cache computes them anew\n"


def open_caches(parses: Path | None, vectors: Path | None, stack: ExitStack, *, off: bool) -> Caches:
    """Open the caches that a command's options choose; they are closed with ``stack``.

    Raises:
        OptionError: One is named and none is wanted.
        OutputError: One that is named cannot be used.
    """
    from amrx.evaluation import vector_cache
    from parser.run import cache as parse_cache

    kept = parse_cache.open_cache(parses, off=off)
    if kept is not None:
        stack.enter_context(kept)
    made = vector_cache.open_cache(vectors, off=off)
    if made is not None:
        stack.enter_context(made)
    return Caches(kept, made)


def load_contestants(asked: Contestants, data: Data, caches: Caches) -> list[Encoder]:
    """Load the base, then it with the AMR side, then it with each control; say each fitted weight.

    Raises:
        OptionError: A name is unknown.
        MissingResourceError: A model is not on this machine.
        InputError: A file of STS-B dev is missing or malformed.
    """
    base = caches.keep(_base(asked.base))
    encoders = [base]
    encoders += [caches.keep(_with_amr(asked, side, caches.parses)) for side in asked.sides]
    for control in asked.controls:
        text = caches.keep(_text(control, asked.encoder))
        encoders.append(_with_text(base, text, data))
    return encoders


def _base(name: str) -> Encoder:
    from retrofit.bases import load_base

    return load_base(name)


def _with_amr(asked: Contestants, encoder: str, parses: ParseCache | None) -> Encoder:
    from retrofit import load

    retrofitted = load(asked.base, asked.parser or PARSER, encoder, asked.weight, cache=parses)
    sys.stderr.write(f"{retrofitted.name}: AMR weight {retrofitted.weight:g}\n")
    return retrofitted


def _text(control: str, encoder: str | None) -> Encoder:
    from retrofit.load import load_amr

    return SentenceReader(load_amr(encoder or "mini")) if control == "amr" else _base(control)


def _with_text(base: Encoder, text: Encoder, data: Data) -> Encoder:

    fitted = fit_control(base, text, data, progress=True)
    joined = TextControl(base, text, fitted.weight)
    sys.stderr.write(
        f"{joined.name}: text weight {fitted.weight:g}, "
        f"STS-B dev {fitted.score:.2f} (base {fitted.base_score:.2f})\n"
    )
    return joined
