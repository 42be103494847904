"""Load the encoders that ``amrx eval`` compares, with their caches.

The text control is a base encoder combined with a second encoder that reads the sentence itself.

The AMR encoder was trained from a sentence encoder, so any second sentence encoder would give a part of its
gain. The control measures that part: it is combined like the AMR side, ``s/|s| ⊕ w t/|t|``, with a weight
fitted in the same way on the same pairs (STS-B dev). One of the controls is the AMR encoder itself, which
reads the sentence instead of its graph (`SentenceReader`): it has the same weights, and only its input
differs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.encoder import TextEncoder
from amrx.types import Codes, Encoder, Vectors
from amrx.vector_cache import CachedEncoder, VectorCache
from parser.load import PARSER
from parser.run.cache import ParseCache

if TYPE_CHECKING:
    from amrx.evaluation.data_folders import Data
    from retrofit.amr.encoder import AmrEncoder, Cut
    from retrofit.combine import Weights
    from retrofit.load import Shared


class SentenceReader(TextEncoder):
    """An AMR encoder that reads the sentence itself; is an `amrx.types.Encoder`."""

    def __init__(self, encoder: AmrEncoder) -> None:
        self._encoder = encoder
        self.name, self.dimension = f"{encoder.name}-text", encoder.dimension
        self.fingerprint = f"{encoder.fingerprint}-text"

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 ``(n, d)``; the language is ignored."""
        return self._encoder.encode_texts(texts)


@dataclass(frozen=True, slots=True)
class Contestants:
    """The encoders to score."""

    base: str  # name of the base encoder
    controls: Sequence[str]  # names of second text encoders; ``amr`` is the AMR encoder reading text
    sides: Sequence[str]  # channels with which the base is also scored, each as in `retrofit.load`
    parser: str | None  # name of the parser, if not the default one
    encoder: str | None  # name of the AMR encoder of the control ``amr``, if not ``mini``
    weight: Weights | None  # weights of the channels, if not the fitted ones
    split: bool = True  # whether each sentence of a text is parsed
    beam: int | None = None  # number of beams of the parser's search, if not its default


@dataclass(frozen=True, slots=True)
class Caches:
    """Caches of parses and vectors; ``None`` disables a cache."""

    parses: ParseCache | None = None
    vectors: VectorCache | None = None
    encoders: list[CachedEncoder] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)

    def keep(self, encoder: Encoder) -> Encoder:
        """Return the encoder, with the cache in front of it if there is one."""
        parts = (encoder, *getattr(encoder, "encoders", ()))  # attribute of a RetrofittedEncoder
        self.cuts.extend(part.cut for part in parts if hasattr(part, "cut"))
        if self.vectors is None:
            return encoder
        cached = CachedEncoder(encoder, self.vectors)
        self.encoders.append(cached)
        return cached

    def summary(self) -> str:
        """Return lines that count the cached vectors and the cut graphs."""
        cut = "".join(cut.summary() for cut in self.cuts)
        hits = sum(encoder.hits for encoder in self.encoders)
        if self.vectors is None or not hits:
            return cut
        return f"{cut}{hits:,} vectors came from {self.vectors.path}; --no-cache recomputes them\n"


def open_caches(parses: Path | None, vectors: Path | None, stack: ExitStack, *, off: bool) -> Caches:
    """Open the caches chosen by a command's options; they are closed with ``stack``."""
    return Caches(
        ParseCache.chosen(parses, off=off, stack=stack), VectorCache.chosen(vectors, off=off, stack=stack)
    )


def load_contestants(asked: Contestants, data: Data, caches: Caches, stack: ExitStack) -> list[Encoder]:
    """Load the base alone, with the AMR side, and with each control; report each fitted weight.

    Base and parser are loaded once for all encoders, and the AMR encoder runs on the device of the base.
    Processes in which the parser continues end with ``stack``.
    """
    from amrx.device import pick_device
    from retrofit.load import Shared

    parts, device = Shared(stack=stack), str(pick_device())
    base = caches.keep(_base(asked.base, parts, device, caches.parses))
    encoders = [base]
    for side in asked.sides:
        encoders.append(caches.keep(_with_channels(asked, side, parts, device, caches.parses)))
    for control in asked.controls:
        text = caches.keep(_text(control, asked.encoder, parts, device))
        encoders.append(with_control(base, text, data))
    return encoders


def _base(name: str, parts: Shared, device: str, parses: ParseCache | None = None) -> Encoder:
    """Return a base, or the encoder of a saved folder."""
    from retrofit.load import is_saved, load_saved

    return load_saved(name, cache=parses) if is_saved(name) else parts.base(name, device)


def _with_channels(
    asked: Contestants, side: str, parts: Shared, device: str, parses: ParseCache | None
) -> Encoder:
    from retrofit import load

    retrofitted = load(
        asked.base, asked.parser or PARSER, side, asked.weight,
        split=asked.split, beam=asked.beam, cache=parses, device=device, parts=parts,
    )  # fmt: skip
    sys.stderr.write(f"{retrofitted.summary}\n")
    return retrofitted


def _text(control: str, encoder: str | None, parts: Shared, device: str) -> Encoder:
    from retrofit.load import load_amr

    if control == "amr":
        return SentenceReader(load_amr(encoder or "mini", device=device))
    return _base(control, parts, device)


def with_control(base: Encoder, text: Encoder, data: Data) -> Encoder:
    """Return the base combined with a second text encoder, its weight fitted on STS-B dev."""
    from retrofit.combine import RetrofittedEncoder
    from retrofit.weight_fitting import fit_on_stsb

    joined = RetrofittedEncoder(base, None, text)
    fitted = fit_on_stsb(joined, data, progress=True)
    joined = joined.with_weight(fitted.weights)
    sys.stderr.write(f"{joined.summary}, STS-B dev {fitted.score:.2f} (base {fitted.base_score:.2f})\n")
    return joined
