"""Options that several commands take."""

from __future__ import annotations

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
