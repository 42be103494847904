"""Sentences to vectors, each sentence once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from amrx.evaluation.tasks.task import AnyPart
from amrx.types import Encoder, Vectors
from amrx.validation import encode_checked

Told = tuple[str, str | None]
"""A sentence and its ISO 639-1 code, or ``None`` if its language has none."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Sentences with their vectors.

    Attributes:
        places: The row of each sentence.
        vectors: ``(n, d)``.
    """

    places: Mapping[Told, int]
    vectors: Vectors


def encode_parts(
    encoder: Encoder, parts: Sequence[AnyPart], before: Encoded | None, *, batch_size: int, progress: bool
) -> tuple[Encoded, list[Gathered]]:
    """Encode what is new in some parts; return all of their sentences, and each part's columns.

    Args:
        encoder: Sees each (sentence, language) once, and none of ``before``.
        parts: At least one.
        before: What the task before had, which the next one often shares.
        batch_size: Passed to the encoder.
        progress: Passed to the encoder.

    Raises:
        AmrxError: An answer of the encoder is not what it should be (see `amrx.validation`).
    """
    places: dict[Told, int] = {}
    columns = [
        [
            np.array([places.setdefault((text, column.language), len(places)) for text in column.texts])
            for column in part.columns()
        ]
        for part in parts
    ]
    known = {} if before is None else before.places
    new = [sentence for sentence in places if sentence not in known]
    vectors = _encode(encoder, new, batch_size, progress) if new else None
    if before is not None and len(new) < len(places):
        fresh = vectors
        vectors = np.empty((len(places), before.vectors.shape[1]), dtype=before.vectors.dtype)
        kept = [sentence for sentence in places if sentence in known]
        vectors[[places[sentence] for sentence in kept]] = before.vectors[[known[told] for told in kept]]
        if fresh is not None:
            vectors[[places[sentence] for sentence in new]] = fresh
    assert vectors is not None  # a part has sentences, and they are new or known
    return Encoded(places, vectors), [Gathered(vectors, indices) for indices in columns]


def _encode(encoder: Encoder, sentences: Sequence[Told], batch_size: int, progress: bool) -> Vectors:
    """Encode sentences, in order; those without a language code apart, because ``lang`` is all or nothing."""
    told = [place for place, (_, code) in enumerate(sentences) if code is not None]
    untold = [place for place, (_, code) in enumerate(sentences) if code is None]
    found = []
    for chosen in (told, untold):
        if chosen:
            texts = [sentences[place][0] for place in chosen]
            codes = [code for _, code in (sentences[place] for place in chosen) if code is not None]
            found.append(
                encode_checked(encoder, texts, codes or None, batch_size=batch_size, progress=progress)
            )
    if not untold:
        return found[0]
    stacked = np.concatenate(found)
    vectors = np.empty_like(stacked)
    vectors[told + untold] = stacked
    return vectors


class Gathered(Sequence[Vectors]):
    """The columns of a part; item ``i`` is gathered from all vectors when it is asked for."""

    def __init__(self, vectors: Vectors, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        self._vectors, self._columns = vectors, columns

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, index: int) -> Vectors: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Vectors]: ...
    def __getitem__(self, index: int | slice) -> Vectors | Sequence[Vectors]:
        if isinstance(index, slice):
            return Gathered(self._vectors, self._columns[index])
        return self._vectors[self._columns[index]]
