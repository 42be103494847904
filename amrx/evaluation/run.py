"""Load tasks, encode each sentence once, score."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.adapters import Encodes, as_encoder
from amrx.device import progress as bar
from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.gathered import Gathered
from amrx.evaluation.neighbours.pool import PoolSearch
from amrx.evaluation.results.rows import Row, Rows, Scored, Skipped
from amrx.evaluation.tasks.catalogue import tasks_named
from amrx.evaluation.tasks.summary_tables import summarised
from amrx.evaluation.tasks.task import AnyPart, Pooled, Task
from amrx.types import Encoder, Vectors
from amrx.validation import encode_checked

Told = tuple[str, str | None]
"""A sentence and its ISO 639-1 code, or ``None`` if its language has none."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Sentences with their vectors.

    Attributes:
        places: The row of each sentence.
        vectors: ``(n, d)``.
    """

    places: Mapping[Told, int]
    vectors: Vectors


def encode_parts(
    encoder: Encoder, parts: Sequence[AnyPart], before: Encoded | None, *, batch_size: int
) -> tuple[Encoded, list[Gathered]]:
    """Encode what is new in some parts; return all of their sentences, and each part's columns.

    Raises:
        AmrxError: An answer of the encoder is not what it should be (see `amrx.validation`).
    """
    places: dict[Told, int] = {}
    columns = [
        [
            np.array([places.setdefault((text, column.language), len(places)) for text in column.texts])
            for column in part.columns()
        ]
        for part in parts
    ]
    known = {} if before is None else before.places
    new = [sentence for sentence in places if sentence not in known]
    vectors = _encode(encoder, new, batch_size) if new else None
    if before is not None and len(new) < len(places):
        fresh = vectors
        vectors = np.empty((len(places), before.vectors.shape[1]), dtype=before.vectors.dtype)
        kept = [sentence for sentence in places if sentence in known]
        vectors[[places[sentence] for sentence in kept]] = before.vectors[[known[told] for told in kept]]
        if fresh is not None:
            vectors[[places[sentence] for sentence in new]] = fresh
    assert vectors is not None  # a part has sentences, and they are new or known
    return Encoded(places, vectors), [Gathered(vectors, indices) for indices in columns]


def _encode(encoder: Encoder, sentences: Sequence[Told], batch_size: int) -> Vectors:
    """Encode sentences, in order; those without a language code apart, because ``lang`` is all or nothing."""
    told = [place for place, (_, code) in enumerate(sentences) if code is not None]
    untold = [place for place, (_, code) in enumerate(sentences) if code is None]
    found = []
    for chosen in (told, untold):
        if chosen:
            texts = [sentences[place][0] for place in chosen]
            codes = [code for _, code in (sentences[place] for place in chosen) if code is not None]
            found.append(encode_checked(encoder, texts, codes or None, batch_size=batch_size, progress=False))
    if not untold:
        return found[0]
    stacked = np.concatenate(found)
    vectors = np.empty_like(stacked)
    vectors[told + untold] = stacked
    return vectors


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
    """Score every encoder on every track that is there; what is missing is left out (see `load`).

    `amrx.evaluation.save_rows` writes what is returned, for ``amrx eval compare`` and ``amrx eval report``.

    Args:
        encoders: Any objects with ``encode``.
        tasks: Such as `tasks_named` gives.
        data: Data folder.
        names: What rows call the encoders, one each; by default their own names (see `labels`).
        batch_size: Passed to the encoders.
        progress: Show how many tasks are done, and sentences of them.

    Raises:
        InputError: A row of a file is wrong; nothing was encoded.
        MissingResourceError: Not one file is there, or a package that a task needs is not.
        OptionError: An object has no ``encode``, or it does not give a row of numbers a sentence; or names
            are equal, or not as many as encoders.
    """
    known = [as_encoder(encoder) for encoder in encoders]
    check_names(known, names)
    scored = score_items(known, load(tasks, data)[0], names=names, batch_size=batch_size, progress=progress)
    return Rows([*scored, *summarised(tasks, scored)[0]])


def evaluate(
    encoders: Encoder | Encodes | Sequence[Encoder | Encodes],
    tasks: str | Sequence[Task] = "sts17",
    data: Data | None = None,
    *,
    names: Sequence[str] | None = None,
    batch_size: int = 64,
    progress: bool = False,
) -> Rows:
    """Score one encoder, or several, on tasks.

    Args:
        encoders: Any objects with ``encode``, such as those of `retrofit.load` or a SentenceTransformer.
        tasks: Names of tasks, separated by commas, as ``amrx eval --tasks`` takes them; or tasks.
        data: Data folder; the one that ``AMRX_DATA`` names when ``None``.
        names: What rows call the encoders, one each.
        batch_size: Passed to the encoders.
        progress: Show how many tasks are done, and sentences of them.

    Raises:
        OptionError: A task is unknown, or an object has no ``encode``.
        MissingResourceError: There is no data folder, or not one file of the tasks.
        InputError: A row of a file is wrong; nothing was encoded.
    """
    folder = data if data is not None else os.environ.get("AMRX_DATA")
    if not folder:
        raise MissingResourceError("data of the tasks", fetch="export AMRX_DATA=DIR", local="data=DIR")
    known = tasks_named(tasks) if isinstance(tasks, str) else tasks
    several = encoders if isinstance(encoders, Sequence) else [encoders]
    return run(
        several,
        known,
        Path(folder) if isinstance(folder, str) else folder,
        names=names,
        batch_size=batch_size,
        progress=progress,
    )


def load(tasks: Sequence[Task], data: Data) -> tuple[list[AnyPart], list[Skipped]]:
    """Read and check every file of the tasks.

    Raises:
        InputError: A row is wrong, or a file has not as many rows as its task says.
        MissingResourceError: Not one file is there, or a package that a task needs is not.
    """
    there: list[AnyPart] = []
    missing: list[Skipped] = []
    for task in tasks:
        parts, skipped = task.load(data)
        there.extend(parts)
        missing.extend(skipped)
    if missing and not there:
        names = ", ".join(dict.fromkeys(skipped.task for skipped in missing))
        fetch = "; ".join(dict.fromkeys(skipped.fetch for skipped in missing))
        raise MissingResourceError(f"data of {names} below {data}", fetch=fetch, local="--data")
    return there, missing


def score(
    encoders: Sequence[Encoder], loaded: Sequence[AnyPart], *, batch_size: int = 64, progress: bool = False
) -> list[Row]:
    """Return the rows of `score_items`."""
    return [found.row for found in score_items(encoders, loaded, batch_size=batch_size, progress=progress)]


def score_items(
    encoders: Sequence[Encoder],
    loaded: Sequence[AnyPart],
    *,
    names: Sequence[str] | None = None,
    indexes: Path | None = None,
    batch_size: int = 64,
    progress: bool = False,
) -> list[Scored]:
    """Score encoders on loaded parts; no encoder sees a sentence twice in a task and in its next one.

    The vectors of one task are held at a time, 2 kB a sentence with 512 dimensions; what the next one shares
    with it is taken over, so that a task in its two protocols is encoded once. The pool of a task whose pool
    is not held is encoded into ``indexes``, see `amrx.evaluation.neighbours.pool`; without a folder it is
    encoded anew for each task.
    """
    found: list[Scored] = []
    for label, encoder in zip(names or labels(encoders), encoders, strict=True):
        before: Encoded | None = None
        groups = [list(group) for _, group in itertools.groupby(loaded, key=lambda part: part.task.name)]
        for parts in bar(groups, description=f"tasks with {label}", show=progress):
            before, columns = encode_parts(encoder, parts, before, batch_size=batch_size)
            search = PoolSearch(encoder, indexes, batch_size)
            for part, vectors in zip(parts, columns, strict=True):
                if isinstance(part, Pooled):
                    found.extend(part.score_pool(label, vectors, search))
                else:
                    found.extend(part.score(label, vectors))
    return found


def check_names(encoders: Sequence[Encoder], names: Sequence[str] | None) -> None:
    """Raise OptionError unless there is a name of its own for each encoder, or none for any."""
    if names is not None and (len(names) != len(encoders) or len(set(names)) < len(names)):
        raise OptionError(f"names must be {len(encoders)} different ones, got {', '.join(names)}")


def labels(encoders: Sequence[Encoder]) -> list[str]:
    """Return the encoders' names, the second of a name with ``#2`` behind it."""
    seen: dict[str, int] = {}
    found = []
    for encoder in encoders:
        seen[encoder.name] = seen.get(encoder.name, 0) + 1
        found.append(encoder.name if seen[encoder.name] == 1 else f"{encoder.name}#{seen[encoder.name]}")
    return found
