"""Files of labelled sentences and sentence pairs, checked row by row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines


@dataclass(frozen=True, slots=True)
class Item:
    """One or two texts and the number of their label."""

    texts: tuple[str, ...]
    label: int


@dataclass(frozen=True, slots=True)
class TsvReader:
    """Reads ``text TAB text TAB label`` lines without a header; quotes are letters like any other.

    Attributes:
        texts: Names of the text columns.
        labels: The labels; their order gives their numbers.
        label_column: Place of the label, counted as Python counts.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    label_column: int = -1

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file.

        Raises:
            InputError: File, line and column of the first row that is wrong.
        """
        rows = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
        return tuple(self._item(row, path, line) for line, row in enumerate(rows, start=1))

    def _item(self, row: list[str], path: Path, line: int) -> Item:
        fields = list(self.texts)
        fields.insert(self.label_column % (len(fields) + 1), "label")
        if len(row) != len(fields):
            field = fields[min(len(row), len(fields) - 1)]
            raise InputError(f"{len(row)} columns, not {len(fields)}", file=path, line=line, field=field)
        label = row.pop(self.label_column)
        for field, text in zip(self.texts, row, strict=True):
            _check_text(text, path, line, field)
        return Item(tuple(row), _number(label, self.labels, path, line, "label"))


@dataclass(frozen=True, slots=True)
class JsonLinesReader:
    """Reads one JSON object a line.

    Attributes:
        texts: Names of the text fields.
        label_field: Name of the label's field.
        labels: The labels; their order gives their numbers.
    """

    texts: tuple[str, ...]
    label_field: str
    labels: tuple[str, ...]

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file.

        Raises:
            InputError: File, line and field of the first row that is wrong.
        """
        return tuple(self._item(text, path, line) for line, text in enumerate(read_lines(path), start=1))

    def _item(self, text: str, path: Path, line: int) -> Item:
        try:
            record = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", file=path, line=line) from None
        if not isinstance(record, Mapping):
            raise InputError("is no JSON object", file=path, line=line)
        texts = tuple(_string(record, field, path, line) for field in self.texts)
        for field, found in zip(self.texts, texts, strict=True):
            _check_text(found, path, line, field)
        label = _string(record, self.label_field, path, line)
        return Item(texts, _number(label, self.labels, path, line, self.label_field))


def _string(record: Mapping[str, object], field: str, path: Path, line: int) -> str:
    if field not in record:
        raise InputError("is missing", file=path, line=line, field=field)
    value = record[field]
    if not isinstance(value, str):
        raise InputError(f"{value!r} is no string", file=path, line=line, field=field)
    return value


def _check_text(text: str, path: Path, line: int, field: str) -> None:
    if not text.strip():
        raise InputError("is empty", file=path, line=line, field=field)


def _number(label: str, labels: tuple[str, ...], path: Path, line: int, field: str) -> int:
    if label not in labels:
        message = f"{label!r} is none of {', '.join(labels)}"
        raise InputError(message, file=path, line=line, field=field)
    return labels.index(label)
