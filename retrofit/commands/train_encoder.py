"""``amrx train-encoder``: train the AMR encoder on a corpus folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import Threads
from amrx.recipes import load_recipe, parse_override
from amrx.threads import limit_threads

if TYPE_CHECKING:
    from retrofit.training.amr.recipe import Recipe

RECIPES = Path(__file__).parent.parent / "training" / "amr" / "recipes"


def train_encoder(
    corpus: Annotated[
        Path, typer.Argument(help="Folder of sentences.jsonl, parses.jsonl, triplets.jsonl, pairs.jsonl.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Encoder folder to write.")],
    recipe: Annotated[str, typer.Option(help="Name of a shipped recipe, or a TOML file.")] = "mini",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE over the recipe; may repeat.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu, cuda, ...; chosen when not given.")] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Stop after so many seconds; the same command goes on.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew even if a checkpoint is there.")] = False,
    seeds: Annotated[
        int | None,
        typer.Option(help="Train so many seeds, to OUT/seed-N, and tell mean and deviation.", min=1),
    ] = None,
    threads: Threads = None,
) -> None:
    """Train the AMR encoder; a run that was stopped goes on where it was when started again."""
    limit_threads(threads)
    from amrx.threads import set_threads
    from retrofit.training.amr.seeds import train_seeds
    from retrofit.training.amr.train import train

    set_threads()
    read = read_recipe(recipe, set_ or [])
    if seeds is not None:
        told = train_seeds(
            corpus, out, read, seeds, device, resume=not fresh, time_limit=time_limit, report=_report
        )
        sys.stderr.write(f"{out}: {told}\n")
        return
    ended = train(corpus, out, read, device, resume=not fresh, time_limit=time_limit, report=_report)
    state = "done" if ended.finished else "stopped by the time limit; start again to go on"
    sys.stderr.write(
        f"{out}: {ended.steps} steps, best dev score {ended.best} at step {ended.best_step}, {state}\n"
    )


def read_recipe(name: str, overrides: list[str]) -> Recipe:
    """Load a recipe by the name of a shipped file or by path, with KEY=VALUE pairs over it.

    Raises:
        OptionError: No such recipe, or a key or value is wrong.
    """
    from retrofit.training.amr.recipe import Recipe

    return load_recipe(Recipe, RECIPES, name, dict(parse_override(text) for text in overrides))


def _report(line: Mapping[str, object]) -> None:
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
