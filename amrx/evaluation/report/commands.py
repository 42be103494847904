"""``amrx eval compare`` and ``amrx eval report``: differences that are significant; a page or tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def report(
    files: Annotated[
        list[Path], typer.Argument(help="Rows of amrx eval --json; the first file defines the base.")
    ],
    out: Annotated[
        str, typer.Option("--output", "-o", help="Page.html, or table.md, .csv or .tex; - prints Markdown.")
    ] = "-",
) -> None:
    """Write results as one self-contained HTML page (no network, no script), or as tables.

    Differences are to the first encoder of the first file. Their intervals are computed from the items in
    FILE.items.npz; without that file there are none. The page starts with what each run skipped, from
    FILE.notes.txt.
    """
    from amrx.evaluation.report.page_tables import read_results
    from amrx.evaluation.report.tables import write_report
    from amrx.evaluation.results.files import companions, read_notes
    from amrx.records import check_writable

    check_writable(out, *files, *(other for file in files for other in companions(file)))
    notes = dict.fromkeys(line for file in files for line in read_notes(file))
    write_report(out, [read_results(file) for file in files], list(notes))


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
