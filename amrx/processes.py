"""Start worker processes that end when the work does, no more than fit into the memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection, wait
from pathlib import Path

ROOT = Path("/")
"""Parent of ``proc`` and ``sys``; tests replace it."""


class Workers(ProcessPoolExecutor):
    """A pool of fresh interpreters. Use it in a ``with`` block.

    Law: no process outlives the block. An error or an interrupt in the block ends them amid their work; so
    does the death of the process that started them, SIGKILL included.
    """

    def __init__(self, count: int) -> None:
        # a fork would inherit locks of torch's threads
        context = multiprocessing.get_context("spawn")
        self._open_end, self._life = context.Pipe(duplex=False)
        super().__init__(count, context, initializer=_end_with, initargs=(self._open_end,))

    def __exit__(self, *raised: object) -> None:
        if any(raised):
            self._life.close()
        self.shutdown(cancel_futures=True)
        self._life.close()
        self._open_end.close()


def _end_with(life: Connection) -> None:
    """End this process when the other end of ``life`` is closed; leave an interrupt to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        wait([life])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def affordable(count: int, size: int, root: Path | None = None) -> int:
    """Return how many of ``count`` processes of ``size`` bytes fit into the free memory, at least 1.

    The free memory is the least that the system and the control group of a container report; a system that
    reports none, such as macOS, limits nothing.
    """
    return max(1, min([count, *(free // size for free in _free_memory(root or ROOT))]))


def _free_memory(root: Path) -> Iterator[int]:
    """Yield the free bytes of the system, and of the control group, version 2 or 1."""
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            yield 1024 * int(line.split()[1])
    group = root / "sys/fs/cgroup"
    yield from _left(group / "memory.max", group / "memory.current", group / "memory.stat")
    older = group / "memory"
    yield from _left(older / "memory.limit_in_bytes", older / "memory.usage_in_bytes", older / "memory.stat")


def _left(limit: Path, used: Path, parts: Path) -> Iterator[int]:
    """Yield limit minus used bytes; pages of files that the system can drop are not used."""
    pair = [int(line) for file in (limit, used) for line in _lines(file) if line.isdecimal()]
    if len(pair) == 2:
        pages = dict(line.split() for line in _lines(parts))
        dropped = int(pages.get("total_inactive_file", pages.get("inactive_file", 0)))
        yield max(0, pair[0] - pair[1] + dropped)


def _lines(file: Path) -> list[str]:
    """Return the lines of a file; none if it cannot be read."""
    try:
        return file.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return []
