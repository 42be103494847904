"""Score by the number of readings: ``python scripts/evaluate_readings.py DATA OUT.json [ENCODER]``.

The AMR side of a sentence is the mean over its readings (`parser.ensemble`): the graph of the search and
samples. Here it is the mean over some of them: the graph of the search, the first ``k`` samples, or both.
Each is scored on STS-B dev (six languages, and English against each of the others) at the weight that is best
there (`retrofit.weight_fitting.within_genres`). Rows named ``AMR alone`` are without the base. Each genre is
also scored separately. Parses are in the cache of ``amrx parse``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parse, Vectors
from parser.run.cache import ParseCache
from retrofit.combine import GraphEncoder, RetrofittedEncoder, Side
from retrofit.load import load, load_amr
from retrofit.weight_fitting import (
    LANGUAGES,
    PairCosines,
    StsbDev,
    combined_cosines,
    fit_weights,
    spearman_by_language,
    stsb_dev,
)

DRAWN = (1, 2, 4, 8)
TAKEN: dict[str, slice] = {
    "search": slice(0, 1),
    **{f"{k} drawn": slice(1, 1 + k) for k in DRAWN},
    **{f"search, {k} drawn": slice(0, 1 + k) for k in DRAWN},
}
"""The readings that are averaged; the first is that of the search."""
Row = dict[str, str | float]


def sides(encoder: GraphEncoder, parses: Sequence[Parse]) -> dict[str, Vectors]:
    """Return the AMR vectors ``(n, d)`` for each entry of `TAKEN`; zero if the parse failed."""
    readings = [parse.graphs for parse in parses]
    vectors = encoder.encode_graphs([graph for graphs in readings for graph in graphs])
    rows = np.split(vectors, np.cumsum([len(graphs) for graphs in readings])[:-1])
    means = {}
    for name, taken in TAKEN.items():
        means[name] = np.zeros((len(parses), encoder.dimension), dtype=np.float32)
        for place, (parse, row) in enumerate(zip(parses, rows, strict=True)):
            if parse.status != "failed":
                means[name][place] = row[taken].mean(axis=0)
    return means


def measure(encoder: RetrofittedEncoder, graphs: GraphEncoder, dev: StsbDev) -> list[Row]:
    """Return the rows for each entry of `TAKEN`, combined with the base and alone."""
    base: dict[str, Side] = {}
    amr: dict[str, dict[str, Side]] = {name: {} for name in TAKEN}
    for language, texts in dev.texts.items():
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        place = np.array([number[text] for text in texts])
        codes = [language] * len(number)
        base[language] = Side.whole(encoder.base.encode(list(number), lang=codes)[place])
        parses = encoder.parse(list(number), codes, progress=True)
        parsed = np.array([parse.status != "failed" for parse in parses])[place]
        for name, vectors in sides(graphs, parses).items():
            amr[name][language] = Side(vectors[place], parsed)
    rows: list[Row] = []
    for name in TAKEN:
        pairs = dev.pairs(base, amr[name])
        fitted = fit_weights(pairs)
        if not rows:
            rows += _rows(encoder.base.name, pairs, (0.0,))
        rows += [
            row | {"weight": fitted.weights[0]}
            for row in _rows(f"{encoder.name}, {name}", pairs, fitted.weights)
        ]
        alone = replace(pairs, cosines=pairs.cosines * [[0], [1]])
        rows += _rows(f"AMR alone, {name}", alone, (1.0,))
    return rows


def _rows(name: str, pairs: PairCosines, weights: tuple[float, ...]) -> list[Row]:
    """Return the mean over the tracks, for all rows and for each genre."""
    cosines = combined_cosines(pairs, weights)
    tracks = np.array(pairs.languages)
    genre = np.array(pairs.genres or [""] * len(tracks))
    rows = []
    for wanted in ("mean", *dict.fromkeys(genre)):
        inside = np.ones(len(genre), dtype=np.bool_) if wanted == "mean" else genre == wanted
        by_track = spearman_by_language(cosines[inside], pairs.gold[inside], tracks[inside].tolist())
        value = sum(by_track.values()) / len(by_track)
        row: Row = {"encoder": name, "task": "stsb-dev", "language": wanted, "metric": "spearman"}
        if wanted:
            rows.append(row | {"value": round(value, 2), "n": int(inside.sum()) // len(by_track)})
    return rows


def main(data: Path, out: Path, name: str) -> None:
    """Parse, encode, score, print and write the rows."""
    set_threads()
    with ParseCache.chosen() or nullcontext() as cache:
        encoder = load(parser=f"voted@{DRAWN[-1]}:mini", encoder=name, cache=cache)
        rows = measure(encoder, load_amr(name), stsb_dev(data, LANGUAGES))
    for row in rows:
        print(f"{row['encoder']:36} {row['language']:8} {row['value']:6.2f}  {row.get('weight', '')}")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "mini")
