"""Files of scored sentence pairs, checked row by row."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines

FIELDS = ("sentence1", "sentence2", "score")
LOWEST, HIGHEST = 0.0, 5.0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences and how alike people found them, 0-5."""

    first: str
    second: str
    score: float


def read_tsv(path: Path) -> tuple[Pair, ...]:
    """Read ``sentence TAB sentence TAB score`` lines without a header; quotes are letters like any other.

    Raises:
        InputError: File, line and field of the first row that is wrong.
    """
    rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
    return tuple(_pair(row, path, number) for number, row in enumerate(rows, start=1))


def read_csv(path: Path) -> tuple[Pair, ...]:
    """Read ``sentence,sentence,score`` records without a header, quoted where needed.

    Raises:
        InputError: File, line and field of the first record that is wrong.
    """
    return tuple(_pair(row, path, number) for number, row in _records(path))


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(read_lines(path), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"is no CSV record: {error}", file=path, line=reader.line_num) from None


def _pair(row: list[str], path: Path, line: int) -> Pair:
    if len(row) != len(FIELDS):
        field = FIELDS[min(len(row), len(FIELDS) - 1)]
        raise InputError(f"{len(row)} columns, not {len(FIELDS)}", file=path, line=line, field=field)
    for field, value in zip(FIELDS[:2], row, strict=False):
        if not value.strip():
            raise InputError("is empty", file=path, line=line, field=field)
    return Pair(row[0], row[1], _score(row[2], path, line))


def _score(text: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not LOWEST <= value <= HIGHEST:
        message = f"{text!r} is no number from {LOWEST:g} to {HIGHEST:g}"
        raise InputError(message, file=path, line=line, field=FIELDS[2])
    return value
