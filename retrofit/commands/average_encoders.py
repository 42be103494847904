"""Run ``amrx average-encoders``: average the weights of several AMR encoders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import OptionError


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
