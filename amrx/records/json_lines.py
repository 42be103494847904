"""Read JSON files, one document or one object per line; errors name the path of the field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amrx.errors import InputError
from amrx.records.files import read_lines

_IDENTIFIER = re.compile("0|-?[1-9][0-9]{0,17}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _RepeatedKeyError(ValueError):
    """An object has the same key twice."""


def _as_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object of keys and values; json alone would keep the last value of a repeated key."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return values


_LINES = json.JSONDecoder(object_pairs_hook=_as_object)


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document, with its location."""

    value: object  # the value
    where: str  # its path, as ``data[0].text``; empty at the root
    file: Path  # the file
    line: int | None = None  # its line in the file, if each line is a document

    def error(self, message: str) -> InputError:
        """Return an InputError about this value."""
        return InputError(message, file=self.file, line=self.line, field=self.where or "document")

    def get(self, key: str) -> Node:
        """Return a field."""
        where = f"{self.where}.{key}" if self.where else key
        if not isinstance(self.value, Mapping) or key not in self.value:
            raise InputError("is missing", file=self.file, line=self.line, field=where)
        return Node(self.value[key], where, self.file, self.line)

    def list(self, key: str) -> Sequence[Node]:
        """Return the items of a field, at least one."""
        node = self.get(key)
        if not isinstance(node.value, list) or not node.value:
            raise node.error("is not a non-empty list")
        return node.items()

    def items(self) -> Sequence[Node]:
        """Return the items of this list, which may be empty."""
        if not isinstance(self.value, list):
            raise self.error("is not a list")
        return [Node(item, f"{self.where}[{i}]", self.file, self.line) for i, item in enumerate(self.value)]

    def string(self) -> str:
        """Return this string, which may be blank."""
        if not isinstance(self.value, str):
            raise self.error(f"must be a string, got {self.value!r}")
        if has_surrogate(self.value):
            raise self.error(f"{self.value[:40]!r} holds a lone surrogate")
        return self.value

    def text(self) -> str:
        """Return this string, which must not be blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("must be a non-blank string")
        return self.string()

    def identifier(self) -> int:
        """Return this whole number, which may be in a string, as `amrx parse` writes identifiers."""
        if isinstance(self.value, str) and _IDENTIFIER.fullmatch(self.value):
            return int(self.value)
        return self.integer()

    def integer(self) -> int:
        """Return this integer."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error(f"must be an integer, got {self.value!r}")
        return self.value


def has_surrogate(text: str) -> bool:
    r"""Return whether a text holds a lone surrogate, which is not a character.

    Example:
        >>> has_surrogate("\ud83d"), has_surrogate("\U0001f600")
        (True, False)
    """
    return not text.isascii() and _SURROGATE.search(text) is not None


def read_document(path: str | Path) -> Node:
    """Return the root of a JSON file."""
    return Node(_parsed("".join(read_lines(path)), path), "", Path(path))


def read_json(path: str | Path) -> dict[str, Any]:
    """Return the object in a JSON file."""
    return _parsed_object("".join(read_lines(path)), path)


def find_file(folder: Path, stem: str) -> Path | None:
    """Return ``folder/stem.jsonl``, ``.jsonl.gz`` or ``.jsonl.xz``; ``None`` if there is none."""
    paths = (folder / f"{stem}.jsonl{packed}" for packed in ("", ".gz", ".xz"))
    return next((path for path in paths if path.is_file()), None)


def read_objects(path: Path, *, sparse: bool = False) -> Iterator[Node]:
    """Yield the object of each line.

    Args:
        path: The file.
        sparse: Accept an empty file, blank lines, and ``.xz`` files, as in training corpora.
    """
    for line, text in enumerate(read_lines(path, empty=sparse, xz=sparse), start=1):
        if sparse and text.isspace():
            continue
        yield Node(_parsed_object(text, path, line), "", path, line)


def numbered_objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of each line after its number; skip blank lines."""
    for line, text in enumerate(read_lines(path), start=1):
        if text.strip():
            yield line, read_object(text, path, line)


def read_object(text: str, path: str | Path, line: int) -> dict[str, Any]:
    """Return the JSON object on one line."""
    record = _parsed_object(text, path, line)
    try:
        if "\\u" in text:  # an escape may be a lone surrogate, which UTF-8 cannot encode
            json.dumps(record, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"has an unpaired surrogate (\\uD800-\\uDFFF): {error}", file=path, line=line
        ) from error
    return record


def _parsed_object(text: str, path: str | Path, line: int | None = None) -> dict[str, Any]:
    record = _parsed(text.rstrip("\r\n"), path, line)
    if not isinstance(record, dict):
        raise InputError("is not a JSON object", file=path, line=line)
    return record


def _parsed(text: str, path: str | Path, line: int | None = None) -> object:
    """Parse a JSON text; ``line`` is its line if the file holds one text per line."""
    try:
        return json.loads(text) if line is None else _LINES.decode(text)
    except _RepeatedKeyError as error:
        raise InputError(
            "occurs twice in the object; keep one", file=path, line=line, field=str(error)
        ) from None
    except json.JSONDecodeError as error:
        line, field = line or error.lineno, f"column {error.colno}"
        raise InputError(f"is not JSON: {error.msg}", file=path, line=line, field=field) from None
    except RecursionError:
        raise InputError("is nested too deep", file=path, line=line) from None
    except ValueError:  # Python's limit of 4,300 digits
        raise InputError("holds an integer with too many digits", file=path, line=line) from None
