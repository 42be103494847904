"""Retrofit blocks of sentences in this process, or with one of the parser's engines (`parser.run.engines`).

Law: the bytes do not depend on the engine or on the number of workers. They are those of one process with one
thread; several threads round the last bits differently. Every engine works block by block, because the
rounding of a base in bfloat16 depends on its batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from amrx.types import Vectors
from parser.run.engines import Block, Engine, PoolEngine, RayEngine

if TYPE_CHECKING:
    from parser.run.cache import ParseCache
    from retrofit.combine import RetrofittedEncoder, Weights
    from retrofit.load import Shared


@dataclass(frozen=True, slots=True)
class Parts:
    """The work of an encoder, whose parts are named for another process to load them."""

    noun: ClassVar[str] = "encoder"
    base: str  # as in `retrofit.load.load`
    parser: str | None  # as in `retrofit.load.load`
    encoders: tuple[str, ...] | None  # as in `retrofit.load.load`
    weights: Weights | None = None  # as in `retrofit.load.load`; hashable
    split: bool = True  # whether each sentence of a text is parsed
    integration: str | None = None  # as in `retrofit.load.load`
    dimensions: int | None = None  # width to which vectors are reduced; ``None`` does not reduce
    parses: Path | None = None  # file of the cache of parses; ``None`` for none
    vectors: Path | None = None  # file of the cache of vectors; ``None`` for none

    def load(self, cache: ParseCache | None, shared: Shared | None = None) -> RetrofittedEncoder:
        """Load the encoder with a cache of parses, without one of vectors."""
        from retrofit.load import load

        loaded = load(
            self.base, self.parser, self.encoders, self.weights, split=self.split,
            integration=self.integration, cache=cache, parts=shared,
        )  # fmt: skip
        loaded.dimensions = self.dimensions or loaded.dimensions
        return loaded

    def open(self) -> RetrofittedEncoder:
        """Load the encoder in a worker, with both caches, which stay open."""
        from amrx.vector_cache import VectorCache
        from parser.run.cache import ParseCache
        from retrofit.cached_parts import CachedParts

        loaded = self.load(None if self.parses is None else ParseCache(self.parses))
        return loaded if self.vectors is None else CachedParts(loaded, VectorCache(self.vectors))

    def run(self, model: RetrofittedEncoder, block: Block, batch_size: int) -> Result:
        """Return the result of a block."""
        return retrofit_block(model, block, batch_size)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a block."""

    vectors: Vectors  # ``(n, d)``
    failed: tuple[int, ...]  # rows whose parse failed
    cut: tuple[int, ...] = ()  # number of inputs that the base and each channel cut
    hits: int = 0  # number of vectors of parts found in the cache


class LocalEngine:
    """Retrofit in this process."""

    def __init__(self, encoder: RetrofittedEncoder) -> None:
        self.encoder = encoder

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, Result]]:
        """Yield each block with its result, in order."""
        for block in blocks:
            yield block, retrofit_block(self.encoder, block, batch_size)


def retrofit_block(encoder: RetrofittedEncoder, block: Block, batch_size: int) -> Result:
    """Return a block's result; the counts are those of this block."""
    before = _counts(encoder)
    retrofitted = encoder.retrofit(block, batch_size=batch_size)
    after = _counts(encoder)
    hits, *cut = (new - old for new, old in zip(after, before, strict=True))
    return Result(retrofitted.vectors, retrofitted.failed, tuple(cut), hits)


def _counts(encoder: RetrofittedEncoder) -> list[int]:
    return [getattr(encoder, "hits", 0), *(cut.count if cut else 0 for cut in encoder.cuts)]


def open_engine(
    kind: str, encoder: RetrofittedEncoder, parts: Parts, workers: int | None, stack: ExitStack
) -> Engine[Result]:
    """Return the engine ``local`` or ``ray``; its workers end with ``stack``.

    Caches are local files, so actors on other machines use none.
    """
    if kind == "ray":
        if os.environ.get("RAY_ADDRESS"):
            parts = replace(parts, parses=None, vectors=None)
        return stack.enter_context(RayEngine(parts, workers, encoder.fingerprint))
    if workers is not None:
        return stack.enter_context(PoolEngine(parts, workers, encoder.fingerprint))
    return LocalEngine(encoder)
