"""Run ``amrx train-student``: train a graph-free student on the open data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, TimeLimit, check_folders, report
from amrx.recipes import load_recipe
from amrx.threads import limit_threads

RECIPES = Path(__file__).parent.parent / "training" / "student" / "recipes"


def train_student(
    data: Annotated[Path, typer.Argument(help="Folder of the open data (docs/data.md).")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Encoder folder to write.")],
    recipe: Annotated[
        str, typer.Option(help="student-text, student-e5 (for a GPU), or a TOML file.")
    ] = "student-text",
    set_: Overrides = None,
    device: Device = None,
    time_limit: TimeLimit = None,
    fresh: Fresh = False,
    threads: Threads = None,
) -> None:
    """Train a student: it maps text of any language into a teacher's space, without a parser.

    The teacher, all-MiniLM-L6-v2, reads the English side of parallel text. STS-B dev selects the weights. The
    same command resumes a stopped run. The written folder is an encoder: amrx retrofit --encoder DIR
    """
    limit_threads(threads)
    from retrofit.training.student.recipe import Recipe

    chosen = load_recipe(Recipe, RECIPES, recipe, set_ or [])
    check_folders(out, data)
    from amrx.threads import set_threads
    from retrofit.training.student.train import train

    set_threads()
    ended = train(data, out, chosen, device, resume=not fresh, time_limit=time_limit, report=report)
    state = "done" if ended.finished else "stopped by the time limit; the same command resumes"
    best = "not scored yet" if ended.best is None else f"best {ended.best:.2f} at step {ended.best_step}"
    sys.stderr.write(f"{out}: {ended.steps} steps, STS-B dev {best}, {state}\n")
