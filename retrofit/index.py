"""Sentences to search, with their vectors in temporary files.

::

    sentences ──blocks──> base (n, d_base)   AMR (n, d_amr)   keys (n, d): what is searched, of length 1

Texts are held in memory, vectors are not: 4 (2 d_base + 2 d_amr) bytes a sentence lie in the folder of
temporary files (``TMPDIR``) as long as the index does. A lazy index has the base's vectors as keys, and the
AMR side of those sentences alone that are asked for.
"""

from __future__ import annotations

import errno
import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager

import numpy as np

from amrx.device import progress as bar
from amrx.encoder import TextEncoder, as_sentences
from amrx.errors import InputError
from amrx.evaluation.neighbours.by_faiss import nearest_in_blocks
from amrx.evaluation.neighbours.mining import Floats, Places
from amrx.evaluation.neighbours.nearest import Neighbours
from amrx.evaluation.vector_cache import CachedEncoder, VectorCache
from amrx.langid import fill_languages
from amrx.records.writing import naming
from amrx.types import Encoder, Sentences, Vectors
from amrx.validation import check_finite, encode_checked
from amrx.vectors import cosine, normalise
from retrofit.combine import RetrofittedEncoder, combine

BLOCK = 1024
"""Sentences that are encoded, or searched for, together."""
_SEARCHED = 8192
"""Sentences that are searched together."""


