"""Load tasks, encode their sentences once, score."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from amrx.errors import MissingResourceError
from amrx.evaluate.contract import Part, Row, Scored, Skipped, Task
from amrx.types import Encoder, Vectors

__all__ = ["Row", "labels", "load", "run", "score", "score_items"]


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


def load(tasks: Sequence[Task], data: Path) -> tuple[list[Part], list[Skipped]]:
    """Read and check every file of the tasks.

    Raises:
        InputError: A row is wrong, or a file has not as many rows as its task says.
        MissingResourceError: Not one file is there.
    """
    there: list[Part] = []
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
    encoders: Sequence[Encoder], loaded: Sequence[Part], *, batch_size: int = 64, progress: bool = False
) -> list[Row]:
    """Return the rows of `score_items`."""
    return [found.row for found in score_items(encoders, loaded, batch_size=batch_size, progress=progress)]


def score_items(
    encoders: Sequence[Encoder], loaded: Sequence[Part], *, batch_size: int = 64, progress: bool = False
) -> list[Scored]:
    """Score encoders on loaded parts; each encoder sees each (sentence, language) of a task once.

    One task is held as vectors at a time: 2 kB a sentence with 512 dimensions.
    """
    found: list[Scored] = []
    for label, encoder in zip(labels(encoders), encoders, strict=True):
        for _, group in itertools.groupby(loaded, key=lambda part: part.task.name):
            found.extend(_score_task(label, encoder, list(group), batch_size, progress))
    return found


def _score_task(
    label: str, encoder: Encoder, parts: Sequence[Part], batch_size: int, progress: bool
) -> Iterator[Scored]:
    places: dict[tuple[str, str | None], int] = {}
    indices = [
        [
            np.array([places.setdefault((text, column.language), len(places)) for text in column.texts])
            for column in part.columns()
        ]
        for part in parts
    ]
    vectors = _encode(encoder, list(places), batch_size, progress)
    for part, columns in zip(parts, indices, strict=True):
        yield from part.score(label, _Gathered(vectors, columns))


def _encode(
    encoder: Encoder, sentences: Sequence[tuple[str, str | None]], batch_size: int, progress: bool
) -> Vectors:
    """Encode sentences, in order; those without a language code apart, because ``lang`` is all or nothing."""
    told = [place for place, (_, code) in enumerate(sentences) if code is not None]
    untold = [place for place, (_, code) in enumerate(sentences) if code is None]
    found = []
    for chosen in (told, untold):
        if chosen:
            texts = [sentences[place][0] for place in chosen]
            codes = [code for _, code in (sentences[place] for place in chosen) if code is not None]
            found.append(encoder.encode(texts, lang=codes or None, batch_size=batch_size, progress=progress))
    stacked = np.concatenate(found)
    vectors = np.empty_like(stacked)
    vectors[told + untold] = stacked
    return vectors


class _Gathered(Sequence[Vectors]):
    """The columns of a part; item ``i`` is gathered from all vectors when it is asked for."""

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
            return _Gathered(self._vectors, self._columns[index])
        return self._vectors[self._columns[index]]


def labels(encoders: Sequence[Encoder]) -> list[str]:
    """Return the encoders' names, the second of a name with ``#2`` behind it."""
    seen: dict[str, int] = {}
    found = []
    for encoder in encoders:
        seen[encoder.name] = seen.get(encoder.name, 0) + 1
        found.append(encoder.name if seen[encoder.name] == 1 else f"{encoder.name}#{seen[encoder.name]}")
    return found
