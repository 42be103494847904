"""Write the HTML page: tables in the layout of papers, one line per encoder, with charts below.

The charts are bars of values and whiskers of differences, in SVG; horizontal positions are in per cent.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType

from amrx import __version__
from amrx.control_characters import markup
from amrx.evaluation.report.page_tables import MANY, Cell, Sheet
from amrx.evaluation.results.bootstrap import SAMPLES
from amrx.evaluation.results.items import Key
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Cloud
from amrx.evaluation.tasks.geometry.flores import INVARIANCE, ISOTROPY
from amrx.evaluation.tasks.task import published_of

SERIES = 6
"""Number of colours of the style sheet; a seventh encoder repeats the first one."""

_BAR_LEFT, _BAR_WIDTH = 1.0, 78.0  # per cent; leaves room for values right of a bar, also on a narrow screen
_BAR, _LINE, _GAP = 13, 16, 6  # pixels
_NAME = 38  # characters per line of a name, as many as fit a narrow screen


def legend(encoders: Sequence[str]) -> str:
    """Return the names of encoders with their colours."""
    keys = (
        f'<span><i class="s{index % SERIES}"></i>{markup(name)}</span>' for index, name in enumerate(encoders)
    )
    return f'<p class="legend">{"".join(keys)}</p>'


def bars(sheet: Sheet, columns: Sequence[str]) -> str:
    """Return one group of bars per column, one bar per encoder; the scale includes 0, and 100 if above 50."""
    values = [cell.value for (_, column), cell in sheet.cells.items() if column in columns]
    low, high = min(0.0, *values), max(0.0, *values)
    high = 100.0 if 50 < high <= 100 else high
    scale = _Scale(low, high)
    rows = _Rows(scale)
    for column in columns:
        present = [name for name in sheet.encoders if (name, column) in sheet.cells]
        rows.name(column, len(present))
        for name in present:
            value, colour = sheet.cells[name, column].value, sheet.encoders.index(name) % SERIES
            start, end = scale.of(min(0.0, value)), scale.of(max(0.0, value))
            title = f"{column}, {name}: {value:.2f}"
            rows.add(
                f'<rect class="s{colour}" x="{start:.2f}%" y="{rows.y}" width="{end - start:.2f}%" '
                f'height="{_BAR - 2}"><title>{markup(title)}</title></rect>'
                f'<text class="number" x="{end:.2f}%" dx="5" y="{rows.y + _BAR - 3}">{value:.2f}</text>'
            )
    return rows.svg(f"{sheet.task}, {sheet.metric}")


def whiskers(sheet: Sheet, columns: Sequence[str]) -> str:
    """Return the difference of each encoder to the base with its interval; empty if there is none."""
    others = sheet.encoders[1:]
    intervals = {
        (name, column): cell.interval
        for (name, column), cell in sheet.cells.items()
        if column in columns and cell.interval is not None
    }
    if not intervals:
        return ""
    ends = [end for each in intervals.values() for end in (each.low, each.high, each.difference)]
    scale = _Scale(min(0.0, *ends), max(0.0, *ends))
    rows = _Rows(scale)
    for column in columns:
        present = [name for name in others if (name, column) in intervals]
        if not present:
            continue
        rows.name(column, len(present))
        for name in present:
            diff, colour = intervals[name, column], sheet.encoders.index(name) % SERIES
            y = rows.y + _BAR / 2
            title = f"{column}, {name}: {diff.difference:+.2f}, {diff.low:+.2f} to {diff.high:+.2f}"
            rows.add(
                f'<g class="s{colour}{"" if diff.significant else " unsure"}"><title>{markup(title)}</title>'
                f'<line x1="{scale.of(diff.low):.2f}%" x2="{scale.of(diff.high):.2f}%" y1="{y}" y2="{y}"/>'
                f'<circle cx="{scale.of(diff.difference):.2f}%" cy="{y}" r="4"/></g>'
                f'<text class="number" x="{scale.of(max(diff.high, diff.difference, 0.0)):.2f}%" dx="7" '
                f'y="{y + 4}">{diff.difference:+.2f}{"*" if diff.significant else ""}</text>'
            )
    return rows.svg(f"{sheet.task}, {sheet.metric}: difference to {sheet.encoders[0]}")


class _Scale:
    """Map values to per cent of the width."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, (high - low) or 1.0

    def of(self, value: float) -> float:
        return _BAR_LEFT + _BAR_WIDTH * (value - self._low) / self._span


