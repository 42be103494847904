"""Files of one JSON object a line, whose fields say where they stand when they are wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines


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

    def text(self) -> str:
        """Return this string.

        Raises:
            InputError: It is none, or blank.
        """
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("is no text")
        return self.value

    def integer(self) -> int:
        """Return this integer.

        Raises:
            InputError: It is none.
        """
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error(f"{self.value!r} is no integer")
        return self.value


def read_objects(path: Path) -> Iterator[Node]:
    """Yield the object of each line.

    Raises:
        InputError: A line is no JSON object.
    """
    for line, text in enumerate(read_lines(path), start=1):
        try:
            found = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", file=path, line=line) from None
        if not isinstance(found, Mapping):
            raise InputError("is no JSON object", file=path, line=line)
        yield Node(found, "", path, line)
