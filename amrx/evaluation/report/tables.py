"""Rows as terminal tables, and as files: JSON, a page, tables of text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.control_characters import visible
from amrx.errors import InputError, OutputError
from amrx.evaluation.results.files import takes_items, write_notes
from amrx.evaluation.results.items import key_of, write_items
from amrx.evaluation.results.means import distinct
from amrx.evaluation.results.points import write_clouds
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row, Rows, Scored
from amrx.evaluation.tasks.task import Task, published_of
from amrx.records import atomic_path
from amrx.records.writing import open_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from amrx.evaluation.report.page_tables import Results

Scores = Mapping[str, float]
_WIDTH = 160
_UNBOUND = 100_000
"""Characters of a line on which any table fits."""


def terminal() -> Console:
    """Return where tables are printed: as wide as the terminal or COLUMNS say; a file gets 160 characters."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return _console(None if known else _WIDTH)


def _console(width: int | None) -> Console:
    """Return a console that prints text as it is: brackets and colons may be part of an encoder's name."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, width=width)


def write_json(path: str | Path, rows: Sequence[Row]) -> None:
    """Write a list of objects ``{"encoder", "task", "language", "metric", "value", "n"}``.

    Raises:
        OutputError: The file cannot be written.
    """
    with atomic_path(path) as temporary:
        text = json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", "utf-8")


def save_rows(path: str | Path, rows: Rows | Sequence[Scored], notes: Sequence[str] = ()) -> None:
    """Write what `amrx.evaluation.run` returned, as ``amrx eval --json`` does, with its items beside it.

    ``amrx eval compare`` and ``amrx eval report`` read it.

    Args:
        path: JSON file of the rows; ``FILE.items.npz`` is written beside it.
        rows: With what they were computed from.
        notes: What the reports tell, such as what is missing.

    Raises:
        OutputError: A file cannot be written.
    """
    scored = rows.scored if isinstance(rows, Rows) else rows
    if takes_items(Path(path)):
        write_items(path, scored)
        write_clouds(path, {key_of(one.row): one.clouds for one in scored if one.clouds})
        write_notes(path, notes)
    write_json(path, [one.row for one in scored])  # last: a killed run leaves no rows without their items


def write_report(path: str | Path, results: Sequence[Results], notes: Sequence[str] = ()) -> None:
    """Write the results of runs: by the ending an HTML page or tables as ``.md``, ``.csv`` or ``.tex``.

    ``-`` is standard output, in Markdown.

    Raises:
        InputError: There is no row, or runs were not measured on the same things.
        OutputError: The ending is another one, or the file cannot be written.
    """
    from amrx.evaluation.report.page import page
    from amrx.evaluation.report.page_tables import joined, sheets
    from amrx.evaluation.report.text_tables import as_csv, as_latex, as_markdown

    forms = {"": as_markdown, ".md": as_markdown, ".csv": as_csv, ".tex": as_latex}
    source, kind = ", ".join(run.name for run in results), Path(path).suffix.lower()
    if kind not in (".html", *forms) or not kind and str(path) != "-":
        raise OutputError(f"{path}: write to a name in .html, .md, .csv or .tex")
    if not any(run.rows for run in results):
        raise InputError("there is no row to show", file=source)
    drawn = sheets(results)
    if kind == ".html":
        text = page(drawn, source=source, notes=notes, clouds=joined(results).clouds)
    else:
        text = forms[kind](drawn, notes)
    with open_text(path) as stream:  # a folder's name may be no UTF-8
        stream.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def means(task: Task, scores: Scores) -> dict[str, float]:
    """Return the means that sum up a task.

    Example:
        >>> from amrx.evaluation.tasks.sts import STS17
        >>> means(STS17, {"en-en": 80.0, "es-es": 70.0, "en-de": 60.0})
        {'monolingual mean (2 of 3)': 75.0, 'cross-lingual mean (1 of 7)': 60.0}
    """
    return task.means(scores)


def tables(task: Task, rows: Sequence[Row], *, width: int = 0) -> list[Table]:
    """Return a table for each metric that the task shows and that has rows; see `table`."""
    there = {row.metric for row in rows if row.task == task.name}
    return [table(task, rows, metric, width=width) for metric in task.shown if metric in there]


def table(task: Task, rows: Sequence[Row], metric: str | None = None, *, width: int = 0) -> Table:
    """Return a table of one task as papers print it, or turned round where that is too wide.

    As papers print it: a line an encoder, the published ones first; a column each mean, then each language.
    Turned round: a line a language, then the means; a column an encoder. With a value stands its difference
    to the first encoder.

    Args:
        task: Whose rows are drawn.
        rows: Of any tasks; languages stand in the order of the rows.
        metric: By default the first one that the task shows.
        width: Characters that a line of the first form may have.
    """
    chosen = task.shown[0] if metric is None else metric
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.task == task.name and row.metric == chosen:
            scores.setdefault(row.encoder, {})[row.language] = row.value
    title = visible(f"{task.name}, {chosen}")
    summed = {name: means(task, own) for name, own in scores.items()}
    kept = distinct(list(summed.values()))
    summed = {name: {mean: own[mean] for mean in kept if mean in own} for name, own in summed.items()}
    printed = _as_printed(title, scores, summed, published_of(task, chosen))
    if _console(_UNBOUND).measure(printed).maximum <= width:
        return printed
    return _turned(title, list(scores.items()), list(summed.values()))


def _as_printed(
    title: str,
    scores: Mapping[str, Scores],
    summed: Mapping[str, Scores],
    published: Sequence[Published],
) -> Table:
    """Return the table with a line an encoder."""
    from rich.table import Table

    first, heads = next(iter(scores)), dict.fromkeys(name for own in summed.values() for name in own)
    languages = dict.fromkeys(language for own in scores.values() for language in own)
    drawn = Table(title=title)
    drawn.add_column("", overflow="fold")
    for name in heads:
        drawn.add_column(name, justify="right", style="bold")
    for language in languages:
        drawn.add_column(visible(language), justify="right")
    for known in published:
        told = known.in_columns([*heads, *languages])
        if told:
            cells = (f"{told[name]:.2f}" if name in told else "–" for name in (*heads, *languages))
            drawn.add_row(known.encoder, *cells, style="dim italic")
    base = {**summed[first], **scores[first]}
    for encoder, own in scores.items():
        values = {**summed[encoder], **own}
        against = {} if encoder == first else base
        shown = (_cell(values.get(head), against.get(head), "\n{:+.2f}") for head in (*heads, *languages))
        drawn.add_row(visible(encoder), *shown)
    return drawn


def _turned(title: str, scores: Sequence[tuple[str, Scores]], summed: Sequence[Scores]) -> Table:
    """Return the table with a line a language."""
    from rich.table import Table

    drawn = Table(title=title)
    drawn.add_column("")
    for name, _ in scores:
        drawn.add_column(visible(name), justify="right", overflow="fold")
    for language in dict.fromkeys(language for _, own in scores for language in own):
        drawn.add_row(visible(language), *_cells([own.get(language) for _, own in scores]))
    drawn.add_section()
    for name in dict.fromkeys(name for mean in summed for name in mean):
        drawn.add_row(name, *_cells([mean.get(name) for mean in summed]), style="bold")
    return drawn


def _cells(values: Sequence[float | None]) -> list[str]:
    base, *others = values
    return [_cell(base, None, ""), *(_cell(value, base, " ({:+.2f})") for value in others)]


def _cell(value: float | None, base: float | None, difference: str) -> str:
    """Return a value with its difference to the base's where that has one; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:.2f}" + ("" if base is None else difference.format(value - base))


def notes(task: Task) -> list[str]:
    """Return the protocol of a task and the published numbers to stand against, a line each."""
    lines = [task.note]
    for row in task.published:
        told = ", ".join(f"{name} {value:.2f}" for name, value in row.means)
        metric = "" if row.metric is None else f"{row.metric}, "
        lines.append(f"{row.encoder}: {metric}{told} ({row.source})")
    return lines
