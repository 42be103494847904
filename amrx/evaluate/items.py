"""What results were computed from, item by item, in a file beside the JSON of the rows.

::

    out.json            [{"encoder", "task", "language", "metric", "value", "n"}, ...]
    out.json.items.npz  keys (r, 4): encoder, task, language, metric
                        shapes (r, 2): items, columns (1: scores; 2: predicted, gold;
                                        3: right, taken, gold, or predicted, gold, file)
                        values: all items of all rows, one after the other
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from amrx.errors import InputError
from amrx.evaluate.contract import Items, Row, Scored
from amrx.records import atomic_path
from amrx.records.files import read_lines

Key = tuple[str, str, str, str]


def key_of(row: Row) -> Key:
    """Return what tells a row from the other ones of its file: encoder, task, language, metric."""
    return row.encoder, row.task, row.language, row.metric


def items_path(path: str | Path) -> Path:
    """Return the file of the items that belongs to a JSON file of rows.

    Example:
        >>> items_path("results/out.json").name
        'out.json.items.npz'
    """
    return Path(f"{path}.items.npz")


def write_items(path: str | Path, scored: Sequence[Scored]) -> None:
    """Write the items of all rows that have some.

    Args:
        path: The JSON file of the rows; the items go beside it.
        scored: Rows and items.

    Raises:
        OutputError: The file cannot be written.
    """
    kept = [(key_of(found.row), found.items) for found in scored if found.items is not None]
    keys = np.array([key for key, _ in kept], dtype=np.str_).reshape(len(kept), 4)
    shapes = np.array([[len(items), items.size // len(items)] for _, items in kept]).reshape(len(kept), 2)
    values = np.concatenate([items.ravel() for _, items in kept]) if kept else np.empty(0)
    with atomic_path(items_path(path)) as temporary:
        np.savez_compressed(temporary, keys=keys, shapes=shapes.astype(np.int64), values=values)


def read_items(path: str | Path) -> dict[Key, Items]:
    """Read the items that belong to a JSON file of rows; no code in the file is run.

    Raises:
        InputError: There is no such file, or it is none of `write_items`.
    """
    file = items_path(path)
    if not file.is_file():
        message = "no such file; amrx eval --json writes it beside the rows"
        raise InputError(message, file=file)
    try:
        with np.load(file, allow_pickle=False) as arrays:
            keys, shapes, values = arrays["keys"], arrays["shapes"], arrays["values"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"holds no items: {error}", file=file) from None
    if len(keys) != len(shapes) or int(np.prod(shapes, axis=1).sum()) != len(values):
        raise InputError(f"{len(values)} values do not fill its {len(keys)} rows", file=file)
    found: dict[Key, Items] = {}
    start = 0
    for key, (count, columns) in zip(keys.tolist(), shapes.tolist(), strict=True):
        part = values[start : start + count * columns].astype(np.float64)
        start += count * columns
        found[tuple(key)] = part if columns == 1 else part.reshape(count, columns)
    return found


def read_rows(path: str | Path) -> list[Row]:
    """Read the rows that ``amrx eval --json`` wrote.

    Raises:
        InputError: No JSON list, or a row without a field or with a value of another type (names both).
    """
    try:
        records = json.loads("".join(read_lines(path)))
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", file=path, line=error.lineno) from None
    if not isinstance(records, list):
        raise InputError("is no list of rows", file=path)
    return [_row(record, path, place) for place, record in enumerate(records)]


_TYPES: Mapping[str, tuple[type, ...]] = {
    "encoder": (str,),
    "task": (str,),
    "language": (str,),
    "metric": (str,),
    "value": (float, int),
    "n": (int,),
}


def _row(record: object, path: str | Path, place: int) -> Row:
    if not isinstance(record, Mapping):
        raise InputError(f"row {place + 1} is no object", file=path)
    for field, types in _TYPES.items():
        if not isinstance(record.get(field), types):
            message = f"row {place + 1}: {record.get(field)!r} is no {types[0].__name__}"
            raise InputError(message, file=path, field=field)
    return Row(*(record[field] for field in _TYPES))
