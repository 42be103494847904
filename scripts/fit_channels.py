#!/usr/bin/env python
"""Fit the weights of the channels of each preset with each base on STS-B dev; write weights and curves.

.venv/bin/python scripts/fit_channels.py "$AMRX_DATA" results/weights.json [ROWS]

The weights are written to ``fitted_weights.json`` of the channels, as ``amrx retrofit --fit-weight`` does.
With ROWS, only so many evenly spaced rows of STS-B dev are used, and stored weights that were fitted on all
rows are kept. A curve is the mean Spearman correlation by one channel's weight, with the other weights at
their best.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path

from amrx.records import write_json
from amrx.threads import set_threads
from parser.load import PARSER
from parser.run.cache import ParseCache
from retrofit.load import CHANNELS, PRESETS, channel_folder, load, reads_graphs
from retrofit.weight_fitting import (
    GRID,
    LANGUAGES,
    PairCosines,
    curve,
    fit_weights,
    key_of,
    largest_weights,
    prefer_graphs,
    store_weight,
    stored_weights,
    stsb_cosines,
)

ENCODERS = ("muse", *CHANNELS)
"""All encoders: bases and channels."""
BASES = ("muse", "e5-small")
SETS = {
    **PRESETS,
    "graph and student-text": ("mini", "student-text"),
    "graph and student-e5": ("mini", "student-e5"),
    "both students": ("student-text", "student-e5"),
    "student-e5 and e5-small": ("student-e5", "e5-small"),
    "all": ("mini", "student-text", "student-e5", "e5-small"),
}
DESCRIBED = f"STS-B dev, {' '.join(LANGUAGES)}, each alone and English with each"
Row = dict[str, str | float]


def fit(
    base: str, names: tuple[str, ...], pairs: PairCosines, titles: dict[str, str], *, whole: bool
) -> list[Row]:
    """Fit and store the weights of some channels; return rows of the scores and of each channel's curve."""
    graphs = [reads_graphs(name) for name in names]
    fitted = prefer_graphs(pairs, fit_weights(pairs), graphs)
    if names == PRESETS["meaning"]:
        fitted = largest_weights(pairs, fitted, graphs)
    for name, weight in zip(names, fitted.weights, strict=True):
        others = [titles[other] for other in names if other != name]
        key = key_of(PARSER if reads_graphs(name) else "", others)
        folder = channel_folder(name)
        stored = stored_weights(folder).get(base, {}).get(key)
        if whole or stored is None or stored["data"] != DESCRIBED:
            data = DESCRIBED if whole else f"{DESCRIBED}, {len(pairs.gold) // 11} rows"
            store_weight(folder, base, key, weight, fitted, data)
    channels = [titles[name] for name in names]
    title, n = "+".join([base, *channels]), len(pairs.gold) // len(set(pairs.languages))
    weights = ", ".join(f"{one:g}" for one in fitted.weights)
    scores = {base: fitted.base_score, f"{title}, weight {weights}": fitted.score}
    rows: list[Row] = [
        {"encoder": name, "task": "stsb-dev, mean of 11 tracks", "language": "all", "metric": "spearman",
         "value": round(value, 2), "n": n} for name, value in scores.items()
    ]  # fmt: skip
    for i, name in enumerate(channels):
        rows += [
            {"encoder": f"{title}: {name}", "task": "stsb-dev by weight", "language": f"{weight:g}",
             "metric": "spearman", "value": round(value, 2), "n": n}
            for weight, value in list(zip(GRID, curve(pairs, fitted.weights, i), strict=True))[::4]
        ]  # fmt: skip
    return rows


def main(data: Path, out: Path, limit: int | None) -> None:
    """Encode once, fit every set of channels beside each base, print and write the rows."""
    set_threads()
    rows: list[Row] = []
    with ExitStack() as stack:
        cache = ParseCache.chosen()
        if cache is not None:
            stack.enter_context(cache)
        encoder = load("muse", encoder=ENCODERS[1:], weight=1, cache=cache)
        titles = dict(zip(ENCODERS, ("muse", *(one.name for one in encoder.encoders)), strict=True))
        pairs = stsb_cosines(encoder, data, limit=limit)
    for base, names in product(BASES, SETS.values()):
        if base not in names:
            taken = [ENCODERS.index(name) for name in (base, *names)]
            part = replace(pairs, cosines=pairs.cosines[taken], present=pairs.present[taken])
            rows += fit(base, names, part, titles, whole=limit is None)
    for row in rows:
        if row["language"] == "all":
            print(f"{row['value']:6.2f}  {row['encoder']}")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
