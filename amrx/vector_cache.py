"""Cache vectors under hashes of their inputs, so that nothing is encoded twice.

::

    sha256(text, lang, encoder fingerprint)  ──>  the vector, float32      one sqlite file

The key covers everything a vector depends on: another text, language or set of weights gives another entry,
so entries never become stale. The language is always part of the key, because an encoder does not report
whether it uses it. 4 bytes per number: 2 kB per sentence with 512 dimensions.
"""

from collections.abc import Sequence

import numpy as np

from amrx.device import progress as bar
from amrx.encoder import TextEncoder
from amrx.errors import OutputError
from amrx.langid import codes_of
from amrx.records.store import Kind, Store
from amrx.texts import blocks_of
from amrx.types import Codes, Encoder, Vectors
from amrx.validation import encode_checked

VECTORS = Kind(
    what="vector cache",
    option="--vector-cache",
    variable="AMRX_VECTOR_CACHE",
    file="vectors.sqlite",
    owner=0x616D7276,  # "amrv"
    table="vectors",
    columns="(key BLOB PRIMARY KEY, value BLOB)",
    layout=1,
)

BLOCK = 4096
"""Sentences that are looked up, or encoded and stored, together; a kill loses no more than these."""


class VectorCache(Store[bytes]):
    """The open file. Use it in a ``with`` block, or close it."""

    kind = VECTORS


def uncached(encoder: Encoder) -> Encoder:
    """Return the encoder behind the cache, or the encoder itself if it has none."""
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder


class CachedEncoder(TextEncoder):
    """An encoder that looks up its cache first, with the name and fingerprint of the encoder behind it.

    Law: it returns the encoder's first output for a sentence, bit for bit. Besides the vectors it returns,
    ``BLOCK`` vectors are in memory. ``hits`` is the number of distinct sentences found so far.
    """

    def __init__(self, encoder: Encoder, cache: VectorCache) -> None:
        self.encoder, self.cache, self.hits = encoder, cache, 0
        self.name, self.dimension, self.fingerprint = encoder.name, encoder.dimension, encoder.fingerprint

    def _encode(self, texts: list[str], *, lang: Codes, batch_size: int, progress: bool) -> Vectors:
        """Return float32 ``(n, d)``; equal sentences of one language are encoded once.

        Invalid output of the encoder is an error, and is not stored.
        """
        count = len(texts)
        codes: Sequence[str | None] = [None] * count if lang is None else codes_of(lang, count)
        first: dict[bytes, int] = {}
        rows = [
            first.setdefault(VECTORS.key(text, code, self.fingerprint), row)
            for row, (text, code) in enumerate(zip(texts, codes, strict=True))
        ]
        vectors = np.empty((count, self.dimension), dtype=np.float32)
        missing = self._fill(vectors, first)
        for block in bar(blocks_of(missing, BLOCK), len(missing), self.name, show=progress, size=len):
            block_codes = [code for code in (codes[first[key]] for key in block) if code is not None]
            encoded = encode_checked(
                self.encoder,
                [texts[first[key]] for key in block],
                block_codes or None,
                batch_size=batch_size,
                progress=False,
            )
            vectors[[first[key] for key in block]] = encoded
            stored = {key: row.astype("<f4").tobytes() for key, row in zip(block, encoded, strict=True)}
            self.cache.keep(stored)
        return vectors if len(first) == len(rows) else vectors[rows]

    def _fill(self, vectors: Vectors, first: dict[bytes, int]) -> list[bytes]:
        """Copy cached vectors to their rows; return the missing keys, in order."""
        missing: list[bytes] = []
        for part in blocks_of(first, BLOCK):
            cached = self.cache.get(part)
            for key, value in cached.items():
                if not isinstance(value, bytes) or len(value) != 4 * self.dimension:
                    size = f"of {len(value)} bytes" if isinstance(value, bytes) else f"{value!r:.40}"
                    raise self._damaged(f"{size}, not {4 * self.dimension}")
                vector = np.frombuffer(value, dtype="<f4")
                if not np.isfinite(vector).all():
                    raise self._damaged("that is not finite")
                vectors[first[key]] = vector
            missing += [key for key in part if key not in cached]
        self.hits += len(first) - len(missing)
        return missing

    def _damaged(self, problem: str) -> OutputError:
        return OutputError(f"{self.cache.path}: the vector cache holds a vector {problem}; remove it")
