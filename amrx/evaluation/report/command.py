"""``amrx eval report``: results as one HTML page, or as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    files: Annotated[list[Path], typer.Argument(help="Rows of amrx eval --json; the first has the base.")],
    out: Annotated[
        str,
        typer.Option("--output", "-o", help="Page.html, or table.md, .csv or .tex; - is Markdown, printed."),
    ] = "-",
) -> None:
    """Draw results as one HTML page that needs nothing else: no network, no script; or write their tables.

    Differences are to the first encoder of the first file. Their intervals are computed from the items that
    stand beside the rows, in FILE.items.npz; without that file the page has none. What each run skipped
    stands at the top, from FILE.notes.txt.
    """
    from amrx.evaluation.report.page_tables import read_results
    from amrx.evaluation.report.tables import write_report
    from amrx.evaluation.results.files import beside, read_notes
    from amrx.records import check_writable

    check_writable(out, *files, *(other for file in files for other in beside(file)))
    notes = dict.fromkeys(line for file in files for line in read_notes(file))
    write_report(out, [read_results(file) for file in files], list(notes))
