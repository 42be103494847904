"""Results for pages."""

from __future__ import annotations

import numpy as np

from amrx.evaluation.report.page_tables import Results
from amrx.evaluation.results.bootstrap import value_of
from amrx.evaluation.results.rows import Row, Scored

NOISE = np.random.default_rng(0).normal(size=(3, 60))


def similarity(encoder: str, track: str, noise: np.ndarray) -> Scored:
    items = np.column_stack([GOLD + noise, GOLD])
    return Scored(Row(encoder, "sts17", track, "spearman", value_of(items, "spearman"), 60), items)


def results(*scored: Scored, name: str = "a.json") -> Results:
    items = {tuple(found.row[:4]): found.items for found in scored if found.items is not None}
    return Results(name, [found.row for found in scored], items)


GOLD = np.linspace(0, 5, 60)
