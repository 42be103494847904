"""Run work on blocks of sentences in processes of this machine, or in the actors of a Ray cluster.

::

    blocks ──> worker 1 (its own model, one thread) ──┐
         └───> worker 2                             ──┴──> results, in order

The parser (`parser.run.pool`) and the retrofit (`retrofit.engines`) share these engines. An engine holds
`AHEAD` blocks per worker. A killed process ends the run; a killed actor is started again, and its block is
repeated up to `RESTARTS` times.

The cluster is the one named by ``RAY_ADDRESS``, else a local one that ends with the run. Its machines need
amrx, and the folders of the models under the same paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Generic, Protocol, Self, TypeVar

from amrx.errors import AmrxError, check_least
from amrx.processes import Workers
from amrx.threads import cores, set_threads
from amrx.types import Sentence
from parser.run.ray import Cluster

M = TypeVar("M")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Block = list[Sentence]
AHEAD = 2
"""Number of blocks per worker that are processed or queued at a time."""
RESTARTS = 4
"""Maximum number of times that a block is repeated because its actor was killed."""
_OPENED: dict[Work[Any, Any], Any] = {}
"""The loaded models of a worker process."""


class Work(Protocol[M, R_co]):
    """A model, named so that a worker can load it, and its work. It is hashable and can be pickled."""

    @property
    def noun(self) -> str:
        """Name of the model in messages."""

    def open(self) -> M:
        """Load the model, which has a ``fingerprint``."""

    def run(self, model: M, block: Block, batch_size: int) -> R_co:
        """Return the result of a block."""


class Engine(Protocol[R_co]):
    """Run work on blocks."""

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, R_co]]:
        """Yield each block with its result, in order."""


class KilledWorkerError(AmrxError):
    """A worker process ended before its work."""

    def __init__(self) -> None:
        super().__init__("a worker was killed (out of memory?); start again to resume")


class PoolEngine(Generic[R]):
    """Processes of this machine. Use it in a ``with`` block.

    Args:
        work: The work.
        workers: Number of processes, at least 1; no more than the number of cores are started, and each with
            its first block.
        fingerprint: Fingerprint of the model; that of the first process when ``None``, which loads its model
            at once, so that a missing file is reported before any work.
    """

    def __init__(self, work: Work[Any, R], workers: int, fingerprint: str | None = None) -> None:
        check_least("workers", workers)
        self.work, self.workers = work, min(workers, cores())
        self._pool = Workers(self.workers)
        try:
            if fingerprint is None:
                with _named_kill():
                    fingerprint = self._pool.submit(fingerprint_of, work).result()
        except BaseException as error:
            self.__exit__(error)
            raise
        self.fingerprint = fingerprint

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, R]]:
        """Yield each block with its result, in order."""

        def submit(block: Block) -> Callable[[], R]:
            return self._pool.submit(run, self.work, self.fingerprint, block, batch_size).result

        with _named_kill():
            yield from in_order(blocks, submit, self.workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(*raised)


class RayEngine(Generic[R]):
    """Actors of a Ray cluster, each with one core. Use it in a ``with`` block.

    Args:
        work: The work.
        workers: Number of actors, at least 1; one per free core when ``None``.
        fingerprint: Fingerprint of the model in this process, which all actors must have.
    """

    def __init__(self, work: Work[Any, R], workers: int | None, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._cluster = Cluster(workers)
        self.workers = self._cluster.workers
        import ray

        remote: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=RESTARTS)(Actor)
        self._actors = [remote.remote(work, fingerprint) for _ in range(self.workers)]

    def map(self, blocks: Iterable[Block], batch_size: int) -> Iterator[tuple[Block, R]]:
        """Yield each block with its result, in order."""
        import ray
        from ray.exceptions import RayError

        turns = deque(self._actors)

        def submit(block: Block) -> Callable[[], R]:
            turns.rotate(-1)
            answer = turns[0].run.remote(block, batch_size)
            return lambda: checked(ray.get(answer))

        try:
            yield from in_order(blocks, submit, self.workers)
        except RayError as error:
            raise AmrxError(f"Ray stopped: {type(error).__name__}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        import ray

        for actor in self._actors:
            ray.kill(actor)  # a cluster that this process had joined before goes on
        self._cluster.close()


class Actor(Generic[R]):
    """A model in a process of a cluster. It returns errors, because Ray would hide their class."""

    def __init__(self, work: Work[Any, R], fingerprint: str) -> None:
        self._work, self._fingerprint = work, fingerprint

    def run(self, block: Block, batch_size: int) -> R | AmrxError:
        """Return a block's result, or the error that prevents it."""
        try:
            return run(self._work, self._fingerprint, block, batch_size)
        except AmrxError as error:
            return error


def checked(answer: R | AmrxError) -> R:
    """Return the answer of an actor, or raise its error."""
    if isinstance(answer, AmrxError):
        raise answer
    return answer


@contextmanager
def _named_kill() -> Iterator[None]:
    """Raise `KilledWorkerError` if a worker process was killed."""
    try:
        yield
    except BrokenProcessPool as error:
        raise KilledWorkerError from error


def in_order(
    blocks: Iterable[Block], submit: Callable[[Block], Callable[[], R]], workers: int
) -> Iterator[tuple[Block, R]]:
    """Yield each block with its result, in order, with `AHEAD` blocks per worker submitted in advance."""
    waiting: deque[tuple[Block, Callable[[], R]]] = deque()
    for block in blocks:
        waiting.append((block, submit(block)))
        if len(waiting) > AHEAD * workers:
            done, result = waiting.popleft()
            yield done, result()
    for done, result in waiting:
        yield done, result()


def fingerprint_of(work: Work[Any, Any]) -> str:
    """Return the fingerprint of this worker's model."""
    fingerprint: str = _opened(work).fingerprint
    return fingerprint


def run(work: Work[Any, R], fingerprint: str, block: Block, batch_size: int) -> R:
    """Return the result of a block from this worker's model, which must have the fingerprint."""
    if (own := fingerprint_of(work)) != fingerprint:
        raise AmrxError(
            f"a worker's {work.noun} is {own}, not {fingerprint}; "
            "all machines need the same weights and the same version of amrx"
        )
    return work.run(_opened(work), block, batch_size)


def _opened(work: Work[M, Any]) -> M:
    """Return this worker's model, with one thread, loaded at the first call."""
    if work not in _OPENED:
        _OPENED[work] = work.open()
        set_threads(1)
    model: M = _OPENED[work]
    return model
