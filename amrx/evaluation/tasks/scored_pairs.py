"""Read and check files of scored sentence pairs."""

import csv
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from amrx.errors import InputError
from amrx.evaluation.data_folders import check_row, check_text
from amrx.records.files import read_lines

FIELDS = ("sentence1", "sentence2", "score")
LOWEST, HIGHEST = 0.0, 5.0
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Pair(NamedTuple):
    """Two sentences and their similarity as judged by people, 0-5."""

    first: str
    second: str
    score: float


def read_tsv(path: Path) -> tuple[Pair, ...]:
    """Read ``sentence TAB sentence TAB score`` lines without a header; quotes are ordinary characters."""
    rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
    return tuple(_pair(row, path, number) for number, row in enumerate(rows, start=1))


def read_any_score(path: Path) -> tuple[Pair, ...]:
    """Read lines as `read_tsv`, with any finite scores, such as z-scores."""
    rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
    return tuple(_pair(row, path, number, math.inf) for number, row in enumerate(rows, start=1))


def read_csv(path: Path) -> tuple[Pair, ...]:
    """Read ``sentence,sentence,score`` records without a header, quoted where needed."""
    return tuple(_pair(row, path, number) for number, row in _records(path))


def read_with_scores(sentences: Path, gold: Path) -> tuple[Pair, ...]:
    """Read ``sentence TAB sentence`` lines and their scores from a second file; skip pairs without a score.

    The shared tasks of 2015 and 2016 publish more pairs than they scored: the score lines of the others are
    empty. Columns after the second, which name the source of a sentence, are ignored.
    """
    texts = [line.rstrip("\r\n").split("\t") for line in read_lines(sentences)]
    scores = [line.strip() for line in read_lines(gold)]
    if len(texts) != len(scores):
        raise InputError(f"must have {len(texts)} lines as {sentences.name}, got {len(scores)}", file=gold)
    pairs = []
    for line, (row, score) in enumerate(zip(texts, scores, strict=True), start=1):
        if len(row) < 2:
            raise InputError("row must have 2 columns, got 1", file=sentences, line=line, field=FIELDS[1])
        _check_texts(row[:2], sentences, line)
        if score:
            pairs.append(Pair(row[0], row[1], _score(score, gold, line)))
    return tuple(pairs)


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(read_lines(path), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"is not a CSV record: {error}", file=path, line=reader.line_num) from None


def _pair(row: list[str], path: Path, line: int, highest: float = HIGHEST) -> Pair:
    check_row(row, FIELDS, path, line)
    _check_texts(row[:2], path, line)
    return Pair(row[0], row[1], _score(row[2], path, line, highest))


def _check_texts(texts: list[str], path: Path, line: int) -> None:
    for field, value in zip(FIELDS[:2], texts, strict=True):
        check_text(value, path, line, field)


def _score(text: str, path: Path, line: int, highest: float = HIGHEST) -> float:
    """Return a score between ``LOWEST`` and ``highest``; any finite number if ``highest`` is infinite."""
    # float() would also accept 1_0 and the digits of every script
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not (math.isfinite(value) if highest == math.inf else LOWEST <= value <= highest):
        bounds = "finite number" if highest == math.inf else f"number from {LOWEST:g} to {highest:g}"
        message = f"must be a {bounds}, got {text!r}"
        raise InputError(message, file=path, line=line, field=FIELDS[2])
    return value
