#!/usr/bin/env python
"""Fit the weights of the channels of each preset, beside each base, on STS-B dev; keep them and their curves.

.venv/bin/python scripts/fit_channels.py "$AMRX_DATA" results/weights.json

The weights are written to ``fitted_weights.json`` of the channels, as ``amrx retrofit --fit-weight`` does. A
curve is the mean Spearman correlation over one channel's weights with the other ones at their best.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from amrx.evaluation.vector_cache import CachedEncoder
from amrx.evaluation.vector_cache import open_cache as open_vectors
from amrx.records import atomic_path
from amrx.threads import set_threads
from parser.load import PARSER
from parser.run.cache import open_cache as open_parses
from retrofit.bases import load_base
from retrofit.load import PRESETS, channel_folder, load, reads_graphs
from retrofit.weight_fitting import (
    GRID,
    LANGUAGES,
    PairCosines,
    curve,
    fit_weights,
    key_of,
    store_weight,
    stsb_cosines,
)

BASES = {"muse": ("mini", "student-text", "e5-small"), "e5-small": ("mini", "student-text")}
"""Each base with all channels that are fitted beside it."""
SETS = {**PRESETS, "best with e5-small": (*PRESETS["best"], "e5-small")}
DESCRIBED = f"STS-B dev, {' '.join(LANGUAGES)}, each alone and English with each"
Row = dict[str, str | float]


def fit(base: str, names: tuple[str, ...], pairs: PairCosines, told: dict[str, str]) -> list[Row]:
    """Fit and store the weights of some channels; return the score and a curve of each."""
    fitted = fit_weights(pairs)
    for name, weight in zip(names, fitted.weights, strict=True):
        others = [told[other] for other in names if other != name]
        key = key_of(PARSER if reads_graphs(name) else "", others)
        store_weight(channel_folder(name), base, key, weight, fitted, DESCRIBED)
    channels = [told[name] for name in names]
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


def main(data: Path, out: Path) -> None:
    """Encode once per base, fit every set of channels, print and write the rows."""
    set_threads()
    rows: list[Row] = []
    with ExitStack() as stack:
        parses, vectors = open_parses(None), open_vectors(None)
        for cache in filter(None, (parses, vectors)):
            stack.enter_context(cache)
        for base, every in BASES.items():
            loaded = load_base(base)
            kept = loaded if vectors is None else CachedEncoder(loaded, vectors)
            encoder = load(kept, encoder=every, weight=1, cache=parses)
            told = dict(zip(every, (channel.name for channel in encoder.encoders), strict=True))
            pairs = stsb_cosines(encoder, data)
            for names in SETS.values():
                if set(names) <= set(every):
                    taken = [0, *(1 + every.index(name) for name in names)]
                    part = replace(pairs, cosines=pairs.cosines[taken], there=pairs.there[taken])
                    rows += fit(base, names, part, told)
                    print(
                        *(
                            f"{row['value']:6.2f}  {row['encoder']}"
                            for row in rows[-60:]
                            if row["language"] == "all"
                        ),
                        sep="\n",
                    )
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
