"""Write files under a temporary name and rename them when they are complete.

::

    atomic_path("o.amr")  ──>  .o.5f0c9a1b2d3e.partial.amr, locked  ──rename──>  o.amr

The digits are random, so that machines or containers that share a folder never draw the same name. The writer
holds a lock on its temporary file; a later run removes temporary files that nobody locks, because a killed
run left them.
"""

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from amrx.control_characters import visible
from amrx.errors import OutputError
from amrx.records.files import PACKED, STDIN

_NAMELESS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)
_NAME_MAX = 255  # bytes; used if the file system gives no limit
_LONGEST_SUFFIX = 32
_DIGITS = 12


def same_place(one: str | Path, other: str | Path) -> bool:
    """Return whether two names are the same file, also through links; neither needs to exist.

    Example:
        >>> same_place("a/../b.txt", "./b.txt"), same_place("a.txt", "b.txt")
        (True, False)
    """
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def check_writable(path: str | Path, *read: str | Path, working: Iterable[Path] = ()) -> None:
    """Raise OutputError, before any work, if ``path`` cannot be written as a file.

    Checked are: the suffix of a packed file, a folder of that name, a name that is too long, a parent folder
    that is missing or not writable. Nothing is left behind. ``-`` (standard output) and devices such as
    ``/dev/null`` always pass.

    Args:
        path: The file to write.
        read: Input files, which must not be replaced.
        working: Other files that are created or overwritten on the way to ``path``.
    """
    file = Path(path)
    packed = file.suffix.lower() in PACKED
    if packed and not is_device(file):
        plain = file.with_suffix("")
        raise OutputError(f"{file}: output is not packed; write {plain.name} and pack it afterwards")
    _check_place(file, read, list(working))


def _check_place(file: Path, read: Iterable[str | Path] = (), names: Sequence[Path] = ()) -> None:
    """Raise OutputError if a file of that name cannot be written; the format is not checked."""
    _check_length(file, [file, *names])
    if str(file) == STDIN or is_device(file):
        return
    for other in (other for other in read if str(other) != STDIN and Path(other).exists()):
        if same_place(file, other):
            raise OutputError(f"{file}: is also an input; write to another file")
        if any(same_place(name, other) for name in names):
            raise OutputError(
                f"{other}: this input would be overwritten by a working file of {file}; write to another name"
            )
    if file.is_dir():
        raise OutputError(f"{file}: is a folder; name a file in it")
    for name in names:
        if name.is_dir():
            raise OutputError(f"{file}: its working name {name} is a folder; write to another name")
    folder = Path(os.path.realpath(file)).parent
    if not folder.is_dir():
        missing = folder if file.is_symlink() else file.parent
        raise OutputError(f"{file}: the folder {str(missing)!r} does not exist")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"{file}: the folder cannot be written: {error.strerror}") from error


def check_apart(path: str | Path, of: Path, names: Iterable[str | Path]) -> None:
    """Raise OutputError if ``path``, written beside the output ``of``, is one of the output's names."""
    if any(same_place(path, name) for name in names):
        raise OutputError(f"{path}: is a name of {of}, or of its working files; write to another name")


def _check_length(file: Path, names: Iterable[Path]) -> None:
    for name in names:
        try:
            os.lstat(name)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                through = "" if name == file else f" for the working name {name.name}"
                raise OutputError(f"{file}: the name is too long{through}") from None


def is_device(file: Path) -> bool:
    """Return whether ``file`` exists and is neither a file nor a folder; such a file is written in place."""
    return file.exists() and not file.is_file() and not file.is_dir()


@contextlib.contextmanager
def naming(path: str | Path, *aliases: Path) -> Iterator[None]:
    """Name ``path`` in errors of writes that name no file or one of ``aliases``.

    Raises:
        OutputError: The disk is full or broken, or a stream is closed.

    Example:
        >>> with naming("o.amr"):
        ...     raise OSError(28, "No space left on device")
        Traceback (most recent call last):
        amrx.errors.OutputError: o.amr: No space left on device
    """
    try:
        yield
    except OSError as error:
        known = error.filename is None or error.filename in map(str, aliases)
        if error.errno not in _NAMELESS or not known:
            raise
        raise OutputError(f"{path}: {os.strerror(error.errno)}") from error


class Writes(Protocol):
    """Protocol of a stream of text."""

    def write(self, text: str, /) -> object:
        """Write text."""


