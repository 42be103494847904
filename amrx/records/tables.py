r"""Tables, ``.tsv`` and ``.csv``, read row by row.

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
    """Tab-separated text without quoting, as research data has it."""

    quoting = csv.QUOTE_NONE


def read_table(
    path: str | Path, *, by_position: bool = False
) -> tuple[Sequence[str], Iterator[tuple[int, dict[str, str]]]]:
    """Return the names of the columns, and the rows behind the number of the line where each ends.

    A row that is too short lacks the last names. One that is too long is an error, because a comma in a text
    without quotes would cut the text unseen.

    Args:
        path: A ``.tsv``, in which quotes are letters like any other, or a ``.csv``; empty lines are no rows.
        by_position: Whether the first line is a row too; the columns are then called 1, 2, ...

    Raises:
        InputError: Not UTF-8, missing, empty, no CSV, or a row that is too long.
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
    # a cell may be a whole document; the limit is one for all readers of the process, so it is only raised
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
        raise InputError(f"{len(row)} cells, not {len(header)}", file=path, line=line)
    return dict(zip(header, row, strict=False))
