"""Rows as a terminal table and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.evaluate.run import Row
from amrx.evaluate.tasks import Task
from amrx.records import atomic_path

if TYPE_CHECKING:
    from rich.table import Table

Scores = Mapping[str, float]


def write_json(path: str | Path, rows: Sequence[Row]) -> None:
    """Write a list of objects ``{"encoder", "task", "language", "metric", "value", "n"}``.

    Raises:
        OutputError: The file cannot be written.
    """
    with atomic_path(path) as temporary:
        text = json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", "utf-8")


def means(task: Task, scores: Scores) -> dict[str, float]:
    """Return the mean over monolingual and over cross-lingual tracks, each where there is a track.

    Args:
        task: Tells which track is which.
        scores: Value of each language of the task.

    Example:
        >>> from amrx.evaluate.tasks import STS17
        >>> means(STS17, {"en-en": 80.0, "es-es": 70.0, "en-de": 60.0})
        {'monolingual mean': 75.0, 'cross-lingual mean': 60.0}
    """
    found = {}
    for name, wanted in (("monolingual mean", True), ("cross-lingual mean", False)):
        values = [
            scores[track.language]
            for track in task.tracks
            if track.monolingual is wanted and track.language in scores
        ]
        if values:
            found[name] = sum(values) / len(values)
    return found


def table(task: Task, rows: Sequence[Row]) -> Table:
    """Return a table of one task: a line a track, a column an encoder, with its difference to the first one.

    The metric is the task's first one.
    """
    from rich.table import Table

    by_encoder: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.task == task.name and row.metric == task.metrics[0]:
            by_encoder.setdefault(row.encoder, {})[row.language] = row.value
    drawn = Table(title=f"{task.name}, {task.metrics[0]}")
    drawn.add_column("")
    for name in by_encoder:
        drawn.add_column(name, justify="right")
    there = {language for scores in by_encoder.values() for language in scores}
    languages = [track.language for track in task.tracks if track.language in there]
    for language in languages:
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
        numbers = (("monolingual", row.monolingual), ("cross-lingual", row.crosslingual))
        told = ", ".join(f"{name} {value:.2f}" for name, value in numbers if value is not None)
        lines.append(f"{row.encoder}: {told} ({row.source})")
    return lines
