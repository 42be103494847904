"""Hold one result: a row, its items, and what was skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors

Items = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One result; ``value`` is on a scale of 0-100 unless its metric says otherwise, ``n`` counts items."""

    encoder: str
    task: str
    language: str
    metric: str
    value: float
    n: int


class Cloud(NamedTuple):
    """A map of some vectors.

    Attributes:
        title: What it shows.
        points: ``(n, 2)``, each from 0 to 1.
        groups: Name of each point's group; a group has a colour of its own.
    """

    title: str
    points: Vectors
    groups: tuple[str, ...]


class Scored(NamedTuple):
    """A row and what it was computed from, item by item, for resampling.

    Attributes:
        row: The result.
        items: As `amrx.evaluation.results.bootstrap.value_of` reads them; ``None`` where a value is made of
        none. clouds: Maps of the vectors, for the page.
    """

    row: Row
    items: Items | None = None
    clouds: tuple[Cloud, ...] = ()


class Rows(list[Row]):
    """The rows of a run, with what they were computed from.

    Attributes:
        scored: The rows with their items.
    """

    def __init__(self, scored: Sequence[Scored]) -> None:
        super().__init__(one.row for one in scored)
        self.scored = tuple(scored)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A language, or a track, whose file is not there."""

    task: str
    language: str
    file: Path
    fetch: str

    def __str__(self) -> str:
        """Say what is missing and how to get it."""
        return f"{self.task} {self.language} skipped: no {self.file}; fetch {self.fetch}"


NAMED = 40
"""So many languages that are skipped together are named in a terminal."""


def told_together(skipped: Sequence[Skipped], named: int = NAMED) -> list[str]:
    """Return a line for each task and thing to fetch: its languages, the first missing file, what to fetch.

    Of more than ``named`` languages the first ones are named.

    Example:
        >>> both = [Skipped("qe", code, Path(f"{code}.tsv"), "mlqe-pe") for code in ("ne-en", "si-en")]
        >>> told_together(both)
        ['qe ne-en, si-en skipped: no ne-en.tsv and 1 more; fetch mlqe-pe']
        >>> told_together(both[:1]) == [str(both[0])]
        True
    """
    groups: dict[tuple[str, str], list[Skipped]] = {}
    for found in skipped:
        groups.setdefault((found.task, found.fetch), []).append(found)
    lines = []
    for (task, fetch), group in groups.items():
        names = ", ".join(found.language for found in group[:named])
        names += f" and {len(group) - named} more" if len(group) > named else ""
        files = {found.file for found in group}
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        lines.append(f"{task} {names} skipped: no {group[0].file}{more}; fetch {fetch}")
    return lines
