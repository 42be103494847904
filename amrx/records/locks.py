"""Locks on files, by which processes keep out of each other's way; a killed process holds none."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from amrx.errors import OutputError
from amrx.records.writing import check_writable, is_device

_LONGEST_NAME = 240


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


def lock_beside(path: str | Path) -> Path:
    """Return the hidden file whose lock is that of ``path``; a link has the lock of the file it leads to.

    Example:
        >>> lock_beside("/data/a.txt").name
        '.a.txt.lock'
    """
    file = Path(os.path.realpath(path))
    short = len(os.fsencode(file.name)) <= _LONGEST_NAME
    name = file.name if short else sha256(os.fsencode(file.name)).hexdigest()[:16]
    return file.with_name(f".{name}.lock")


@contextlib.contextmanager
def locked(path: str | Path, *, wait: bool = True, name: str | Path | None = None) -> Iterator[None]:
    """Let one process at a time change ``path``: the others wait here until it is done, or killed.

    The lock is a hidden file beside it, there only meanwhile; ``path`` itself gives way to new files. A
    device such as ``/dev/null`` has no lock.

    Args:
        path: What is written.
        wait: Wait; if not, it is an error that another process has the lock.
        name: What the error calls it; default ``path``.

    Raises:
        OutputError: ``path`` cannot be written, or another process is writing it now.
    """
    check_writable(path)
    if is_device(Path(path)):
        yield
        return
    lock = lock_beside(path)
    descriptor = take_lock(lock, name or path, wait=wait)
    try:
        yield
    finally:
        lock.unlink()
        os.close(descriptor)
