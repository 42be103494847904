"""Run ``amrx bases``: list the base encoders, and whether their weights are on this machine."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from amrx.errors import InputError, MissingResourceError
from retrofit.bases.files import has_weights
from retrofit.bases.table import PROVIDERS, Asked, Provider, usage

HEADINGS = {
    "name": "NAME", "dimension": "WIDTH", "languages": "LANGUAGES", "pooling": "POOLING",
    "licence": "LICENCE", "here": "HERE", "source": "WEIGHTS FROM",
}  # fmt: skip
"""Columns of the printed table."""

NOTE = """
A name is an argument of --base; usage is NAME[@POOLING][@PIECES][:ARGUMENT], such as labse:DIR,
xlmr@first-last or hf@cls@32:DIR, which reads 32 word pieces of an input at most.
HERE: whether the weights are on this machine; commands that fetch the others are below.
muse is the convolutional model (mUSE of Cai et al. 2022: large Transformer), laser LASER2 (there: LASER1).
"""


def bases(
    json_: Annotated[bool, typer.Option("--json", help="Print JSON rows instead of the table.")] = False,
) -> None:
    """List the base encoders that --base takes, whether they are on this machine, and what fetches them.

    Nothing is loaded or downloaded. --base also accepts the folder of a model.
    """
    rows = [describe(row) for row in PROVIDERS]
    if json_:
        sys.stdout.write(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(table(rows) + NOTE + commands(rows))


def describe(row: Provider) -> dict[str, object]:
    """Return a row of the table with ``usage``, ``here``, ``folder`` and ``fetch``.

    ``here`` is ``None`` for a row that serves any model; ``fetch`` is ``None`` if nothing is missing.
    """
    described = {
        "name": row.name,
        "usage": usage(row),
        "about": row.about,
        "dimension": row.dimension,
        "languages": row.languages,
        "pooling": row.pooling,
        "prefix": row.prefix,
        "unit": row.unit,
        "licence": row.licence,
        "source": row.source,
    }
    if row.required:
        return {**described, "here": None, "folder": None, "fetch": None}
    try:
        folder = _find(row)
    except MissingResourceError as error:
        return {**described, "here": False, "folder": None, "fetch": error.fetch}
    except InputError:  # files of another model; loading reports the details
        return {**described, "here": False, "folder": None, "fetch": None}
    return {**described, "here": True, "folder": str(folder), "fetch": None}


def _find(row: Provider) -> Path:
    """Return the folder of the weights."""
    find: Callable[[Asked], Path] = importlib.import_module(row.module).find
    folder = find(Asked(row))
    if row.model and not row.source.startswith("package") and not has_weights(folder):
        raise MissingResourceError(f"weights of {row.model}", fetch=f"hf download {row.model}")
    return folder


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Return the rows as a table whose columns are as wide as their cells.

    Example:
        >>> line = {"name": "a", "dimension": 8, "languages": "2", "pooling": "cls"}
        >>> print(table([{**line, "licence": "MIT", "here": True, "source": "hub"}]))
        NAME  WIDTH  LANGUAGES  POOLING  LICENCE  HERE  WEIGHTS FROM
        a     8      2          cls      MIT      yes   hub
        <BLANKLINE>
    """
    cells = [[_cell(row[key]) for key in HEADINGS] for row in rows]
    lines = [list(HEADINGS.values()), *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
    )
    return "".join(f"{line.rstrip()}\n" for line in padded)


def commands(rows: Sequence[Mapping[str, object]]) -> str:
    """Return one line per base that is not on this machine, with the command that fetches it."""
    lines = [f"fetch {row['name']}: {row['fetch']}\n" for row in rows if row["fetch"] is not None]
    return "".join(["\n", *lines]) if lines else ""


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)
