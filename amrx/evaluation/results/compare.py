"""Which differences between results are real: rows of two files, paired by task, language and metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from amrx.control_characters import visible
from amrx.errors import InputError, OptionError
from amrx.evaluation.metrics import MEAN_PEARSON
from amrx.evaluation.results.bootstrap import Interval, paired_bootstrap, value_of
from amrx.evaluation.results.items import Key, items_path, key_of, read_items, read_rows
from amrx.evaluation.results.rows import Items, Row

if TYPE_CHECKING:
    from rich.table import Table

FEW = 3
"""So many rows that are not compared are named."""
HUNDREDTH = 0.01
"""Rows may be rounded as tables print them."""


class Compared(NamedTuple):
    """Two encoders on one metric of one language."""

    task: str
    language: str
    metric: str
    first: str
    second: str
    before: float
    after: float
    interval: Interval


class Comparison(NamedTuple):
    """Comparison of two files.

    Attributes:
        rows: A line for each encoder and metric that both have items of.
        left_out: Lines that name the rows which are not among them.
    """

    rows: list[Compared]
    left_out: list[str]


def compare_files(first: str | Path, second: str | Path, encoder: str | None = None) -> Comparison:
    """Compare every encoder of the second file with one of the first, wherever both have items.

    Rows of one encoder, in both files the same, tell nothing and are left out.

    Args:
        first: JSON file of rows, with its items beside it.
        second: Another, or the same; an encoder is not compared with its own row.
        encoder: Name in the first file; by default its first one.

    Raises:
        InputError: A file is missing or malformed, or the items of a row are not its own or not of the same
            things.
        OptionError: The first file has no such encoder, or the files have no row in common.
    """
    before, items_before = _read(first)
    after, items_after = _read(second)
    base = _base(before, encoder, first)
    if Path(first).resolve() == Path(second).resolve():
        after = [row for row in after if row.encoder != base]
    known = {key_of(row)[1:]: row for row in before if row.encoder == base}
    found: list[Compared] = []
    alone, bare, same = [], [], []
    for row in after:
        here, there = key_of(row), (base, *key_of(row)[1:])
        if here[1:] not in known:
            alone.append(row)
        elif here not in items_after or there not in items_before:
            bare.append(row)
        elif here == there and np.array_equal(items_before[here], items_after[here]):
            same.append(row)
        else:
            a, b = items_before[there], items_after[here]
            check_same(a, b, here, second)
            values = known[here[1:]].value, row.value
            name = f"{base} ({second})" if row.encoder == base else row.encoder  # as on the lines of means
            found.append(Compared(*here[1:], base, name, *values, paired_bootstrap(a, b, row.metric)))
    if not found:
        what = "only the same rows" if same else "no rows with items in common"
        raise OptionError(f"{first} and {second} have {what} for {base!r} to stand against")
    met = {key_of(row)[1:] for row in after}
    unmet = [row for key, row in known.items() if key not in met]
    told = (
        _named(alone, f"{second}, without a counterpart in {first}"),
        _named(unmet, f"{first}, without a counterpart in {second}"),
        _named(bare, f"{second}, without items there or in {first}"),
        _named(same, f"{second}, which are those of {first}"),
    )
    return Comparison(found, [line for line in told if line])


def _read(path: str | Path) -> tuple[list[Row], dict[Key, Items]]:
    rows, items = read_rows(path), read_items(path)
    check_values(rows, items, path)
    return rows, items


def _base(rows: Sequence[Row], encoder: str | None, file: str | Path) -> str:
    names = list(dict.fromkeys(row.encoder for row in rows))
    base = encoder if encoder is not None else next(iter(names), None)
    if base is None or base not in names:
        raise OptionError(f"{file} has no encoder {base!r}; it has {', '.join(names) or 'no rows'}")
    return base


def _named(rows: Sequence[Row], which: str) -> str:
    """Return a line that counts the rows and names the first ones, empty without any."""
    if not rows:
        return ""
    names = ", ".join(" ".join(key_of(row)) for row in rows[:FEW])
    more = f" and {len(rows) - FEW} more" if len(rows) > FEW else ""
    return f"not compared: {len(rows)} of the rows of {which}: {names}{more}"


def check_values(rows: Sequence[Row], items: Mapping[Key, Items], file: str | Path) -> None:
    """Raise InputError unless each row that has items has their value, within `HUNDREDTH`.

    Items and rows are two files: one of them may be of another run.
    """
    for number, row in enumerate(rows, start=1):
        if key_of(row) not in items:
            continue
        value = value_of(items[key_of(row)], row.metric)
        if not abs(value - row.value) <= HUNDREDTH:
            name = f"row {number}, {' '.join(key_of(row))}"
            message = f"{name}: is {row.value:.2f}, but its items in {items_path(file).name} give {value:.2f}"
            raise InputError(message, file=file)


def check_same(a: Items, b: Items, key: Key, file: str | Path) -> None:
    """Raise InputError unless two rows were measured on the same things, as far as their items tell."""
    row = " ".join(key)
    if a.shape != b.shape:
        raise InputError(f"{row}: {len(b)} items, not {len(a)}", file=items_path(file))
    known = slice(1, None) if key[-1] == MEAN_PEARSON else slice(-1, None)
    if a.ndim == 2 and not np.array_equal(a[:, known], b[:, known]):
        raise InputError(f"{row}: its gold scores are other ones", file=items_path(file))


def comparison_table(compared: Sequence[Compared]) -> Table:
    """Return a table with a line for each comparison; real differences are marked with a star."""
    from rich.table import Table

    drawn = Table(title="paired bootstrap, 95 % interval; * 0 lies outside")
    for name in ("task", "language", "metric", "encoders"):
        drawn.add_column(name, overflow="fold")
    for name in ("first", "second", "difference", "interval", "p"):
        drawn.add_column(name, justify="right")
    for row in compared:
        interval = row.interval
        drawn.add_row(
            *map(visible, (row.task, row.language, row.metric, f"{row.first} → {row.second}")),
            f"{row.before:.2f}",
            f"{row.after:.2f}",
            f"{interval.difference:+.2f}{'*' if interval.real else ' '}",
            f"{interval.low:+.2f} to {interval.high:+.2f}",
            interval.told_p,
        )
    return drawn