class _Terminal:
    """Standard output as a terminal, with control characters made visible."""

    def write(self, text: str, /) -> object:
        return sys.stdout.write(visible(text, lines=True))


@contextlib.contextmanager
def standard_output() -> Iterator[Writes]:
    """Yield standard output; on a terminal, control characters are made visible."""
    with naming("standard output"):
        yield _Terminal() if sys.stdout.isatty() else sys.stdout


@contextlib.contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; rename it to ``path`` on success, remove it on error.

    The temporary name keeps the suffix, because writers such as ``numpy.save`` choose the format by it.
    Links are followed; a device or pipe is yielded as it is. Leftovers of killed writers of ``path`` are
    removed.

    Raises:
        OutputError: ``path`` cannot be written, or the disk is full.
    """
    _check_place(Path(path))
    if is_device(Path(path)):
        with naming(path):
            yield Path(path)
        return
    file = Path(os.path.realpath(path))
    with temporary_beside(file) as temporary, naming(path, temporary):
        yield temporary
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(file)


def make_folder(folder: Path) -> None:
    """Create a folder with its parents."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be created: {error.strerror}") from error


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, UTF-8, as `atomic_path` does."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, "utf-8")


def write_json(path: str | Path, value: object) -> None:
    """Write a value as JSON, indented by one, as `atomic_path` does."""
    write_text(path, json.dumps(value, indent=1) + "\n")


@contextlib.contextmanager
def open_text(path: str | Path) -> Iterator[Writes]:
    """Yield standard output for ``-``, else a text file that gets its name when it is complete."""
    if str(path) == STDIN:
        with standard_output() as shown:
            yield shown
        return
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


@contextlib.contextmanager
def temporary_beside(file: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """Yield a new empty file beside ``file`` and always remove it at the end."""
    _remove_leftovers(file)
    temporary, descriptor = _new_beside(file, mode)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
        os.close(descriptor)


def _new_beside(file: Path, mode: int) -> tuple[Path, int]:
    """Create a temporary file and return it with the descriptor that holds its lock."""
    before, after = _around(file)
    while True:
        temporary = file.with_name(f"{before}{secrets.token_hex(_DIGITS // 2)}{after}")
        try:
            descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        except OSError as error:
            raise OutputError(f"{file}: cannot be created: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), temporary.stat()):
                return temporary, descriptor
        except (BlockingIOError, FileNotFoundError):
            pass  # another run took it for a leftover, before it was locked
        except OSError:
            return temporary, descriptor  # a disk without locks: leftovers are never removed there
        os.close(descriptor)


def _around(file: Path) -> tuple[str, str]:
    """Return the parts of a temporary name before and after its digits; a long name is hashed."""
    suffix = suffix_of(file)
    before, after = f".{file.name.removesuffix(suffix)}.", f".partial{suffix}"
    try:
        limit = os.pathconf(file.parent, "PC_NAME_MAX")
    except (OSError, ValueError):
        limit = _NAME_MAX
    if len(os.fsencode(before + after)) + _DIGITS > limit:
        before = f".{sha256(os.fsencode(file.name)).hexdigest()[:16]}."
        after = after if len(os.fsencode(suffix)) <= _LONGEST_SUFFIX else ".partial"
    return before, after


def suffix_of(path: str | Path) -> str:
    """Return the part of a name that gives the format.

    Example:
        >>> suffix_of("a.2024.jsonl"), suffix_of("a.2024.jsonl.zst"), suffix_of("a")
        ('.jsonl', '.jsonl.zst', '')
    """
    suffixes = Path(path).suffixes
    packed = bool(suffixes) and suffixes[-1].lower() in PACKED
    return "".join(suffixes[-2:] if packed else suffixes[-1:])


def _remove_leftovers(file: Path) -> None:
    """Remove temporary files of ``file`` that no process locks."""
    before, after = _around(file)
    pattern = re.compile(f"{re.escape(before)}[0-9a-f]{{{_DIGITS}}}{re.escape(after)}")
    try:
        with os.scandir(file.parent) as entries:
            leftovers = [entry.path for entry in entries if pattern.fullmatch(entry.name)]
    except OSError:
        return  # a folder whose files cannot be listed
    for path in leftovers:
        with contextlib.suppress(OSError):  # locked, already gone, or another user's
            _remove_unheld(path)


def _remove_unheld(path: str) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
    finally:
        os.close(descriptor)
