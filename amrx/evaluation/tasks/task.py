"""Define the interface of a task, so that one loop runs them all.

::

    Task ──load(data)──> Part, Part, ...  and  Skipped, ...
    Part ──columns──> texts of one language each ──encoded once──> vectors ──Part.score──> Scored, ...
    Pooled is a part whose answers are found in a pool that is encoded shard by shard.

A task is a row of data: a frozen dataclass of one of the groups (similarity, transfer, retrieval, geometry,
probes).
A part is what is scored together: one track of STS 2017, one language of Tatoeba, a whole transfer task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from amrx.evaluation.data_folders import Data
from amrx.evaluation.hub_data.source import HubFile
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Scored, Skipped
from amrx.types import Vectors

if TYPE_CHECKING:
    from amrx.evaluation.neighbours.pool import PoolSearch


class Column(NamedTuple):
    """Texts that are encoded together; the language is an ISO 639-1 code, or ``None`` if it has none."""

    texts: Sequence[str]
    language: str | None


def iso_code(language: str) -> str | None:
    """Return the code of a task's language if it is one of ISO 639-1, as a `Column` wants it.

    Example:
        >>> iso_code("zh"), iso_code("zho_Hant")
        ('zh', None)
    """
    return language if len(language) == 2 else None


class Columns(Protocol):
    """Checked data that are scored together."""

    @property
    def task(self) -> Task:
        """The task it belongs to."""

    def columns(self) -> Sequence[Column]:
        """Return what is to be encoded."""


class Part(Columns, Protocol):
    """A part that is scored from the vectors of its columns."""

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Score one encoder.

        Args:
            label: Its name in the rows.
            vectors: One ``(n, d)`` a column. Each is gathered when it is asked for: ask once.
        """


@runtime_checkable
class Pooled(Columns, Protocol):
    """A part whose answers lie in a pool that is too large to hold; its columns are the questions only."""

    def score_pool(self, label: str, vectors: Sequence[Vectors], search: PoolSearch) -> list[Scored]:
        """Score one encoder.

        Args:
            label: Its name in the rows.
            vectors: One ``(n, d)`` a column.
            search: Encodes the pool shard by shard and finds the nearest entries.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """Describe a row of the task table beside its data.

    Attributes:
        name: What ``--tasks`` takes.
        group: Kind of task.
        note: Protocol, in a line.
        fetch: Where the data come from and how they are laid out.
        hub: Which of its files can be fetched from the hub, where the licence allows.
        published: Numbers to stand against.
    """

    name: str
    group: str
    note: str
    fetch: str
    hub: tuple[HubFile, ...] = ()
    published: tuple[Published, ...] = ()


AnyPart = Part | Pooled
Loading = tuple[Sequence[AnyPart], Sequence[Skipped]]


class Task(Protocol):
    """One task, whatever its group."""

    @property
    def name(self) -> str:
        """Name of the task, as ``--tasks`` takes it."""

    @property
    def group(self) -> str:
        """Kind of task."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Metrics that get a table in the terminal; the other ones stand in the JSON only."""

    @property
    def note(self) -> str:
        """Protocol, in a line."""

    @property
    def fetch(self) -> str:
        """Where the data come from and how they are laid out."""

    @property
    def hub(self) -> tuple[HubFile, ...]:
        """Which of its files can be fetched from the hub."""

    @property
    def published(self) -> tuple[Published, ...]:
        """Numbers to stand against."""

    def load(self, data: Data) -> Loading:
        """Read and check every file; nothing is encoded yet.

        Raises:
            InputError: A row is wrong, or a file has not as many rows as the task says.
            MissingResourceError: A package that it needs is not installed.
        """

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the means that sum up the scores of the languages, by name."""


def published_of(task: Task, metric: str) -> tuple[Published, ...]:
    """Return the published rows of a task that measure what a table of this metric does."""
    return tuple(row for row in task.published if (row.metric or task.shown[0]) == metric)
