r"""Write tables of results as text: Markdown, CSV and LaTeX.

::

    Sheet ──shown──> .md    ### sts17, spearman     | muse+mini | 81.50 (+1.50*) |
          ──shown──> .tex   \caption{sts17, ...}      muse+mini & 81.50 (+1.50*) \\
          ──every──> .csv   encoder,task,metric,column,n,value,difference,low,high,p

Columns are those of the page: the means, then the languages unless there are many.
"""

import csv
import io
from collections.abc import Sequence

from amrx.control_characters import visible
from amrx.evaluation.report.page_tables import Cell, Sheet
from amrx.evaluation.results.bootstrap import SAMPLES
from amrx.evaluation.tasks.task import published_of

STAR = f"* 95 % interval of the difference excludes 0: paired bootstrap over items, {SAMPLES:,} samples"
_HEADER = ("encoder", "task", "metric", "column", "n", "value", "difference", "low", "high", "p")
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$", "–": "--", "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def as_markdown(sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    """Return one table per sheet that its task shows, and the notes."""
    parts = [f"### {_title(sheet)}\n\n{markdown_grid(_cells(sheet))}" for sheet in sheets if sheet.shown]
    return "\n\n".join([*parts, *([STAR] if _starred(sheets) else []), *map(visible, notes)]) + "\n"


def as_latex(sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    """Return one floating table per sheet that its task shows; notes are comments."""
    parts = [f"% {visible(note)}" for note in ("needs \\usepackage{booktabs}", *notes)]
    for sheet in (sheet for sheet in sheets if sheet.shown):
        header, *rows = [" & ".join(map(latex, line)) + r" \\" for line in _cells(sheet)]
        star = f". {STAR}" if _starred([sheet]) else ""
        parts += [
            r"\begin{table}", r"\centering", rf"\caption{{{latex(_title(sheet) + star)}}}",
            rf"\begin{{tabular}}{{l{'r' * (header.count(' & '))}}}", r"\toprule", header, r"\midrule",
            *rows, r"\bottomrule", r"\end{tabular}", r"\end{table}",
        ]  # fmt: skip
    return "\n".join(parts) + "\n"


def as_csv(sheets: Sequence[Sheet], notes: Sequence[str]) -> str:
    """Return one line per value, including metrics that the task does not show."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(_HEADER)
    for sheet in sheets:
        for column in (*sheet.means, *sheet.languages):
            for name in sheet.encoders:
                if (cell := sheet.cells.get((name, column))) is not None:
                    values = (cell.value, cell.difference, *(cell.interval or [None] * 4)[1:])
                    count = sheet.counts.get(column, "")
                    table.writerow((name, sheet.task, sheet.metric, column, count, *values))
    return stream.getvalue()


def markdown_grid(cells: Sequence[Sequence[str]]) -> str:
    r"""Return lines of cells as a Markdown table; the first line is the header.

    Example:
        >>> print(markdown_grid([["", "mean"], ["a|b", "1.00"]]))
        |  | mean |
        | --- | --: |
        | a\|b | 1.00 |
    """
    rule = ["---", *["--:"] * (len(cells[0]) - 1)]
    lines = [[cell.replace("|", "\\|") for cell in line] for line in cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def latex(text: str) -> str:
    r"""Escape text for LaTeX.

    Example:
        >>> print(latex("xx→en, 95 % of a_b"))
        xx$\rightarrow$en, 95 \% of a\_b
    """
    return "".join(_LATEX.get(sign, sign) for sign in text)


def _title(sheet: Sheet) -> str:
    return visible(f"{sheet.task}, {sheet.metric}")


def _cells(sheet: Sheet) -> list[list[str]]:
    """Return the header, the published lines, and one line per encoder."""
    columns = sheet.columns
    lines = [["", *columns]]
    for row in () if sheet.known is None else published_of(sheet.known, sheet.metric):
        if values := row.in_columns(columns):
            numbers = [f"{values[column]:.2f}" if column in values else "–" for column in columns]
            lines.append([f"{row.encoder} ({row.source})", *numbers])
    lines += [
        [visible(name), *(_cell(sheet.cells.get((name, column))) for column in columns)]
        for name in sheet.encoders
    ]
    return lines


def _cell(cell: Cell | None) -> str:
    if cell is None or cell.difference is None:
        return "–" if cell is None else f"{cell.value:.2f}"
    return f"{cell.value:.2f} ({cell.difference:+.2f}{'*' * cell.significant})"


def _starred(sheets: Sequence[Sheet]) -> bool:
    return any(cell.significant for sheet in sheets if sheet.shown for cell in sheet.cells.values())
