r"""Convert rows of a dataset to the lines of a file that a task's loader reads.

::

    {"premise": "A\tB", "hypothesis": "C", "label": 2}  ── Table(...) ──>    A B<tab>C<tab>contradiction
    {"premise": "A", "question": "cause", "label": 1}   ── Objects(...) ──>  {"premise": "A", ...}

The layouts have no escapes: tabs and line ends are removed at the ends of a text and become one space within.
A number is written with the fewest digits that restore it in its own precision: a float32 of 3.8 becomes 3.8.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.errors import InputError


@dataclass(frozen=True, slots=True)
class HubData:
    """A dataset that may be redistributed."""

    name: str  # its id on the hub, or a folder with the same files
    licence: str  # licence of the rows
    revision: str = "main"  # commit on the hub; a branch means its newest commit

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder on this machine."""
        return Path(self.name).is_dir()

    def location(self, file: str, revision: str) -> str:
        """Return the location of a file for ``datasets``."""
        if self.is_folder:
            return str(Path(self.name).resolve() / file)
        return f"hf://datasets/{self.name}@{revision}/{file}"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of the data folder, and its rows on the hub."""

    path: str  # path below the data folder
    data: HubData  # the dataset that has its rows
    file: str  # path in the dataset, parquet or JSON; ``*`` matches anything
    form: Form  # conversion of the rows to lines
    language: str | None = None  # the language of the task that needs it; ``None`` if all do
    # paths of files that together hold the same rows: the file is not downloaded if the data folder has them
    # all. Ignored if empty.
    unless: tuple[str, ...] = ()


_BREAKS = re.compile(r"[\t\r\n]+")
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the dataset."""

    name: str  # its name
    labels: tuple[str, ...] = ()  # meanings of its numbers, in order; empty if it holds no labels
    many: bool = False  # whether each value is a list of labels; only for `Objects`

    def text(self, value: object, file: str, row: int) -> str:
        """Return a value as text."""
        if self.labels:
            known = dict(enumerate(self.labels))
            if isinstance(value, int) and value in known:
                return known[value]
            if value in self.labels:
                return str(value)
            message = f"must be one of {', '.join(self.labels)}, got {value!r}"
            raise InputError(message, file=file, line=row, field=self.name)
        if isinstance(value, str):
            text = _BREAKS.sub(" ", value.strip("\t\r\n"))
            if not text.strip():
                raise InputError("is empty", file=file, line=row, field=self.name)
            return text
        if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            return _digits(value)
        raise InputError(
            f"must be text or a finite number, got {value!r}", file=file, line=row, field=self.name
        )

    def texts(self, values: object, file: str, row: int) -> list[str]:
        """Return each value of a list as text; arguments and errors as in ``text``."""
        if not isinstance(values, list):
            raise InputError(f"must be a list, got {values!r}", file=file, line=row, field=self.name)
        return [self.text(value, file, row) for value in values]


def _digits(value: float) -> str:
    single = np.float32(value)
    return str(single) if isinstance(value, float) and float(single) == value else repr(value)


def tabbed(cells: Sequence[str]) -> str:
    r"""Return a line of tab-separated cells."""
    return "\t".join(cells) + "\n"


def comma_separated(cells: Sequence[str]) -> str:
    r"""Return a CSV record, quoted where needed.

    Example:
        >>> comma_separated(["a, b", "c"])
        '"a, b",c\n'
    """
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(cells)
    return stream.getvalue()


@dataclass(frozen=True, slots=True)
class Table:
    """Lines of cells."""

    fields: tuple[Field, ...]  # the columns, in the order of the cells
    join: Callable[[Sequence[str]], str] = tabbed  # joins cells into a line
    numbered: bool = False  # whether there is a header, and each line starts with its row number

    def lines(self, rows: Iterable[Row], file: str) -> Iterator[str]:
        """Yield the lines with line ends."""
        if self.numbered:
            yield self.join(["id", *(field.name for field in self.fields)])
        for number, row in enumerate(rows, start=1):
            cells = [field.text(row[field.name], file, number) for field in self.fields]
            yield self.join([str(number), *cells] if self.numbered else cells)


@dataclass(frozen=True, slots=True)
class Objects:
    """JSON objects, one per line."""

    fields: tuple[Field, ...]  # their keys; values are copied from the dataset, or are lists of label names
    without: str | None = None  # name of a field; rows in which it is empty or missing are skipped

    def lines(self, rows: Iterable[Row], file: str) -> Iterator[str]:
        """Yield the lines with line ends."""
        for number, row in enumerate(rows, start=1):
            if self.without is not None and not str(row[self.without] or "").strip():
                continue
            record: dict[str, object] = {}
            for field in self.fields:
                value = row[field.name]
                if field.many:
                    record[field.name] = field.texts(value, file, number)
                else:
                    field.text(value, file, number)
                    record[field.name] = value
            yield json.dumps(record, ensure_ascii=False) + "\n"


Form = Table | Objects
"""Conversion of rows to lines."""
