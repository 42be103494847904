r"""Read rows of text files and tables as dictionaries, for callers that need several columns.

::

    .txt   {"id": "1", "text": "..."}            one row per line
    .tsv .csv .jsonl                             one row per record, every column kept

If no columns are named, the first entry of `USUAL` that the file has is taken: one sentence, or the sides of
an NLI or STS row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from amrx.errors import InputError, OptionError
from amrx.records.files import kind_of, read_lines, require_file
from amrx.records.graphs import KINDS as GRAPH_KINDS
from amrx.records.json_lines import numbered_objects
from amrx.records.tables import read_table

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


def read_rows(
    path: str | Path, columns: Sequence[str] | None = None
) -> Iterator[tuple[Row, tuple[str, ...]]]:
    """Stream the rows of a file, each with the names of its columns of text.

    Args:
        path: Text (one sentence per line), ``.tsv``, ``.csv`` or ``.jsonl``, also with ``.gz``.
        columns: Columns of text. If all are numbers, they are 1-based positions in a table without a header.

    Raises:
        InputError: The file is missing, empty or not UTF-8, a column is missing, a row is longer than the
            first, or a cell is not text.
        OptionError: Columns are named for plain text, or the file holds graphs.
    """
    return ((row, names) for _, row, names in numbered_rows(path, columns))


def numbered_rows(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[Numbered]:
    """Stream the same rows, each after the number of its last line."""
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
        return tuple(columns)
    for usual in USUAL:
        if all(name in header for name in usual):
            return usual
    problem = "no column 'text' or another usual one; choose by --column"
    raise InputError(f"{problem}; {available}", file=path, line=line)
