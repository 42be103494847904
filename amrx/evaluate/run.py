"""Load tasks, encode their sentences once, score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from amrx.errors import InputError, MissingResourceError
from amrx.evaluate.metrics import METRICS
from amrx.evaluate.pairs import Pair
from amrx.evaluate.tasks import Task, Track
from amrx.types import Encoder, Vectors
from amrx.vectors import cosine


class Row(NamedTuple):
    """One result; ``value`` is on a scale of 0-100 (a correlation may be below 0), ``n`` counts pairs."""

    encoder: str
    task: str
    language: str
    metric: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """The checked pairs of one track."""

    task: Task
    track: Track
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A track whose file is not there."""

    task: Task
    track: Track
    file: Path

    def __str__(self) -> str:
        """Say what is missing and how to get it."""
        return f"{self.task.name} {self.track.language} skipped: no {self.file}; fetch {self.task.fetch}"


def run(
    encoders: Sequence[Encoder],
    tasks: Sequence[Task],
    data: Path,
    *,
    batch_size: int = 64,
    progress: bool = False,
) -> list[Row]:
    """Score every encoder on every track that is there; what is missing is left out (see `load`).

    Args:
        encoders: At least one.
        tasks: From ``tasks_named``.
        data: Data folder.
        batch_size: Passed to the encoders.
        progress: Passed to the encoders.

    Raises:
        InputError: A row of a file is wrong; nothing was encoded.
        MissingResourceError: Not one file is there.
    """
    return score(encoders, load(tasks, data)[0], batch_size=batch_size, progress=progress)


def load(tasks: Sequence[Task], data: Path) -> tuple[list[Loaded], list[Skipped]]:
    """Read and check every file of the tasks.

    Raises:
        InputError: A row is wrong, or a file has not as many pairs as its task says.
        MissingResourceError: Not one file is there.
    """
    there: list[Loaded] = []
    missing: list[Skipped] = []
    for task in tasks:
        for track in task.tracks:
            file = data / track.file
            if not file.is_file():
                missing.append(Skipped(task, track, file))
                continue
            pairs = task.loader(file)
            if len(pairs) != track.count:
                raise InputError(f"{len(pairs)} pairs, not the {track.count} of {task.name}", file=file)
            there.append(Loaded(task, track, pairs))
    if missing and not there:
        names = ", ".join(dict.fromkeys(skipped.task.name for skipped in missing))
        fetch = "; ".join(dict.fromkeys(f"{skipped.task.fetch}" for skipped in missing))
        raise MissingResourceError(f"data of {names} below {data}", fetch=fetch, local="--data")
    return there, missing


def score(
    encoders: Sequence[Encoder], loaded: Sequence[Loaded], *, batch_size: int = 64, progress: bool = False
) -> list[Row]:
    """Score encoders on loaded tracks; each encoder sees each (sentence, language) once."""
    places: dict[tuple[str, str], int] = {}
    sides = [
        [
            np.array([places.setdefault((text, code), len(places)) for text in texts], dtype=np.int64)
            for texts, code in _columns(part)
        ]
        for part in loaded
    ]
    texts, codes = [text for text, _ in places], [code for _, code in places]
    rows: list[Row] = []
    for label, encoder in zip(labels(encoders), encoders, strict=True):
        vectors = encoder.encode(texts, lang=codes, batch_size=batch_size, progress=progress)
        for part, (first, second) in zip(loaded, sides, strict=True):
            rows.extend(_rows(label, part, vectors[first], vectors[second]))
    return rows


def labels(encoders: Sequence[Encoder]) -> list[str]:
    """Return the encoders' names, the second of a name with ``#2`` behind it."""
    seen: dict[str, int] = {}
    found = []
    for encoder in encoders:
        seen[encoder.name] = seen.get(encoder.name, 0) + 1
        found.append(encoder.name if seen[encoder.name] == 1 else f"{encoder.name}#{seen[encoder.name]}")
    return found


def _columns(part: Loaded) -> tuple[tuple[list[str], str], tuple[list[str], str]]:
    first, second = part.track.columns
    return ([pair.first for pair in part.pairs], first), ([pair.second for pair in part.pairs], second)


def _rows(label: str, part: Loaded, first: Vectors, second: Vectors) -> list[Row]:
    similarity = cosine(first, second)
    gold = np.array([pair.score for pair in part.pairs])
    return [
        Row(label, part.task.name, part.track.language, name, METRICS[name](similarity, gold), len(gold))
        for name in part.task.metrics
    ]
