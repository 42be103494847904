"""``amrx eval compare``: test which differences between two results are significant."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def compare(
    first: Annotated[Path, typer.Argument(help="Rows of amrx eval --json.")],
    second: Annotated[Path, typer.Argument(help="Rows to compare with them; may be the same file.")],
    encoder: Annotated[
        str | None, typer.Option(help="Encoder of the first file to compare with; default: its first one.")
    ] = None,
) -> None:
    """Compare the encoders of a second file with one of the first, by paired bootstrap over the items.

    The means of each task come first, then its languages. Items are read from FILE.items.npz. Rows without
    items, such as the geometric measures, are left out; a line on standard error counts and names them. In
    every sample a BUCC row keeps the threshold fitted on all items.
    """
    from amrx.control_characters import visible
    from amrx.evaluation.report.page_tables import compare_means
    from amrx.evaluation.report.tables import terminal
    from amrx.evaluation.results.compare import compare_files, comparison_table

    comparison = compare_files(first, second, encoder)
    means = compare_means(first, second, encoder)
    terminal().print(comparison_table([*means, *comparison.rows]))
    sys.stderr.writelines(f"{visible(line)}\n" for line in comparison.left_out)
