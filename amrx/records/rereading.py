"""Inputs that are read more than once: pipes, which cannot be, and files that must stay as they are.

::

    a.txt                          ──seekable──> a.txt, watched by Steady
    -   <(zcat a.txt.gz)   fifo    ──seekable──> a temporary copy, read as often as needed
"""

from __future__ import annotations

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
"""Nanoseconds within which two changes may carry the same time; a kernel's tick is at most 10 ms."""
_BETWEEN = 1024
"""Records between two looks at the file."""


def read_once(path: str | Path) -> bool:
    """Tell whether an input is gone once it is read: standard input, a pipe, a terminal."""
    return str(path) == STDIN or is_device(Path(path))


@contextlib.contextmanager
def seekable(path: str | Path) -> Iterator[str]:
    """Give the path itself, or that of a temporary copy of an input that can be read only once.

    A pipe's copy has its suffix, so its format; errors name the input, not the copy. Standard input is text.

    Raises:
        InputError: Nothing comes.
        OutputError: The folder of temporary files has no room for the copy.
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
    """Yield what a pipe gives, part by part.

    Raises:
        InputError: It cannot be read.
    """
    try:
        while part := source.read(1 << 20):
            yield part
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=shown) from error


class Steady:
    """A file that is read more than once, and must stay as it is meanwhile.

    Law: records that were read before a `check` that passes are those of the file as it was when this was
    made. A change is seen by size and time; one that comes so soon that its time may be the same is waited
    out at the start.

    Raises:
        InputError: The file cannot be read, or is empty.

    Example:
        >>> file = Path(tempfile.mkdtemp()) / "a.txt"
        >>> _ = file.write_text("one")
        >>> steady = Steady(file)
        >>> steady.check()
        >>> _ = file.write_text("one two")
        >>> steady.check()
        Traceback (most recent call last):
        amrx.errors.InputError: ...a.txt: changed while it was read; start again when it stays as it is
    """

    def __init__(self, path: str | Path) -> None:
        require_file(path)
        self.path = path
        self._state = None if read_once(path) else self._look()
        if self._state is not None and 0 <= time.time_ns() - self._state[1] < _TICK:
            time.sleep(_TICK / 1e9)

    def _look(self) -> tuple[int, int]:
        """Return size and time; the file is opened because network file systems look again only then."""
        try:
            with Path(self.path).open("rb") as stream:
                state = os.fstat(stream.fileno())
        except OSError as error:
            raise self.changed(f"it cannot be read any more: {error.strerror}") from error
        return state.st_size, state.st_mtime_ns

    def check(self) -> None:
        """Raise InputError if the file has changed."""
        if self._state is not None and self._look() != self._state:
            raise self.changed()

    def changed(self, told: str = "") -> InputError:
        """Return the error of a file that has changed."""
        why = f" ({told})" if told else ""
        message = f"changed while it was read{why}; start again when it stays as it is"
        return InputError(message, file=self.path)

    def read(self, records: Iterable[T], count: int | None = None) -> Iterator[T]:
        """Yield the records of the file, and look now and then, and at the end, whether it is still the same.

        Raises:
            InputError: The file changes, or there are more or fewer records than ``count``.
        """
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
            self.check()  # a record that cannot be read may be half of the old file and half of the new one
            raise
        self.check()
        if count is not None and number != count:
            raise self.changed(f"{number} records, not {count}")
