"""Load tasks, encode each sentence once, score."""

import itertools
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.device import progress as bar
from amrx.encoder import Encodes, as_encoder
from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.neighbours.pool import PoolSearch
from amrx.evaluation.results.rows import Row, Rows, Scored, Skipped
from amrx.evaluation.tasks.catalogue import tasks_named
from amrx.evaluation.tasks.summary_tables import summarised
from amrx.evaluation.tasks.task import AnyPart, Gathered, Pooled, Task
from amrx.types import Encoder, Vectors
from amrx.validation import encode_tagged

Tagged = tuple[str, str | None]
"""A sentence and its ISO 639-1 code, or ``None`` if its language has none."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Sentences with their vectors."""

    rows: Mapping[Tagged, int]  # row of each sentence
    vectors: Vectors  # ``(n, d)``


def encode_parts(
    encoder: Encoder, parts: Sequence[AnyPart], before: Encoded | None, *, batch_size: int
) -> tuple[Encoded, list[Gathered]]:
    """Encode the new sentences of some parts; return all their sentences, and the columns of each part."""
    rows: dict[Tagged, int] = {}
    columns = [
        [
            np.array([rows.setdefault((text, column.language), len(rows)) for text in column.texts])
            for column in part.columns()
        ]
        for part in parts
    ]
    known = {} if before is None else before.rows
    new = [sentence for sentence in rows if sentence not in known]
    vectors = encode_tagged(encoder, new, batch_size=batch_size) if new else None
    if before is not None and len(new) < len(rows):
        new_vectors = vectors
        vectors = np.empty((len(rows), before.vectors.shape[1]), dtype=before.vectors.dtype)
        old = [sentence for sentence in rows if sentence in known]
        vectors[[rows[sentence] for sentence in old]] = before.vectors[[known[sentence] for sentence in old]]
        if new_vectors is not None:
            vectors[[rows[sentence] for sentence in new]] = new_vectors
    assert vectors is not None  # a part has sentences, either new or known
    return Encoded(rows, vectors), [Gathered(vectors, indices) for indices in columns]


__all__ = ["Row", "labels", "load", "run", "score", "score_items"]


def run(
    encoders: Sequence[Encoder | Encodes],
    tasks: Sequence[Task],
    data: Data,
    *,
    names: Sequence[str] | None = None,
    batch_size: int = 64,
    progress: bool = False,
) -> Rows:
    """Score every encoder on every track whose files exist; the others are left out (see `load`).

    `amrx.evaluation.save_rows` writes the result, for ``amrx eval compare`` and ``amrx eval report``.

    Arguments as in `evaluate`; ``names`` are by default the encoders' own (see `labels`).

    Raises:
        InputError: A row of a file is invalid; nothing was encoded.
        MissingResourceError: No file exists, or a required package is not installed.
        OptionError: An object has no ``encode``, or its output is not one row of numbers per sentence; or
            there is none, or no task; or names, of encoders or of tasks, are equal or missing.
    """
    known = [as_encoder(encoder) for encoder in encoders]
    check_names(known, names)
    check_tasks(tasks)
    scored = score_items(known, load(tasks, data)[0], names=names, batch_size=batch_size, progress=progress)
    return Rows([*scored, *summarised(tasks, scored)[0]])


def evaluate(
    encoders: Encoder | Encodes | Sequence[Encoder | Encodes],
    tasks: str | Sequence[str | Task] = "sts17",
    data: Data | None = None,
    *,
    names: Sequence[str] | None = None,
    batch_size: int = 64,
    progress: bool = False,
) -> Rows:
    """Score one or several encoders on tasks.

    Args:
        encoders: Any objects with ``encode``, such as those of `retrofit.load` or a SentenceTransformer.
        tasks: Comma-separated names of tasks, as in ``amrx eval --tasks``; or a list of names and tasks.
        data: Data folder; default ``AMRX_DATA``.
        names: Names of the encoders in the rows.
        batch_size: Passed to the encoders.
        progress: Show the number of tasks and sentences done.

    Raises:
        OptionError: A task is unknown, or an object has no ``encode``.
        MissingResourceError: There is no data folder, or it has no file of the tasks.
        InputError: A row of a file is invalid; nothing was encoded.
    """
    folder = data if data is not None else os.environ.get("AMRX_DATA")
    if not folder:
        raise MissingResourceError(
            "data of the tasks",
            fetch="export AMRX_DATA=DIR",
            local="data=DIR",
            message="no data folder: give data=DIR or set AMRX_DATA",
        )
    return run(
        encoders if isinstance(encoders, Sequence) else [encoders],
        _chosen(tasks),
        Path(folder) if isinstance(folder, str) else folder,
        names=names,
        batch_size=batch_size,
        progress=progress,
    )


