"""Tables whose columns are tasks: the twelve tasks of xrete, and the score of six of VMSST.

::

    rows of the tasks ──Piece: task, metrics, mean──> one value a column ──all whole?──> their mean

A summary is asked for like a task, ``--tasks xrete``: its tasks run, and its own rows are made of theirs. A
column that is the mean over a part of its task's languages says so behind its name, ``(2 of 15)``, and counts
as missing where all columns are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from amrx.evaluate.contract import AnyPart, Described, Row, Scored, Skipped, Task
from amrx.evaluate.folders import Data
from amrx.evaluate.means import PART

VALUE = "value"


@dataclass(frozen=True, slots=True)
class Piece:
    """One column.

    Attributes:
        name: Its name, which tells metric and protocol.
        task: The task it comes from.
        metrics: Beginnings of the metrics that are averaged.
        mean: Beginning of the name that `Task.means` gives the mean over languages; of several the first.
        languages: These languages are averaged instead, where there are some; each must be there.
    """

    name: str
    task: str
    metrics: tuple[str, ...]
    mean: str = "mean, all"
    languages: tuple[str, ...] = ()

    def row(self, label: str, summary: str, task: Task, rows: Sequence[Row]) -> Row | None:
        """Return the row of one encoder's rows, ``None`` without them; its items are those of its mean."""
        values, count, parts = [], 0, list[str]()
        for metric in self.metrics:
            there = {
                row.language: row for row in rows if row.task == task.name and row.metric.startswith(metric)
            }
            scores = {language: row.value for language, row in there.items()}
            found = self._mean(task, scores)
            if found is None:
                return None
            name, value = found
            values.append(value)
            parts += PART.findall(name)
            count += sum(row.n for language, row in there.items() if self._has(task, language))
        column = f"{self.name} ({parts[0]})" if parts else self.name
        return Row(label, summary, column, VALUE, sum(values) / len(values), count)

    def _has(self, task: Task, language: str) -> bool:
        """Tell whether the mean runs over a language: it does if it can be made of that one alone."""
        alone = {language: 0.0}
        return language in self.languages if self.languages else self._mean(task, alone) is not None

    def _mean(self, task: Task, scores: Mapping[str, float]) -> tuple[str, float] | None:
        """Return the name and the value of the mean that the column shows."""
        if self.languages:
            if not set(self.languages) <= set(scores):
                return None
            return self.name, sum(scores[language] for language in self.languages) / len(self.languages)
        means = (found for found in task.means(scores).items() if found[0].startswith(self.mean))
        return next(means, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Described):
    """A table of other tasks' values; see `amrx.evaluate.contract.Task`.

    Attributes:
        tasks: The tasks, in the order they run.
        pieces: The columns.
        score: Name of the mean of all columns; ``None`` where columns are of different kinds.
    """

    tasks: tuple[Task, ...]
    pieces: tuple[Piece, ...]
    score: str | None = None
    group: str = "summary"

    @property
    def shown(self) -> tuple[str, ...]:
        """The values."""
        return (VALUE,)

    def load(self, data: Data) -> tuple[Sequence[AnyPart], Sequence[Skipped]]:
        """Return nothing: it has no data of its own."""
        return [], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean of all columns, if it has a name and none is missing."""
        names = [piece.name for piece in self.pieces]
        if self.score is None or not set(names) <= set(scores):
            return {}
        return {self.score: sum(scores[name] for name in names) / len(names)}

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each encoder and column that the rows of the tasks give."""
        known = {task.name: task for task in self.tasks}
        found = []
        for label in dict.fromkeys(row.encoder for row in rows):
            own = [row for row in rows if row.encoder == label]
            for piece in self.pieces:
                row = piece.row(label, self.name, known[piece.task], own)
                if row is not None:
                    found.append(row)
        return found

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line that names the columns without a value or with a part of it, empty if none is."""
        there = dict.fromkeys(row.language for row in rows if row.task == self.name)
        whole = [piece.name for piece in self.pieces]
        missing = [name for name in whole if not any(column.startswith(name) for column in there)]
        missing += [f"the whole of {column}" for column in there if column not in whole]
        if not missing:
            return ""
        left = "" if self.score is None else f", so there is no {self.score}"
        return f"{self.name}: without {', '.join(missing)}{left}"


@runtime_checkable
class TellsGaps(Protocol):
    """A task that says what its rows lack."""

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line, empty if nothing is missing; the rows may be of other tasks too."""


def summarised(tasks: Sequence[Task], scored: Sequence[Scored]) -> tuple[list[Scored], list[str]]:
    """Return the rows of the summaries among the tasks, and what each task lacks."""
    rows = [found.row for found in scored]
    found = [row for task in tasks if isinstance(task, Summary) for row in task.rows(rows)]
    gaps = [task.gaps([*rows, *found]) for task in tasks if isinstance(task, TellsGaps)]
    return [Scored(row) for row in found], [gap for gap in gaps if gap]
