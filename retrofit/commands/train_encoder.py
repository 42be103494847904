"""Run ``amrx train-encoder``: train the AMR encoder on a corpus folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, TimeLimit, report
from amrx.recipes import load_recipe
from amrx.threads import limit_threads

RECIPES = Path(__file__).parent.parent / "training" / "amr" / "recipes"


def train_encoder(
    corpus: Annotated[
        Path, typer.Argument(help="Folder of sentences.jsonl, parses.jsonl, triplets.jsonl, pairs.jsonl.")
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="Encoder folder to write.")],
    recipe: Annotated[str, typer.Option(help="Name of a shipped recipe, or a TOML file.")] = "mini",
    set_: Overrides = None,
    device: Device = None,
    time_limit: TimeLimit = None,
    fresh: Fresh = False,
    seeds: Annotated[
        int | None,
        typer.Option(help="Train this many seeds, to OUT/seed-N, and report mean and deviation.", min=1),
    ] = None,
    threads: Threads = None,
) -> None:
    """Train the AMR encoder; the same command resumes a stopped run."""
    limit_threads(threads)
    from amrx.threads import set_threads
    from retrofit.training.amr.recipe import Recipe
    from retrofit.training.amr.seeds import train_seeds
    from retrofit.training.amr.train import train

    set_threads()
    read = load_recipe(Recipe, RECIPES, recipe, set_ or [])
    if seeds is not None:
        outcome = train_seeds(
            corpus, out, read, seeds, device, resume=not fresh, time_limit=time_limit, report=report
        )
        sys.stderr.write(f"{out}: {outcome}\n")
        return
    ended = train(corpus, out, read, device, resume=not fresh, time_limit=time_limit, report=report)
    state = "done" if ended.finished else "stopped by the time limit; the same command resumes"
    sys.stderr.write(
        f"{out}: {ended.steps} steps, best dev score {ended.best} at step {ended.best_step}, {state}\n"
    )