def _chosen(tasks: str | Sequence[str | Task]) -> list[Task]:
    """Return the tasks of names, and tasks as they are."""
    if not isinstance(tasks, Sequence):
        raise OptionError(f"tasks must be names or tasks, got {tasks!r}")
    several = [tasks] if isinstance(tasks, str) else tasks
    chosen: list[Task] = []
    for task in (task for one in several for task in (tasks_named(one) if isinstance(one, str) else [one])):
        if task not in chosen:  # one that two names choose is run once
            chosen.append(task)
    return chosen


def load(tasks: Sequence[Task], data: Data) -> tuple[list[AnyPart], list[Skipped]]:
    """Read and check every file of the tasks."""
    loaded: list[AnyPart] = []
    missing: list[Skipped] = []
    for task in tasks:
        parts, skipped = task.load(data)
        loaded.extend(parts)
        missing.extend(skipped)
    if missing and not loaded:
        names = ", ".join(dict.fromkeys(skipped.task for skipped in missing))
        fetch = "; ".join(dict.fromkeys(skipped.fetch for skipped in missing))
        raise MissingResourceError(f"data of {names} below {data}", fetch=fetch, local="--data")
    return loaded, missing


def score(
    encoders: Sequence[Encoder], loaded: Sequence[AnyPart], *, batch_size: int = 64, progress: bool = False
) -> list[Row]:
    """Return the rows of `score_items`."""
    return [each.row for each in score_items(encoders, loaded, batch_size=batch_size, progress=progress)]


def score_items(
    encoders: Sequence[Encoder],
    loaded: Sequence[AnyPart],
    *,
    names: Sequence[str] | None = None,
    indexes: Path | None = None,
    batch_size: int = 64,
    progress: bool = False,
) -> list[Scored]:
    """Score encoders on loaded parts; a sentence of a task and the next one is encoded only once.

    Only the vectors of one task are in memory, 2 kB per sentence with 512 dimensions. Vectors of sentences
    that the next task shares are reused, so that a task in two protocols is encoded once. The pool of a
    `Pooled` part is encoded into the folder ``indexes`` (`amrx.evaluation.neighbours.pool`), or anew for each
    task if it is ``None``.
    """
    scored: list[Scored] = []
    for label, encoder in zip(names or labels(encoders), encoders, strict=True):
        before: Encoded | None = None
        groups = [list(group) for _, group in itertools.groupby(loaded, key=lambda part: part.task.name)]
        for parts in bar(groups, description=f"tasks with {label}", show=progress):
            before, columns = encode_parts(encoder, parts, before, batch_size=batch_size)
            search = PoolSearch(encoder, indexes, batch_size)
            for part, vectors in zip(parts, columns, strict=True):
                if isinstance(part, Pooled):
                    scored.extend(part.score_pool(label, vectors, search))
                else:
                    scored.extend(part.score(label, vectors))
    return scored


def check_tasks(tasks: Sequence[Task]) -> None:
    """Raise OptionError unless there are tasks, each of another name: by it their rows are told apart."""
    if not tasks:
        raise OptionError("no task to score")
    for name, count in Counter(task.name for task in tasks).items():
        if count > 1:
            raise OptionError(f"tasks must have different names, got {count} named {name!r}")


def check_names(encoders: Sequence[Encoder], names: Sequence[str] | None) -> None:
    """Raise OptionError unless there are encoders, and ``names`` is ``None`` or a different name of each."""
    if not encoders:
        raise OptionError("no encoder to score")
    if names is not None and (len(names) != len(encoders) or len(set(names)) < len(names)):
        raise OptionError(f"names must be {len(encoders)} different ones, got {', '.join(names)}")


def labels(encoders: Sequence[Encoder]) -> list[str]:
    """Return the encoders' names; repeated names get ``#2``, ``#3``, ... appended."""
    seen: dict[str, int] = {}
    names = []
    for encoder in encoders:
        seen[encoder.name] = seen.get(encoder.name, 0) + 1
        names.append(encoder.name if seen[encoder.name] == 1 else f"{encoder.name}#{seen[encoder.name]}")
    return names
