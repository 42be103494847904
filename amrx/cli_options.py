"""Options that several commands take, and the log of a training on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Annotated

import typer

Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        help="Threads that compute; at most, and by default, the cores of this process, its CPU quota and"
        " OMP_NUM_THREADS.",
        min=1,
    ),
]
Device = Annotated[str | None, typer.Option(help="cpu, cuda, ...; chosen when not given.")]
Overrides = Annotated[list[str] | None, typer.Option("--set", help="KEY=VALUE over the recipe; may repeat.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Begin anew even if a checkpoint is there.")]
TimeLimit = Annotated[
    float | None, typer.Option(help="Stop after so many seconds of steps; the same command goes on.")
]


def report(line: Mapping[str, object]) -> None:
    """Write a line of a training's log to standard error."""
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
