"""Read lines and columns of plain or gzipped text files; errors name file and line."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from amrx.errors import InputError
from amrx.records import files


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file without line ends or byte order mark; ``.gz`` is unpacked.

    Only a newline ends a line, not U+2028 and similar characters, so that parallel files stay parallel.
    """
    return (line.rstrip("\r\n") for line in files.read_lines(path))


def read_columns(path: Path, at_least: int) -> Iterator[tuple[str, ...]]:
    """Yield the tab-separated columns of every line; quotes are ordinary characters."""
    for number, line in enumerate(read_lines(path), start=1):
        columns = tuple(line.split("\t"))
        if len(columns) < at_least:
            raise InputError(f"needs {at_least} columns, got {len(columns)}", file=path, line=number)
        yield columns


_NO_LETTER = re.compile(r"[\W_]+")


def normal_form(text: str) -> str:
    """Return ``text`` in NFKC, casefolded, with letters and digits only.

    Punctuation, spaces and combining marks are removed, so that tokenised, recased and original copies of a
    sentence are equal.

    Example:
        >>> normal_form("Don't  ﬁght , Straße!") == normal_form("DONT FIGHT STRASSE")
        True
    """
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())
