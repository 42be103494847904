"""Validate encoder output: one row of finite numbers per sentence, all of the same width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from amrx.errors import AmrxError, OptionError
from amrx.types import Encoder, Sentence, Vectors

Dtype = Literal["float32", "float16", "int8"]
"""Numbers of a file of vectors."""


def encode_checked(
    encoder: Encoder,
    texts: Sequence[str],
    codes: Sequence[str] | None,
    *,
    batch_size: int,
    progress: bool,
    ids: Sequence[str] | None = None,
) -> Vectors:
    """Return an encoder's vectors of some sentences, ``(n, encoder.dimension)`` float32.

    Raises:
        OptionError: See `as_vectors`; or the width is not ``encoder.dimension``.
        AmrxError: A vector is not finite.
    """
    answer = encoder.encode(texts, lang=codes, batch_size=batch_size, progress=progress)
    vectors = as_vectors(answer, texts, encoder.name, ids)
    if vectors.shape[1] != encoder.dimension:
        told = f"encode gives {vectors.shape[1]} numbers a sentence, not {encoder.dimension}"
        raise OptionError(f"encoder {encoder.name}: {told}")
    return vectors


def as_vectors(answer: object, texts: Sequence[str], name: str, ids: Sequence[str] | None = None) -> Vectors:
    """Return the output of an encoder for some sentences as float32 ``(n, d)``.

    Raises:
        OptionError: It is not a row of real numbers a sentence, or the rows are empty.
        AmrxError: A number is infinite or none.
    """
    if hasattr(answer, "detach"):  # a tensor; numpy knows no bfloat16
        answer = answer.detach().float().cpu()
    try:
        vectors = np.asarray(answer)
    except (TypeError, ValueError, RuntimeError) as error:
        raise OptionError(f"encoder {name}: encode gives no rows of numbers: {error}") from None
    if vectors.dtype.kind not in "fiu":
        raise OptionError(f"encoder {name}: encode gives no rows of numbers, but {vectors.dtype}")
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        told = f"encode gives {vectors.shape} for {len(texts)} sentences, not a row each"
        raise OptionError(f"encoder {name}: {told}")
    with np.errstate(over="ignore"):  # it is infinite then, and that is told
        vectors = vectors.astype(np.float32, copy=False)
    check_finite(vectors, texts, f"encoder {name}", ids)
    return vectors


def as_dtype(
    vectors: Vectors, dtype: Dtype, sentences: Sequence[Sentence]
) -> npt.NDArray[np.floating | np.int8]:
    """Return vectors ``(n, d)`` in another precision.

    As int8 each vector is scaled so that its largest number is 127 or -127, and rounded: cosines stay near,
    lengths do not.

    Raises:
        AmrxError: A number is too large for it; the message names the first sentence.
    """
    if dtype == "int8":
        largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
        scale = np.divide(127, largest, out=np.zeros_like(largest), where=largest > 0)
        rounded: npt.NDArray[np.int8] = np.rint(vectors * scale).astype(np.int8)
        return rounded
    with np.errstate(over="ignore"):
        narrowed = vectors.astype(dtype, copy=False)
    check_finite(narrowed, [one.text for one in sentences], dtype, [one.id for one in sentences])
    return narrowed


def check_finite(
    vectors: npt.NDArray[np.floating],
    texts: Sequence[str],
    source: str,
    ids: Sequence[str] | None = None,
) -> None:
    """Refuse vectors ``(n, d)`` with a number that is infinite or none.

    Raises:
        AmrxError: A vector is not finite; the message names the first sentence.

    Example:
        >>> check_finite(np.array([[1.0], [np.nan]]), ["A dog.", "A cat."], "encoder x")
        Traceback (most recent call last):
        amrx.errors.AmrxError: encoder x: 1 vectors are not finite, the first that of sentence '2', 'A cat.'
    """
    finite = np.isfinite(vectors).all(axis=1)
    if finite.all():
        return
    first = int(np.argmin(finite))
    named = str(first + 1) if ids is None else ids[first]
    count = int((~finite).sum())
    sentence = f"sentence {named!r}, {texts[first][:80]!r}"
    raise AmrxError(f"{source}: {count} vectors are not finite, the first that of {sentence}")
