"""Any Python object with ``encode`` as an encoder: a model of sentence-transformers, or one's own class.

::

    from amrx.evaluation import run, tasks_named

    run([SentenceTransformer("DIR")], tasks_named("sts17"), data)

The object is asked ``encode(sentences)`` alone, with a list of strings, and answers with one row of numbers a
sentence; it is not told the language.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Protocol, runtime_checkable
from uuid import uuid4

from amrx.encoder import TextEncoder
from amrx.errors import OptionError
from amrx.types import Encoder, Vectors
from amrx.validation import as_vectors


@runtime_checkable
class Encodes(Protocol):
    """An object with ``encode``."""

    def encode(self, sentences: list[str]) -> object:
        """Return ``(len(sentences), d)`` numbers: an array, a tensor, or lists."""


class PlainEncoder(TextEncoder):
    """Such an object as an `amrx.types.Encoder`.

    Attributes:
        name: Short name for tables.
        dimension: Width of the vectors.
        fingerprint: Another one each time, as nothing is known of the weights: its vectors are in no cache.
    """

    def __init__(self, model: Encodes, name: str | None = None) -> None:
        """Encode a sentence to learn the width.

        Raises:
            AmrxError: See `encode`.
        """
        self.model = model
        self.name = name or type(model).__name__
        self.fingerprint = f"{self.name}-{uuid4().hex}"
        self.dimension = int(self.encode(["0"]).shape[1])

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``.

        Raises:
            AmrxError: The object answers with something else (see `amrx.validation.as_vectors`).
        """
        return as_vectors(self.model.encode(texts), texts, self.name)


def as_encoder(model: Encoder | Encodes) -> Encoder:
    """Return an encoder as it is, and any other object with ``encode`` as one.

    An encoder is told the language; one whose ``encode`` takes no ``lang`` is another object.

    Raises:
        OptionError: It has no ``encode``.
    """
    if isinstance(model, Encoder) and _takes_language(model.encode):
        return model
    if isinstance(model, str) or not isinstance(model, Encodes):  # a string's encode is another one
        raise OptionError(f"{model!r} cannot be scored: it has no encode(sentences)")
    return PlainEncoder(model, model.name if isinstance(model, Encoder) else None)


def _takes_language(encode: Callable[..., object]) -> bool:
    kinds = inspect.signature(encode).parameters
    return "lang" in kinds or any(kind.kind is kind.VAR_KEYWORD for kind in kinds.values())
