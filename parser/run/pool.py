"""Run one parser in several processes, of this machine or a Ray cluster, each with one thread.

::

    sentences ── by length ──> blocks ──engine──> worker 1 (its own parser) ──┐
                                             └──> worker 2                  ──┴──> in order again

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
from contextlib import ExitStack
from dataclasses import dataclass

from amrx.device import default_device, length_buckets
from amrx.device import progress as show_progress
from amrx.processes import affordable
from amrx.threads import default_threads, set_threads
from amrx.types import Parse, Parser, Sentence
from parser.load import innermost, load
from parser.protocols import TextParser
from parser.run.engines import Block, KilledWorkerError, PoolEngine, RayEngine

PATIENCE = 10.0
"""Seconds of parsing in one process before more are started, which takes about half of that."""
MOST = 8
"""Maximum number of processes that are started without being asked for."""
_BYTES = 1_500_000_000  # memory of a worker with the parser ``mini``, generously
_LOG = logging.getLogger(__name__)
_BATCHES = 4  # batches per block: few, so that all workers end together, but enough to outweigh the transfer


@dataclass(frozen=True, slots=True)
class NamedParser:
    """The work of a parser, as `parser.load.load` takes its name and beam."""

    name: str
    beam: int | None = None

    @property
    def noun(self) -> str:
        """Name of the parser in messages."""
        return f"parser {self.name!r}"

    def open(self) -> Parser:
        """Load the parser."""
        return load(self.name, beam=self.beam)

    def run(self, model: Parser, block: Block, batch_size: int) -> list[Parse]:
        """Return one parse per sentence, in order."""
        return model.parse(block, batch_size=batch_size)


class WorkersParser(TextParser):
    """The parser of an engine; is itself a parser.

    With a process pool one process loads the parser at once, the others with their first sentences: with a
    full cache there is one.
    """

    def __init__(self, engine: PoolEngine[list[Parse]] | RayEngine[list[Parse]]) -> None:
        self.engine, self.fingerprint = engine, engine.fingerprint

    def parse_blocks(
        self, records: list[Sentence], *, batch_size: int
    ) -> Iterator[tuple[list[int], list[Parse]]]:
        """Yield the positions and parses of blocks, the longest sentences first."""
        # small inputs are distributed evenly, large ones in blocks of a few batches
        share = -(-len(records) // self.engine.workers)
        size = max(1, min(share, _BATCHES * batch_size))
        blocks = length_buckets([len(sentence.text) for sentence in records], size)
        asked = ([records[i] for i in block] for block in blocks)
        for positions, (_, parses) in zip(blocks, self.engine.map(asked, batch_size), strict=True):
            yield positions, parses

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        blocks = self.parse_blocks(records, batch_size=batch_size)
        parses: dict[int, Parse] = {}
        for positions, block in show_progress(
            blocks, len(records), "parsing", show=progress, size=lambda done: len(done[0])
        ):
            parses.update(zip(positions, block, strict=True))
        return [parses[i] for i in range(len(records))]


class GrowingParser(TextParser):
    """A parser that continues in several processes once it has parsed for `PATIENCE` seconds.

    Law: the graphs are those of the parser alone. If a process is killed, the parser goes on alone.

    Args:
        parser: The parser.
        name: Its name for `parser.load.load`.
        stack: The processes end with it.
    """

    def __init__(self, parser: Parser, name: str, stack: ExitStack, beam: int | None = None) -> None:
        self._parser, self._work, self._stack = parser, NamedParser(name, beam), stack
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
                    engine = self._stack.enter_context(PoolEngine(self._work, self._workers))
                    self._pool = WorkersParser(engine)
                return self._pool.parse(records, batch_size=batch_size, progress=progress)
            except KilledWorkerError:
                _LOG.warning("a parsing worker was killed (out of memory?); parsing goes on in one process")
                self._workers = 1
        parses = self._parser.parse(records, batch_size=batch_size, progress=progress)
        self._spent += time.monotonic() - started
        return parses


def workers_for(name: str) -> int:
    """Return how many processes the cores and the free memory allow; 1 for a large parser or on a GPU."""
    if innermost(name) != "mini" or default_device("cpu") != "cpu":
        return 1
    return affordable(min(default_threads(), MOST), _BYTES)


def open_parser(
    name: str, workers: int | None, stack: ExitStack, beam: int | None = None, engine: str = "local"
) -> WorkersParser | GrowingParser:
    """Load a parser into this process, or into ``workers`` that end with ``stack``.

    With the engine ``ray`` the workers are a cluster's; a missing file is reported before it starts. With
    ``local`` they are processes; without a number of them the parser is a `GrowingParser`.
    """
    work = NamedParser(name, beam)
    if engine == "ray":
        fingerprint = work.open().fingerprint
        return WorkersParser(stack.enter_context(RayEngine(work, workers, fingerprint)))
    if workers is not None:
        return WorkersParser(stack.enter_context(PoolEngine(work, workers)))
    loaded = work.open()
    if "torch" in sys.modules:
        set_threads()
    return GrowingParser(loaded, name, stack, beam)
