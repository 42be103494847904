"""Which differences are real between the means that each task makes of its languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amrx.evaluation.report.page_tables import Results, read_results, sheets
from amrx.evaluation.results.compare import Compared


def compare_means(first: Path, second: Path, encoder: str | None = None) -> list[Compared]:
    """Compare the means of the second file's encoders with those of one of the first.

    A mean is compared where both encoders have the same languages, with items of each: a sample of it is the
    mean over samples of the languages.

    Raises:
        InputError: As `amrx.evaluation.results.compare.compare_files`.
    """
    before, after = read_results(first), read_results(second)
    base = encoder if encoder is not None else before.rows[0].encoder
    own = [row for row in before.rows if row.encoder == base]
    return _means(base, [Results(before.name, own, before.items), after])


def _means(base: str, results: Sequence[Results]) -> list[Compared]:
    found = []
    for sheet in sheets(results):
        if sheet.encoders[0] != base:
            continue
        for mean in sheet.means:
            for name in sheet.encoders[1:]:
                cell, against = sheet.cells.get((name, mean)), sheet.cells.get((base, mean))
                if cell is not None and against is not None and cell.interval is not None:
                    values = against.value, cell.value
                    found.append(Compared(sheet.task, mean, sheet.metric, base, name, *values, cell.interval))
    return found
