"""Where the files of tasks lie: one data folder, or several of which the first that has a file gives it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from amrx.errors import InputError
from amrx.records.files import read_lines


def read_sentences(path: Path, count: int, task: str) -> tuple[str, ...]:
    """Return the lines of a file without their ends.

    Raises:
        InputError: A line is empty, or there are more or fewer lines.
    """
    sentences = []
    for line, text in enumerate(read_lines(path), start=1):
        sentence = text.rstrip("\r\n")
        if not sentence.strip():
            raise InputError("is empty", file=path, line=line, field="sentence")
        sentences.append(sentence)
    if len(sentences) != count:
        raise InputError(f"{len(sentences)} sentences, not the {count} of {task}", file=path)
    return tuple(sentences)


class Data(Protocol):
    """Folder that tasks load from: a `pathlib.Path`, or `Folders`."""

    def __truediv__(self, below: str, /) -> Path:
        """Return the path of a file below."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders of one layout, laid over each other.

    Attributes:
        roots: At least one; where none has a file, its path is the one below the first.

    Example:
        >>> Folders((Path("data"), Path("cache"))) / "sts/sts17/en-en.tsv" == Path("data/sts/sts17/en-en.tsv")
        True
    """

    roots: tuple[Path, ...]

    def __truediv__(self, below: str, /) -> Path:
        """Return the path below the first folder that has it."""
        places = [root / below for root in self.roots]
        return next((place for place in places if place.exists()), places[0])

    def __str__(self) -> str:
        """Name them all."""
        return " and ".join(str(root) for root in self.roots)
