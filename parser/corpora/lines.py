"""Lines and columns of plain or gzipped text files, every fault named by file and line."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from amrx.errors import InputError, MissingResourceError

BYTE_ORDER_MARK = "\ufeff"


def _open(path: Path) -> BinaryIO:
    try:
        return cast(BinaryIO, gzip.open(path)) if path.suffix == ".gz" else path.open("rb")
    except FileNotFoundError as error:
        raise MissingResourceError(
            f"the data of {path}", fetch="get the open data folder", local="AMRX_DATA"
        ) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file without line ends or byte order mark; ``.gz`` is unpacked.

    Only a newline ends a line: U+2028 and its like stay inside, so that parallel files stay parallel.

    Raises:
        MissingResourceError: The file is not there.
        InputError: A line is not UTF-8.
    """
    with _open(path) as file:
        for number, raw in enumerate(file, start=1):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise InputError("not UTF-8", file=path, line=number) from error
            yield text.rstrip("\r\n").removeprefix(BYTE_ORDER_MARK if number == 1 else "")


def read_columns(path: Path, at_least: int) -> Iterator[tuple[str, ...]]:
    """Yield the tab-separated columns of every line; quotes mean nothing.

    Raises:
        InputError: A line has fewer than ``at_least`` columns.
    """
    for number, line in enumerate(read_lines(path), start=1):
        columns = tuple(line.split("\t"))
        if len(columns) < at_least:
            raise InputError(f"{len(columns)} columns instead of {at_least}", file=path, line=number)
        yield columns
