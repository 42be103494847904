r"""Read rows of text files and tables as dictionaries, for callers that need several columns.

::

    .txt   {"id": "1", "text": "..."}            one row per line
    .tsv .csv .jsonl                             one row per record, every column kept

If no columns are named, the first entry of `USUAL` that the file has is taken: one sentence, or the sides of
an NLI or STS row.
"""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from amrx.errors import InputError, OptionError
from amrx.records.files import kind_of, read_lines, require_file
from amrx.records.graphs import KINDS as GRAPH_KINDS
from amrx.records.json_lines import numbered_objects

USUAL = (
    ("text",),
    ("sentence",),
    ("premise", "hypothesis"),
    ("sentence1", "sentence2"),
    ("sent0", "sent1", "hard_neg"),
)
"""Columns tried, in order, if none is named."""

Row = dict[str, str]
Numbered = tuple[int, Row, tuple[str, ...]]


def numbered_rows(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[Numbered]:
    """Stream the rows of a file, each after the number of its last line, with the names of its text columns.

    Args:
        path: Text (one sentence per line), ``.tsv``, ``.csv`` or ``.jsonl``, also with ``.gz``.
        columns: Columns of text. If all are numbers, they are 1-based positions in a table without a header.

    Raises:
        InputError: The file is missing, empty or not UTF-8, a column is missing, a row is longer than the
            first, or a cell is not text.
        OptionError: Columns are named for plain text, or the file holds graphs.
    """
    kind = kind_of(path)
    if kind in GRAPH_KINDS:
        raise OptionError(f"{path} holds graphs; give their sentences as text")
    require_file(path)
    if kind in ("tsv", "csv"):
        return _from_table(path, columns)
    if kind in ("jsonl", "json"):
        return _from_objects(path, columns)
    if columns:
        raise OptionError(f"{path} has no columns to choose; only .tsv, .csv and .jsonl files do")
    lines = enumerate(read_lines(path), start=1)
    return ((number, {"id": str(number), "text": line.rstrip("\r\n")}, ("text",)) for number, line in lines)


def _from_table(path: str | Path, columns: Sequence[str] | None) -> Iterator[Numbered]:
    by_position = bool(columns) and all(name.isdecimal() for name in columns or ())
    header, rows = read_table(path, by_position=by_position)
    chosen = _choose(header, columns, path, line=1)
    for line, record in rows:
        for name in chosen:
            if name not in record:
                raise InputError("the row is too short", file=path, line=line, field=name)
        yield line, record, chosen


def _from_objects(path: str | Path, columns: Sequence[str] | None) -> Iterator[Numbered]:
    for number, record in numbered_objects(path):
        chosen = _choose(list(record), columns, path, line=number)
        for name in chosen:
            if not isinstance(record[name], str):
                raise InputError(
                    f"must be a string, got {record[name]!r}", file=path, line=number, field=name
                )
        yield number, record, chosen


def _choose(
    header: Sequence[str], columns: Sequence[str] | None, path: str | Path, *, line: int
) -> tuple[str, ...]:
    """Return the columns of text, or raise InputError that lists the columns of the file."""
    available = f"the columns are: {', '.join(header)}"
    if columns:
        for name in columns:
            if name not in header:
                raise InputError(f"no column {name!r}; {available}", file=path, line=line)
            check_unique(name, header, path, line=line)
        return tuple(columns)
    for usual in USUAL:
        if all(name in header for name in usual):
            for name in usual:
                check_unique(name, header, path, line=line)
            return usual
    problem = "no column 'text' or another usual one; choose by --column"
    raise InputError(f"{problem}; {available}", file=path, line=line)


def check_unique(name: str, header: Sequence[str], path: str | Path, *, line: int) -> None:
    """Raise if the header repeats the name of a column, because only one of the two would be read."""
    if (count := header.count(name)) > 1:
        raise InputError(f"{count} columns are named {name!r}", file=path, line=line)


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
