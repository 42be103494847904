"""Reckon the hours of docs/scale.md from the speeds of ``results/settings.json``.

::

    hours = texts / (texts per second of one thread) / 3600

of one core; n cores take an n-th, if they do not slow each other down. Start-up and reading are left out.
"""

from __future__ import annotations

from pathlib import Path

from results_tables import SETTINGS, read_rows

TEXTS = 5_000_000
SPEEDS = "speed, one thread"


def hours_block(folder: Path) -> str:
    """Return the table of hours, a line per setting; empty if nothing was measured.

    Raises:
        ResultsError: ``settings.json`` is malformed.
    """
    file = folder / SETTINGS
    if not file.is_file():
        return ""
    lines = [["setting", "hours"], ["---", "--:"]]
    for row in read_rows(file):
        if row.task == SPEEDS:
            lines.append([f"`{row.encoder}`", _hours(TEXTS / row.value / 3600)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _hours(value: float) -> str:
    """Return hours with two digits that count.

    Example:
        >>> _hours(149.2), _hours(9.97), _hours(4.66), _hours(0.0123), _hours(0.004)
        ('149', '10', '4.7', '0.01', '< 0.01')
    """
    if value < 0.005:
        return "< 0.01"
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"
