"""Retrofit blocks of sentences in this process, in processes of this machine, or on a Ray cluster.

::

    sentences ── blocks ──> worker 1 (its own models, one thread) ──┐
                      └───> worker 2                              ──┴──> vectors, in order

Law: the bytes do not depend on the engine or on the number of workers. They are those of one process with one
thread; several threads round the last bits differently. Every engine works block by block, because the
rounding of a base in bfloat16 depends on its batch. Each engine holds two blocks per worker.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from amrx.errors import AmrxError, check_least
from amrx.processes import Workers
from amrx.threads import cores
from amrx.types import Parser, Sentence, Vectors

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder

Block = list[Sentence]
AHEAD = 2
"""Number of blocks per worker that are processed or queued at a time."""
_OPENED: dict[Parts, RetrofittedEncoder] = {}
"""The loaded encoders of a worker process."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Names of an encoder's parts, for another process to load them."""

    base: str  # as in `retrofit.load.load`
    parser: str | None  # as in `retrofit.load.load`
    encoders: tuple[str, ...] | None  # as in `retrofit.load.load`
    weights: tuple[float, ...] | None = None  # weight of each channel, ``None`` for the fitted ones
    split: bool = True  # whether each sentence of a text is parsed
    integration: str | None = None  # as in `retrofit.load.load`
    dimensions: int | None = None  # width to which vectors are reduced; ``None`` does not reduce
    parses: Path | None = None  # file of the cache of parses; ``None`` for none
    vectors: Path | None = None  # file of the cache of vectors; ``None`` for none

    def open(self, stack: ExitStack) -> RetrofittedEncoder:
        """Load the encoder; its caches are closed with ``stack``."""
        from amrx.vector_cache import VectorCache
        from parser.run.cache import ParseCache
        from retrofit.cached_parts import CachedParts
        from retrofit.load import load

        cache = None if self.parses is None else stack.enter_context(ParseCache(self.parses))
        loaded = load(
            self.base, self.parser, self.encoders, self.weights, split=self.split,
            integration=self.integration, cache=cache,
        )  # fmt: skip
        loaded.dimensions = self.dimensions or loaded.dimensions
        if self.vectors is None:
            return loaded
        return CachedParts(loaded, stack.enter_context(VectorCache(self.vectors)))


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a block."""

    vectors: Vectors  # ``(n, d)``
    failed: tuple[int, ...]  # rows whose parse failed
    cut: tuple[int, ...] = ()  # number of inputs that the base and each channel cut
    hits: int = 0  # number of vectors of parts found in the cache


class Engine(Protocol):
    """Retrofit blocks."""

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, Result]]:
        """Yield each block with its result, in order."""
        ...


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


class PoolEngine:
    """Retrofit in processes of this machine, each with one thread. Use it in a ``with`` block.

    Args:
        parts: The encoder.
        workers: Number of processes, at least 1; no more than the number of cores are started.
        fingerprint: Fingerprint of the encoder in this process.
    """

    def __init__(self, parts: Parts, workers: int, fingerprint: str) -> None:
        check_least("workers", workers)
        self.parts, self.fingerprint = parts, fingerprint
        self.workers = min(workers, cores())
        self._pool = Workers(self.workers)

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, Result]]:
        """Yield each block with its result, in order."""

        def submit(block: Block) -> Callable[[], Result]:
            return self._pool.submit(_work, self.parts, self.fingerprint, block, batch_size).result

        try:
            yield from _in_order(blocks, submit, self.workers)
        except BrokenProcessPool as error:
            raise AmrxError("a worker was killed (out of memory?); start again to resume") from error

    def __enter__(self) -> PoolEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(*raised)


class RayEngine:
    """Retrofit in the actors of a Ray cluster, each with one core. Use it in a ``with`` block.

    A killed actor is restarted, up to `parser.run.ray.RESTARTS` times, and its block is repeated. Caches are
    local files, so actors on other machines use none.

    Args:
        parts: The encoder.
        workers: Number of actors, at least 1; one per free core when ``None``.
        fingerprint: Fingerprint of the encoder in this process.
    """

    def __init__(self, parts: Parts, workers: int | None, fingerprint: str) -> None:
        from parser.run.ray import RESTARTS, Cluster

        self._cluster = Cluster(workers)
        if os.environ.get("RAY_ADDRESS"):
            parts = replace(parts, parses=None, vectors=None)
        import ray

        remote: Any = ray.remote(num_cpus=1, max_restarts=RESTARTS, max_task_retries=RESTARTS)(_Actor)
        self._actors = [remote.remote(parts, fingerprint) for _ in range(self._cluster.workers)]

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, Result]]:
        """Yield each block with its result, in order."""
        import ray
        from ray.exceptions import RayError

        turns = deque(self._actors)

        def submit(block: Block) -> Callable[[], Result]:
            turns.rotate(-1)
            answer = turns[0].work.remote(block, batch_size)
            return lambda: _checked(ray.get(answer))

        try:
            yield from _in_order(blocks, submit, len(self._actors))
        except RayError as error:
            raise AmrxError(f"Ray stopped: {type(error).__name__}: {error}") from error

    def __enter__(self) -> RayEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.close()


class _Actor:
    """An encoder in a process of a cluster. It returns errors, because Ray would hide their class."""

    def __init__(self, parts: Parts, fingerprint: str) -> None:
        self._parts, self._fingerprint = parts, fingerprint

    def work(self, block: Block, batch_size: int) -> Result | AmrxError:
        """Return a block's result, or the error that prevents it."""
        try:
            return _work(self._parts, self._fingerprint, block, batch_size)
        except AmrxError as error:
            return error


def _checked(answer: Result | AmrxError) -> Result:
    if isinstance(answer, AmrxError):
        raise answer
    return answer


def _in_order(
    blocks: Iterable[Block], submit: Callable[[Block], Callable[[], Result]], workers: int
) -> Iterator[tuple[Block, Result]]:
    """Yield each block with its result, in order, with `AHEAD` blocks per worker submitted in advance."""
    waiting: deque[tuple[Block, Callable[[], Result]]] = deque()
    for block in blocks:
        waiting.append((block, submit(block)))
        if len(waiting) > AHEAD * workers:
            done, result = waiting.popleft()
            yield done, result()
    for done, result in waiting:
        yield done, result()


def _work(parts: Parts, fingerprint: str, block: Block, batch_size: int) -> Result:
    """Retrofit a block with this process's encoder, with one thread, loaded at the first call."""
    if parts not in _OPENED:
        from amrx.threads import set_threads

        _OPENED[parts] = parts.open(ExitStack())
        set_threads(1)
        own = _OPENED[parts].fingerprint
        if own != fingerprint:
            raise AmrxError(
                f"a worker's encoder is {own}, not {fingerprint}; "
                "all machines need the same weights and the same version of amrx"
            )
    return retrofit_block(_OPENED[parts], block, batch_size)


def open_engine(
    kind: str, encoder: RetrofittedEncoder, parts: Parts, workers: int | None, stack: ExitStack
) -> Engine:
    """Return the engine ``local`` or ``ray``; its workers end with ``stack``."""
    if kind == "ray":
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
