"""Retrofit a file of any size in bounded memory, going on where a killed run stopped.

::

    sentences ──blocks──> vectors   OUT.npy.partial   (ResumableVectors: rows first, then the count)
                     └──> failed    OUT.npy.failed.partial, one line a failed parse

A block's failed sentences reach the disk before its vectors, and on going on every failed line of a row that
is not done is dropped: so both files end as an undisturbed run writes them. Both keep their partial names
until all that depends on them is written: a run killed after its last block encodes nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from amrx.checked import as_dtype
from amrx.records import ResumableVectors, atomic_path
from amrx.types import Sentence
from amrx.vectors import Array

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder

HEADER = "row\tid\tlang\ttext\n"


@dataclass(frozen=True, slots=True)
class Written:
    """What a run wrote: rows in all, rows that an earlier run had finished, failed parses."""

    rows: int
    resumed: int
    failed: int


def retrofit_sentences(
    encoder: RetrofittedEncoder,
    sentences: Iterable[Sentence],
    count: int,
    out: Path,
    failed: Path,
    finish: Callable[[Array], None],
    *,
    fingerprint: str,
    dtype: Literal["float32", "float16"] = "float32",
    block: int = 2048,
    batch_size: int = 64,
    progress: bool = False,
) -> Written:
    """Write the vectors of ``count`` sentences to ``out`` (npy) and the failed ones to ``failed`` (tsv).

    Args:
        encoder: What to encode with.
        sentences: Exactly ``count`` records, the same and in the same order on every run.
        count: How many there are.
        out: The ``.npy`` file.
        failed: Table of the sentences whose parse failed; not written when there is none.
        finish: Writes what else is made of the vectors, ``(count, d)``; called again after a kill.
        fingerprint: Hash of input and settings; an unfinished run with another one is begun anew.
        dtype: Numbers of the file.
        block: Sentences held in memory at a time; equal ones among them are encoded once.
        batch_size: Sentences in one batch of the models.
        progress: Show a bar.

    Raises:
        OutputError: ``out`` cannot be written.
        AmrxError: A vector is not finite, or not in ``dtype``; the message names the sentence.
    """
    from amrx.device import progress as bar

    notes = failed.with_name(failed.name + ".partial")
    shape = (count, encoder.dimension)
    with ResumableVectors(out, shape, fingerprint=fingerprint, dtype=dtype) as writer:
        resumed = writer.done
        _keep_rows_below(notes, resumed)
        rest = islice(sentences, resumed, None)
        total = -(-(count - resumed) // block)
        for records in bar(_blocks(rest, block), total, "blocks", show=progress):
            made = encoder.retrofit(records, batch_size=batch_size)
            _note(notes, writer.done, records, made.failed)
            writer.append(as_dtype(made.vectors, dtype, records))
        finish(writer.rows())
        listed = _list_failed(notes, failed)
    notes.unlink()
    return Written(count, resumed, listed)


def _blocks(sentences: Iterable[Sentence], size: int) -> Iterator[list[Sentence]]:
    walker = iter(sentences)
    while block := list(islice(walker, size)):
        yield block


def _note(notes: Path, first: int, records: Sequence[Sentence], failed: Sequence[int]) -> None:
    """Append the failed sentences of one block; rows count from 1."""
    with notes.open("a", encoding="utf-8", newline="\n") as stream:
        for position in failed:
            record = records[position]
            cells = (record.id, record.lang or "", record.text)
            flat = (" ".join(cell.split()) for cell in cells)
            stream.write("\t".join([str(first + position + 1), *flat]) + "\n")


def _keep_rows_below(notes: Path, done: int) -> None:
    """Drop the lines of rows that an earlier run did not finish, a half line at the end among them."""
    lines = notes.read_text("utf-8", errors="replace").splitlines(keepends=True) if notes.is_file() else []
    kept = [line for line in lines if line.endswith("\n") and int(line.split("\t", 1)[0]) <= done]
    with atomic_path(notes) as temporary:
        temporary.write_text("".join(kept), "utf-8")


def _list_failed(notes: Path, failed: Path) -> int:
    """Write the notes under their header and return how many there are; without any there is no file."""
    lines = notes.read_text("utf-8").splitlines(keepends=True)
    failed.unlink(missing_ok=True)
    if lines:
        with atomic_path(failed) as temporary:
            temporary.write_text(HEADER + "".join(lines), "utf-8")
    return len(lines)
