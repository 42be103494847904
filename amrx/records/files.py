"""Open files as bytes, decode them as lines, and check them."""

import contextlib
import gzip
import io
import lzma
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from amrx.errors import AmrxError, InputError

STDIN = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

JSON_KINDS = ("jsonl", "json")
"""Suffixes of files of JSON objects."""

PACKED = (".gz", ".zst")
"""Suffixes of packed files, beside that of their format."""

_LONGEST_LINE = 1 << 28
"""Bytes; a small ``.gz`` file may unpack to a line larger than memory."""

DAMAGED = (
    EOFError, ValueError, LookupError, TypeError, AttributeError, AssertionError, RuntimeError,
    zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
"""Exceptions of readers of JSON, arrays, archives and networks on damaged data."""


def require_file(path: str | Path, *, empty: bool = False) -> None:
    """Raise InputError unless ``path`` is ``-`` or a readable file, non-empty unless ``empty`` is set."""
    if str(path) == STDIN:
        return
    file = Path(path)
    try:
        if file.is_dir():
            raise InputError("is a folder, not a file", file=file)
        if file.exists() and not file.is_file():
            return  # a pipe; data read now would be lost
        with file.open("rb") as stream:
            start = stream.read(len(BYTE_ORDER_MARK) + 1)
    except FileNotFoundError:
        raise InputError("no such file", file=file) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error
    if start in (b"", BYTE_ORDER_MARK) and not empty:
        raise InputError("is empty", file=file)


def kind_of(path: str | Path) -> str:
    """Return the format given by the suffix, ignoring a final ``.gz`` or ``.zst``.

    Example:
        >>> kind_of("news.TSV.gz"), kind_of("news.jsonl.zst"), kind_of("-")
        ('tsv', 'jsonl', '')
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1].removeprefix(".") if suffixes else ""


@contextlib.contextmanager
def open_bytes(path: str | Path, *, xz: bool = False) -> Iterator[IO[bytes]]:
    """Open standard input, a plain or packed file or, if ``xz`` is set, an ``.xz`` file as bytes."""
    if str(path) == STDIN:
        yield sys.stdin.buffer
    elif str(path).lower().endswith(".gz"):
        with gzip.open(path, "rb") as packed:
            yield packed  # type: ignore[misc]  # the type of gzip.open does not narrow to bytes
    elif str(path).lower().endswith(".zst"):
        import pyarrow

        with pyarrow.input_stream(str(path), compression="zstd") as unpacked:
            yield io.BufferedReader(unpacked)
    elif xz and str(path).endswith(".xz"):
        with lzma.open(path) as packed:
            yield packed
    else:
        with Path(path).open("rb") as stream:
            yield stream


def read_lines(path: str | Path, *, empty: bool = False, xz: bool = False) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file with their line ends; only ``\n`` ends a line.

    Args:
        path: The file, or ``-``.
        empty: Whether it may be empty.
        xz: Whether an ``.xz`` file is unpacked.

    Raises:
        InputError: The file is missing, empty, a folder, not UTF-8, a damaged gzip or xz file, or a line
            exceeds 256 MiB (names the line).
    """
    require_file(path, empty=empty)
    name = "standard input" if str(path) == STDIN else path
    number = 0
    try:
        with open_bytes(path, xz=xz) as stream:
            for number, raw in enumerate(iter(partial(stream.readline, _LONGEST_LINE + 1), b""), 1):
                if len(raw) > _LONGEST_LINE:
                    raise InputError(f"is longer than {_LONGEST_LINE:,} bytes", file=name, line=number)
                text = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
                yield text.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        problem = f"is not UTF-8 (byte 0x{byte:02x}); convert it: iconv -f ENCODING -t UTF-8"
        raise InputError(problem, file=name, line=number) from None
    except MemoryError:
        raise InputError("does not fit into memory", file=name, line=number + 1) from None
    except (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError) as error:
        packed = "xz" if str(path).endswith(".xz") else "gzip"
        raise InputError(f"is not a complete {packed} file: {error}", file=name) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from error
    if number == 0 and not empty:
        raise InputError("is empty", file=name)


@contextlib.contextmanager
def reading(
    file: str | Path, message: str, *, line: int | None = None, field: str | None = None
) -> Iterator[None]:
    """Turn the exceptions of readers of a damaged file into one InputError; others pass.

    Args:
        file: The file that is read.
        message: Start of the error, before the reason, such as ``is not an encoder's config``.
        line: 1-based line, if only one is read.
        field: Field, if only one is read.

    Raises:
        InputError: The file is damaged.

    Example:
        >>> with reading("a.json", "is not a list"):
        ...     [][0]
        Traceback (most recent call last):
        amrx.errors.InputError: a.json: is not a list: list index out of range
    """
    try:
        yield
    except AmrxError:
        raise
    except Exception as error:
        from huggingface_hub.errors import StrictDataclassError  # from transformers' configurations
        from safetensors import SafetensorError

        damaged = isinstance(error, (OSError, *DAMAGED, SafetensorError, StrictDataclassError))
        if not damaged and type(error) is not Exception:  # tokenizers raises bare Exception
            raise
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"{message}: {reason}", file=file, line=line, field=field) from error
