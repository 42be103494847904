"""Lock files against other processes; the locks of a killed process are released."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from amrx.errors import OutputError
from amrx.records.files import STDIN
from amrx.records.writing import check_writable, is_device

_LONGEST_NAME = 240


class LockedError(OutputError):
    """Another process is writing an output."""


def take_lock(file: Path, path: str | Path, *, wait: bool = False) -> int:
    """Lock ``file``, creating it if necessary, and return the descriptor that holds the lock until closed.

    Args:
        file: The file to lock.
        path: The output that the lock protects, named in errors.
        wait: Wait until no other process holds the lock.

    Raises:
        LockedError: Another process holds the lock, so it is writing ``path``.
        OutputError: ``file`` cannot be created or locked.
    """
    while True:
        try:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise OutputError(f"{path}: cannot be created: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            # the previous holder may have renamed or removed the file between the two calls
            if os.path.samestat(os.fstat(descriptor), file.stat()):
                return descriptor
        except (BlockingIOError, FileNotFoundError):
            pass  # held or removed: an error, or another try, below
        except OSError as error:
            os.close(descriptor)
            raise OutputError(f"{path}: cannot be locked: {error.strerror}") from error
        os.close(descriptor)
        if not wait:
            raise LockedError(f"{path}: another run is writing it")


def lock_beside(path: str | Path) -> Path:
    """Return the hidden lock file of ``path``; a link uses the lock of its target.

    Example:
        >>> lock_beside("/data/a.txt").name
        '.a.txt.lock'
    """
    file = Path(os.path.realpath(path))
    fits = len(os.fsencode(file.name)) <= _LONGEST_NAME
    name = file.name if fits else sha256(os.fsencode(file.name)).hexdigest()[:16]
    return file.with_name(f".{name}.lock")


@contextlib.contextmanager
def locked(path: str | Path, *, wait: bool = True, name: str | Path | None = None) -> Iterator[None]:
    """Let one process at a time change ``path``; others wait until it finishes or is killed.

    The lock is a hidden file beside ``path``, removed at the end: ``path`` itself may be replaced by a new
    file. A device such as ``/dev/null`` has no lock.

    Args:
        path: The output.
        wait: Wait for the lock; otherwise it is an error if another process holds it.
        name: Name of the output in errors; default ``path``.

    Raises:
        OutputError: ``path`` cannot be written, or another process is writing it.
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


@contextlib.contextmanager
def locked_output(output: str) -> Iterator[None]:
    """Lock an output for a whole run, so that a second run fails at once; ``-`` has no lock.

    Raises:
        LockedError: Another run is writing it.
    """
    with contextlib.nullcontext() if output == STDIN else locked(output, wait=False):
        yield
