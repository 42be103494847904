"""Write and read the items from which results were computed, beside the JSON of the rows.

::

    out.json            [{"encoder", "task", "language", "metric", "value", "n"}, ...]
    out.json.items.npz  keys (r, 4): encoder, task, language, metric
                        shapes (r, 2): items, columns (1: scores; 2: predicted, gold;
                                        3: correct, predicted, gold, or predicted, gold, file)
                        values: all items of all rows, one after the other
"""

import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.evaluation.results.bootstrap import is_readable
from amrx.evaluation.results.rows import Items, Row, Scored
from amrx.records import atomic_path
from amrx.records.files import DAMAGED, require_file
from amrx.records.json_lines import has_surrogate, read_document


class Form(NamedTuple):
    """Requirements on an array."""

    kinds: str  # accepted values of ``numpy.dtype.kind``: ``U`` text, ``iu`` integers, ``biuf`` numbers
    row: tuple[int, ...] = ()  # shape of one row: ``(4,)`` for an array ``(n, 4)``, ``()`` for ``(n,)``


def read_arrays(file: Path, forms: Mapping[str, Form]) -> list[npt.NDArray[Any]]:
    """Return the named arrays, in the order of the forms."""
    require_file(file)
    if not zipfile.is_zipfile(file):
        raise InputError("is not a file of arrays as written by amrx eval --json", file=file)
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            loaded = {name: arrays[name] for name in forms if name in arrays}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from error
    except MemoryError as error:
        raise InputError(f"does not fit into memory, or is damaged: {error}", file=file) from error
    except DAMAGED as error:
        # without numpy's own message, which advises to allow pickles, which run code
        raise InputError("is damaged; run amrx eval --json again", file=file) from error
    for name, form in forms.items():
        if name not in loaded:
            raise InputError("is missing", file=file, field=name)
        array = np.asarray(loaded[name])
        if array.dtype.kind not in form.kinds:
            raise InputError(f"holds values of type {array.dtype}", file=file, field=name)
        if array.ndim == 0 or array.shape[1:] != form.row:
            expected = ", ".join(["n", *map(str, form.row)])
            raise InputError(f"must be of shape ({expected}), got {array.shape}", file=file, field=name)
    return list(loaded.values())


Key = tuple[str, str, str, str]
_FORMS = {"keys": Form("U", (4,)), "shapes": Form("iu", (2,)), "values": Form("biuf")}


def key_of(row: Row) -> Key:
    """Return the key of a row in its file: encoder, task, language, metric."""
    return row.encoder, row.task, row.language, row.metric


def items_path(path: str | Path) -> Path:
    """Return the file of items of a JSON file of rows."""
    return Path(f"{path}.items.npz")


def write_items(path: str | Path, scored: Sequence[Scored]) -> None:
    """Write the items of all rows that have any."""
    rows = [(key_of(each.row), each.items) for each in scored if each.items is not None]
    keys = np.array([key for key, _ in rows], dtype=np.str_).reshape(len(rows), 4)
    shapes = np.array([[len(items), items.size // len(items)] for _, items in rows]).reshape(len(rows), 2)
    values = np.concatenate([items.ravel() for _, items in rows]) if rows else np.empty(0)
    with atomic_path(items_path(path)) as temporary:
        np.savez_compressed(temporary, keys=keys, shapes=shapes.astype(np.int64), values=values)


def read_items(path: str | Path) -> dict[Key, Items]:
    """Read the items of a JSON file of rows; no code in the file is run."""
    file = items_path(path)
    if not file.is_file():
        message = "no such file; amrx eval --json writes it beside the rows"
        raise InputError(message, file=file)
    keys, shapes, values = read_arrays(file, _FORMS)
    if len(keys) != len(shapes) or sum(count * columns for count, columns in shapes.tolist()) != len(values):
        raise InputError(f"{len(values)} values do not fill its {len(keys)} rows", file=file)
    items: dict[Key, Items] = {}
    start = 0
    for key, (count, columns) in zip(keys.tolist(), shapes.tolist(), strict=True):
        if count < 1 or not is_readable(columns, key[-1]):
            message = f"{count} items of {columns} columns do not fit this metric"
            raise InputError(message, file=file, field=" ".join(key))
        part = values[start : start + count * columns].astype(np.float64)
        if not np.isfinite(part).all():
            raise InputError("holds an item that is infinite or NaN", file=file, field=" ".join(key))
        start += count * columns
        items[tuple(key)] = part if columns == 1 else part.reshape(count, columns)
    return items


def read_rows(path: str | Path) -> list[Row]:
    """Read the rows written by ``amrx eval --json``."""
    records = read_document(path).value
    if not isinstance(records, list):
        raise InputError("is not a list of rows", file=path)
    rows = [_row(record, path, number) for number, record in enumerate(records, start=1)]
    check_distinct(rows, path)
    return rows


def check_distinct(rows: Sequence[Row], path: str | Path) -> None:
    """Raise InputError if two rows of a file have the same encoder, task, language and metric."""
    first: dict[Key, int] = {}
    for number, row in enumerate(rows, start=1):
        before = first.setdefault(key_of(row), number)
        if before != number:
            raise InputError(f"row {number} repeats row {before}: {' '.join(key_of(row))}", file=path)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not has_surrogate(value)


def _is_finite(value: object) -> bool:
    if not isinstance(value, float | int) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max  # larger integers cannot be floats


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


_FIELDS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "encoder": ("string", _is_text), "task": ("string", _is_text), "language": ("string", _is_text),
    "metric": ("string", _is_text), "value": ("finite number", _is_finite), "n": ("count", _is_count),
}  # fmt: skip


def _row(record: object, path: str | Path, number: int) -> Row:
    if not isinstance(record, Mapping):
        raise InputError(f"row {number} is not an object", file=path)
    for field, (kind, is_valid) in _FIELDS.items():
        if not is_valid(record.get(field)):
            message = f"row {number}: must be a {kind}, got {record.get(field)!r:.40}"
            raise InputError(message, file=path, field=field)
    return Row(*(record[field] for field in _FIELDS))
