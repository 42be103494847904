"""JSON lines from plain, gzip or xz files, with every wrong value named by file, line and field."""

from __future__ import annotations

import gzip
import json
import lzma
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from amrx.errors import InputError


@dataclass(slots=True)
class Record:
    """One checked line."""

    values: Mapping[str, object]
    file: Path
    line: int

    def integer(self, field: str) -> int:
        """Return a field already checked to be an integer."""
        value = self.values[field]
        assert isinstance(value, int)
        return value

    def text(self, field: str) -> str:
        """Return a field already checked to be a string."""
        value = self.values[field]
        assert isinstance(value, str)
        return value

    def score(self, field: str) -> float:
        """Return a score in 0..1, NaN where it is null or absent."""
        value = self.values.get(field)
        if value is None:
            return math.nan
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self.error(field, f"{value!r} is no score in 0..1 and not null")
        return float(value)

    def error(self, field: str, message: str) -> InputError:
        """Return the error that names this line and field."""
        return InputError(message, file=self.file, line=self.line, field=field)


def find_file(folder: Path, stem: str, *, required: bool = True) -> Path | None:
    """Return ``folder/stem.jsonl``, ``.jsonl.gz`` or ``.jsonl.xz``; ``None`` if there is none.

    Raises:
        InputError: None of them exists and one is required.
    """
    for suffix in (".jsonl", ".jsonl.gz", ".jsonl.xz"):
        if (folder / (stem + suffix)).is_file():
            return folder / (stem + suffix)
    if required:
        raise InputError("no such file (nor .gz, .xz)", file=folder / f"{stem}.jsonl")
    return None


def read_records(path: Path | None, fields: Mapping[str, type]) -> Iterator[Record]:
    """Yield the lines of a file; empty lines are skipped, other keys are kept and ignored.

    Args:
        path: The file; ``None`` yields nothing.
        fields: Field name to ``int`` or ``str``.

    Raises:
        InputError: A line is no JSON object, or a field is missing or of another type.
    """
    if path is None:
        return
    number = 0
    try:
        with _open(path) as stream:
            for number, raw in enumerate(stream, start=1):
                if not raw.isspace():
                    yield _check(raw, fields, path, number)
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8: {error.reason}", file=path, line=number + 1) from None
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"cannot be read: {error}", file=path) from None


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")


def _check(raw: str, fields: Mapping[str, type], path: Path, line: int) -> Record:
    try:
        values = json.loads(raw)
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", file=path, line=line) from None
    except RecursionError:
        raise InputError("is no JSON: it nests too deep", file=path, line=line) from None
    if not isinstance(values, dict):
        raise InputError("is no JSON object", file=path, line=line)
    for field, kind in fields.items():
        value = values.get(field)
        if type(value) is not kind:
            wanted = "an integer" if kind is int else "a string"
            found = "is missing" if field not in values else f"{value!r} is not {wanted}"
            raise InputError(found, file=path, line=line, field=field)
    return Record(values, path, line)
