"""Find and check the files of tasks in one data folder, or in the first of several that has the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from amrx.errors import InputError
from amrx.records.files import read_lines


def read_sentences(path: Path, count: int, task: str) -> tuple[str, ...]:
    """Return the lines of a file without line ends."""
    sentences = []
    for line, text in enumerate(read_lines(path), start=1):
        sentence = text.rstrip("\r\n")
        check_text(sentence, path, line, "sentence")
        sentences.append(sentence)
    check_count(len(sentences), count, "sentences", task, path)
    return tuple(sentences)


def check_count(count: int, expected: int, noun: str, task: str, file: str | Path) -> None:
    """Raise InputError if a file has another number of ``noun`` than a task expects."""
    if count != expected:
        raise InputError(f"must have {expected} {noun} for {task}, got {count}", file=file)


def check_row(row: Sequence[str], fields: Sequence[str], file: Path, line: int) -> None:
    """Raise InputError if a row has another number of columns than ``fields``."""
    if len(row) != len(fields):
        message = f"row must have {len(fields)} columns, got {len(row)}"
        raise InputError(message, file=file, line=line, field=fields[min(len(row), len(fields) - 1)])


def check_text(text: str, file: str | Path, line: int | None, field: str) -> None:
    """Raise InputError if a text is blank."""
    if not text.strip():
        raise InputError("is empty", file=file, line=line, field=field)


class Data(Protocol):
    """Protocol of a data folder: a `pathlib.Path`, or `Folders`."""

    def __truediv__(self, below: str, /) -> Path:
        """Return the path of a file below the folder."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Several data folders of the same layout, the first taking precedence.

    Example:
        >>> Folders((Path("data"), Path("cache"))) / "sts/sts17/en-en.tsv" == Path("data/sts/sts17/en-en.tsv")
        True
    """

    roots: tuple[Path, ...]  # at least one; a file that is in none of them gets its path below the first

    def __truediv__(self, below: str, /) -> Path:
        """Return the path below the first folder that has it."""
        paths = [root / below for root in self.roots]
        return next((path for path in paths if path.exists()), paths[0])

    def __str__(self) -> str:
        """Return the names of all folders."""
        return " and ".join(str(root) for root in self.roots)
