"""Read an input more than once: copy pipes, and detect files that change.

::

    a.txt                          ──seekable──> a.txt, monitored by Steady
    -   <(zcat a.txt.gz)   fifo    ──seekable──> a temporary copy, readable repeatedly
"""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

from amrx.errors import AmrxError, InputError
from amrx.records.files import STDIN, require_file
from amrx.records.writing import is_device, naming, suffix_of, temporary_beside

T = TypeVar("T")

_TICK = 50_000_000
"""Nanoseconds within which two changes may have the same timestamp; a kernel tick is at most 10 ms."""
_BETWEEN = 1024
"""Records between two checks of the file."""


def read_once(path: str | Path) -> bool:
    """Return whether an input can be read only once: standard input, a pipe, a terminal."""
    return str(path) == STDIN or is_device(Path(path))


@contextlib.contextmanager
def seekable(path: str | Path) -> Iterator[str]:
    """Yield the path, or the path of a temporary copy if the input can be read only once.

    The copy of a pipe has its suffix, and so its format; standard input is text. Errors name the input, not
    the copy.

    Raises:
        InputError: The input is empty or cannot be read.
        OutputError: The temporary folder has no room for the copy.
    """
    if not read_once(path):
        yield str(path)
        return
    piped = str(path) == STDIN
    shown = "standard input" if piped else str(path)
    suffix = ".txt" if piped else suffix_of(path)
    folder = Path(tempfile.gettempdir())
    with temporary_beside(folder / f"amrx-input-{os.getuid()}{suffix}", mode=0o600) as copy:
        with naming(f"{folder}: the copy of {shown}", copy), copy.open("wb") as stream:
            with contextlib.nullcontext(sys.stdin.buffer) if piped else Path(path).open("rb") as source:
                for part in _parts(source, shown):
                    stream.write(part)
        try:
            require_file(copy)
            yield str(copy)
        except AmrxError as error:
            error.args = (str(error).replace(str(copy), shown),)
            if isinstance(error, InputError) and str(error.file) == str(copy):
                error.file = shown
            raise


def _parts(source: IO[bytes], shown: str) -> Iterator[bytes]:
    """Yield the data of a pipe in parts."""
    try:
        while part := source.read(1 << 20):
            yield part
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=shown) from error


class Steady:
    """A file that is read more than once and must not change meanwhile.

    Law: records read before a successful `check` are those of the file as of construction. Changes are
    detected by size and timestamp; construction waits until a later change must have another timestamp.

    Raises:
        InputError: The file cannot be read, or is empty.
    """

    def __init__(self, path: str | Path) -> None:
        require_file(path)
        self.path = path
        self._state = None if read_once(path) else self._look()
        if self._state is not None and 0 <= time.time_ns() - self._state[1] < _TICK:
            time.sleep(_TICK / 1e9)

    def _look(self) -> tuple[int, int]:
        """Return size and timestamp; network file systems refresh them only when the file is opened."""
        try:
            with Path(self.path).open("rb") as stream:
                state = os.fstat(stream.fileno())
        except OSError as error:
            raise self.changed(f"it can no longer be read: {error.strerror}") from error
        return state.st_size, state.st_mtime_ns

    def check(self) -> None:
        """Raise InputError if the file has changed."""
        if self._state is not None and self._look() != self._state:
            raise self.changed()

    def changed(self, detail: str = "") -> InputError:
        """Return the error for a file that has changed."""
        why = f" ({detail})" if detail else ""
        message = f"changed while it was read{why}; retry when it no longer changes"
        return InputError(message, file=self.path)

    def read(self, records: Iterable[T], count: int | None = None) -> Iterator[T]:
        """Yield the records of the file; a change of it, or another number than ``count``, is an error."""
        number = 0
        try:
            for number, record in enumerate(records, start=1):
                if number % _BETWEEN == 0:
                    self.check()
                if count is not None and number > count:
                    self.check()
                    raise self.changed(f"more than {count} records")
                yield record
        except InputError:
            self.check()  # an unreadable record may be a mixture of the old and the new file
            raise
        self.check()
        if count is not None and number != count:
            raise self.changed(f"{number} records, not {count}")
