"""Provide marks on the scale of a cosine: the usual cosines of unrelated sentences and of translations.

For concatenated unit parts the combined cosine is a weighted mean of the cosines of the parts, ``c = q . p``
with ``q_i = w_i^2 / sum w^2``. So its mean and standard deviation over some pairs follow from the means ``m``
and covariances ``S`` of the parts, for all weights::

    mean = q . m        sd = sqrt(q S q)

``amrx/models/moments/cosines.json`` holds ``m`` and ``S`` of the shipped encoders, on open pairs that are not
test data (`scripts/fit_cosines.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from amrx.recipes import load_config
from amrx.records import write_json
from amrx.records.files import reading
from retrofit import reduce

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder

FILE = "cosines.json"


@dataclass(frozen=True, slots=True)
class Usual:
    """Mean and standard deviation of the cosines of some pairs."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Marks:
    """The usual cosines of unrelated sentences, and of translations."""

    unrelated: Usual
    translations: Usual

    def __str__(self) -> str:
        """Return both marks in words."""
        unrelated, near = self.unrelated, self.translations
        words = f"unrelated {unrelated.mean:.2f} ± {unrelated.sd:.2f}"
        return f"{words}, translations {near.mean:.2f} ± {near.sd:.2f}"

    def on_scale_of(self, other: Marks, cosine: float) -> float:
        """Map a cosine from this scale to the scale of ``other``, so that marks map to marks.

        The map is piecewise linear between -1, the marks with one standard deviation on either side, and 1;
        if these points overlap, between -1, both means and 1. It is increasing, so rankings do not change.

        Example:
            >>> own = Marks(Usual(0.5, 0.05), Usual(0.8, 0.05))
            >>> base = Marks(Usual(0.1, 0.08), Usual(0.7, 0.1))
            >>> [round(own.on_scale_of(base, cosine), 2) for cosine in (0.5, 0.55, 0.8, 1.0)]
            [0.1, 0.18, 0.7, 1.0]
        """
        for spread in (1.0, 0.0):
            own, others = self._points(spread), other._points(spread)
            if np.all(np.diff(own) > 0) and np.all(np.diff(others) > 0):
                break
        return float(np.interp(cosine, own, others))

    def _points(self, spread: float) -> list[float]:
        unrelated, near = self.unrelated, self.translations
        sides = (-spread, 0.0, spread) if spread else (0.0,)
        return [
            -1.0, *(unrelated.mean + side * unrelated.sd for side in sides),
            *(near.mean + side * near.sd for side in sides[:-1] or sides), 1.0,
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """Cosines of ``n`` pairs: the mean of each encoder, and their covariances."""

    n: int
    mean: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """The contents of the file."""

    encoders: tuple[str, ...]  # fingerprints, in order
    graphs: tuple[bool, ...]  # which of them read graphs
    parser: str  # fingerprint of the parser
    unrelated: Kind  # pairs of unrelated sentences
    translations: Kind  # pairs of a sentence and its translation

    def marks(self, places: Sequence[int], weights: Sequence[float]) -> Marks:
        """Return the marks of some encoders combined, given by their indices."""
        shares = np.array(weights) ** 2 / np.sum(np.square(weights))

        def usual(kind: Kind) -> Usual:
            spread = np.array(kind.covariance)[np.ix_(places, places)]
            return Usual(
                float(shares @ np.array(kind.mean)[list(places)]), float(shares @ spread @ shares) ** 0.5
            )

        return Marks(usual(self.unrelated), usual(self.translations))


def marks_of(encoder: RetrofittedEncoder) -> tuple[Marks | None, ...]:
    """Return the marks of the base, of each channel, and of all combined; ``None`` if not measured.

    They are measured for the shipped models with the default parser and concatenated vectors; not for other
    model weights or parsers, nor for added vectors or fewer dimensions.
    """
    parts = (encoder.base, *encoder.encoders)
    nothing: tuple[Marks | None, ...] = (None,) * (len(parts) + 1)
    if not (reduce.FOLDER / FILE).is_file():
        return nothing
    measured = _read()
    parsed = encoder.parser is not None and (
        reduce.weights_of(encoder.parser.fingerprint) == reduce.weights_of(measured.parser)
    )
    places = {
        reduce.weights_of(fingerprint): index
        for index, fingerprint in enumerate(measured.encoders)
        if parsed or not measured.graphs[index]
    }
    known = [places.get(reduce.weights_of(part.fingerprint)) for part in parts]
    alone = [None if index is None else measured.marks([index], [1.0]) for index in known]
    kept = [(index, one) for index, one in zip(known, (1.0, *encoder.weights), strict=True) if one]
    side_by_side = not encoder.dimensions and (encoder.integration == "norm-concat" or len(kept) == 1)
    if not side_by_side or any(index is None for index, _ in kept):
        return (*alone, None)
    return (
        *alone,
        measured.marks([index for index, _ in kept if index is not None], [one for _, one in kept]),
    )


@cache
def _read() -> Measured:
    path = reduce.FOLDER / FILE
    with reading(path, "is not a table of usual cosines"):
        return load_config(Measured, None, json.loads(path.read_text("utf-8")))


def write_marks(encoder: RetrofittedEncoder, cosines: Mapping[str, np.ndarray[tuple[int, int]]]) -> None:
    """Write the file, from the cosines of base and channels ``(1 + k, n)`` of both kinds of pairs."""
    from amrx.types import Encoder

    parts = (encoder.base, *encoder.encoders)
    kinds = {
        name: Kind(
            values.shape[1],
            tuple(map(float, values.mean(1).round(4))),
            tuple(tuple(map(float, row)) for row in np.cov(values).round(6)),
        )
        for name, values in cosines.items()
    }
    measured = Measured(
        tuple(part.fingerprint for part in parts),
        tuple(not isinstance(part, Encoder) for part in parts),
        "" if encoder.parser is None else encoder.parser.fingerprint,
        **kinds,
    )
    write_json(reduce.FOLDER / FILE, asdict(measured))
    _read.cache_clear()
