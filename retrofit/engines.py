"""Retrofit blocks of sentences in this process, or with one of the parser's engines (`parser.run.engines`).

Law: the bytes do not depend on the engine or on the number of workers. They are those of one process with one
thread; several threads round the last bits differently. Every engine works block by block, because the
rounding of a base in bfloat16 depends on its batch.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, MutableMapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from amrx.types import Parser, Vectors
from parser.run.engines import Block, Engine, PoolEngine, RayEngine

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder


@dataclass(frozen=True, slots=True)
class Parts:
    """The work of an encoder, whose parts are named for another process to load them."""

    noun: ClassVar[str] = "encoder"
    base: str  # as in `retrofit.load.load`
    parser: str | None  # as in `retrofit.load.load`
    encoders: tuple[str, ...] | None  # as in `retrofit.load.load`
    weights: tuple[float, ...] | None = None  # weight of each channel, ``None`` for the fitted ones
    split: bool = True  # whether each sentence of a text is parsed
    integration: str | None = None  # as in `retrofit.load.load`
    dimensions: int | None = None  # width to which vectors are reduced; ``None`` does not reduce
    parses: Path | None = None  # file of the cache of parses; ``None`` for none
    vectors: Path | None = None  # file of the cache of vectors; ``None`` for none

    def open(self) -> RetrofittedEncoder:
        """Load the encoder; its caches stay open."""
        from amrx.vector_cache import VectorCache
        from parser.run.cache import ParseCache
        from retrofit.cached_parts import CachedParts
        from retrofit.load import load

        cache = None if self.parses is None else ParseCache(self.parses)
        loaded = load(
            self.base, self.parser, self.encoders, self.weights, split=self.split,
            integration=self.integration, cache=cache,
        )  # fmt: skip
        loaded.dimensions = self.dimensions or loaded.dimensions
        if self.vectors is None:
            return loaded
        return CachedParts(loaded, VectorCache(self.vectors))

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


def let_grow(
    encoder: RetrofittedEncoder,
    stack: ExitStack,
    parsers: MutableMapping[tuple[str, int | None], Parser] | None = None,
) -> None:
    """Let a named parser of an encoder continue in processes that end with ``stack`` (`GrowingParser`).

    In ``parsers``, those that several encoders share, it is replaced, so that they share the processes.
    """
    from parser.run.cache import CachedParser
    from parser.run.pool import GrowingParser

    reader, source = encoder.parser, encoder.source
    if reader is None or source is None:
        return
    inner = reader.parser if isinstance(reader, CachedParser) else reader
    growing = inner if isinstance(inner, GrowingParser) else GrowingParser(inner, source.parser.name, stack)
    for name, one in (parsers or {}).items():
        if one is inner and parsers is not None:
            parsers[name] = growing
    if isinstance(reader, CachedParser):
        reader.parser = growing
    else:
        encoder.parser = growing
