"""Compare two files of results by paired bootstrap, row by row with equal task, language and metric."""

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
"""Number of rows named per message about rows that are not compared."""
HUNDREDTH = 0.01
"""Tolerance of values, which may be rounded as in tables."""


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
    """Comparison of two files."""

    rows: list[Compared]  # one per encoder and metric for which both files have items
    left_out: list[str]  # messages that name the rows that are not compared


def compare_files(first: str | Path, second: str | Path, encoder: str | None = None) -> Comparison:
    """Compare every encoder of the second file with one of the first, wherever both have items.

    Rows of the same encoder with the same items in both files are left out.

    ``encoder`` is by default the first one of the first file; it is not compared with its own row.
    """
    before, items_before = _read(first)
    after, items_after = _read(second)
    base = _base(before, encoder, first)
    if Path(first).resolve() == Path(second).resolve():
        after = [row for row in after if row.encoder != base]
    known = {key_of(row)[1:]: row for row in before if row.encoder == base}
    compared: list[Compared] = []
    alone, bare, same = [], [], []
    for row in after:
        key, base_key = key_of(row), (base, *key_of(row)[1:])
        if key[1:] not in known:
            alone.append(row)
        elif key not in items_after or base_key not in items_before:
            bare.append(row)
        elif key == base_key and np.array_equal(items_before[key], items_after[key]):
            same.append(row)
        else:
            a, b = items_before[base_key], items_after[key]
            check_same(a, b, key, second)
            values = known[key[1:]].value, row.value
            name = f"{base} ({second})" if row.encoder == base else row.encoder  # as in the rows of means
            compared.append(Compared(*key[1:], base, name, *values, paired_bootstrap(a, b, row.metric)))
    if not compared:
        problem = "only equal rows" if same else "no rows with items in common"
        raise OptionError(f"{first} and {second} have {problem} to compare with {base!r}")
    after_keys = {key_of(row)[1:] for row in after}
    unmatched = [row for key, row in known.items() if key not in after_keys]
    messages = (
        _named(alone, f"{second}, without a counterpart in {first}"),
        _named(unmatched, f"{first}, without a counterpart in {second}"),
        _named(bare, f"{second}, without items there or in {first}"),
        _named(same, f"{second}, equal to those of {first}"),
    )
    return Comparison(compared, [line for line in messages if line])


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
    """Return a message that counts the rows and names the first ones; empty if there are none."""
    if not rows:
        return ""
    names = ", ".join(" ".join(key_of(row)) for row in rows[:FEW])
    more = f" and {len(rows) - FEW} more" if len(rows) > FEW else ""
    return f"not compared: {len(rows)} of the rows of {which}: {names}{more}"


def check_values(rows: Sequence[Row], items: Mapping[Key, Items], file: str | Path) -> None:
    """Raise InputError unless the items of each row give its value, within `HUNDREDTH`.

    Rows and items are separate files, and one of them may be of another run.
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
    """Raise InputError if two rows were measured on different inputs, as far as their items show."""
    row = " ".join(key)
    if a.shape != b.shape:
        raise InputError(f"{row}: must have {len(a)} items, got {len(b)}", file=items_path(file))
    gold = slice(1, None) if key[-1] == MEAN_PEARSON else slice(-1, None)
    if a.ndim == 2 and not np.array_equal(a[:, gold], b[:, gold]):
        raise InputError(f"{row}: its gold scores differ", file=items_path(file))


def comparison_table(compared: Sequence[Compared]) -> Table:
    """Return a table with one line per comparison; significant differences have a star."""
    from rich.table import Table

    table = Table(title="paired bootstrap, 95 % interval; * excludes 0")
    for name in ("task", "language", "metric", "encoders"):
        table.add_column(name, overflow="fold")
    for name in ("first", "second", "difference", "interval", "p"):
        table.add_column(name, justify="right")
    for row in compared:
        interval = row.interval
        table.add_row(
            *map(visible, (row.task, row.language, row.metric, f"{row.first} → {row.second}")),
            f"{row.before:.2f}",
            f"{row.after:.2f}",
            f"{interval.difference:+.2f}{'*' if interval.significant else ' '}",
            f"{interval.low:+.2f} to {interval.high:+.2f}",
            interval.p_text,
        )
    return table
