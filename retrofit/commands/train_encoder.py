"""Run ``amrx train-encoder``, ``average-encoders`` and ``add-structure``: make AMR encoders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, TimeLimit, report
from amrx.errors import OptionError
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
    from retrofit.training.amr.train import train, train_seeds

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
    score = f"best dev score {ended.best} at step {ended.best_step}"
    if ended.best is None:
        score = "no dev pairs, so the last weights"
    sys.stderr.write(f"{out}: {ended.steps} steps, {score}, {state}\n")


def average_encoders(
    encoders: Annotated[list[Path], typer.Argument(help="Two or more folders of amrx train-encoder.")],
    out: Annotated[Path, typer.Option("--output", "-o", help="New encoder folder.")],
    shares: Annotated[
        str | None, typer.Option(help="Weight of each encoder, as 2,1,1; equal by default.")
    ] = None,
    storage: Annotated[str, typer.Option(help="int8, float16 or float32.")] = "int8",
) -> None:
    """Average the weights of encoders of the same shape: a "model soup" (Wortsman et al. 2022)."""
    from retrofit.training.amr import average

    average.average_encoders(encoders, out, shares=_numbers(shares), storage=storage)
    sys.stderr.write(f"{out}: mean of {len(encoders)} encoders\n")


def _numbers(text: str | None) -> list[float]:
    """Parse numbers such as ``2,1,1``."""
    try:
        return [] if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        raise OptionError(f"--shares must be numbers, such as 2,1,1, got {text!r}") from None


def add_structure(
    encoder: Annotated[Path, typer.Argument(help="Folder of an AMR encoder.")],
    corpus: Annotated[
        Path,
        typer.Argument(help="Folder of amrx gather: its graphs give the counts of concepts, and the mean."),
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="New encoder folder.")],
    width: Annotated[int, typer.Option(help="Width of the sketch.")] = 256,
    share: Annotated[float, typer.Option(help="Share of the sketch in the cosine, between 0 and 1.")] = 0.1,
    shrinkage: Annotated[
        float, typer.Option(help="Shrinkage of the vector towards the mean, from 0 to below 1.")
    ] = 0.5,
) -> None:
    """Append a sketch of each graph's concepts and relations to the encoder's vector, and shrink the vector.

    Nothing is trained. Fit the weight of the AMR side again afterwards (amrx retrofit --fit-weight).
    """
    from retrofit.training.amr.add_structure import add_structure as write

    structure = write(encoder, corpus, out, width=width, share=share, shrinkage=shrinkage)
    sys.stderr.write(f"{out}: {len(structure.counts)} concepts of {structure.graphs} graphs\n")
