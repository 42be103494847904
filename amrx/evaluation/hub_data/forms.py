r"""Rows of a dataset as the lines of a file that a task's loader reads.

::

    {"premise": "A\tB", "hypothesis": "C", "label": 2}  ── Table(...) ──>    A B<tab>C<tab>contradiction
    {"premise": "A", "question": "cause", "label": 1}   ── Objects(...) ──>  {"premise": "A", ...}

The layouts have no escapes, so tabs and line ends at the ends of a text are left out, and those within it
become one space. A number is written with the fewest digits that give it back in its own precision: a
float32 of 3.8 stands as 3.8.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from amrx.errors import InputError

_BREAKS = re.compile(r"[\t\r\n]+")
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the dataset.

    Attributes:
        name: Its name.
        labels: What the numbers in it stand for, in their order; empty where it holds no labels.
        many: Whether each value is a list of these; such a column stands in `Objects` only.
    """

    name: str
    labels: tuple[str, ...] = ()
    many: bool = False

    def text(self, value: object, file: str, row: int) -> str:
        """Return a value as text.

        Raises:
            InputError: It is none of these, or a text is empty.
        """
        if self.labels:
            known = dict(enumerate(self.labels))
            if isinstance(value, int) and value in known:
                return known[value]
            if value in self.labels:
                return str(value)
            message = f"{value!r} is none of {', '.join(self.labels)}"
            raise InputError(message, file=file, line=row, field=self.name)
        if isinstance(value, str):
            text = _BREAKS.sub(" ", value.strip("\t\r\n"))
            if not text.strip():
                raise InputError("is empty", file=file, line=row, field=self.name)
            return text
        if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            return _digits(value)
        raise InputError(f"{value!r} is no text or number", file=file, line=row, field=self.name)

    def texts(self, values: object, file: str, row: int) -> list[str]:
        """Return each value of a list as text; arguments and errors as of ``text``.

        Raises:
            InputError: It is no list.
        """
        if not isinstance(values, list):
            raise InputError(f"{values!r} is no list", file=file, line=row, field=self.name)
        return [self.text(value, file, row) for value in values]


def _digits(value: float) -> str:
    single = np.float32(value)
    return str(single) if isinstance(value, float) and float(single) == value else repr(value)


class Form(Protocol):
    """How rows become lines."""

    @property
    def fields(self) -> Sequence[Field]:
        """The columns that are read."""

    def lines(self, rows: Iterable[Row], file: str) -> Iterator[str]:
        """Yield the lines, each with its end.

        Raises:
            InputError: File, row and column of the first value that is wrong.
        """


def tabbed(cells: Sequence[str]) -> str:
    r"""Return a line of cells with tabs between.

    Example:
        >>> tabbed(["a", "b"])
        'a\tb\n'
    """
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
    """Lines of cells.

    Attributes:
        fields: The columns, in the order of the cells.
        join: Makes a line of cells.
        numbered: Whether a header comes first, and each line begins with the number of its row.
    """

    fields: tuple[Field, ...]
    join: Callable[[Sequence[str]], str] = tabbed
    numbered: bool = False

    def lines(self, rows: Iterable[Row], file: str) -> Iterator[str]:
        """Yield the lines, each with its end; see `Form.lines`."""
        if self.numbered:
            yield self.join(["id", *(field.name for field in self.fields)])
        for place, row in enumerate(rows, start=1):
            cells = [field.text(row[field.name], file, place) for field in self.fields]
            yield self.join([str(place), *cells] if self.numbered else cells)


@dataclass(frozen=True, slots=True)
class Objects:
    """JSON objects, one a line.

    Attributes:
        fields: Their keys; the values are those of the dataset, or lists of labels by name.
        without: Name of a field; rows in which it is empty or missing are left out.
    """

    fields: tuple[Field, ...]
    without: str | None = None

    def lines(self, rows: Iterable[Row], file: str) -> Iterator[str]:
        """Yield the lines, each with its end; see `Form.lines`."""
        for place, row in enumerate(rows, start=1):
            if self.without is not None and not str(row[self.without] or "").strip():
                continue
            found: dict[str, object] = {}
            for field in self.fields:
                value = row[field.name]
                if field.many:
                    found[field.name] = field.texts(value, file, place)
                else:
                    field.text(value, file, place)
                    found[field.name] = value
            yield json.dumps(found, ensure_ascii=False) + "\n"
