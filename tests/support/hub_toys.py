"""Datasets of the hub as folders of the same layout."""

from __future__ import annotations

import dataclasses
import gzip
import json
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def moved(task: T, folder: Path) -> T:
    """The task with its datasets in a folder instead of on the hub, in the same layout."""
    hub = [
        dataclasses.replace(file, data=dataclasses.replace(file.data, name=str(folder))) for file in task.hub
    ]
    return dataclasses.replace(task, hub=tuple(hub))


def write_parquet(file: Path, columns: dict[str, list], **features: object) -> None:
    from datasets import Dataset, Features, Value

    file.parent.mkdir(parents=True, exist_ok=True)
    kinds = {name: features.get(name, Value("string")) for name in columns}
    Dataset.from_dict(columns, features=Features(kinds)).to_parquet(str(file))


def write_gzip(file: Path, rows: list[dict]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
