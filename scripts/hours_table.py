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
ARITHMETIC = {
    SPEEDS: "bfloat16 (AMX)", f"{SPEEDS}, amx_bf16": "bfloat16 (AMX)",
    f"{SPEEDS}, avx512_bf16": "bfloat16 (AVX-512)", f"{SPEEDS}, float32": "float32",
}  # fmt: skip
"""Arithmetic of a task of ``settings.json``; those that were not measured have no cells."""


def hours_block(folder: Path) -> str:
    """Return the table of hours, a line per preset, a column per arithmetic; empty if nothing was measured.

    Raises:
        ResultsError: ``settings.json`` is malformed.
    """
    file = folder / SETTINGS
    if not file.is_file():
        return ""
    rates: dict[str, dict[str, float]] = {}
    for row in read_rows(file):
        if row.task in ARITHMETIC:
            rates.setdefault(row.encoder, {})[ARITHMETIC[row.task]] = row.value
    kinds = [one for one in dict.fromkeys(ARITHMETIC.values()) if any(one in rate for rate in rates.values())]
    lines = [["setting", *kinds], ["---"] + ["--:"] * len(kinds)]
    for name, rate in rates.items():
        cells = [_hours(TEXTS / rate[one] / 3600) if one in rate else "–" for one in kinds]
        lines.append([f"`{name}`", *cells])
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
