"""Tables of a page: values, means, and their differences to the base, for one task and metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from amrx.evaluation.metrics import Floats
from amrx.evaluation.results.bootstrap import Interval, interval, resampled
from amrx.evaluation.results.compare import Compared, check_same, check_values
from amrx.evaluation.results.items import Key, items_path, key_of, read_items, read_rows
from amrx.evaluation.results.means import distinct
from amrx.evaluation.results.points import read_clouds
from amrx.evaluation.results.rows import Cloud, Items, Row
from amrx.evaluation.tasks.catalogue import TASKS
from amrx.evaluation.tasks.summary_tables import Summary
from amrx.evaluation.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of one run and what they were computed from."""

    name: str
    rows: Sequence[Row]
    items: Mapping[Key, Items]
    clouds: Mapping[Key, Sequence[Cloud]] = field(default_factory=dict)


def read_results(path: Path) -> Results:
    """Read the rows of a JSON file, and its items and clouds if they are beside it.

    Raises:
        InputError: A file is missing or malformed, or the items of a row are not its own.
    """
    rows = read_rows(path)
    items = read_items(path) if items_path(path).is_file() else {}
    check_values(rows, items, path)
    return Results(str(path), rows, items, read_clouds(path))


@dataclass(frozen=True, slots=True)
class Cell:
    """A value; its interval is that of the difference to the base.

    Attributes:
        value: On the metric's scale.
        difference: To the base; ``None`` for the base and where it has no such value.
        interval: ``None`` where values are not made of items.
    """

    value: float
    difference: float | None = None
    interval: Interval | None = None

    @property
    def real(self) -> bool:
        """Whether 0 lies outside of the interval of the difference."""
        return self.interval is not None and self.interval.real


MANY = 16
"""With more languages than these, a table shows the means alone."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One task and metric."""

    task: str
    metric: str
    known: Task | None
    encoders: tuple[str, ...]
    means: tuple[str, ...]
    languages: tuple[str, ...]
    counts: Mapping[str, int]
    cells: Mapping[tuple[str, str], Cell]

    @property
    def shown(self) -> bool:
        """Whether the task shows this metric first."""
        return self.known is None or self.metric in self.known.shown

    @property
    def columns(self) -> tuple[str, ...]:
        """The means, then the languages where these are few."""
        return self.means if len(self.languages) > MANY and self.means else (*self.means, *self.languages)


def joined(results: Sequence[Results]) -> Results:
    """Join runs; an encoder whose rows contradict those of an earlier run gets the run's name behind its own.

    Example:
        >>> one, two = (Row("muse", "sts17", "en-en", "spearman", value, 250) for value in (85.0, 86.0))
        >>> runs = Results("a.json", [one], {}), Results("b.json", [two], {}), Results("c.json", [one], {})
        >>> [row.encoder for row in joined(runs).rows]
        ['muse', 'muse (b.json)']
    """
    rows: dict[Key, Row] = {}
    items: dict[Key, Items] = {}
    clouds: dict[Key, Sequence[Cloud]] = {}
    for run in results:
        clash = {row.encoder for row in run.rows if rows.get(key_of(row), row) != row}
        for row in run.rows:
            label = f"{row.encoder} ({run.name})" if row.encoder in clash else row.encoder
            named = row._replace(encoder=label)
            rows.setdefault(key_of(named), named)
            if key_of(row) in run.items:
                items.setdefault(key_of(named), run.items[key_of(row)])
            if key_of(row) in run.clouds:
                clouds.setdefault(key_of(named), run.clouds[key_of(row)])
    return Results(", ".join(run.name for run in results), list(rows.values()), items, clouds)


