"""Validate the output of encoders and parsers: one row of finite numbers, or one parse, per sentence."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
import penman

from amrx.errors import AmrxError, OptionError
from amrx.types import Encoder, Parse, Parser, Sentence, Vectors

Dtype = Literal["float32", "float16", "int8"]
"""Number formats of a file of vectors."""


def encode_checked(
    encoder: Encoder,
    texts: Sequence[str],
    codes: Sequence[str] | None,
    *,
    batch_size: int,
    progress: bool,
    ids: Sequence[str] | None = None,
) -> Vectors:
    """Encode sentences and validate the vectors, float32 ``(n, encoder.dimension)``."""
    output = encoder.encode(texts, lang=codes, batch_size=batch_size, progress=progress)
    vectors = as_vectors(output, texts, encoder.name, ids)
    if vectors.shape[1] != encoder.dimension:
        problem = f"encode must return {encoder.dimension} numbers per sentence, got {vectors.shape[1]}"
        raise OptionError(f"encoder {encoder.name}: {problem}")
    return vectors


def parse_checked(
    parser: Parser, sentences: Sequence[Sentence], *, batch_size: int, progress: bool
) -> list[Parse]:
    """Parse sentences and validate the parses: one `Parse` per sentence, with its id, in order.

    Raises:
        OptionError: The parser, an object of the caller, returned something else.
    """
    output: object = parser.parse(sentences, batch_size=batch_size, progress=progress)
    rule = f"parser {parser.fingerprint}: parse must return one amrx.types.Parse per sentence, in order"
    if not isinstance(output, list | tuple):
        raise OptionError(f"{rule}, got {type(output).__name__}")
    if len(output) != len(sentences):
        raise OptionError(f"{rule}, got {len(output)} for {len(sentences)} sentences")
    for sentence, parse in zip(sentences, output, strict=True):
        if not isinstance(parse, Parse) or not isinstance(parse.graph, penman.Graph):
            wrong = type(parse.graph if isinstance(parse, Parse) else parse).__name__
            raise OptionError(f"{rule}, with a penman.Graph; got {wrong} for sentence {sentence.id!r}")
        if parse.id != sentence.id:
            raise OptionError(f"{rule}, got id {parse.id!r} for sentence {sentence.id!r}")
    return list(output)


def encode_tagged(
    encoder: Encoder, sentences: Sequence[tuple[str, str | None]], *, batch_size: int
) -> Vectors:
    """Encode sentences with their codes, if any, in order; ``lang`` is for all or none, so in two calls."""
    tagged = [row for row, (_, code) in enumerate(sentences) if code is not None]
    bare = [row for row, (_, code) in enumerate(sentences) if code is None]
    encoded = []
    for rows in filter(None, (tagged, bare)):
        texts = [sentences[row][0] for row in rows]
        codes = [code for _, code in (sentences[row] for row in rows) if code is not None]
        encoded.append(encode_checked(encoder, texts, codes or None, batch_size=batch_size, progress=False))
    if len(encoded) == 1:
        return encoded[0]
    stacked = np.concatenate(encoded)
    vectors = np.empty_like(stacked)
    vectors[tagged + bare] = stacked
    return vectors


def as_vectors(output: object, texts: Sequence[str], name: str, ids: Sequence[str] | None = None) -> Vectors:
    """Return the output of an encoder as float32 ``(n, d)``."""
    if hasattr(output, "detach"):  # a tensor; numpy has no bfloat16
        output = output.detach().float().cpu()
    try:
        vectors = np.asarray(output)
    except (TypeError, ValueError, RuntimeError) as error:
        raise OptionError(f"encoder {name}: encode must return rows of numbers: {error}") from None
    if vectors.dtype.kind not in "fiu":
        raise OptionError(f"encoder {name}: encode must return rows of numbers, got {vectors.dtype}")
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        problem = f"encode must return one row per sentence, got {vectors.shape} for {len(texts)} sentences"
        raise OptionError(f"encoder {name}: {problem}")
    with np.errstate(over="ignore"):  # an overflow gives inf, reported below
        vectors = vectors.astype(np.float32, copy=False)
    check_finite(vectors, texts, f"encoder {name}", ids)
    return vectors


def as_dtype(
    vectors: Vectors, dtype: Dtype, sentences: Sequence[Sentence]
) -> npt.NDArray[np.floating | np.int8]:
    """Convert vectors ``(n, d)`` to another number format.

    int8 scales each vector so that its largest absolute value is 127, and rounds: this approximately keeps
    cosines, but not lengths.
    """
    if dtype == "int8":
        largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
        scale = np.divide(127, largest, out=np.zeros_like(largest), where=largest > 0)
        rounded: npt.NDArray[np.int8] = np.rint(vectors * scale).astype(np.int8)
        return rounded
    with np.errstate(over="ignore"):
        narrowed = vectors.astype(dtype, copy=False)
    texts, ids = [sentence.text for sentence in sentences], [sentence.id for sentence in sentences]
    check_finite(narrowed, texts, dtype, ids)
    return narrowed


def check_finite(
    vectors: npt.NDArray[np.floating], texts: Sequence[str], source: str, ids: Sequence[str] | None = None
) -> None:
    """Raise if a vector of ``(n, d)`` holds an infinity or NaN.

    Example:
        >>> check_finite(np.array([[1.0], [np.nan]]), ["A dog.", "A cat."], "encoder x")
        Traceback (most recent call last):
        amrx.errors.AmrxError: encoder x: 1 vectors are not finite, the first that of sentence '2', 'A cat.'
    """
    finite = np.isfinite(vectors).all(axis=1)
    if finite.all():
        return
    first = int(np.argmin(finite))
    identifier = str(first + 1) if ids is None else ids[first]
    count = int((~finite).sum())
    sentence = f"sentence {identifier!r}, {texts[first][:80]!r}"
    raise AmrxError(f"{source}: {count} vectors are not finite, the first that of {sentence}")
