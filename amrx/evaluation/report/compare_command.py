"""``amrx eval compare``: which differences between two results are real."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def compare(
    first: Annotated[Path, typer.Argument(help="Rows of amrx eval --json.")],
    second: Annotated[Path, typer.Argument(help="Rows to compare with them; may be the same file.")],
    encoder: Annotated[
        str | None, typer.Option(help="Encoder of the first file to stand against; default its first one.")
    ] = None,
) -> None:
    """Compare the encoders of a second file with one of the first, by paired bootstrap over the items.

    The means of each task come first, then its languages. The items stand beside the rows, in FILE.items.npz.
    The geometric measures have none, so they are left out; a line on standard error counts and names what is
    left out. The threshold of a BUCC row is the one of all items in every sample.
    """
    from amrx.control_characters import visible
    from amrx.evaluation.report.page_tables import compare_means
    from amrx.evaluation.report.tables import terminal
    from amrx.evaluation.results.compare import compare_files, comparison_table

    found = compare_files(first, second, encoder)
    means = compare_means(first, second, encoder)
    terminal().print(comparison_table([*means, *found.rows]))
    sys.stderr.writelines(f"{visible(line)}\n" for line in found.left_out)
