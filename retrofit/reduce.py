"""Reduce vectors to fewer dimensions: ``y = x V``, keeping cosines as closely as possible.

``x`` is a combined vector ``(d,)``: weighted unit parts, concatenated. The columns of ``V (d, N)`` are the
eigenvectors of the ``N`` largest eigenvalues of ``E[x x^T]`` over open text (`scripts/fit_moments.py`). No
mean is subtracted, because cosines are those of the original vectors; with ``N = d`` no cosine changes.

One file serves all bases, channels and weights: it has ``M = E[u u^T]``, where ``u`` is the concatenation of
the unit vectors of all of them. ``E[x x^T] = D M D``, with the rows and columns of the used parts in ``M``
and their weights on the diagonal ``D``.

::

    amrx/models/moments/config.json          names, widths and fingerprints, in order
                        model.safetensors    upper triangle of M, float16, times `SCALE`
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.errors import OptionError
from amrx.recipes import load_config
from amrx.records import write_json
from amrx.records.files import reading

if TYPE_CHECKING:
    from amrx.types import Named, Vectors

FOLDER = Path(__file__).resolve().parents[1] / "amrx" / "models" / "moments"
_ARITHMETIC = re.compile(r":(?:bfloat16|float32|bf16|fp32|int8-[0-9a-f]+)$")
SCALE = 1024.0
"""Factor that moves the smallest values into the range of float16."""


@dataclass(frozen=True, slots=True)
class Span:
    """One encoder's rows and columns of ``M``."""

    name: str
    dimension: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Spans:
    """The contents of ``config.json``."""

    encoders: tuple[Span, ...]


def projection(parts: Sequence[Named], weights: Sequence[float], dimensions: int) -> Vectors:
    """Return ``V (d, N)`` float32 of a base and its channels; equal on every machine, including signs."""
    width = sum(part.dimension for part in parts)
    whole = isinstance(dimensions, Integral) and not isinstance(dimensions, bool)
    if not whole or not 0 < dimensions < width:
        raise OptionError(f"dimensions must be a whole number from 1 to {width - 1}, got {dimensions!r}")
    moments, spans = _read()
    rows = np.concatenate([_rows(part, spans) for part in parts])
    scale = np.repeat(weights, [part.dimension for part in parts])
    eigenvectors = np.linalg.eigh(moments[np.ix_(rows, rows)] * np.outer(scale, scale)).eigenvectors
    vectors = eigenvectors[:, ::-1][:, :dimensions]  # largest first
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    directions: Vectors = (vectors * np.sign(largest)).astype(np.float32)
    return directions


def digest() -> str:
    """Return a hash of the moments; equal moments give equal projections."""
    path = FOLDER / "model.safetensors"
    with reading(path, "are not moments"):
        return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def _rows(part: Named, spans: Spans) -> npt.NDArray[np.int_]:
    start = 0
    for span in spans.encoders:
        if (span.name, span.dimension) == (part.name, part.dimension):
            if weights_of(span.fingerprint) != weights_of(part.fingerprint):
                message = f"fewer dimensions were fitted for other weights of {part.name}"
                raise OptionError(f"{message}; leave dimensions out, or run scripts/fit_moments.py DATA OUT")
            return np.arange(start, start + span.dimension, dtype=np.int_)
        start += span.dimension
    known = ", ".join(span.name for span in spans.encoders)
    raise OptionError(f"fewer dimensions were not fitted for {part.name}, only for {known}")


def weights_of(fingerprint: str) -> str:
    """Return a fingerprint without the number format, which depends on the machine.

    Example:
        >>> weights_of("muse:0a1b:bfloat16"), weights_of("st:labse:77aa"), weights_of("mini-1a:int8-2b")
        ('muse:0a1b', 'st:labse:77aa', 'mini-1a')
    """
    return _ARITHMETIC.sub("", fingerprint)


def _read() -> tuple[npt.NDArray[np.float64], Spans]:
    from retrofit.amr.tensor_files import read_weights

    with reading(FOLDER / "config.json", "is not a table of moments"):
        spans = load_config(Spans, None, json.loads((FOLDER / "config.json").read_text("utf-8")))
    width = sum(span.dimension for span in spans.encoders)
    moments = np.zeros((width, width))
    moments[np.triu_indices(width)] = read_weights(FOLDER / "model.safetensors")["moments"].numpy()
    return moments + np.triu(moments, 1).T, spans


def write_moments(parts: Sequence[Named], vectors: Sequence[Vectors]) -> None:
    """Write the file, from unit vectors of the same sentences ``(n, d_i)``, zero for failed parses."""
    import torch

    from retrofit.amr.tensor_files import write_weights

    every = np.hstack(vectors).astype(np.float64)
    moments = (SCALE / len(every)) * every.T @ every
    FOLDER.mkdir(parents=True, exist_ok=True)
    upper = torch.from_numpy(moments[np.triu_indices(len(moments))])
    write_weights(FOLDER / "model.safetensors", {"moments": upper}, "float16")
    spans = Spans(tuple(Span(part.name, part.dimension, part.fingerprint) for part in parts))
    write_json(FOLDER / "config.json", asdict(spans))
