"""Run ``amrx add-structure``: append a sketch of the graph to an AMR encoder's vector, and shrink that."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


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
