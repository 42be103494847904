"""Compute the tables of a page: values, means, and differences to the base, per task and metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from amrx.evaluation.metrics import Floats
from amrx.evaluation.results.bootstrap import Interval, interval, resampled
from amrx.evaluation.results.compare import Compared, check_same, check_values
from amrx.evaluation.results.files import read_clouds
from amrx.evaluation.results.items import Key, items_path, key_of, read_items, read_rows
from amrx.evaluation.results.rows import Cloud, Items, Row, distinct
from amrx.evaluation.tasks.catalogue import TASKS
from amrx.evaluation.tasks.summary_tables import Summary
from amrx.evaluation.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of one run, with items and clouds."""

    name: str
    rows: Sequence[Row]
    items: Mapping[Key, Items]
    clouds: Mapping[Key, Sequence[Cloud]] = field(default_factory=dict)


def read_results(path: Path) -> Results:
    """Read the rows of a JSON file, and its items and clouds if they exist."""
    rows = read_rows(path)
    items = read_items(path) if items_path(path).is_file() else {}
    check_values(rows, items, path)
    return Results(str(path), rows, items, read_clouds(path))


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, and its difference to the base with an interval."""

    value: float  # on the scale of the metric
    # difference to the base; ``None`` for the base, or if the base has no such value
    difference: float | None = None
    interval: Interval | None = None  # ``None`` if values have no items

    @property
    def significant(self) -> bool:
        """Whether the interval of the difference excludes 0."""
        return self.interval is not None and self.interval.significant


MANY = 16
"""Maximum number of languages in a table; with more it shows only means."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The table of one task and metric."""

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
        """Whether the task shows this metric."""
        return self.known is None or self.metric in self.known.shown

    @property
    def columns(self) -> tuple[str, ...]:
        """The means, then the languages unless there are many."""
        return self.means if len(self.languages) > MANY and self.means else (*self.means, *self.languages)


