"""Reckon the hours of docs/scale.md from the speeds of ``results/settings.json``.

::

    hours = texts / (texts per second of one thread * cores) / 3600

The law assumes that cores do not slow each other down; start-up and reading are left out.
"""

from __future__ import annotations

from pathlib import Path

from results_tables import SETTINGS, read_rows

TEXTS = 5_000_000
CORES = (1, 2, 8, 32, 128)
SPEEDS = "speed, one thread"
ARITHMETIC = {
    SPEEDS: "bfloat16 (AMX)", f"{SPEEDS}, amx_bf16": "bfloat16 (AMX)",
    f"{SPEEDS}, avx512_bf16": "bfloat16 (AVX-512)", f"{SPEEDS}, float32": "float32",
}  # fmt: skip
"""Arithmetic of a task of ``settings.json``; those that were not measured have no lines."""


def hours_block(folder: Path) -> str:
    """Return the table of hours, one line per preset and arithmetic; empty if nothing was measured.

    Raises:
        ResultsError: ``settings.json`` is malformed.
    """
    file = folder / SETTINGS
    if not file.is_file():
        return ""
    rates: dict[tuple[str, str], float] = {}
    for row in read_rows(file):
        if row.task in ARITHMETIC:
            rates[row.encoder, ARITHMETIC[row.task]] = row.value
    shown = dict.fromkeys(ARITHMETIC.values())
    order = [(name, one) for name in dict.fromkeys(name for name, _ in rates) for one in shown]
    cores = [f"{number} core{'s' * (number > 1)}" for number in CORES]
    lines = [["setting", "arithmetic", *cores], ["---", "---"] + ["--:"] * len(CORES)]
    for key in order:
        if key in rates:
            hours = (TEXTS / (rates[key] * number) / 3600 for number in CORES)
            lines.append([f"`{key[0]}`", key[1], *map(_hours, hours)])
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
