"""Index sentences for search, with their vectors in temporary files.

::

    sentences ──blocks──> base (n, d_base)   AMR (n, d_amr)   keys (n, d): the searched vectors, of length 1

Texts are in memory, vectors are not: 4 (2 d_base + 2 d_amr) bytes per sentence are in the folder of temporary
files (``TMPDIR``) as long as the index exists. A lazy index has the base's vectors as keys, and computes the
AMR side only for requested sentences.
"""

from __future__ import annotations

import errno
import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from amrx.device import progress as bar
from amrx.encoder import as_sentences
from amrx.errors import InputError
from amrx.evaluation.neighbours.mining import Floats, Places
from amrx.evaluation.neighbours.nearest import Neighbours, nearest_in_blocks
from amrx.langid import fill_languages
from amrx.records.writing import naming
from amrx.types import Encoder, Sentence, Sentences, Vectors
from amrx.validation import check_finite, encode_checked
from amrx.vector_cache import CachedEncoder, VectorCache
from amrx.vectors import cosine, normalise
from retrofit.cached_parts import ChannelEncoder
from retrofit.combine import RetrofittedEncoder, combine

BLOCK = 1024
"""Number of sentences that are encoded, or searched for, together."""
_SEARCHED = 8192
"""Number of sentences that are searched together."""


class Column:
    """Float32 rows ``(count, width)`` in a temporary file without a name; zero until written.

    The file is gone when the process ends, however it ends.
    """

    def __init__(self, count: int, width: int) -> None:
        with self._named():
            file = tempfile.TemporaryFile(prefix="amrx-vectors-", buffering=0)
            weakref.finalize(self, file.close)
            self._file = file.fileno()
            os.truncate(self._file, count * width * 4)
            self.rows: Vectors = np.memmap(file, np.float32, "r", shape=(count, width))
        self.present = np.zeros(count, dtype=np.bool_)

    def put(self, places: Sequence[int], vectors: Vectors) -> None:
        """Write rows."""
        with self._named():
            for index, row in zip(places, np.ascontiguousarray(vectors, dtype=np.float32), strict=True):
                if os.pwrite(self._file, row.tobytes(), index * row.nbytes) != row.nbytes:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.present[list(places)] = True

    def _named(self) -> AbstractContextManager[None]:
        return naming(f"{tempfile.gettempdir()}: the vectors of the index")


class Index:
    """Sentences and their vectors.

    Args:
        encoder: Encoder of the sentences.
        sentences: Strings or records, at least one.
        lang: ISO 639-1 code of all strings, or one code per sentence; detected when ``None``.
        lazy: Whether only the base is searched, so that AMR is computed for few sentences.
        cache: Cache of vectors, such as that of ``amrx eval``.
        batch_size: Sentences per batch of the models.
        progress: Show the progress of encoding and searching, now and later.
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
        kept = [
            (one, weight) for one, weight in zip(encoder.encoders, encoder.weights, strict=True) if weight
        ]
        self._weights = [weight for _, weight in kept]
        self._encoders: list[Encoder] = [encoder.base, *(ChannelEncoder(encoder, one) for one, _ in kept)]
        if cache is not None:
            self._encoders = [CachedEncoder(one, cache) for one in self._encoders]
        count, self.lazy = len(self.sentences), lazy or not kept
        self._columns = [Column(count, one.dimension) for one in self._encoders]
        self._keys = Column(count, encoder.base.dimension if self.lazy else encoder.dimension)
        for places in bar(_blocks(range(count)), count, "index", show=progress, size=len):
            self._fill(places)

    def _fill(self, places: Sequence[int]) -> None:
        """Encode a block of sentences."""
        self.langs += fill_languages([self.sentences[index] for index in places])
        keys = self._put(0, places)
        if not self.lazy:
            keys = self._combined(keys, [self._put(n, places) for n in range(1, len(self._columns))])
            block = [self.sentences[index] for index in places]
            check_finite(keys, [one.text for one in block], self.encoder.summary, [one.id for one in block])
        self._keys.put(places, normalise(keys))

    def _put(self, part: int, places: Sequence[int]) -> Vectors:
        chosen = [self.sentences[index] for index in places]
        vectors = encode_checked(
            self._encoders[part], [one.text for one in chosen], [self.langs[index] for index in places],
            batch_size=self._batch_size, progress=False, ids=[one.id for one in chosen],
        )  # fmt: skip
        self._columns[part].put(places, vectors)
        return vectors

    def _combined(self, base: Vectors, channels: Sequence[Vectors]) -> Vectors:
        return combine(base, *channels, weight=self._weights, integration=self.encoder.integration)

    def sentence(self, row: int) -> Sentence:
        """Return a sentence with its language, detected if it was not given."""
        return replace(self.sentences[row], lang=self.langs[row])

    def nearest(self, queries: Index, k: int) -> Neighbours:
        """Return the ``k`` rows of this index with the nearest keys for each sentence of another."""
        blocks, count = _cut(queries._keys.rows, BLOCK), len(queries.sentences)
        near = [
            nearest_in_blocks(rows, _cut(self._keys.rows, _SEARCHED), k)
            for rows in bar(blocks, count, "search", show=self.progress, size=len)
        ]
        return Neighbours(np.vstack([one.cosines for one in near]), np.vstack([one.places for one in near]))

    def vectors(self, places: Places) -> tuple[Vectors, Vectors, Vectors]:
        """Return base, channel and combined vectors of some rows; compute missing ones."""
        asked = np.unique(places)
        for part, column in enumerate(self._columns):
            for block in _blocks(asked[~column.present[asked]].tolist()):
                self._put(part, block)
        base, *channels = (column.rows[places] for column in self._columns)
        weighted = [np.float32(w) * normalise(one) for w, one in zip(self._weights, channels, strict=True)]
        side = np.hstack(weighted) if weighted else np.zeros((len(places), 1), dtype=np.float32)
        return base, side, self._combined(base, channels)


def cosines(one: Index, other: Index, first: Places, second: Places) -> Floats:
    """Return base, AMR and combined cosine of pairs of rows, ``(3, n)``; AMR is NaN without a vector."""
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