class _Rows:
    """Rows of a chart, top to bottom."""

    def __init__(self, scale: _Scale) -> None:
        self._parts: list[str] = []
        self._zero = f"{scale.of(0.0):.2f}%"
        self.y = 2

    def name(self, column: str, count: int) -> None:
        """Start a group of ``count`` rows: its name, and the zero line below, which crosses no name."""
        self.y += _GAP if self._parts else 0
        for line in wrap(column, _NAME, break_on_hyphens=False):
            self.y += _LINE
            self._parts.append(f'<text class="name" x="0" y="{self.y - 4}">{markup(line)}</text>')
        ends = f'y1="{self.y}" y2="{self.y + count * _BAR}"'
        self._parts.append(f'<line class="zero" x1="{self._zero}" x2="{self._zero}" {ends}/>')

    def add(self, row: str) -> None:
        """Add the content of the current row and go to the next."""
        self._parts.append(row)
        self.y += _BAR

    def svg(self, title: str) -> str:
        """Return the chart."""
        return (
            f'<svg class="chart" role="img" width="100%" height="{self.y + 2}">'
            f"<title>{markup(title)}</title>{''.join(self._parts)}</svg>"
        )


MOST_NAMED = 16
"""Maximum number of groups in a legend; names of more groups are shown on hovering only."""

_SIZE, _EDGE = 300, 8
_TURN = 137.508  # degrees between the hues of consecutive groups: the golden angle, which never repeats


def clouds_section(clouds: Mapping[Key, Sequence[Cloud]]) -> str:
    """Return the clouds of every task, one line of pictures per encoder; empty if there are none."""
    tasks: dict[str, list[str]] = {}
    for (encoder, task, _, _), of_row in clouds.items():
        figures = "".join(_figure(encoder, cloud) for cloud in of_row)
        tasks.setdefault(task, []).append(
            f'<p class="legend">{markup(encoder)}</p><div class="charts clouds">{figures}</div>'
        )
    note = "t-SNE maps: only nearness is meaningful, not direction or the distance between clumps."
    return "".join(
        f'<section><h2>{markup(task)}</h2><h3>maps of the vectors</h3><p class="note">{note}</p>'
        f"{''.join(parts)}</section>\n"
        for task, parts in tasks.items()
    )


def _figure(encoder: str, cloud: Cloud) -> str:
    names = list(dict.fromkeys(cloud.groups))
    hues = {name: f"hsl({index * _TURN % 360:.0f} 62% 52%)" for index, name in enumerate(names)}
    keys = ""
    if 1 < len(names) <= MOST_NAMED:
        spans = (f'<span><i style="background:{hues[name]}"></i>{markup(name)}</span>' for name in names)
        keys = f'<p class="legend">{"".join(spans)}</p>'
    caption = f"{cloud.title}, {len(cloud.groups)} sentences"
    return f"<figure><figcaption>{markup(caption)}</figcaption>{_svg(encoder, cloud, hues)}{keys}</figure>"


def _svg(encoder: str, cloud: Cloud, hues: Mapping[str, str]) -> str:
    groups: dict[str, list[str]] = {name: [] for name in hues}
    for (x, y), name in zip(cloud.points.tolist(), cloud.groups, strict=True):
        across, down = (_EDGE + value * (_SIZE - 2 * _EDGE) for value in (x, 1 - y))
        groups[name].append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="2.6"/>')
    inside = "".join(
        f'<g style="fill:{hues[name]}"><title>{markup(name)}</title>{"".join(dots)}</g>'
        for name, dots in groups.items()
    )
    title = markup(f"{cloud.title}, {encoder}")
    return f'<svg class="cloud" role="img" viewBox="0 0 {_SIZE} {_SIZE}"><title>{title}</title>{inside}</svg>'


