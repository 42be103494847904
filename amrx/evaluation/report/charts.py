"""Draw bars of values and whiskers of differences as SVG; horizontal positions are in per cent."""

from collections.abc import Sequence
from textwrap import wrap

from amrx.control_characters import markup
from amrx.evaluation.report.page_tables import Sheet

SERIES = 6
"""Number of colours of the style sheet; a seventh encoder repeats the first one."""

_LEFT, _WIDTH = 1.0, 78.0  # per cent; leaves room for values right of a bar, also on a narrow screen
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
        return _LEFT + _WIDTH * (value - self._low) / self._span


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
