"""Which differences between results are real: rows of two files, paired by task, language and metric."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from amrx.errors import InputError, OptionError
from amrx.evaluate.bootstrap import Interval, paired_bootstrap
from amrx.evaluate.contract import Items
from amrx.evaluate.items import Key, items_path, key_of, read_items, read_rows
from amrx.evaluate.metrics import MEAN_PEARSON

if TYPE_CHECKING:
    from rich.table import Table


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


def compare_files(first: str | Path, second: str | Path, encoder: str | None = None) -> list[Compared]:
    """Compare every encoder of the second file with one of the first, wherever both have items.

    Args:
        first: JSON file of rows, with its items beside it.
        second: Another, or the same; an encoder is not compared with its own row.
        encoder: Name in the first file; by default its first one.

    Raises:
        InputError: A file is missing or malformed, or the items of a row are not of the same things.
        OptionError: The first file has no such encoder, or the files have no row in common.
    """
    before, after = read_rows(first), read_rows(second)
    items_before, items_after = read_items(first), read_items(second)
    names = list(dict.fromkeys(row.encoder for row in before))
    base = encoder if encoder is not None else next(iter(names), None)
    if base not in names:
        raise OptionError(f"{first} has no encoder {base!r}; it has {', '.join(names) or 'no rows'}")
    same = Path(first).resolve() == Path(second).resolve()
    known = {key_of(row): row.value for row in before}
    found = []
    for row in after:
        here, there = key_of(row), (base, row.task, row.language, row.metric)
        if here not in items_after or there not in items_before or (same and here == there):
            continue
        a, b = items_before[there], items_after[here]
        check_same(a, b, here, second)
        interval = paired_bootstrap(a, b, row.metric)
        found.append(
            Compared(row.task, row.language, row.metric, base, row.encoder, known[there], row.value, interval)
        )
    if not found:
        raise OptionError(
            f"{first} and {second} have no rows with items in common for {base!r} to stand against"
        )
    return found


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
        drawn.add_column(name)
    for name in ("first", "second", "difference", "interval", "p"):
        drawn.add_column(name, justify="right")
    for row in compared:
        interval = row.interval
        drawn.add_row(
            row.task,
            row.language,
            row.metric,
            f"{row.first} → {row.second}",
            f"{row.before:.2f}",
            f"{row.after:.2f}",
            f"{interval.difference:+.2f}{'*' if interval.real else ' '}",
            f"{interval.low:+.2f} to {interval.high:+.2f}",
            f"{interval.p:.3f}",
        )
    return drawn
