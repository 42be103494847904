r"""Read ``.tsv`` and ``.csv`` tables row by row.

::

    text,note      with a header:     text, note    {"text": "Hello", "note": "a"}
    Hello,a        by position:       1, 2          {"1": "text", "2": "note"}   {"1": "Hello", "2": "a"}
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import kind_of, read_lines

_LONGEST_CELL = 1 << 30


class Tabs(csv.excel_tab):
    """Tab-separated text without quoting, as in research data."""

    quoting = csv.QUOTE_NONE


def read_table(
    path: str | Path, *, by_position: bool = False
) -> tuple[Sequence[str], Iterator[tuple[int, dict[str, str]]]]:
    """Return the column names, and the rows, each after the number of its last line.

    A short row lacks the last names. A long one is an error, because a comma in an unquoted text would
    otherwise silently cut the text.

    Args:
        path: A ``.tsv``, in which quotes are ordinary characters, or a ``.csv``; empty lines are skipped.
        by_position: Treat the first line as a row; the columns are named 1, 2, ...

    Raises:
        InputError: The file is missing, empty, not UTF-8 or invalid CSV, or a row is too long.
    """
    rows = _rows(path)
    first = next(rows, None)
    if first is None:
        raise InputError("has no rows", file=path)
    _, header = first
    if by_position:
        header, rows = [str(number) for number in range(1, len(header) + 1)], chain([first], rows)
    return header, ((line, _named(header, row, path, line)) for line, row in rows)


def _rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    # a cell may be a whole document; the limit is global in the process, so it is only ever raised
    csv.field_size_limit(max(_LONGEST_CELL, csv.field_size_limit()))
    table = csv.reader(read_lines(path), Tabs if kind_of(path) == "tsv" else csv.excel, strict=True)
    start = 1
    try:
        for row in table:
            if row:
                yield table.line_num, row
            start = table.line_num + 1
    except csv.Error as error:
        since = f", in the row that starts at line {start}" if start < table.line_num else ""
        raise InputError(f"{error}{since}", file=path, line=table.line_num) from error


def _named(header: Sequence[str], row: Sequence[str], path: str | Path, line: int) -> dict[str, str]:
    if len(row) > len(header):
        raise InputError(f"row must have {len(header)} cells, got {len(row)}", file=path, line=line)
    return dict(zip(header, row, strict=False))
