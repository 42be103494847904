"""``amrx add-structure``: an AMR encoder with a sketch of its graphs' structure beside its vector."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def add_structure(
    encoder: Annotated[Path, typer.Argument(help="Folder of an AMR encoder.")],
    corpus: Annotated[
        Path, typer.Argument(help="Folder of amrx gather: concepts are counted in its graphs.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="New encoder folder.")],
    width: Annotated[int, typer.Option(help="Numbers of the sketch.")] = 256,
    share: Annotated[float, typer.Option(help="Share of the cosine, between 0 and 1.")] = 0.2,
) -> None:
    """Put a sketch of each graph's concepts and relations beside the encoder's vector.

    Nothing is trained. Fit the weight of the AMR side again afterwards (amrx retrofit --fit-weight).
    """
    from retrofit.amr import structured

    made = structured.add_structure(encoder, corpus, out, width=width, share=share)
    sys.stderr.write(f"{out}: {len(made.counts)} concepts of {made.graphs} graphs\n")
