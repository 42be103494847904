"""What an encoder answers, before it is believed: a row of finite numbers a sentence, of one width."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amrx.errors import AmrxError, OptionError
from amrx.types import Encoder, Vectors


def encode_checked(
    encoder: Encoder, texts: Sequence[str], codes: Sequence[str] | None, *, batch_size: int, progress: bool
) -> Vectors:
    """Return an encoder's vectors of some sentences, ``(n, encoder.dimension)`` float32.

    Raises:
        OptionError: See `as_vectors`; or the width is not ``encoder.dimension``.
        AmrxError: A vector is not finite.
    """
    answer = encoder.encode(texts, lang=codes, batch_size=batch_size, progress=progress)
    vectors = as_vectors(answer, texts, encoder.name)
    if vectors.shape[1] != encoder.dimension:
        told = f"encode gives {vectors.shape[1]} numbers a sentence, not {encoder.dimension}"
        raise OptionError(f"encoder {encoder.name}: {told}")
    return vectors


def as_vectors(answer: object, texts: Sequence[str], name: str) -> Vectors:
    """Return what an encoder gave for some sentences as float32 ``(n, d)``.

    Args:
        answer: An array, a tensor on any device, or rows of numbers.
        texts: The sentences, ``n``.
        name: The encoder's.

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
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        text = texts[int(np.argmin(finite))]
        count = int((~finite).sum())
        raise AmrxError(f"encoder {name}: {count} vectors are not finite, the first that of {text[:80]!r}")
    return vectors
