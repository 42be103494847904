"""Rows as terminal tables, as JSON and as an HTML page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import InputError
from amrx.evaluate.contract import Row, Task
from amrx.records import atomic_path

if TYPE_CHECKING:
    from rich.table import Table

    from amrx.evaluate.page import Results

Scores = Mapping[str, float]


def write_json(path: str | Path, rows: Sequence[Row]) -> None:
    """Write a list of objects ``{"encoder", "task", "language", "metric", "value", "n"}``.

    Raises:
        OutputError: The file cannot be written.
    """
    with atomic_path(path) as temporary:
        text = json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", "utf-8")


def write_page(path: str | Path, results: Sequence[Results], notes: Sequence[str] = ()) -> None:
    """Write one HTML page of the results of runs; see `amrx.evaluate.page`.

    Args:
        path: The file.
        results: Runs; differences are to the first encoder of the first one.
        notes: Lines for the top of the page.

    Raises:
        InputError: There is no row, or runs were not measured on the same things.
        OutputError: The file cannot be written.
    """
    from amrx.evaluate.page import joined, page, sheets

    source = ", ".join(run.name for run in results)
    if not any(run.rows for run in results):
        raise InputError("there is no row to show", file=source)
    text = page(sheets(results), source=source, notes=notes, clouds=joined(results).clouds)
    with atomic_path(path) as temporary:
        temporary.write_text(text, "utf-8")


def means(task: Task, scores: Scores) -> dict[str, float]:
    """Return the means that sum up a task.

    Args:
        task: Tells which languages are averaged.
        scores: Value of each language of the task.

    Example:
        >>> from amrx.evaluate.tasks import STS17
        >>> means(STS17, {"en-en": 80.0, "es-es": 70.0, "en-de": 60.0})
        {'monolingual mean': 75.0, 'cross-lingual mean': 60.0}
    """
    return task.means(scores)


def tables(task: Task, rows: Sequence[Row]) -> list[Table]:
    """Return a table for each metric that the task shows and that has rows."""
    there = {row.metric for row in rows if row.task == task.name}
    return [table(task, rows, metric) for metric in task.shown if metric in there]


def table(task: Task, rows: Sequence[Row], metric: str | None = None) -> Table:
    """Return a table of one task: a line a language, a column an encoder, with its difference to the first.

    Args:
        task: Whose rows are drawn.
        rows: Of any tasks; languages stand in the order of the rows.
        metric: By default the first one that the task shows.
    """
    from rich.table import Table

    chosen = task.shown[0] if metric is None else metric
    by_encoder: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.task == task.name and row.metric == chosen:
            by_encoder.setdefault(row.encoder, {})[row.language] = row.value
    drawn = Table(title=f"{task.name}, {chosen}")
    drawn.add_column("")
    for name in by_encoder:
        drawn.add_column(name, justify="right")
    for language in dict.fromkeys(language for scores in by_encoder.values() for language in scores):
        drawn.add_row(language, *_cells([scores[language] for scores in by_encoder.values()]))
    summary = [means(task, scores) for scores in by_encoder.values()]
    drawn.add_section()
    for name in summary[0] if summary else ():
        drawn.add_row(name, *_cells([mean[name] for mean in summary]), style="bold")
    return drawn


def _cells(values: Sequence[float]) -> list[str]:
    base, *others = values
    return [f"{base:.2f}", *(f"{value:.2f} ({value - base:+.2f})" for value in others)]


def notes(task: Task) -> list[str]:
    """Return the protocol of a task and the published numbers to stand against, a line each."""
    lines = [task.note]
    for row in task.published:
        told = ", ".join(f"{name} {value:.2f}" for name, value in row.means)
        lines.append(f"{row.encoder}: {told} ({row.source})")
    return lines