def sheets(results: Sequence[Results]) -> list[Sheet]:
    """Return a sheet for each task and metric; the base is the first encoder of the first run.

    Raises:
        InputError: The items of an encoder are not of the same things as those of the base.
    """
    run = joined(results)
    known = {task.name: task for task in TASKS}
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in run.rows:
        groups.setdefault((row.task, row.metric), []).append(row)
    drawn = Drawn(run)
    return [_sheet(rows, drawn, known.get(task)) for (task, _), rows in groups.items()]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The resampled differences between encoders of a run, each drawn once."""

    run: Results
    kept: dict[tuple[Key, Key], Floats] = field(default_factory=dict)

    def of(self, rows: Sequence[Row], base: str, name: str) -> dict[tuple[str, str], Floats]:
        """Return those of an encoder's rows to the base's, by language and metric, where both have items.

        Raises:
            InputError: The items of the two are not of the same things.
        """
        items, found = self.run.items, {}
        for here in (key_of(row) for row in rows if row.encoder == name):
            there = (base, *here[1:])
            if here not in items or there not in items:
                continue
            if (there, here) not in self.kept:
                check_same(items[there], items[here], here, self.run.name)
                self.kept[there, here] = resampled(items[there], items[here], here[-1])
            found[here[2:]] = self.kept[there, here]
        return found

    def of_summary(self, summary: Summary, base: str, name: str) -> dict[str, Floats]:
        """Return those of each column whose rows all have some, of both encoders the same ones.

        A column is a mean, so that its differences are the same mean of its rows' differences.
        """
        found = {}
        tasks = {task.name: task for task in summary.tasks}
        for piece in summary.pieces:
            rows = [
                row
                for row in self.run.rows
                if row.task == piece.task and row.metric.startswith(piece.metrics)
            ]
            draws = self.of(rows, base, name)
            both = [{key_of(row)[2:] for row in rows if row.encoder == one} for one in (base, name)]
            if not draws or both != [set(draws)] * 2:
                continue
            columns = []
            for values in zip(*draws.values(), strict=True):
                own = [
                    Row(name, piece.task, *key, float(value), 1)
                    for key, value in zip(draws, values, strict=True)
                ]
                columns.append(piece.row(name, summary.name, tasks[piece.task], own))
            if columns[0] is not None:
                found[columns[0].language] = np.array([row.value for row in columns if row is not None])
        return found


def _sheet(rows: Sequence[Row], drawn: Drawn, task: Task | None) -> Sheet:
    run = drawn.run
    encoders = tuple(dict.fromkeys(row.encoder for row in rows))
    languages = tuple(dict.fromkeys(row.language for row in rows))
    values = {name: {row.language: row.value for row in rows if row.encoder == name} for name in encoders}
    totals = {name: {} if task is None else task.means(values[name]) for name in encoders}
    cells: dict[tuple[str, str], Cell] = {}
    base = run.rows[0].encoder if run.rows[0].encoder in encoders else encoders[0]
    for name in encoders:
        draws = {} if name == base else _draws(rows, drawn, task, base, name)
        found = {**totals[name], **values[name]}
        same = set(values[name]) == set(values[base])  # means over other languages do not compare
        before = {} if name == base else {**(totals[base] if same else {}), **values[base]}
        mean_draws = _mean_draws(task, draws, set(values[name]) & set(values[base]))
        for column, value in found.items():
            difference = value - before[column] if column in before else None
            samples = {**mean_draws, **draws}.get(column)
            told = None if samples is None or difference is None else interval(difference, samples)
            cells[name, column] = Cell(value, difference, told)
    return Sheet(
        task=rows[0].task,
        metric=rows[0].metric,
        known=task,
        encoders=(base, *(name for name in encoders if name != base)),
        means=tuple(distinct(list(totals.values()))),
        languages=languages,
        counts={row.language: row.n for row in reversed(rows)},
        cells=cells,
    )


def _draws(rows: Sequence[Row], drawn: Drawn, task: Task | None, base: str, name: str) -> dict[str, Floats]:
    """Return the resampled differences to the base of each language that both have items of."""
    if isinstance(task, Summary):
        return drawn.of_summary(task, base, name)
    return {language: samples for (language, _), samples in drawn.of(rows, base, name).items()}


def _mean_draws(task: Task | None, draws: Mapping[str, Floats], languages: set[str]) -> dict[str, Floats]:
    """Return the resampled differences of each mean, where all of its languages have some."""
    if task is None or not draws or set(draws) != languages:
        return {}
    columns = list(draws)
    table = np.column_stack([draws[name] for name in columns]).tolist()
    means = [task.means(dict(zip(columns, row, strict=True))) for row in table]
    return {name: np.array([found[name] for found in means]) for name in means[0]}


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
    return _compared(base, [Results(before.name, own, before.items), after])


def _compared(base: str, results: Sequence[Results]) -> list[Compared]:
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
