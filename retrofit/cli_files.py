"""Files of ``amrx retrofit``: where the text stands in the input, and what the output is called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import OptionError, OutputError

if TYPE_CHECKING:
    from amrx.types import Sentence


@dataclass(frozen=True, slots=True)
class Columns:
    """Where text, language and identifier stand, and the language where none stands."""

    column: str | None = None
    lang_column: str | None = None
    id_column: str | None = None
    lang: str | None = None

    def read(self, path: str) -> Iterator[Sentence]:
        """Stream the sentences of a file."""
        from amrx.records import read_sentences

        return read_sentences(
            path, column=self.column, lang_column=self.lang_column, lang=self.lang, id_column=self.id_column
        )


def output_path(out: Path, format_: str | None) -> Path:
    """Return the file to write; ``--format`` gives a suffix to a name without one and must fit one it has.

    Raises:
        OptionError: Suffix and ``--format`` disagree.
        OutputError: The suffix is none of npy, parquet, jsonl.
    """
    from amrx.records import check_format

    if format_ is not None:
        if out.suffix == "":
            out = out.with_name(f"{out.name}.{format_}")
        elif out.suffix.lower() != f".{format_}":
            raise OptionError(f"--format {format_} and the suffix of {out.name} disagree")
    check_format(out)
    return out


def array_of(target: Path) -> Path:
    """Return the ``.npy`` file that grows row by row: the target's own, or a working one beside it."""
    file = Path(os.path.realpath(target))
    return file if target.suffix.lower() == ".npy" else file.with_name(f"{file.name}.work.npy")


def check_names(target: Path, listing: Path, sentences: str) -> None:
    """Check, before anything is written, that no file of a run is another one's or the input.

    Args:
        target: The vectors.
        listing: The table of failed parses.
        sentences: The input.

    Raises:
        OutputError: Two of them are one file, or one cannot be written.
    """
    from amrx.records import ResumableVectors, check_writable
    from amrx.records.locks import lock_beside
    from amrx.records.writing import check_apart

    array = array_of(target)
    direct = target.suffix.lower() == ".npy"
    beside = [Path(f"{target}.ids"), Path(f"{array}.ids")] if direct else [array]
    working = [*beside, *ResumableVectors.working_names(array)]
    lock = lock_beside(listing)
    check_writable(target, sentences, working=[*working, lock])
    check_apart(listing, target, [target, *working])
    check_writable(listing, sentences, working=[lock])


def check_input(path: str, columns: Columns, target: Path) -> int:
    """Read the input once, so that its errors come first, and return the number of sentences.

    Raises:
        InputError: A line cannot be read.
        OutputError: An identifier does not fit into the file of identifiers beside a ``.npy``.
    """
    count = 0
    for sentence in columns.read(path):
        count += 1
        if target.suffix.lower() == ".npy" and ("\n" in sentence.id or "\r" in sentence.id):
            beside = f"{target}.ids"
            raise OutputError(f"{beside}: id {sentence.id!r} has a line break; write .parquet or .jsonl")
    return count