_HEIGHT, _TOP, _BOTTOM = 380, 14, 40  # pixels
_LEFT, _WIDTH = 9.0, 84.0  # per cent


def planes(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return one picture per task that has invariance and isotropy, by the name of the task."""
    known = {(sheet.task, sheet.metric): sheet for sheet in sheets}
    return {
        task: plane(known[task, INVARIANCE], known[task, ISOTROPY])
        for task, metric in known
        if metric == INVARIANCE and (task, ISOTROPY) in known
    }


def plane(across: Sheet, up: Sheet) -> str:
    """Plot one metric against another: vertical from 0, horizontal on a log scale if all values are positive.

    KL is many times larger for some languages: on a linear scale all others would coincide.
    """
    keys = [(name, code) for name in across.encoders for code in across.languages]
    dots = [
        (name, code, across.cells[name, code].value, up.cells[name, code].value)
        for name, code in keys
        if (name, code) in across.cells and (name, code) in up.cells
    ]
    least, most, position = _axis([dot[2] for dot in dots])
    top = max(dot[3] for dot in dots) or 1.0
    low = _HEIGHT - _BOTTOM
    label = f"{across.metric}; logarithmic" if least > 0 else across.metric
    parts = [
        f'<line class="zero" x1="{_LEFT}%" x2="{_LEFT + _WIDTH}%" y1="{low}" y2="{low}"/>'
        f'<line class="zero" x1="{_LEFT}%" x2="{_LEFT}%" y1="{_TOP}" y2="{low}"/>'
        f'<text x="{_LEFT - 1}%" y="{_TOP + 8}">{top:.3g}</text><text x="{_LEFT - 1}%" y="{low}">0</text>'
        f'<text class="number" x="{_LEFT}%" y="{low + 15}">{least:.3g}</text>'
        f'<text x="{_LEFT + _WIDTH}%" y="{low + 15}">{most:.3g}</text>'
        f'<text x="{_LEFT + _WIDTH}%" y="{low + 32}">{markup(label)}</text>'
        f'<text class="number" x="{_LEFT}%" dx="6" y="{_TOP}">{markup(up.metric)}</text>'
    ]
    for name, code, x, y in dots:
        colour = across.encoders.index(name) % SERIES
        left, down = _LEFT + _WIDTH * position(x), low - (low - _TOP - 14) * y / top
        title = markup(f"{code}, {name}: {x:.2f}, {y:.2f}")
        inward = 'number" dx="5"' if position(x) < 0.5 else 'number before" dx="-5"'  # no code is cut off
        parts.append(
            f'<g class="s{colour}"><title>{title}</title>'
            f'<circle cx="{left:.2f}%" cy="{down:.1f}" r="3.5"/></g>'
            f'<text class="{inward} x="{left:.2f}%" y="{down + 4:.1f}">{markup(code)}</text>'
        )
    return (
        f'<svg class="chart" role="img" width="100%" height="{_HEIGHT}">'
        f"<title>{markup(across.task)}</title>{''.join(parts)}</svg>"
    )


def _axis(values: Sequence[float]) -> tuple[float, float, Callable[[float], float]]:
    """Return the ends of the axis and the function from a value to its position, 0-1, linear or log."""
    least, most = min(values), max(values)
    if least <= 0 or least == most:
        return 0.0, most or 1.0, lambda value: value / (most or 1.0)
    return least, most, lambda value: math.log(value / least) / math.log(most / least)


CSS = "\n" + Path(__file__).with_name("page.css").read_text("utf-8")


def page(
    sheets: Sequence[Sheet],
    *,
    source: str,
    notes: Sequence[str] = (),
    clouds: Mapping[Key, Sequence[Cloud]] = MappingProxyType({}),
) -> str:
    """Return the HTML page."""
    shown = [sheet for sheet in sheets if sheet.shown]
    rest = [sheet for sheet in sheets if not sheet.shown]
    body = [
        "<h1>amrx eval</h1>",
        _note(f"{source} · amrx {__version__}"),
        _note(
            "Differences are to the first encoder of a table. * marks differences whose 95 % interval "
            f"excludes 0 (paired bootstrap over items, {SAMPLES:,} samples). Each interval is a separate "
            "test: of twenty differences that are truly 0, one is expected to have a star."
        ),
        _folded(
            f"what is missing: {len(notes)} {'note' if len(notes) == 1 else 'notes'}",
            "".join(map(_note, notes)),
        )
        if notes
        else "",
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
    many, columns = len(sheet.languages) > MANY, sheet.columns
    every = (*sheet.means, *sheet.languages)
    charts = _charts(sheet, every)
    published, below = _published(sheet, columns)
    notes = [] if sheet.known is None else [sheet.known.note]
    return (
        f"<section><h2>{markup(sheet.task)}</h2><h3>{markup(sheet.metric)}</h3>"
        f"{_table(sheet, columns, published)}{''.join(map(_note, [*notes, *below]))}"
        f"{_folded(f'charts, {len(sheet.languages)} languages', charts) if many else charts}"
        f"{_folded('every value, difference, interval and p', _long_table(sheet, every))}</section>\n"
    )


def _plane(task: str, picture: str, sheets: Sequence[Sheet]) -> str:
    encoders = next(sheet.encoders for sheet in sheets if sheet.task == task)
    caption = f"{task}: distance of each language from the others, and its isotropy"
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
    classes = " ".join(name for name, holds in (("mean", mean), ("real", cell.significant)) if holds)
    below = ""
    if cell.difference is not None:
        below = f"<small>{cell.difference:+.2f}{'*' * cell.significant}</small>"
        if mean and cell.interval is not None:
            interval = f"{cell.interval.low:+.2f} to {cell.interval.high:+.2f}, p {cell.interval.p_text}"
            below += f"<small>{interval}</small>"
    return f'<td class="{classes}">{cell.value:.2f}{below}</td>'


def _long_table(sheet: Sheet, columns: Sequence[str]) -> str:
    rows = []
    for column in columns:
        for name in sheet.encoders:
            if (cell := sheet.cells.get((name, column))) is None:
                continue
            interval = cell.interval
            cells = (
                name,
                str(sheet.counts.get(column, "")),
                f"{cell.value:.2f}",
                "" if cell.difference is None else f"{cell.difference:+.2f}",
                "" if interval is None else f"{interval.low:+.2f} to {interval.high:+.2f}",
                "" if interval is None else interval.p_text,
            )
            inside = "".join(f"<td>{markup(text)}</td>" for text in cells)
            rows.append(f'<tr><th scope="row">{markup(column)}</th>{inside}</tr>')
    return _grid(("", "encoder", "n", "value", "difference", "95 % interval", "p"), rows)


def _published(sheet: Sheet, columns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return published rows that fit the columns, and messages about numbers whose column is not certain."""
    rows: list[str] = []
    unplaced: dict[str, list[str]] = {}
    for row in () if sheet.known is None else published_of(sheet.known, sheet.metric):
        values = row.in_columns(columns)
        if values:
            cells = "".join(
                f"<td>{values[column]:.2f}</td>" if column in values else "<td>–</td>" for column in columns
            )
            rows.append(f'<tr class="published"><th scope="row">{markup(_cited(row))}</th>{cells}</tr>')
        for why, means in row.unplaced(columns).items():
            unplaced.setdefault(why, []).append(f"{_cited(row)} {means}")
    return rows, [f"in no column, because {why}: {'; '.join(means)}" for why, means in unplaced.items()]


def _cited(row: Published) -> str:
    return f"{row.encoder} ({row.source})"
