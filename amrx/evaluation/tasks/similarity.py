"""Compare the cosine of two sentences with human similarity scores, track by track.

The first column of a track is not always the first language of its name: in four STS 2017 files the foreign
sentence comes first. Every track therefore gives the languages of its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.errors import InputError, OptionError
from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.metrics import METRICS
from amrx.evaluation.results.rows import Row, Scored, Skipped, counted
from amrx.evaluation.tasks.scored_pairs import Pair
from amrx.evaluation.tasks.task import Column, Described
from amrx.types import Vectors
from amrx.vectors import cosine


@dataclass(frozen=True, slots=True)
class Track:
    """One file of a task."""

    language: str  # name in the tables: ``de``, or ``en-de``
    file: str  # path below the data folder
    columns: tuple[str, str]  # ISO 639-1 codes of the first and the second column
    count: int  # number of pairs

    @property
    def monolingual(self) -> bool:
        """Whether both columns have the same language."""
        return self.columns[0] == self.columns[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Described):
    """One similarity task; see `amrx.evaluation.tasks.task.Task`."""

    tracks: tuple[Track, ...]  # its files
    loader: Callable[[Path], tuple[Pair, ...]]  # reads and checks one file
    metrics: tuple[str, ...]  # names in `amrx.evaluation.metrics`; the first is shown
    only: tuple[str, ...] | None = None  # tracks to read; ``None`` for all

    def __post_init__(self) -> None:
        """Raise OptionError if two tracks have the same name, by which rows and means tell them apart."""
        names = [track.language for track in self.tracks]
        for name in names:
            if names.count(name) > 1:
                raise OptionError(f"task {self.name!r}: tracks must have different names, got {name!r} twice")

    @property
    def shown(self) -> tuple[str, ...]:
        """The first metric."""
        return self.metrics[:1]

    def load(self, data: Data) -> tuple[list[Loaded], list[Skipped]]:
        """Read and check every track whose file exists, or those of ``only``."""
        loaded, skipped = [], []
        for track in self.tracks:
            if self.only is not None and track.language not in self.only:
                continue
            file = data / track.file
            if not file.is_file():
                skipped.append(Skipped(self.name, track.language, file, self.fetch))
                continue
            pairs = self.loader(file)
            check_count(len(pairs), track.count, "pairs", self.name, file)
            if len({pair.score for pair in pairs}) < 2:
                raise InputError(
                    "all scores are equal, so no correlation is defined", file=file, field="score"
                )
            loaded.append(Loaded(self, track, pairs))
        return loaded, skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the means over monolingual and over cross-lingual tracks, where there are any.

        The name of a mean over a part of the tracks ends in its number, ``(1 of 3)``, as in
        `amrx.evaluation.results.rows.group_means`.
        """
        means = {}
        for name, wanted in (("monolingual mean", True), ("cross-lingual mean", False)):
            names = [track.language for track in self.tracks if track.monolingual is wanted]
            values = [scores[language] for language in names if language in scores]
            if values:
                part = "" if len(values) == len(names) else f" {counted(len(values), len(names))}"
                means[name + part] = sum(values) / len(values)
        return means


@dataclass(frozen=True, slots=True)
class Loaded:
    """The checked pairs of one track."""

    task: Task
    track: Track
    pairs: tuple[Pair, ...]

    def columns(self) -> tuple[Column, Column]:
        """Return both sides with their languages."""
        first, second = self.track.columns
        return (
            Column([pair.first for pair in self.pairs], first),
            Column([pair.second for pair in self.pairs], second),
        )

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return one row per metric; items are pairs of cosine and gold score."""
        similarity = cosine(vectors[0], vectors[1])
        gold = np.array([pair.score for pair in self.pairs])
        task, language, items = self.task.name, self.track.language, np.column_stack([similarity, gold])
        return [
            Scored(Row(label, task, language, name, METRICS[name](similarity, gold), len(gold)), items)
            for name in self.task.metrics
        ]
