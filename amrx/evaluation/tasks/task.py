"""Define the interface of a task, so that one loop runs all tasks.

::

    Task ──load(data)──> Part, Part, ...  and  Skipped, ...
    Part ──columns──> texts of one language each ──encoded once──> vectors ──Part.score──> Scored, ...
    Pooled is a part whose answers are searched in a pool that is encoded shard by shard.

A task is a frozen dataclass of one of the groups (similarity, transfer, retrieval, geometry, probes). A part
is scored as a unit: one track of STS 2017, one language of Tatoeba, a whole transfer task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, overload, runtime_checkable

import numpy as np
import numpy.typing as npt

from amrx.evaluation.data_folders import Data
from amrx.evaluation.hub_data.forms import HubFile
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Scored, Skipped
from amrx.types import Vectors

if TYPE_CHECKING:
    from amrx.evaluation.neighbours.pool import PoolSearch


class Column(NamedTuple):
    """Texts that are encoded together; ``language`` is an ISO 639-1 code, or ``None`` if it has none."""

    texts: Sequence[str]
    language: str | None


def iso_code(language: str) -> str | None:
    """Return a task's language code for a `Column`: ``None`` unless it is an ISO 639-1 code.

    Example:
        >>> iso_code("zh"), iso_code("zho_Hant")
        ('zh', None)
    """
    return language if len(language) == 2 else None


class Columns(Protocol):
    """Checked data that are scored together."""

    @property
    def task(self) -> Task:
        """The task of this part."""

    def columns(self) -> Sequence[Column]:
        """Return the texts to encode."""


class Part(Columns, Protocol):
    """A part that is scored from the vectors of its columns."""

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Score one encoder.

        ``vectors`` has one ``(n, d)`` per column. Each access loads the array again: read each once.
        """


@runtime_checkable
class Pooled(Columns, Protocol):
    """A part with a pool of answers too large for memory; its columns are only the questions."""

    def score_pool(self, label: str, vectors: Sequence[Vectors], search: PoolSearch) -> list[Scored]:
        """Score one encoder.

        ``search`` encodes the pool shard by shard and finds the nearest entries.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """Describe a task: the fields that all groups share."""

    name: str  # name for ``--tasks``
    group: str  # kind of task
    note: str  # protocol, on one line
    fetch: str  # source and layout of the data
    hub: tuple[HubFile, ...] = ()  # the files that may be downloaded from the hub
    published: tuple[Published, ...] = ()  # published results for comparison


AnyPart = Part | Pooled
Loading = tuple[Sequence[AnyPart], Sequence[Skipped]]


class Task(Protocol):
    """Protocol of a task of any group."""

    @property
    def name(self) -> str:
        """Name for ``--tasks``."""

    @property
    def group(self) -> str:
        """Kind of task."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Metrics with a table in the terminal; others are only in the JSON."""

    @property
    def note(self) -> str:
        """Protocol, on one line."""

    @property
    def fetch(self) -> str:
        """Source and layout of the data."""

    @property
    def hub(self) -> tuple[HubFile, ...]:
        """The files that may be downloaded from the hub."""

    @property
    def published(self) -> tuple[Published, ...]:
        """Published results for comparison."""

    def load(self, data: Data) -> Loading:
        """Read and check every file; nothing is encoded."""

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return means over languages, by name."""


def published_of(task: Task, metric: str) -> tuple[Published, ...]:
    """Return the published rows of a task for one metric."""
    return tuple(row for row in task.published if (row.metric or task.shown[0]) == metric)


class Gathered(Sequence[Vectors]):
    """The columns of a part; column ``i`` is gathered on each access."""

    def __init__(self, vectors: Vectors, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        self._vectors, self._columns = vectors, columns

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, index: int) -> Vectors: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Vectors]: ...
    def __getitem__(self, index: int | slice) -> Vectors | Sequence[Vectors]:
        if isinstance(index, slice):
            return Gathered(self._vectors, self._columns[index])
        return self._vectors[self._columns[index]]

    def rows(self, index: int, rows: slice) -> Vectors:
        """Gather some rows of a column."""
        return self._vectors[self._columns[index][rows]]


def some_rows(vectors: Sequence[Vectors], index: int, rows: slice) -> Vectors:
    """Return some rows of a column; of `Gathered` only these rows are gathered."""
    return vectors.rows(index, rows) if isinstance(vectors, Gathered) else vectors[index][rows]
