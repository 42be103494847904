"""Files of JSON, whole or one object a line, whose fields say where they stand when they are wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document that knows where it stands.

    Attributes:
        value: The value.
        where: Its path, as ``data[0].text``; empty at the root.
        file: The file.
        line: Line of the file, where each is a document of its own.
    """

    value: object
    where: str
    file: Path
    line: int | None = None

    def error(self, message: str) -> InputError:
        """Return the error that says so of this value."""
        return InputError(message, file=self.file, line=self.line, field=self.where or "document")

    def get(self, key: str) -> Node:
        """Return a field.

        Raises:
            InputError: It is missing.
        """
        where = f"{self.where}.{key}" if self.where else key
        if not isinstance(self.value, Mapping) or key not in self.value:
            raise InputError("is missing", file=self.file, line=self.line, field=where)
        return Node(self.value[key], where, self.file, self.line)

    def list(self, key: str) -> Sequence[Node]:
        """Return the items of a field.

        Raises:
            InputError: It is missing, or no list with items.
        """
        found = self.get(key)
        if not isinstance(found.value, list) or not found.value:
            raise found.error("is no list with items")
        return found.items()

    def items(self) -> Sequence[Node]:
        """Return the items of this list, of which there may be none.

        Raises:
            InputError: It is no list.
        """
        if not isinstance(self.value, list):
            raise self.error("is no list")
        return [
            Node(item, f"{self.where}[{place}]", self.file, self.line)
            for place, item in enumerate(self.value)
        ]

    def string(self) -> str:
        """Return this string, which may be blank.

        Raises:
            InputError: It is none, or holds a lone surrogate, which JSON can write and no encoder can read.
        """
        if not isinstance(self.value, str):
            raise self.error(f"{self.value!r} is no string")
        if has_surrogate(self.value):
            raise self.error(f"{self.value[:40]!r} holds a lone surrogate")
        return self.value

    def text(self) -> str:
        """Return this string.

        Raises:
            InputError: It is none, or blank, or holds a lone surrogate.
        """
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("is no text")
        return self.string()

    def integer(self) -> int:
        """Return this integer.

        Raises:
            InputError: It is none.
        """
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error(f"{self.value!r} is no integer")
        return self.value


def has_surrogate(text: str) -> bool:
    r"""Tell whether a text holds half of a surrogate pair, which is no character.

    Example:
        >>> has_surrogate("\ud83d"), has_surrogate("\U0001f600")
        (True, False)
    """
    return not text.isascii() and _SURROGATE.search(text) is not None


def read_document(path: str | Path) -> Node:
    """Return the root of a file that is one JSON document.

    Raises:
        InputError: It is no JSON, or none that Python can read; names line and column where one is at fault.
    """
    return Node(_parsed("".join(read_lines(path)), path), "", Path(path))


def find_file(folder: Path, stem: str) -> Path | None:
    """Return ``folder/stem.jsonl``, ``.jsonl.gz`` or ``.jsonl.xz``; ``None`` if there is none."""
    paths = (folder / f"{stem}.jsonl{packed}" for packed in ("", ".gz", ".xz"))
    return next((path for path in paths if path.is_file()), None)


def read_objects(path: Path, *, sparse: bool = False) -> Iterator[Node]:
    """Yield the object of each line.

    Args:
        path: The file.
        sparse: Whether it may be empty, hold blank lines, or be an ``.xz`` file, as of a training corpus.

    Raises:
        InputError: A line is no JSON object.
    """
    for line, text in enumerate(read_lines(path, empty=sparse, xz=sparse), start=1):
        if sparse and text.isspace():
            continue
        found = _parsed(text.rstrip("\r\n"), path, line)
        if not isinstance(found, Mapping):
            raise InputError("is no JSON object", file=path, line=line)
        yield Node(found, "", path, line)


def _parsed(text: str, path: str | Path, line: int | None = None) -> object:
    """Return what a JSON text holds; ``line`` is where it stands in a file that has others."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place, field = line or error.lineno, f"column {error.colno}"
        raise InputError(f"is no JSON: {error.msg}", file=path, line=place, field=field) from None
    except RecursionError:
        raise InputError("is nested too deep", file=path, line=line) from None
    except ValueError:  # Python's own limit, of 4,300 digits
        raise InputError("holds an integer of too many digits", file=path, line=line) from None
