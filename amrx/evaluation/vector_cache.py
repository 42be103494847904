"""Vectors kept by what they were made from, so that nothing is encoded twice.

::

    sha256(text, lang, encoder fingerprint)  ──>  the vector, float32      one sqlite file

The key holds everything a vector depends on: another text, language or set of weights is another entry, and
an entry never goes stale. The language is in every key, because an encoder does not say whether it matters.
Four bytes a number: 2 kB a sentence with 512 dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from amrx.device import progress as bar
from amrx.encoder import TextEncoder
from amrx.errors import OutputError
from amrx.langid import codes_of
from amrx.records.store import Kind, Store, open_chosen
from amrx.types import Encoder, Vectors
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
"""Sentences that are looked up, or encoded and kept, together; a kill loses no more than these."""


class VectorCache(Store[bytes]):
    """The file. Use it in a ``with`` block, or close it.

    Raises:
        OutputError: It cannot be opened, or is something else.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, VECTORS)


def open_cache(named: Path | None, *, off: bool = False) -> VectorCache | None:
    """Open what ``--vector-cache`` and ``--no-cache`` choose; see `amrx.records.store.open_chosen`."""
    return open_chosen(VectorCache, VECTORS, named, off=off)


def uncached(encoder: Encoder) -> Encoder:
    """Return the encoder behind the cache, or the encoder itself if it asks none."""
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder


class CachedEncoder(TextEncoder):
    """An encoder that asks the cache first. It is itself an encoder, of the same name and fingerprint.

    Law: it returns what the encoder returned when it first saw a sentence, bit for bit. Beside the vectors it
    returns, it holds ``BLOCK`` of them.

    Attributes:
        hits: Distinct sentences answered from the cache so far.
    """

    def __init__(self, encoder: Encoder, cache: VectorCache) -> None:
        self.encoder, self.cache, self.hits = encoder, cache, 0
        self.name, self.dimension, self.fingerprint = encoder.name, encoder.dimension, encoder.fingerprint

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(n, d)``; equal sentences of one language are encoded once.

        Raises:
            OutputError: The cache holds a vector of another width.
            AmrxError: An answer of the encoder is not what it should be; it is not kept.
        """
        count = len(texts)
        codes: Sequence[str | None] = [None] * count if lang is None else codes_of(lang, count)
        first: dict[bytes, int] = {}
        places = [
            first.setdefault(VECTORS.key(text, code, self.fingerprint), place)
            for place, (text, code) in enumerate(zip(texts, codes, strict=True))
        ]
        vectors = np.empty((count, self.dimension), dtype=np.float32)
        missing = self._fill(vectors, first)
        blocks = [missing[start : start + BLOCK] for start in range(0, len(missing), BLOCK)]
        for block in bar(blocks, len(missing), self.name, show=progress, size=len):
            told = [code for code in (codes[first[key]] for key in block) if code is not None]
            made = encode_checked(
                self.encoder,
                [texts[first[key]] for key in block],
                told or None,
                batch_size=batch_size,
                progress=False,
            )
            vectors[[first[key] for key in block]] = made
            self.cache.keep({key: row.astype("<f4").tobytes() for key, row in zip(block, made, strict=True)})
        return vectors if len(first) == len(places) else vectors[places]

    def _fill(self, vectors: Vectors, first: dict[bytes, int]) -> list[bytes]:
        """Copy what the cache has to its rows; return the keys of the rest, in order."""
        missing: list[bytes] = []
        keys = list(first)
        for start in range(0, len(keys), BLOCK):
            part = keys[start : start + BLOCK]
            found = self.cache.get(part)
            for key, value in found.items():
                if not isinstance(value, bytes) or len(value) != 4 * self.dimension:
                    size = f"of {len(value)} bytes" if isinstance(value, bytes) else f"{value!r:.40}"
                    message = f"holds a vector {size}, not {4 * self.dimension}; remove it"
                    raise OutputError(f"{self.cache.path}: the vector cache {message}")
                vectors[first[key]] = np.frombuffer(value, dtype="<f4")
            missing += [key for key in part if key not in found]
        self.hits += len(keys) - len(missing)
        return missing
