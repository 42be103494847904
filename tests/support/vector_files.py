"""Read files of vectors as a user does: with numpy, pyarrow and json."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq


def read_vectors(path: str | Path) -> tuple[list[str], np.ndarray]:
    """Return ids and ``(n, d)`` vectors."""
    if Path(path).suffix == ".npy":
        vectors, ids = np.load(path, mmap_mode="r"), Path(f"{path}.ids")
        names = ids.read_text("utf-8").splitlines() if ids.is_file() else map(str, range(1, len(vectors) + 1))
        return list(names), vectors
    if Path(path).suffix == ".parquet":
        table = pq.read_table(path)
        rows = table["vector"].combine_chunks()
        return table["id"].to_pylist(), rows.flatten().to_numpy().reshape(len(rows), -1)
    records = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    vectors = np.array([record["vector"] for record in records], dtype=np.float32)
    return [record["id"] for record in records], vectors
