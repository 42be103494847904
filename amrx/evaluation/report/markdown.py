"""Rows as Markdown tables, language by language, as papers print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row
from amrx.evaluation.tasks.task import Task, published_of

WIDEST = 20
"""Columns of numbers that a table of a line an encoder may have; a wider one is turned round."""


def markdown_tables(task: Task, rows: Sequence[Row]) -> list[str]:
    """Return a table, its heading first, for each metric that the task shows and that has rows.

    A line an encoder, the published ones first (of those, the means that are over the same languages); a
    column each mean, then each language. Where that is more than `WIDEST` columns, a line each of these and a
    column an encoder. What is not there is a dash.

    Args:
        task: Whose rows are drawn.
        rows: Of any tasks; languages and encoders stand in the order of the rows.
    """
    found = []
    for metric in task.shown:
        scores: dict[str, dict[str, float]] = {}
        for row in rows:
            if (row.task, row.metric) == (task.name, metric):
                scores.setdefault(row.encoder, {})[row.language] = row.value
        if scores:
            found.append(f"### {task.name}, {metric}\n\n{_grid(task, scores, published_of(task, metric))}")
    return found


def _grid(task: Task, scores: Mapping[str, Mapping[str, float]], published: Sequence[Published]) -> str:
    summed = {name: task.means(own) for name, own in scores.items()}
    means = list(dict.fromkeys(name for own in summed.values() for name in own))
    heads = [*means, *dict.fromkeys(language for own in scores.values() for language in own)]
    lines: dict[str, Mapping[str, float]] = {}
    for known in published:
        if told := known.in_columns(means):
            lines[f"{known.encoder} ({known.source})"] = told
    lines |= {name: {**own, **summed[name]} for name, own in scores.items()}
    cells = [["", *heads]]
    for name, values in lines.items():
        cells.append([name, *(f"{values[head]:.2f}" if head in values else "–" for head in heads)])
    if len(heads) > WIDEST:
        cells = [list(column) for column in zip(*cells, strict=True)]
    cells.insert(1, ["---", *["--:"] * (len(cells[0]) - 1)])
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
