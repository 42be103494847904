"""Write rows as terminal tables, JSON, an HTML page, or tables of text."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.control_characters import visible
from amrx.errors import InputError, OutputError
from amrx.evaluation.results.files import takes_items, write_clouds, write_notes
from amrx.evaluation.results.items import check_distinct, key_of, write_items
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row, Rows, Scored, by_encoder, distinct
from amrx.evaluation.tasks.task import Task, published_of
from amrx.records import write_text
from amrx.records.writing import open_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from amrx.evaluation.report.page_tables import Results

Scores = Mapping[str, float]
_WIDTH = 160
_UNBOUND = 100_000
"""Line width in characters that fits any table."""


def terminal() -> Console:
    """Return a console as wide as the terminal or COLUMNS, else (a file, a pipe) 160 characters."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return _console(None if known else _WIDTH)


def _console(width: int | None) -> Console:
    """Return a console without markup: brackets and colons may be part of an encoder's name."""
    from amrx.console import Console

    return Console(highlight=False, markup=False, emoji=False, width=width)


def write_json(path: str | Path, rows: Sequence[Row]) -> None:
    """Write a list of objects ``{"encoder", "task", "language", "metric", "value", "n"}``."""
    write_text(path, json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False) + "\n")


def save_rows(path: str | Path, rows: Rows | Sequence[Scored], notes: Sequence[str] = ()) -> None:
    """Write the result of `amrx.evaluation.run` as ``amrx eval --json`` does, with its items.

    ``amrx eval compare`` and ``amrx eval report`` read it.

    Args:
        path: JSON file of the rows; the items are written to ``FILE.items.npz``.
        rows: Rows with their items.
        notes: Lines for the reports, such as what was skipped.

    Raises:
        InputError: Two rows have the same encoder, task, language and metric; nothing is written.
    """
    scored = rows.scored if isinstance(rows, Rows) else rows
    check_distinct([each.row for each in scored], path)
    if takes_items(Path(path)):
        write_items(path, scored)
        write_clouds(path, {key_of(each.row): each.clouds for each in scored if each.clouds})
        write_notes(path, notes)
    write_json(path, [each.row for each in scored])  # last: a killed run leaves no rows without items


def write_report(path: str | Path, results: Sequence[Results], notes: Sequence[str] = ()) -> None:
    """Write the results of runs as an HTML page or as tables, by the suffix: ``.html .md .csv .tex``.

    ``-`` prints Markdown.
    """
    from amrx.evaluation.report.page import page
    from amrx.evaluation.report.page_tables import joined, sheets
    from amrx.evaluation.report.text_tables import as_csv, as_latex, as_markdown

    forms = {"": as_markdown, ".md": as_markdown, ".csv": as_csv, ".tex": as_latex}
    source, kind = ", ".join(run.name for run in results), Path(path).suffix.lower()
    if kind not in (".html", *forms) or not kind and str(path) != "-":
        raise OutputError(f"{path}: suffix must be .html, .md, .csv or .tex")
    if not any(run.rows for run in results):
        raise InputError("there is no row to show", file=source)
    drawn = sheets(results)
    if kind == ".html":
        text = page(drawn, source=source, notes=notes, clouds=joined(results).clouds)
    else:
        text = forms[kind](drawn, notes)
    with open_text(path) as stream:  # a folder name may not be UTF-8
        stream.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def tables(task: Task, rows: Sequence[Row], *, width: int = 0) -> list[Table]:
    """Return one table per metric that the task shows and that has rows; see `table`."""
    present = {row.metric for row in rows if row.task == task.name}
    return [table(task, rows, metric, width=width) for metric in task.shown if metric in present]


def table(task: Task, rows: Sequence[Row], metric: str | None = None, *, width: int = 0) -> Table:
    """Return a table of one task in the layout of papers, or transposed if that is too wide.

    In the layout of papers, each line is an encoder, published ones first; columns are the means, then the
    languages. Transposed, each line is a language, then come the means; columns are the encoders. Values have
    their difference to the first encoder.

    Args:
        task: The task.
        rows: Rows of any tasks; languages keep the order of the rows.
        metric: Default the first one that the task shows.
        width: Maximum line length of the layout of papers, in characters.
    """
    chosen = task.shown[0] if metric is None else metric
    scores = by_encoder(rows, task.name, chosen)
    title = visible(f"{task.name}, {chosen}")
    all_means = {name: task.means(own) for name, own in scores.items()}
    names = distinct(list(all_means.values()))
    means = {name: {mean: own[mean] for mean in names if mean in own} for name, own in all_means.items()}
    as_printed = _as_printed(title, scores, means, published_of(task, chosen))
    if _console(_UNBOUND).measure(as_printed).maximum <= width:
        return as_printed
    return _transposed(title, list(scores.items()), list(means.values()))


def _as_printed(
    title: str, scores: Mapping[str, Scores], means: Mapping[str, Scores], published: Sequence[Published]
) -> Table:
    """Return the table with one line per encoder."""
    from rich.table import Table

    first, heads = next(iter(scores)), dict.fromkeys(name for own in means.values() for name in own)
    languages = dict.fromkeys(language for own in scores.values() for language in own)
    table = Table(title=title)
    table.add_column("", overflow="fold")
    for name in heads:
        table.add_column(name, justify="right", style="bold")
    for language in languages:
        table.add_column(visible(language), justify="right")
    for known in published:
        values = known.in_columns([*heads, *languages])
        if values:
            cells = (f"{values[name]:.2f}" if name in values else "–" for name in (*heads, *languages))
            table.add_row(known.encoder, *cells, style="dim italic")
    base = {**means[first], **scores[first]}
    for encoder, own in scores.items():
        values = {**means[encoder], **own}
        against = {} if encoder == first else base
        cells = (_cell(values.get(head), against.get(head), "\n{:+.2f}") for head in (*heads, *languages))
        table.add_row(visible(encoder), *cells)
    return table


def _transposed(title: str, scores: Sequence[tuple[str, Scores]], means: Sequence[Scores]) -> Table:
    """Return the table with one line per language."""
    from rich.table import Table

    table = Table(title=title)
    table.add_column("")
    for name, _ in scores:
        table.add_column(visible(name), justify="right", overflow="fold")
    for language in dict.fromkeys(language for _, own in scores for language in own):
        table.add_row(visible(language), *_cells([own.get(language) for _, own in scores]))
    table.add_section()
    for name in dict.fromkeys(name for own in means for name in own):
        table.add_row(name, *_cells([own.get(name) for own in means]), style="bold")
    return table


def _cells(values: Sequence[float | None]) -> list[str]:
    base, *others = values
    return [_cell(base, None, ""), *(_cell(value, base, " ({:+.2f})") for value in others)]


def _cell(value: float | None, base: float | None, difference: str) -> str:
    """Return a value and its difference to the base's value, if any; a dash if there is no value."""
    if value is None:
        return "–"
    return f"{value:.2f}" + ("" if base is None else difference.format(value - base))


def notes(task: Task) -> list[str]:
    """Return the protocol of a task and its published means, one line each."""
    lines = [task.note]
    for row in (row for row in task.published if row.means):
        values = ", ".join(f"{name} {value:.2f}" for name, value in row.means)
        metric = "" if row.metric is None else f"{row.metric}, "
        lines.append(f"{row.encoder}: {metric}{values} ({row.source})")
    return lines
