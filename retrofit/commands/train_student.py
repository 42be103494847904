"""``amrx train-student``: train a graph-free student on the open data."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import Threads
from amrx.errors import InputError, OutputError
from amrx.recipes import load_recipe, parse_override
from amrx.threads import limit_threads

if TYPE_CHECKING:
    from retrofit.training.student.recipe import Recipe

RECIPES = Path(__file__).parent.parent / "training" / "student" / "recipes"


def train_student(
    data: Annotated[Path, typer.Argument(help="Folder of the open data.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Encoder folder to write.")],
    recipe: Annotated[str, typer.Option(help="student-text, or a TOML file.")] = "student-text",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE over the recipe; may repeat.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu, cuda, ...; chosen when not given.")] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Stop after so many seconds of steps; the same command goes on.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew even if a checkpoint is there.")] = False,
    threads: Threads = None,
) -> None:
    """Train a student: text of any language straight into a teacher's space, without a parser.

    The teacher, all-MiniLM-L6-v2, reads the English side of parallel text. STS-B dev selects. A run that was
    stopped goes on where it was when started again. The folder it writes is an encoder:
    amrx retrofit --encoder DIR
    """
    limit_threads(threads)
    chosen = read_recipe(recipe, set_ or [])
    if not data.is_dir():
        raise InputError("no such folder", file=data)
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; name a folder")
    from amrx.threads import set_threads
    from retrofit.training.student.train import train

    set_threads()
    ended = train(
        data, out, chosen, device, resume=not fresh, time_limit=time_limit, report=_report
    )  # fmt: skip
    state = "done" if ended.finished else "stopped by the time limit; start again to go on"
    best = "not scored yet" if ended.best is None else f"best {ended.best:.2f} at step {ended.best_step}"
    sys.stderr.write(f"{out}: {ended.steps} steps, STS-B dev {best}, {state}\n")


def read_recipe(name: str, overrides: list[str]) -> Recipe:
    """Load a recipe by the name of a shipped file or by path, with KEY=VALUE pairs over it.

    Raises:
        OptionError: No such recipe, or a key or value is wrong.
    """
    from retrofit.training.student.recipe import Recipe

    return load_recipe(Recipe, RECIPES, name, dict(parse_override(text) for text in overrides))


def _report(line: Mapping[str, object]) -> None:
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
