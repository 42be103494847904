"""Files of scored sentence pairs, checked row by row."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from amrx.errors import InputError
from amrx.records.files import read_lines

FIELDS = ("sentence1", "sentence2", "score")
LOWEST, HIGHEST = 0.0, 5.0
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Pair(NamedTuple):
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


def read_any_score(path: Path) -> tuple[Pair, ...]:
    """Read lines as `read_tsv` does, whose scores may be any finite numbers, such as z-scores.

    Raises:
        InputError: File, line and field of the first row that is wrong.
    """
    rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
    return tuple(_pair(row, path, number, math.inf) for number, row in enumerate(rows, start=1))


def read_csv(path: Path) -> tuple[Pair, ...]:
    """Read ``sentence,sentence,score`` records without a header, quoted where needed.

    Raises:
        InputError: File, line and field of the first record that is wrong.
    """
    return tuple(_pair(row, path, number) for number, row in _records(path))


def read_beside(sentences: Path, gold: Path) -> tuple[Pair, ...]:
    """Read ``sentence TAB sentence`` lines and, in a file of its own, the score of each; no score, no pair.

    The shared tasks of 2015 and 2016 hand out more pairs than they scored: their lines of scores are empty.
    Columns after the second, which name where a sentence is from, are left out.

    Raises:
        InputError: File, line and field of the first row that is wrong, or the files differ in length.
    """
    texts = [line.rstrip("\r\n").split("\t") for line in read_lines(sentences)]
    scores = [line.strip() for line in read_lines(gold)]
    if len(texts) != len(scores):
        raise InputError(f"{len(scores)} lines for the {len(texts)} of {sentences.name}", file=gold)
    found = []
    for line, (row, score) in enumerate(zip(texts, scores, strict=True), start=1):
        if len(row) < 2:
            raise InputError("1 column, not 2", file=sentences, line=line, field=FIELDS[1])
        _check_texts(row[:2], sentences, line)
        if score:
            found.append(Pair(row[0], row[1], _score(score, gold, line)))
    return tuple(found)


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(read_lines(path), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"is no CSV record: {error}", file=path, line=reader.line_num) from None


def _pair(row: list[str], path: Path, line: int, most: float = HIGHEST) -> Pair:
    if len(row) != len(FIELDS):
        field = FIELDS[min(len(row), len(FIELDS) - 1)]
        raise InputError(f"{len(row)} columns, not {len(FIELDS)}", file=path, line=line, field=field)
    _check_texts(row[:2], path, line)
    return Pair(row[0], row[1], _score(row[2], path, line, most))


def _check_texts(texts: list[str], path: Path, line: int) -> None:
    for field, value in zip(FIELDS[:2], texts, strict=True):
        if not value.strip():
            raise InputError("is empty", file=path, line=line, field=field)


def _score(text: str, path: Path, line: int, most: float = HIGHEST) -> float:
    """Return a score of ``LOWEST`` to ``most``, or any finite one where there is no most."""
    # float() would also take 1_0, which is a slip, and the digits of every script
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not (math.isfinite(value) if most == math.inf else LOWEST <= value <= most):
        bounds = "finite number" if most == math.inf else f"number from {LOWEST:g} to {most:g}"
        message = f"{text!r} is no {bounds}"
        raise InputError(message, file=path, line=line, field=FIELDS[2])
    return value
