"""Run one parser in several processes, each with one thread.

::

    sentences ── by length ──> blocks ──> worker 1 (its own parser, one thread) ──┐
                                     └──> worker 2                              ──┴──> in order again

The small matrix products of a batch scale badly over cores; separate processes scale well. The graphs are the
same as without workers, because a graph depends only on its sentence (the contract of `amrx.types.Parser`).
A command that is not told a number of processes parses alone, and starts some when that takes long
(`GrowingParser`).
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager

from amrx.device import default_device, length_buckets
from amrx.device import progress as show_progress
from amrx.errors import AmrxError, check_least
from amrx.processes import Workers, affordable
from amrx.threads import cores, default_threads
from amrx.types import Parse, Parser, Sentence
from parser.load import innermost
from parser.protocols import TextParser

PATIENCE = 10.0
"""Seconds of parsing in one process before more are started, which takes about half of that."""
MOST = 8
"""Maximum number of processes that are started without being asked for."""
_BYTES = 1_500_000_000  # memory of a worker with the parser ``mini``, generously
_LOG = logging.getLogger(__name__)
_BATCHES = 4  # batches per block: few, so that all workers end together, but enough to outweigh the transfer
_PARSERS: dict[tuple[str, int | None], Parser] = {}  # the loaded parser of a worker process


class WorkersParser(TextParser):
    """A named parser in ``workers`` processes; is itself a parser. Use it in a ``with`` block.

    No more processes are started than there are cores. One loads the parser at once, the others with their
    first sentences: with a full cache there is one.
    """

    def __init__(self, name: str, workers: int, beam: int | None = None) -> None:
        check_least("workers", workers)
        self._count = min(workers, cores())
        self._name, self._beam = name, beam
        with ExitStack() as stack:
            self._pool = stack.enter_context(Workers(self._count))
            # one process loads the parser now, so that a missing file is reported before any work
            with _worker_errors():
                self.fingerprint = self._pool.submit(_load, name, beam).result()
            stack.pop_all()

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        # small inputs are distributed evenly, large ones in blocks of a few batches
        share = -(-len(records) // self._count)
        size = max(1, min(share, _BATCHES * batch_size))
        blocks = length_buckets([len(sentence.text) for sentence in records], size)
        asked = [(self._name, self._beam, [records[i] for i in block], batch_size) for block in blocks]
        parses: list[Parse | None] = [None] * len(records)
        with _worker_errors():
            parsed_blocks = self._pool.map(_parse, asked)
            answers = show_progress(parsed_blocks, len(records), "parsing", show=progress, size=len)
            for block, block_parses in zip(blocks, answers, strict=True):
                for i, parse in zip(block, block_parses, strict=True):
                    parses[i] = parse
        return [parse for parse in parses if parse is not None]

    def __enter__(self) -> WorkersParser:
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(*raised)


class GrowingParser(TextParser):
    """A parser that continues in several processes once it has parsed for `PATIENCE` seconds.

    Law: the graphs are those of the parser alone. If a process is killed, the parser goes on alone.

    Args:
        parser: The parser.
        name: Its name for `parser.load.load`.
        stack: The processes end with it.
    """

    def __init__(self, parser: Parser, name: str, stack: ExitStack, beam: int | None = None) -> None:
        self._parser, self._name, self._stack, self._beam = parser, name, stack, beam
        self._workers = workers_for(name)
        self._spent = 0.0
        self._pool: WorkersParser | None = None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the parser."""
        return self._parser.fingerprint

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        started = time.monotonic()
        if self._workers > 1 and self._spent >= PATIENCE and len(records) > batch_size:
            try:
                if self._pool is None:
                    self._pool = self._stack.enter_context(
                        WorkersParser(self._name, self._workers, self._beam)
                    )
                return self._pool.parse(records, batch_size=batch_size, progress=progress)
            except KilledWorkerError as error:
                _LOG.warning("%s; parsing goes on in one process", error.reason)
                self._workers = 1
        parses = self._parser.parse(records, batch_size=batch_size, progress=progress)
        self._spent += time.monotonic() - started
        return parses


def workers_for(name: str) -> int:
    """Return how many processes the cores and the free memory allow; 1 for a large parser or on a GPU."""
    if innermost(name) != "mini" or default_device("cpu") != "cpu":
        return 1
    return affordable(min(default_threads(), MOST), _BYTES)


class KilledWorkerError(AmrxError):
    """A worker process ended before its work."""

    reason = "a parsing worker was killed (out of memory?)"

    def __init__(self) -> None:
        super().__init__(f"{self.reason}; start again to resume")


@contextmanager
def _worker_errors() -> Iterator[None]:
    """Raise `KilledWorkerError` if a worker was killed."""
    try:
        yield
    except BrokenProcessPool as error:
        raise KilledWorkerError from error


def loaded_once(name: str, beam: int | None) -> Parser:
    """Return this process's parser, with one thread, loaded at the first call."""
    if (name, beam) not in _PARSERS:
        from parser.load import load

        _PARSERS[name, beam] = load(name, beam=beam)
        if "torch" in sys.modules:
            from amrx.threads import set_threads

            set_threads(1)
    return _PARSERS[name, beam]


def _load(name: str, beam: int | None) -> str:
    return loaded_once(name, beam).fingerprint


def _parse(asked: tuple[str, int | None, list[Sentence], int]) -> list[Parse]:
    name, beam, sentences, batch_size = asked
    return loaded_once(name, beam).parse(sentences, batch_size=batch_size)
