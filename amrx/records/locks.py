"""Locks on files, by which processes keep out of each other's way; a killed process holds none."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from amrx.errors import OutputError
from amrx.records.files import check_writable


def take_lock(file: Path, path: str | Path, *, wait: bool = False) -> int:
    """Lock ``file``, made where it is not there, and return the descriptor that holds the lock until closed.

    Args:
        file: What is locked.
        path: What is written under the lock, for the errors.
        wait: Wait until no other process holds it.

    Raises:
        OutputError: Another process holds it, so that it is writing ``path``; or ``file`` cannot be made or
            locked.
    """
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise OutputError(f"{path}: cannot be made: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            # who held it may have renamed or removed the file between the two calls
            if os.path.samestat(os.fstat(descriptor), file.stat()):
                return descriptor
        except (BlockingIOError, FileNotFoundError):
            pass  # held, or removed: told, or tried again, below
        except OSError as error:
            os.close(descriptor)
            raise OutputError(f"{path}: cannot be locked: {error.strerror}") from error
        os.close(descriptor)
        if not wait:
            raise OutputError(f"{path}: another run is writing it")


@contextlib.contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Let one process at a time change ``path``: the others wait here until it is done, or killed.

    The lock is a hidden file beside it, there only meanwhile; ``path`` itself gives way to new files.

    Raises:
        OutputError: ``path`` cannot be written.
    """
    check_writable(path)
    lock = Path(path).with_name(f".{Path(path).name}.lock")
    descriptor = take_lock(lock, path, wait=True)
    try:
        yield
    finally:
        lock.unlink()
        os.close(descriptor)
