"""The page itself: tables in the layout of the paper, an encoder a line, and charts below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from amrx import __version__
from amrx.evaluate.bootstrap import SAMPLES
from amrx.evaluate.clouds import Cloud
from amrx.evaluate.items import Key
from amrx.evaluate.page.charts import bars, legend, whiskers
from amrx.evaluate.page.plane import planes
from amrx.evaluate.page.scatter import clouds_section
from amrx.evaluate.page.sheet import Cell, Sheet
from amrx.evaluate.page.style import CSS
from amrx.evaluate.published import Published, published_of
from amrx.visible import markup

MANY = 16
"""With more languages than these, a table shows the means, and the languages are folded away."""


def page(
    sheets: Sequence[Sheet],
    *,
    source: str,
    notes: Sequence[str] = (),
    clouds: Mapping[Key, Sequence[Cloud]] = MappingProxyType({}),
) -> str:
    """Return a whole HTML page.

    Args:
        sheets: What to show.
        source: Where the numbers come from, a line.
        notes: More lines for the top, such as what was skipped.
        clouds: Maps of vectors.
    """
    shown = [sheet for sheet in sheets if sheet.shown]
    rest = [sheet for sheet in sheets if not sheet.shown]
    body = [
        "<h1>amrx eval</h1>",
        _note(f"{source} · amrx {__version__}"),
        _note(
            "Differences are to the first encoder of a table. * marks those whose 95 % interval leaves 0 "
            f"out, by paired bootstrap over the items, {SAMPLES:,} samples. Each interval is a test of its "
            "own: of twenty differences that are truly 0, one is expected to get a star."
        ),
        _folded(f"what is missing: {len(notes)} notes", "".join(map(_note, notes))) if notes else "",
        *(_section(sheet) for sheet in shown),
        *(_plane(task, picture, sheets) for task, picture in planes(sheets).items()),
        clouds_section(clouds),
    ]
    if rest:
        body.append(_folded("other metrics", "".join(_section(sheet) for sheet in rest)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>amrx eval</title><style>{CSS}</style></head>\n"
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _note(text: str) -> str:
    return f'<p class="note">{markup(text)}</p>'


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{markup(title)}</summary>{inside}</details>\n"


def _section(sheet: Sheet) -> str:
    many = len(sheet.languages) > MANY
    columns = sheet.means if many and sheet.means else (*sheet.means, *sheet.languages)
    every = (*sheet.means, *sheet.languages)
    charts = _charts(sheet, every)
    published, below = _published(sheet, columns)
    told = [] if sheet.known is None else [sheet.known.note]
    return (
        f"<section><h2>{markup(sheet.task)}</h2><h3>{markup(sheet.metric)}</h3>"
        f"{_table(sheet, columns, published)}{''.join(map(_note, [*told, *below]))}"
        f"{_folded(f'charts, {len(sheet.languages)} languages', charts) if many else charts}"
        f"{_folded('every value, difference, interval and p', _long_table(sheet, every))}</section>\n"
    )


def _plane(task: str, picture: str, sheets: Sequence[Sheet]) -> str:
    encoders = next(sheet.encoders for sheet in sheets if sheet.task == task)
    caption = f"{task}: each language by its distance from the other ones and by its isotropy"
    return f"{legend(encoders)}<figure><figcaption>{markup(caption)}</figcaption>{picture}</figure>"


def _charts(sheet: Sheet, columns: Sequence[str]) -> str:
    differences = whiskers(sheet, columns)
    figures = [f"<figure><figcaption>{markup(sheet.metric)}</figcaption>{bars(sheet, columns)}</figure>"]
    if differences:
        caption = f"difference to {sheet.encoders[0]}, 95 % interval"
        figures.append(f"<figure><figcaption>{markup(caption)}</figcaption>{differences}</figure>")
    return f'{legend(sheet.encoders)}<div class="charts">{"".join(figures)}</div>'


def _table(sheet: Sheet, columns: Sequence[str], published: Sequence[str]) -> str:
    rows = []
    for name in sheet.encoders:
        cells = (_cell(sheet.cells.get((name, column)), column in sheet.means) for column in columns)
        rows.append(f'<tr><th scope="row">{markup(name)}</th>{"".join(cells)}</tr>')
    return _grid(["", *columns], [*published, *rows])


def _grid(header: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{markup(name)}</th>' for name in header)
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(cell: Cell | None, mean: bool) -> str:
    if cell is None:
        return "<td>–</td>"
    real = cell.interval is not None and cell.interval.real
    classes = " ".join(name for name, there in (("mean", mean), ("real", real)) if there)
    below = ""
    if cell.difference is not None:
        below = f"<small>{cell.difference:+.2f}{'*' if real else ''}</small>"
        if mean and cell.interval is not None:
            told = f"{cell.interval.low:+.2f} to {cell.interval.high:+.2f}, p {cell.interval.p:.3f}"
            below += f"<small>{told}</small>"
    return f'<td class="{classes}">{cell.value:.2f}{below}</td>'


def _long_table(sheet: Sheet, columns: Sequence[str]) -> str:
    rows = []
    for column in columns:
        for name in sheet.encoders:
            if (cell := sheet.cells.get((name, column))) is None:
                continue
            told = cell.interval
            cells = (
                name,
                str(sheet.counts.get(column, "")),
                f"{cell.value:.2f}",
                "" if cell.difference is None else f"{cell.difference:+.2f}",
                "" if told is None else f"{told.low:+.2f} to {told.high:+.2f}",
                "" if told is None else f"{told.p:.3f}",
            )
            inside = "".join(f"<td>{markup(text)}</td>" for text in cells)
            rows.append(f'<tr><th scope="row">{markup(column)}</th>{inside}</tr>')
    return _grid(("", "encoder", "n", "value", "difference", "95 % interval", "p"), rows)


def _published(sheet: Sheet, columns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the published rows that fit the columns, and lines for the numbers that fit none for certain."""
    rows: list[str] = []
    left: dict[str, list[str]] = {}
    for row in () if sheet.known is None else published_of(sheet.known, sheet.metric):
        values = row.in_columns(columns)
        if values:
            cells = "".join(
                f"<td>{values[column]:.2f}</td>" if column in values else "<td>–</td>" for column in columns
            )
            rows.append(f'<tr class="published"><th scope="row">{markup(_cited(row))}</th>{cells}</tr>')
        for why, means in row.unplaced(columns).items():
            left.setdefault(why, []).append(f"{_cited(row)} {means}")
    return rows, [f"in no column, because {why}: {'; '.join(found)}" for why, found in left.items()]


def _cited(row: Published) -> str:
    return f"{row.encoder} ({row.source})"
