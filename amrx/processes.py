"""Pools of worker processes that end when the work does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import Connection, wait


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
