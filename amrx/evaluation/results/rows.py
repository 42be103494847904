"""Hold results: rows, their items, skipped files, and means over groups of languages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors

PART = re.compile(r"\((\d+ of \d+)\)$")
"""End of the name of a mean over a part of its languages, as written by `group_means`."""
_COUNT = re.compile(r" \((\d+ of )?\d+\)$")


Items = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One result; ``value`` is 0-100 unless its metric says otherwise, ``n`` is the number of items."""

    encoder: str
    task: str
    language: str
    metric: str
    value: float
    n: int


class Cloud(NamedTuple):
    """A map of vectors."""

    title: str  # the property shown
    points: Vectors  # ``(n, 2)``, coordinates from 0 to 1
    groups: tuple[str, ...]  # group of each point; groups have different colours


class Scored(NamedTuple):
    """A row and the items from which it was computed, for resampling."""

    row: Row  # the result
    # input of `amrx.evaluation.results.bootstrap.value_of`; ``None`` if the value has no items
    items: Items | None = None
    clouds: tuple[Cloud, ...] = ()  # maps of the vectors, for the page


def mean_scored(encoder: str, task: str, language: str, metric: str, items: Items) -> Scored:
    """Return the row of items ``(n,)`` whose value is their mean times 100."""
    return Scored(Row(encoder, task, language, metric, 100 * float(items.mean()), len(items)), items)


def by_encoder(rows: Iterable[Row], task: str, metric: str) -> dict[str, dict[str, float]]:
    """Return the values of a task's metric: of each encoder, by language."""
    values: dict[str, dict[str, float]] = {}
    for row in rows:
        if (row.task, row.metric) == (task, metric):
            values.setdefault(row.encoder, {})[row.language] = row.value
    return values


class Rows(list[Row]):
    """The rows of a run; ``scored`` has their items too."""

    def __init__(self, scored: Sequence[Scored]) -> None:
        super().__init__(each.row for each in scored)
        self.scored = tuple(scored)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A language, or a track, whose file is missing."""

    task: str
    language: str
    file: Path
    fetch: str

    def __str__(self) -> str:
        """Return a message that names the missing file and its source."""
        return f"{self.task} {self.language} skipped: no {self.file}; fetch {self.fetch}"


NAMED = 40
"""Number of skipped languages named per line in a terminal."""


def skipped_lines(skipped: Sequence[Skipped], named: int = NAMED) -> list[str]:
    """Return one line per task and source: its languages, the first missing file, and the source.

    Of more than ``named`` languages only the first are named.

    Example:
        >>> both = [Skipped("qe", code, Path(f"{code}.tsv"), "mlqe-pe") for code in ("ne-en", "si-en")]
        >>> skipped_lines(both)
        ['qe ne-en, si-en skipped: no ne-en.tsv and 1 more; fetch mlqe-pe']
        >>> skipped_lines(both[:1]) == [str(both[0])]
        True
    """
    groups: dict[tuple[str, str], list[Skipped]] = {}
    for each in skipped:
        groups.setdefault((each.task, each.fetch), []).append(each)
    lines = []
    for (task, fetch), group in groups.items():
        names = ", ".join(each.language for each in group[:named])
        names += f" and {len(group) - named} more" if len(group) > named else ""
        files = {each.file for each in group}
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        lines.append(f"{task} {names} skipped: no {group[0].file}{more}; fetch {fetch}")
    return lines


def counted(count: int, of: int) -> str:
    """Return the number of languages of a mean, for the end of its name.

    Example:
        >>> counted(3, 3), counted(1, 3)
        ('(3)', '(1 of 3)')
    """
    return f"({count})" if count == of else f"({count} of {of})"


def group_of(name: str) -> str:
    """Return the name of a mean without the number of its languages.

    Example:
        >>> group_of("mean, all (1 of 6)"), group_of("mean, all (6)"), group_of("monolingual mean")
        ('mean, all', 'mean, all', 'monolingual mean')
    """
    return _COUNT.sub("", name)


def distinct(totals: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the names of the encoders' means; of equal means over parts of languages only the last.

    Example:
        >>> seen, every = {"mean, seen (2 of 6)": 70.0}, {"mean, all (2 of 15)": 70.0}
        >>> distinct([seen | every]), distinct([seen | every, every])
        (['mean, all (2 of 15)'], ['mean, seen (2 of 6)', 'mean, all (2 of 15)'])
    """
    names = dict.fromkeys(name for own in totals for name in own)
    last = {tuple(own.get(name) for own in totals) if PART.search(name) else name: name for name in names}
    return list(last.values())


def group_means(scores: Mapping[str, float], groups: Iterable[tuple[str, Sequence[str]]]) -> dict[str, float]:
    """Return the mean of each group that has a score, named with the number of its languages.

    Example:
        >>> group_means({"de": 80.0, "fr": 60.0}, [("seen", ("de",)), ("all", ("de", "fr", "tr"))])
        {'mean, seen (1)': 80.0, 'mean, all (2 of 3)': 70.0}
    """
    means = {}
    for name, languages in groups:
        values = [scores[language] for language in languages if language in scores]
        if values:
            means[f"mean, {name} {counted(len(values), len(languages))}"] = sum(values) / len(values)
    return means
