"""Languages in a plane: one metric of a task across, another one up, a dot a language and encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from amrx.evaluate.geometry.flores import INVARIANCE, ISOTROPY
from amrx.evaluate.page.charts import SERIES
from amrx.evaluate.page.sheet import Sheet
from amrx.visible import markup

AXES = ((INVARIANCE, ISOTROPY),)
"""Pairs of metrics that are drawn where a task has both."""

_HEIGHT, _TOP, _BOTTOM = 380, 14, 40  # pixels
_LEFT, _WIDTH = 9.0, 84.0  # per cent


def planes(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return a picture for each task with both metrics of a pair in ``AXES``, by the task's name."""
    found = {(sheet.task, sheet.metric): sheet for sheet in sheets}
    return {
        task: plane(found[task, across], found[task, up])
        for across, up in AXES
        for task, metric in found
        if metric == across and (task, up) in found
    }


def plane(across: Sheet, up: Sheet) -> str:
    """Return the picture: up from 0, across by the logarithm where all is above 0.

    KL is many times larger for some languages: on a linear axis all others fall on one spot.
    """
    keys = [(name, code) for name in across.encoders for code in across.languages]
    dots = [
        (name, code, across.cells[name, code].value, up.cells[name, code].value)
        for name, code in keys
        if (name, code) in across.cells and (name, code) in up.cells
    ]
    least, most, place_of = _axis([dot[2] for dot in dots])
    top = max(dot[3] for dot in dots) or 1.0
    low = _HEIGHT - _BOTTOM
    told = f"{across.metric}; logarithmic" if least > 0 else across.metric
    parts = [
        f'<line class="zero" x1="{_LEFT}%" x2="{_LEFT + _WIDTH}%" y1="{low}" y2="{low}"/>'
        f'<line class="zero" x1="{_LEFT}%" x2="{_LEFT}%" y1="{_TOP}" y2="{low}"/>'
        f'<text x="{_LEFT - 1}%" y="{_TOP + 8}">{top:.3g}</text><text x="{_LEFT - 1}%" y="{low}">0</text>'
        f'<text class="number" x="{_LEFT}%" y="{low + 15}">{least:.3g}</text>'
        f'<text x="{_LEFT + _WIDTH}%" y="{low + 15}">{most:.3g}</text>'
        f'<text x="{_LEFT + _WIDTH}%" y="{low + 32}">{markup(told)}</text>'
        f'<text class="number" x="{_LEFT}%" dx="6" y="{_TOP}">{markup(up.metric)}</text>'
    ]
    for name, code, x, y in dots:
        place = across.encoders.index(name) % SERIES
        left, down = _LEFT + _WIDTH * place_of(x), low - (low - _TOP - 14) * y / top
        title = markup(f"{code}, {name}: {x:.2f}, {y:.2f}")
        inward = 'number" dx="5"' if place_of(x) < 0.5 else 'number before" dx="-5"'  # the edge cuts no code
        parts.append(
            f'<g class="s{place}"><title>{title}</title>'
            f'<circle cx="{left:.2f}%" cy="{down:.1f}" r="3.5"/></g>'
            f'<text class="{inward} x="{left:.2f}%" y="{down + 4:.1f}">{markup(code)}</text>'
        )
    return (
        f'<svg class="chart" role="img" width="100%" height="{_HEIGHT}">'
        f"<title>{markup(across.task)}</title>{''.join(parts)}</svg>"
    )


def _axis(values: Sequence[float]) -> tuple[float, float, Callable[[float], float]]:
    """Return the ends of the axis, and how much of the way a value stands: from 0, or by its logarithm."""
    least, most = min(values), max(values)
    if least <= 0 or least == most:
        return 0.0, most or 1.0, lambda value: value / (most or 1.0)
    return least, most, lambda value: math.log(value / least) / math.log(most / least)
