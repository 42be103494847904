"""Files of scored rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from amrx.evaluation.report.tables import write_json
from amrx.evaluation.results.bootstrap import value_of
from amrx.evaluation.results.items import write_items
from amrx.evaluation.results.rows import Row, Scored


def scored(encoder: str, language: str, items: np.ndarray | None, metric: str = "accuracy") -> Scored:
    value = 12.5 if items is None else value_of(items, metric)
    return Scored(Row(encoder, "task", language, metric, value, 1 if items is None else len(items)), items)


def write(path: Path, *found: Scored) -> Path:
    write_json(path, [one.row for one in found])
    write_items(path, found)
    return path


def hits(right: int, of: int = 200) -> np.ndarray:
    return (np.arange(of) < right).astype(np.float64)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    noise = np.random.default_rng(0).normal(size=60)
    return (
        write(
            tmp_path / "a.json",
            scored("muse", "de", hits(100)),
            scored("muse", "fr", hits(100)),
            scored("muse", "it", None),
            scored("muse", "en-de", np.column_stack([GOLD + 3 * noise, GOLD]), "pearson"),
            scored("muse+amr", "de", hits(102)),
        ),
        write(
            tmp_path / "b.json",
            scored("new", "de", hits(140)),
            scored("new", "fr", hits(101)),
            scored("new", "it", None),
            scored("new", "en-de", np.column_stack([GOLD, GOLD]), "pearson"),
            scored("new", "zh", hits(5)),
        ),
    )


GOLD = np.linspace(0, 5, 60)
