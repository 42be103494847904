"""Write files of vectors: ``.npy``, resumable block by block; ``.parquet`` and ``.jsonl`` with ids.

::

    vectors.npy                 the finished (n, d) array
    vectors.npy.partial         the same file while rows are missing
    vectors.npy.partial.json    number of finished rows; fingerprint of inputs and settings
    vectors.npy.ids             one identifier per line
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import OutputError
from amrx.records.writing import atomic_path, same_place

Array = npt.NDArray[np.floating | np.int8]

_CHUNK = 8192
"""Rows per Parquet row group, and in memory at a time."""


def write_vectors(path: str | Path, vectors: Array, ids: Sequence[str]) -> None:
    """Write ``(n, d)`` vectors with one identifier per row to a ``.parquet`` or ``.jsonl`` file.

    The vectors may be memory-mapped; they are read in pieces. For ``.npy`` see `ResumableVectors` and
    `write_ids`.

    Raises:
        OutputError: The file cannot be written.
        ValueError: The numbers of ids and rows differ.
    """
    if len(ids) != len(vectors):
        raise ValueError(f"{len(ids)} ids for {len(vectors)} vectors")
    write = {"parquet": _write_parquet, "jsonl": _write_jsonl}[check_format(path)]
    with atomic_path(path) as temporary:
        write(temporary, vectors, ids)


def check_format(path: str | Path) -> str:
    """Return ``npy``, ``parquet`` or ``jsonl``, or raise OutputError."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in ("npy", "parquet", "jsonl"):
        raise OutputError(f"{path}: suffix must be .npy, .parquet or .jsonl, got {kind!r}")
    return kind


def write_ids(path: str | Path, ids: Iterable[str]) -> None:
    """Write ``<path>.ids``, one identifier per line, and the same file at the target of a link.

    An identifier has no line break.
    """
    ids_file = f"{path}.ids"
    with atomic_path(ids_file) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        for identifier in ids:
            if "\n" in identifier or "\r" in identifier:
                raise OutputError(
                    f"{ids_file}: the identifier {identifier!r} has a line break; use .parquet or .jsonl"
                )
            stream.write(f"{identifier}\n")
    for other in _ids_files(path)[1:]:
        with atomic_path(other) as temporary:
            shutil.copyfile(ids_file, temporary)


def _ids_files(path: str | Path) -> list[Path]:
    """Return the paths of the ids: beside the given name and, if it is a link, beside its target."""
    given, real = Path(f"{path}.ids"), Path(f"{os.path.realpath(path)}.ids")
    return [given] if same_place(given, real) else [given, real]


def _write_parquet(path: Path, vectors: Array, ids: Sequence[str]) -> None:
    """Write columns ``id`` and ``vector`` (a list of fixed width)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    width = vectors.shape[1]
    value_type = pa.from_numpy_dtype(vectors.dtype)
    schema = pa.schema([("id", pa.string()), ("vector", pa.list_(value_type, width))])
    with pq.ParquetWriter(path, schema) as writer:
        for rows in _chunks(len(vectors)):
            flat = pa.array(np.ascontiguousarray(vectors[rows]).reshape(-1), value_type)
            lists = pa.FixedSizeListArray.from_arrays(flat, width)
            writer.write_table(pa.table([pa.array(ids[rows], pa.string()), lists], schema=schema))


def _write_jsonl(path: Path, vectors: Array, ids: Sequence[str]) -> None:
    """Write one ``{"id", "vector"}`` object per line, with enough digits to restore float32, int8 as such."""
    kind = int if np.issubdtype(vectors.dtype, np.integer) else float
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for rows in _chunks(len(vectors)):
            for identifier, vector in zip(ids[rows], vectors[rows], strict=True):
                values = [kind(str(x)) for x in vector]
                stream.write(json.dumps({"id": identifier, "vector": values}, ensure_ascii=False) + "\n")


def _chunks(count: int) -> Iterator[slice]:
    """Yield slices that cover ``range(count)``."""
    return (slice(start, min(start + _CHUNK, count)) for start in range(0, count, _CHUNK))
