"""Search a pool larger than memory: encode it shard by shard into faiss indexes on disk.

::

    entries ──65,536 at a time──> key of the shard ──file exists?─┬─yes──> read it
                                                                  └─no──> encode ──> float16 index ──> file
    each shard ──exact cosines──> the best k so far of every query

The file name of a shard is a hash of the encoder's fingerprint and the texts: a killed run resumes, another
encoder never reads the file, and a longer pool reuses common shards. One shard is in memory at a time: 65,536
x 512 numbers take 64 MB on disk and 192 MB in memory. 65 million questions take 66 GB on disk. Rounding to
float16 changes a cosine by less than 0.0005.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import OptionError, OutputError
from amrx.evaluation.neighbours.nearest import keep_nearest, load_faiss, nearest_of_many
from amrx.records import atomic_path, make_folder
from amrx.records.store import user_cache
from amrx.texts import blocks_of
from amrx.types import Encoder, Vectors
from amrx.validation import encode_tagged
from amrx.vector_cache import uncached
from amrx.vectors import normalise

SHARD = 1 << 16
LAYOUT = 1
"""Version of the file format of shards."""


class Entry(NamedTuple):
    """An entry of a pool."""

    text: str  # the text to encode
    language: str | None  # its ISO 639-1 code, ``None`` if it has none
    name: str  # the value returned for it, such as its number or its answer


class Nearest(NamedTuple):
    """The ``k`` nearest entries of each query, nearest first."""

    cosines: Vectors  # ``(n, k)``
    names: npt.NDArray[np.object_]  # ``(n, k)``, of str


@dataclass(frozen=True, slots=True)
class PoolSearch:
    """Search pools with one encoder."""

    encoder: Encoder  # encodes the entries, without its vector cache, because shards are a cache
    folder: Path | None = None  # folder of shards; ``None`` discards each shard after the search
    batch_size: int = 64  # passed to the encoder
    shard: int = SHARD  # entries per shard

    def __call__(self, entries: Iterable[Entry], queries: Vectors, k: int) -> Nearest:
        """Return the nearest entries of each query; ties keep their order.

        ``queries`` are ``(n, d)``, of any length; the entries, at least ``k``, are read once, in order.
        """
        cosines = np.empty((len(queries), 0), dtype=np.float32)
        names = np.empty((len(queries), 0), dtype=np.object_)
        for shard in blocks_of(entries, self.shard):
            vectors = self._vectors(shard)
            near, places = nearest_of_many(queries, vectors, k)
            near_names = np.array([entry.name for entry in shard], dtype=np.object_)[places]
            cosines, names = keep_nearest(np.hstack([cosines, near]), np.hstack([names, near_names]), k)
        return Nearest(cosines, names)

    def _vectors(self, shard: Sequence[Entry]) -> Vectors:
        """Return the vectors of a shard from its index, ``(n, d)`` of length 1."""
        index = self._index(shard)
        vectors: Vectors = index.reconstruct_n(0, index.ntotal)
        return vectors

    def _index(self, shard: Sequence[Entry]) -> Any:  # noqa: ANN401  # faiss is optional, and so are its types
        if self.folder is None:
            return self._encoded(shard)
        make_folder(self.folder)
        file = self.folder / f"{key_of(shard, self.encoder.fingerprint)}.faiss"
        if file.is_file():
            return _read(file, len(shard), self.encoder.dimension)
        index = self._encoded(shard)
        with atomic_path(file) as temporary:
            load_faiss().write_index(index, str(temporary))
        return index

    def _encoded(self, shard: Sequence[Entry]) -> Any:  # noqa: ANN401  # as above
        faiss = load_faiss()
        sentences = [(entry.text, entry.language) for entry in shard]
        vectors = encode_tagged(uncached(self.encoder), sentences, batch_size=self.batch_size)
        index = faiss.IndexScalarQuantizer(
            self.encoder.dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        )
        index.add(normalise(vectors))
        return index


def shard_folder(named: Path | None, *, off: bool) -> Path | None:
    """Return the folder of shards chosen by a command's options, or ``None`` if ``off``."""
    if off and named is not None:
        raise OptionError("--index and --no-cache contradict each other")
    if off:
        return None
    return named or user_cache("index", "AMRX_INDEX")


def key_of(shard: Sequence[Entry], fingerprint: str) -> str:
    """Return the file name of a shard: a hash of the encoder, the texts and their languages."""
    digest = sha256(f"{LAYOUT}\0{fingerprint}".encode())
    for entry in shard:
        digest.update(f"\0{entry.language or ''}\0{len(entry.text)}\0{entry.text}".encode())
    return digest.hexdigest()[:40]


def _read(file: Path, count: int, dimension: int) -> Any:  # noqa: ANN401  # as above
    try:
        index = load_faiss().read_index(str(file))
    except RuntimeError:
        raise OutputError(f"{file}: is not a faiss index; remove it") from None
    if (index.ntotal, index.d) != (count, dimension):
        problem = f"must hold {count} vectors of {dimension} numbers, got {index.ntotal} of {index.d}"
        raise OutputError(f"{file}: {problem}; remove it")
    return index