class SideEncoder(TextEncoder):
    """The channels of an encoder side by side, without the base; zero where the parse failed.

    Attributes:
        widths: Of each channel that is not dropped.
        weights: The same.
    """

    def __init__(self, encoder: RetrofittedEncoder) -> None:
        self._encoder = encoder
        kept = [one for one, weight in zip(encoder.encoders, encoder.weights, strict=True) if weight]
        self.widths, self.weights = [one.dimension for one in kept], [one for one in encoder.weights if one]
        self.name, self.dimension = "+".join(one.name for one in kept), sum(self.widths)
        parser = "" if encoder.parser is None else f"{encoder.parser.fingerprint}|"
        self.fingerprint = f"{parser}{'|'.join(one.fingerprint for one in kept)}|side"

    def parts(self, vectors: Vectors) -> list[Vectors]:
        """Return the channels of rows ``(n, dimension)``."""
        return np.split(vectors, np.cumsum(self.widths)[:-1], axis=1)

    def weighed(self, vectors: Vectors) -> Vectors:
        """Return rows of which the cosine is that of the channels together."""
        if len(self.widths) < 2:
            return vectors
        parts = zip(self.weights, self.parts(vectors), strict=True)
        return np.hstack([np.float32(weight) * normalise(part) for weight, part in parts])

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d_amr)``."""
        langs = fill_languages(as_sentences(texts, lang))
        sides = self._encoder.sides(texts, langs, batch_size=batch_size, progress=progress)
        return np.hstack([side.vectors for side in sides])


class Column:
    """Float32 rows ``(count, width)`` in a temporary file; zero until they are put."""

    def __init__(self, count: int, width: int) -> None:
        self._file, name = tempfile.mkstemp(prefix="amrx-vectors-")
        weakref.finalize(self, os.close, self._file)
        with self._named():
            os.truncate(self._file, count * width * 4)
            self.rows: Vectors = np.memmap(name, np.float32, "r", shape=(count, width))
        os.unlink(name)  # the file is there until it is closed
        self.there = np.zeros(count, dtype=np.bool_)

    def put(self, places: Sequence[int], vectors: Vectors) -> None:
        """Write rows.

        Raises:
            OutputError: The folder of temporary files has no room.
        """
        with self._named():
            for place, row in zip(places, np.ascontiguousarray(vectors, dtype=np.float32), strict=True):
                if os.pwrite(self._file, row.tobytes(), place * row.nbytes) != row.nbytes:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.there[list(places)] = True

    def _named(self) -> AbstractContextManager[None]:
        return naming(f"{tempfile.gettempdir()}: the vectors of the index")


class Index:
    """Sentences and their vectors.

    Args:
        encoder: What to encode with.
        sentences: Strings or records, one at least.
        lang: ISO 639-1 code of all strings, or one code per sentence; detected when ``None``.
        lazy: Whether the base alone is searched, so that AMR is made of few sentences.
        cache: Where vectors are kept, such as those of ``amrx eval``.
        batch_size: Sentences per batch of the models.
        progress: Show what is encoded and searched, here and later.

    Raises:
        InputError: There is no sentence.
        OutputError: The folder of temporary files has no room.
        AmrxError: A vector is not finite; the message names the sentence.
    """

    def __init__(
        self,
        encoder: RetrofittedEncoder,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        lazy: bool = False,
        cache: VectorCache | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> None:
        self.encoder, self.sentences, self.progress = encoder, as_sentences(sentences, lang), progress
        if not self.sentences:
            raise InputError("there is no sentence to search")
        self.langs: list[str] = []
        self._batch_size = batch_size
        self._side = SideEncoder(encoder)
        self._encoders: list[Encoder] = [encoder.base, self._side]
        if cache is not None:
            self._encoders = [CachedEncoder(one, cache) for one in self._encoders]
        count, self.lazy = len(self.sentences), lazy or not self.searches_side
        added = encoder.integration.endswith("add")
        width = encoder.base.dimension + (0 if self.lazy or added else self._side.dimension)
        self._base, self._amr, self._keys = (
            Column(count, columns) for columns in (encoder.base.dimension, self._side.dimension or 1, width)
        )
        for places in bar(_blocks(range(count)), count, "index", show=progress, size=len):
            self._fill(places)

    def _fill(self, places: Sequence[int]) -> None:
        """Encode a block of sentences."""
        self.langs += fill_languages([self.sentences[place] for place in places])
        base = keys = self._put(self._base, 0, places)
        if not self.lazy:
            keys = self._combined(base, self._put(self._amr, 1, places))
            block = [self.sentences[place] for place in places]
            ids = [one.id for one in block]
            check_finite(keys, [one.text for one in block], self.encoder.told, ids)
        self._keys.put(places, normalise(keys))

    def _put(self, column: Column, side: int, places: Sequence[int]) -> Vectors:
        chosen = [self.sentences[place] for place in places]
        vectors = encode_checked(
            self._encoders[side], [one.text for one in chosen], [self.langs[place] for place in places],
            batch_size=self._batch_size, progress=False, ids=[one.id for one in chosen],
        )  # fmt: skip
        column.put(places, vectors)
        return vectors

    def _combined(self, base: Vectors, amr: Vectors) -> Vectors:
        parts, weights = self._side.parts(amr), self._side.weights
        return combine(base, *parts, weight=weights, integration=self.encoder.integration)

    @property
    def searches_side(self) -> bool:
        """Whether any channel has a weight."""
        return any(self.encoder.weights)

    def nearest(self, queries: Index, k: int) -> Neighbours:
        """Return the ``k`` rows of this index with the nearest keys for each sentence of another."""
        blocks, count = _cut(queries._keys.rows, BLOCK), len(queries.sentences)
        near = [
            nearest_in_blocks(rows, _cut(self._keys.rows, _SEARCHED), k)
            for rows in bar(blocks, count, "search", show=self.progress, size=len)
        ]
        return Neighbours(np.vstack([one.cosines for one in near]), np.vstack([one.places for one in near]))

    def vectors(self, places: Places) -> tuple[Vectors, Vectors, Vectors]:
        """Return base, AMR and combined vectors of some rows; AMR is made where it is not there yet."""
        if self.searches_side:
            asked = np.unique(places)
            for block in _blocks(asked[~self._amr.there[asked]].tolist()):
                self._put(self._amr, 1, block)
        base, amr = self._base.rows[places], self._amr.rows[places]
        if not self.searches_side:
            return base, amr, base
        return base, self._side.weighed(amr), self._combined(base, amr)


def cosines(one: Index, other: Index, first: Places, second: Places) -> Floats:
    """Return base, AMR and combined cosine of pairs of rows, ``(3, n)``; AMR is NaN where there is none."""
    values = np.empty((3, len(first)))
    for rows in bar(_blocks(range(len(first))), len(first), "score", show=other.progress, size=len):
        part = slice(rows[0], rows[-1] + 1)
        sides = one.vectors(first[part]), other.vectors(second[part])
        values[:, part] = [cosine(a, b) for a, b in zip(*sides, strict=True)]
        values[1, part][~(sides[0][1].any(axis=1) & sides[1][1].any(axis=1))] = np.nan
    return values


def _blocks(places: Sequence[int]) -> Iterator[Sequence[int]]:
    return (places[start : start + BLOCK] for start in range(0, len(places), BLOCK))


def _cut(rows: Vectors, size: int) -> Iterator[Vectors]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
