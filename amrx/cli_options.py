"""Options that several commands share, the check of their folders, and the log of a training."""

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
        help="Computing threads; default, and maximum: the cores of this process, its CPU quota and"
        " OMP_NUM_THREADS.",
        min=1,
    ),
]
Beam = Annotated[
    int | None, typer.Option(help="Beams of the parser's search; default: the parser's own.", min=1)
]
Device = Annotated[str | None, typer.Option(help="cpu, cuda, ...; default: the best available.")]
ShowBar = Annotated[
    bool | None, typer.Option("--progress/--no-progress", help="Draw a bar; default: on a terminal.")
]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", help="KEY=VALUE that overrides the recipe; may repeat.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start over even if a checkpoint exists.")]
TimeLimit = Annotated[
    float | None, typer.Option(help="Stop after this many seconds of steps; the same command resumes.")
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
    int | None,
    typer.Option(
        help="Processes with one thread each; default: one process, and more (at most 8, on the CPU) once "
        "parsing takes long.",
        min=1,
    ),
]
BatchSize = Annotated[int, typer.Option(help="Sentences per batch.", min=1)]
AllowInvalid = Annotated[
    bool,
    typer.Option(
        "--allow-invalid", help="Take invalid graphs as (a / amr-empty), and count them; default: an error."
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write a cache.")]
ParsesCached = Annotated[
    Path | None, typer.Option(help="Cache of parses; default: $AMRX_CACHE, or the cache of amrx parse.")
]
VectorsCached = Annotated[
    Path | None,
    typer.Option(
        "--vector-cache", help="Cache of vectors; default: $AMRX_VECTOR_CACHE, or in the user's cache folder."
    ),
]
Lang = Annotated[
    str | None, typer.Option(help="Language of the sentences whose file does not name it; default: detected.")
]
Column = Annotated[
    str | None,
    typer.Option(help="Column of the text [text]; a number: 1-based position in a table without a header."),
]
LangColumn = Annotated[str | None, typer.Option(help="Column of the language [lang].")]
IdColumn = Annotated[str | None, typer.Option(help="Column of the identifier [id]; default: the row number.")]


def _weights(text: str) -> Weights:
    try:
        return Weights(map(float, text.split(",")))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number or a comma-separated list of numbers") from None


class Weights(tuple[float, ...]):
    """Weights of the channels as an option gives them."""

    __slots__ = ()


Weight = Annotated[
    Weights | None,
    typer.Option(
        parser=_weights,
        metavar="W[,W]",
        help="Weight of every channel, or one each; default: the fitted ones.",
    ),
]
Split = Annotated[
    bool,
    typer.Option("--split/--no-split", help="Parse each sentence of a text; its AMR side is their mean."),
]
Preset = Annotated[
    str | None,
    typer.Option(
        help="Channels: fast (student), text (student on e5-small), graph (AMR), meaning (AMR, weighs more), "
        "best (graph and text)."
    ),
]
Base = Annotated[
    str, typer.Option(help="Base encoder: one that amrx bases lists, a folder, or one of retrofit --save.")
]
ParserName = Annotated[str, typer.Option(help="Parser: name or folder.")]
ServingParser = Annotated[
    str, typer.Option(help="Parser: name or folder; the one to use with the encoder later.")
]
Integration = Annotated[str, typer.Option(help="norm-concat, concat, norm-add or add.")]
Linearization = Annotated[str, typer.Option(help="Linearization: paper; released or pointer (ablations).")]
DevLanguages = Annotated[
    str | None, typer.Option(help="Languages of STS-B dev that select the weights, as en,de.")
]


def check_folders(out: Path, data: Path | None = None) -> None:
    """Raise unless ``data`` is a folder and ``out`` is free or a folder; call it before any work."""
    if data is not None and not data.is_dir():
        raise InputError("no such folder", file=data)
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file, not a folder")


def report(line: Mapping[str, object]) -> None:
    """Write one line of a training log to standard error as JSON."""
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
