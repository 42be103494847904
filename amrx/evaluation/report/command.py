"""``amrx eval report``: write results as one HTML page, or as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    files: Annotated[
        list[Path], typer.Argument(help="Rows of amrx eval --json; the first file defines the base.")
    ],
    out: Annotated[
        str,
        typer.Option("--output", "-o", help="Page.html, or table.md, .csv or .tex; - prints Markdown."),
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
