"""Options that several commands take, the check of their folders, and the log of a training."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import InputError, OutputError

Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        help="Threads that compute; at most, and by default, the cores of this process, its CPU quota and"
        " OMP_NUM_THREADS.",
        min=1,
    ),
]
Beam = Annotated[
    int | None, typer.Option(help="Beams of the parser's search; default the parser's own.", min=1)
]
Device = Annotated[str | None, typer.Option(help="cpu, cuda, ...; chosen when not given.")]
Overrides = Annotated[list[str] | None, typer.Option("--set", help="KEY=VALUE over the recipe; may repeat.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Begin anew even if a checkpoint is there.")]
TimeLimit = Annotated[
    float | None, typer.Option(help="Stop after so many seconds of steps; the same command goes on.")
]


class EngineName(StrEnum):
    """Names of the engines that distribute sentences."""

    local = "local"
    ray = "ray"


Engine = Annotated[
    EngineName,
    typer.Option(
        "--engine", help="ray: on the Ray cluster of $RAY_ADDRESS, else on one of this machine's own."
    ),
]
Workers = Annotated[
    int | None, typer.Option(help="Processes with one thread each; default one with all cores.", min=1)
]
BatchSize = Annotated[int, typer.Option(help="Sentences in one batch.", min=1)]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write a cache.")]
ParsesCached = Annotated[
    Path | None, typer.Option(help="Cache of parses; default $AMRX_CACHE, or that of amrx parse.")
]
VectorsCached = Annotated[
    Path | None,
    typer.Option(
        "--vector-cache", help="Cache of vectors; default $AMRX_VECTOR_CACHE, or in the user's cache folder."
    ),
]
Lang = Annotated[str | None, typer.Option(help="Language of the sentences; detected when not given.")]
Column = Annotated[
    str | None,
    typer.Option(help="Column of the text; a number is a position in a table without a header."),
]
LangColumn = Annotated[str | None, typer.Option(help="Column of the language.")]
IdColumn = Annotated[str | None, typer.Option(help="Column of the identifier.")]


def _weights(text: str) -> Weights:
    try:
        return Weights(map(float, text.split(",")))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no number, or numbers with commas") from None


class Weights(tuple[float, ...]):
    """Weights of the channels as an option gives them."""

    __slots__ = ()


Weight = Annotated[
    Weights | None,
    typer.Option(
        parser=_weights, metavar="W[,W]", help="Weight of every channel, or one each; default those fitted."
    ),
]
Split = Annotated[
    bool,
    typer.Option("--split/--no-split", help="Parse each sentence of a text; its AMR side is their mean."),
]
Preset = Annotated[
    str | None,
    typer.Option(help="Channels in one word: fast (student), graph (AMR), best (both)."),
]


def check_place(out: Path, data: Path | None = None) -> None:
    """Raise what is wrong with the folders before any work is done."""
    if data is not None and not data.is_dir():
        raise InputError("no such folder", file=data)
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; name a folder")


def report(line: Mapping[str, object]) -> None:
    """Write a line of a training's log to standard error."""
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
