"""Retrofit a file of any size in bounded memory; a killed run resumes.

::

    sentences ──blocks──> vectors   OUT.npy.partial         (ResumableVectors: rows first, then the count)
                     └──> failed    OUT.npy.partial.notes   one line per failed parse  ──at the end──> FAILED

The notes are named after the vectors, so that earlier failures are listed even if ``--failed`` changes
between two runs. Both keep their partial names until everything else is written, so a run killed after its
last block encodes nothing again. For ``.parquet`` and ``.jsonl`` the array is ``OUT.work.npy``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import InputError
from amrx.records import ResumableVectors, atomic_path
from amrx.records.vectors import Array
from amrx.records.writing import is_device
from amrx.texts import blocks_of
from amrx.types import Sentence
from amrx.validation import Dtype, as_dtype

if TYPE_CHECKING:
    from parser.run.engines import Engine
    from retrofit.engines import Result

HEADER = "row\tid\tlang\ttext\n"


@dataclass(frozen=True, slots=True)
class Written:
    """Counts of a run."""

    rows: int  # total number of rows
    resumed: int  # number of rows finished by earlier runs
    failed: int  # number of failed parses
    cut: tuple[int, ...]  # number of inputs that the base and each channel cut in this run
    hits: int  # number of vectors of parts found in the cache in this run


def retrofit_sentences(
    engine: Engine[Result],
    sentences: Iterable[Sentence],
    shape: tuple[int, int],
    out: Path,
    failed: Path,
    finish: Callable[[Array], None],
    *,
    fingerprint: str,
    dtype: Dtype = "float32",
    block: int = 2048,
    batch_size: int = 64,
    progress: bool = False,
    check: Callable[[], None] = lambda: None,
) -> Written:
    """Write the vectors of sentences to ``out`` (npy) and the failed sentences to ``failed`` (tsv).

    Args:
        engine: Retrofits the blocks.
        sentences: Exactly ``shape[0]`` records, the same and in the same order on every run.
        shape: Number of sentences and width of the vectors.
        out: The ``.npy`` file.
        failed: Table of the sentences whose parse failed; not written if there is none.
        finish: Writes further files from the vectors, of ``shape``; called again after a kill.
        fingerprint: Hash of input and settings; an unfinished run with another hash starts over.
        dtype: Number format of the file.
        block: Sentences held in memory at a time; equal ones among them are encoded once.
        batch_size: Sentences per batch of the models.
        progress: Show a bar.
        check: Raises if the input changed while a block was read; called before its rows are written.

    Raises:
        InputError: There are more or fewer sentences than ``shape[0]``; no file has its final name then.
    """
    from amrx.device import progress as bar

    count, cut, hits = shape[0], Counter[int](), 0
    with ResumableVectors(out, shape, fingerprint=fingerprint, dtype=dtype) as writer:
        resumed = writer.done
        blocks = blocks_of(islice(sentences, resumed, None), block)
        results = engine.map(blocks, batch_size)
        for records, result in bar(
            results, count - resumed, "retrofit", show=progress, size=lambda done: len(done[0])
        ):
            if writer.done + len(records) > count:
                raise InputError(f"there are more sentences than {count}")
            check()
            rows = as_dtype(result.vectors, dtype, records)
            writer.append(rows, _notes(writer.done, records, result.failed))
            cut.update(dict(enumerate(result.cut)))
            hits += result.hits
        if writer.done < count:
            raise InputError(f"there are {writer.done} sentences, not {count}")
        finish(writer.rows())
        listed = _list_failed(writer.notes(), failed)
    return Written(count, resumed, listed, tuple(cut[channel] for channel in sorted(cut)), hits)


def _notes(first: int, records: Sequence[Sentence], failed: Sequence[int]) -> Iterator[str]:
    """Yield one line per failed sentence of a block; rows count from 1."""
    for position in failed:
        record = records[position]
        cells = (record.id, record.lang or "", record.text)
        yield "\t".join([str(first + position + 1), *(" ".join(cell.split()) for cell in cells)])


def _list_failed(notes: Iterable[str], failed: Path) -> int:
    """Write the notes after their header and return their number; without notes no file is written."""
    lines = iter(notes)
    first = next(lines, None)
    if first is None:
        if not is_device(failed):
            Path(os.path.realpath(failed)).unlink(missing_ok=True)
        return 0
    with atomic_path(failed) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{HEADER}{first}\n")
        count = 1
        for count, line in enumerate(lines, start=2):  # noqa: B007  # the count is the result
            stream.write(f"{line}\n")
    return count