def joined(results: Sequence[Results]) -> Results:
    """Join runs; an encoder whose rows contradict those of an earlier run gets the name of its run appended.

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
        conflicts = {row.encoder for row in run.rows if rows.get(key_of(row), row) != row}
        for row in run.rows:
            label = f"{row.encoder} ({run.name})" if row.encoder in conflicts else row.encoder
            named = row._replace(encoder=label)
            rows.setdefault(key_of(named), named)
            if key_of(row) in run.items:
                items.setdefault(key_of(named), run.items[key_of(row)])
            if key_of(row) in run.clouds:
                clouds.setdefault(key_of(named), run.clouds[key_of(row)])
    return Results(", ".join(run.name for run in results), list(rows.values()), items, clouds)


def sheets(results: Sequence[Results]) -> list[Sheet]:
    """Return one sheet per task and metric; the base is the first encoder of the first run."""
    run = joined(results)
    known = {task.name: task for task in TASKS}
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in run.rows:
        groups.setdefault((row.task, row.metric), []).append(row)
    differences = Resampled(run)
    return [_sheet(rows, differences, known.get(task)) for (task, _), rows in groups.items()]


@dataclass(frozen=True, slots=True)
class Resampled:
    """The resampled differences between encoders of a run, each computed once."""

    run: Results
    cache: dict[tuple[Key, Key], Floats] = field(default_factory=dict)

    def differences(self, rows: Sequence[Row], base: str, name: str) -> dict[tuple[str, str], Floats]:
        """Return the differences of an encoder to the base, by language and metric, where both have items."""
        items, differences = self.run.items, {}
        for key in (key_of(row) for row in rows if row.encoder == name):
            base_key = (base, *key[1:])
            if key not in items or base_key not in items:
                continue
            if (base_key, key) not in self.cache:
                check_same(items[base_key], items[key], key, self.run.name)
                self.cache[base_key, key] = resampled(items[base_key], items[key], key[-1])
            differences[key[2:]] = self.cache[base_key, key]
        return differences

    def of_summary(self, summary: Summary, base: str, name: str) -> dict[str, Floats]:
        """Return the differences of the columns of a summary whose rows all have items for both encoders.

        A column is a mean of rows, so its difference is the same mean of the rows' differences.
        """
        by_column = {}
        tasks = {task.name: task for task in summary.tasks}
        for piece in summary.pieces:
            rows = [
                row
                for row in self.run.rows
                if row.task == piece.task and row.metric.startswith(piece.metrics)
            ]
            draws = self.differences(rows, base, name)
            both = [{key_of(row)[2:] for row in rows if row.encoder == encoder} for encoder in (base, name)]
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
                by_column[columns[0].language] = np.array([row.value for row in columns if row is not None])
        return by_column


def _sheet(rows: Sequence[Row], differences: Resampled, task: Task | None) -> Sheet:
    run = differences.run
    encoders = tuple(dict.fromkeys(row.encoder for row in rows))
    languages = tuple(dict.fromkeys(row.language for row in rows))
    values = {name: {row.language: row.value for row in rows if row.encoder == name} for name in encoders}
    totals = {name: {} if task is None else task.means(values[name]) for name in encoders}
    cells: dict[tuple[str, str], Cell] = {}
    base = run.rows[0].encoder if run.rows[0].encoder in encoders else encoders[0]
    for name in encoders:
        draws = {} if name == base else _draws(rows, differences, task, base, name)
        own = {**totals[name], **values[name]}
        same = set(values[name]) == set(values[base])  # means over different languages are not comparable
        before = {} if name == base else {**(totals[base] if same else {}), **values[base]}
        mean_draws = _mean_draws(task, draws, set(values[name]) & set(values[base]))
        for column, value in own.items():
            difference = value - before[column] if column in before else None
            samples = {**mean_draws, **draws}.get(column)
            spread = None if samples is None or difference is None else interval(difference, samples)
            cells[name, column] = Cell(value, difference, spread)
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


def _draws(
    rows: Sequence[Row], differences: Resampled, task: Task | None, base: str, name: str
) -> dict[str, Floats]:
    """Return the resampled differences to the base of each column for which both have items."""
    if isinstance(task, Summary):
        return differences.of_summary(task, base, name)
    by_key = differences.differences(rows, base, name)
    return {language: samples for (language, _), samples in by_key.items()}


def _mean_draws(task: Task | None, draws: Mapping[str, Floats], languages: set[str]) -> dict[str, Floats]:
    """Return the resampled differences of each mean if all of its languages have some."""
    if task is None or not draws or set(draws) != languages:
        return {}
    columns = list(draws)
    table = np.column_stack([draws[name] for name in columns]).tolist()
    means = [task.means(dict(zip(columns, row, strict=True))) for row in table]
    return {name: np.array([mean[name] for mean in means]) for name in means[0]}


def compare_means(first: Path, second: Path, encoder: str | None = None) -> list[Compared]:
    """Compare the means of the second file's encoders with those of one encoder of the first.

    A mean is compared if both encoders have the same languages, with items of each. A sample of it is the
    mean over the samples of the languages.
    """
    before, after = read_results(first), read_results(second)
    base = encoder if encoder is not None else before.rows[0].encoder
    own = [row for row in before.rows if row.encoder == base]
    return _compared(base, [Results(before.name, own, before.items), after])


def _compared(base: str, results: Sequence[Results]) -> list[Compared]:
    compared = []
    for sheet in sheets(results):
        if sheet.encoders[0] != base:
            continue
        for mean in sheet.means:
            for name in sheet.encoders[1:]:
                cell, against = sheet.cells.get((name, mean)), sheet.cells.get((base, mean))
                if cell is not None and against is not None and cell.interval is not None:
                    values = against.value, cell.value
                    compared.append(
                        Compared(sheet.task, mean, sheet.metric, base, name, *values, cell.interval)
                    )
    return compared
