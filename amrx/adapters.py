"""Wrap any Python object with ``encode``, such as a sentence-transformers model, as an encoder.

::

    from amrx.evaluation import run, tasks_named

    run([SentenceTransformer("DIR")], tasks_named("sts17"), data)

Only ``encode(sentences)`` is called, with a list of strings and without languages; it must return one row of
numbers per sentence.
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
    """An object with ``encode`` as an `amrx.types.Encoder`.

    Attributes:
        name: Short name for tables.
        dimension: Width of the vectors.
        fingerprint: New for each instance, because the weights are unknown: its vectors are never cached.
    """

    def __init__(self, model: Encodes, name: str | None = None) -> None:
        """Encode one sentence to find out the width."""
        self.model = model
        self.name = name or type(model).__name__
        self.fingerprint = f"{self.name}-{uuid4().hex}"
        self.dimension = int(self.encode(["0"]).shape[1])

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``."""
        return as_vectors(self.model.encode(texts), texts, self.name)


def as_encoder(model: Encoder | Encodes) -> Encoder:
    """Return an encoder unchanged; wrap any other object with ``encode``.

    An object whose ``encode`` takes no ``lang`` is wrapped too, even if it is an encoder otherwise.
    """
    if isinstance(model, Encoder) and _takes_language(model.encode):
        return model
    if isinstance(model, str) or not isinstance(model, Encodes):  # str.encode is another function
        raise OptionError(f"an encoder must have encode(sentences), got {model!r}")
    return PlainEncoder(model, model.name if isinstance(model, Encoder) else None)


def _takes_language(encode: Callable[..., object]) -> bool:
    parameters = inspect.signature(encode).parameters.values()
    return any(
        parameter.name == "lang" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters
    )
