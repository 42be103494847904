"""Read the sentences that commands encode: their options, checks and notes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.control_characters import visible
from amrx.errors import OutputError
from parser.load import PARSER

if TYPE_CHECKING:
    from amrx.types import Sentence

OwnParser = Annotated[str | None, typer.Option("--parser", help=f"Parser: name or folder; default {PARSER}.")]
"""A parser; a saved folder has its own."""
OwnIntegration = Annotated[
    str | None,
    typer.Option("--integration", help="norm-concat, concat, norm-add or add; default norm-concat."),
]
"""An integration; a saved folder has its own."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of text, language and identifier, and the language of rows without a language."""

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


def note_graphs(
    files: Iterable[str], parser: str | None, channels: Sequence[str] | None, *, used: bool = False
) -> None:
    """Say on standard error that a parser, or the graphs of an input, are not used.

    A folder or pattern gets one line, on its first file with graphs. ``channels`` is ``None`` for those of a
    saved folder. ``used`` says that graphs are read beside the channels.
    """
    from amrx.records.graphs import holds_graphs
    from parser.load import GRAPHS, innermost
    from retrofit.load import reads_graphs
    from retrofit.shards import inputs_of, is_many

    graphless = channels is not None and not used and not any(map(reads_graphs, channels))
    if graphless and parser is not None:
        note = f"--parser {parser} is not used: {', '.join(channels or ())} reads sentences, not graphs"
        sys.stderr.write(f"{visible(note)}\n")
    if innermost(parser or PARSER) == GRAPHS:
        return
    option = f"--preset graph --parser {GRAPHS}" if graphless else f"--parser {GRAPHS}"
    for file in files:
        inputs = inputs_of(file) if is_many(file) else [file]
        if (held := next(filter(holds_graphs, inputs), None)) is not None:
            note = f"{held}: only its sentences are read; {option}:{held} takes its graphs"
            sys.stderr.write(f"{visible(note)}\n")


def check_input(path: str, columns: Columns, target: Path) -> tuple[int, int, int]:
    """Read the input once, to raise its errors first.

    Returned are the numbers of all texts, of empty ones, and of those without a language.
    """
    count = empty = unknown = 0
    for sentence in columns.read(path):
        count += 1
        empty += not sentence.text.strip()
        unknown += sentence.lang is None
        if target.suffix.lower() == ".npy" and ("\n" in sentence.id or "\r" in sentence.id):
            beside = f"{target}.ids"
            raise OutputError(f"{beside}: id {sentence.id!r} has a line break; write .parquet or .jsonl")
    return count, empty, unknown
