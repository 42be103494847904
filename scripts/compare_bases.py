#!/usr/bin/env python
"""Compare multilingual USE, e5-small and both together as a base; e5-small as it is, and centred.

.venv/bin/python scripts/compare_bases.py "$AMRX_DATA" results/bases.json

The vectors of e5-small share a large mean, which also differs by language: any two sentences have a cosine
above 0.7. Centring, ``(v - m) / |v - m|``, subtracts one mean of all languages, or the mean of the vector's
language if it was fitted. Means are fitted on the first `ROWS` news sentences of each language of NTREX-128
(CC BY-SA 4.0). Scores are Spearman's correlation on `DEV` rows of STS-B dev, each language alone and English
with each of the others; and how often the nearest of `PAIRS` English sentences is the translation, in each of
Tatoeba's 112 languages. Rows are evenly spaced samples, because all would take hours. Two bases are combined
at the weight that is best on STS-B dev.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import numpy as np

from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA, TO_ENGLISH, TatoebaPart
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Encoder, Vectors
from amrx.vector_cache import CachedEncoder, VectorCache
from amrx.vectors import normalise
from retrofit.bases import load_base
from retrofit.combine import Side, combine
from retrofit.weight_fitting import StsbDev, combined_cosines, fit_weights, spearman_by_language, stsb_dev

ROWS, PAIRS, DEV = 40, 20, 200
Means = Mapping[str, Vectors]
Encode = Callable[[list[str], str | None], Vectors]
Row = dict[str, str | float]


def fit_means(encoder: Encoder, data: Path) -> Means:
    """Return the mean unit vector of each language by its code, and that of all languages by ``""``."""
    means = {}
    for path in sorted((data / "parallel" / "ntrex").glob("train.*.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            texts = [line.strip() for line in islice(lines, ROWS)]
        means[path.name.split(".")[1]] = normalise(encoder.encode(texts)).mean(axis=0)
    return {"": np.mean(list(means.values()), axis=0), **means}


def centre(vectors: Vectors, lang: str | None, means: Means) -> Vectors:
    """Return unit vectors centred by the mean of their language, or of all languages if it has none."""
    return normalise(vectors - means.get(lang or "", means[""]))


def tatoeba(data: Path) -> list[TatoebaPart]:
    """Return evenly spaced rows of each language of Tatoeba."""
    parts = []
    for part in TATOEBA.load(data)[0]:
        rows = [i * len(part.foreign) // PAIRS for i in range(PAIRS)] if len(part.foreign) > PAIRS else None
        chosen = range(len(part.foreign)) if rows is None else rows
        foreign, english = ([side[i] for i in chosen] for side in (part.foreign, part.english))
        parts.append(TatoebaPart(part.task, part.language, tuple(foreign), tuple(english)))
    return parts


def score(name: str, bases: list[Encode], dev: StsbDev, parts: list[TatoebaPart]) -> list[Row]:
    """Return the rows of one base, or of a sum of two at its best weight."""
    channels = [{code: Side.whole(base(texts, code)) for code, texts in dev.texts.items()} for base in bases]
    pairs = dev.pairs(*channels)
    fitted = fit_weights(pairs)
    title = f"{name}, weight {fitted.weights[0]:g}" if fitted.weights else name
    by_language = spearman_by_language(combined_cosines(pairs, fitted.weights), pairs.gold, pairs.languages)
    pair = {code if "-" in code else f"{code}-{code}": value for code, value in by_language.items()}
    rows = [_row(title, "stsb-dev", code, "spearman", value, len(dev.gold)) for code, value in pair.items()]
    accuracy = {}
    for part in parts:
        sides = [
            combine(*(base(list(column.texts), column.language) for base in bases), weight=fitted.weights)
            for column in part.columns()
        ]
        accuracy[part.language.code] = part.score(name, sides)[0].row.value
    assert parts[0].task.shown[0] == TO_ENGLISH
    groups = parts[0].task.means(accuracy)
    task = f"tatoeba, {PAIRS} rows a language, "
    return rows + [_row(title, task + group, "all", TO_ENGLISH, one, PAIRS) for group, one in groups.items()]


def _row(encoder: str, task: str, language: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": encoder, "task": task, "language": language, "metric": metric, "value": round(value, 2),
        "n": n,
    }  # fmt: skip


def main(data: Path, out: Path) -> None:
    """Fit the means, score, print and write the rows."""
    set_threads()
    with ExitStack() as stack:
        cache = VectorCache.chosen()
        if cache is not None:
            stack.enter_context(cache)
        loaded = {name: load_base(name) for name in ("muse", "e5-small")}
        muse, e5 = (one if cache is None else CachedEncoder(one, cache) for one in loaded.values())
        means = fit_means(e5, data)
        bases: dict[str, Encode] = {
            "muse": lambda texts, code: muse.encode(texts),
            "e5-small, as it is": lambda texts, code: e5.encode(texts),
            "e5-small, one mean": lambda texts, code: centre(e5.encode(texts), None, means),
            "e5-small, a mean a language": lambda texts, code: centre(e5.encode(texts), code, means),
        }
        rows: list[Row] = []
        dev, parts = stsb_dev(data, limit=DEV), tatoeba(data)
        for name, base in bases.items():
            rows += score(name, [base], dev, parts)
            if name != "muse":
                rows += score(f"muse + {name}", [bases["muse"], base], dev, parts)
    for row in rows:
        print(f"{row['encoder']:48} {row['task']:28} {row['language']:20} {row['value']:6.2f}")
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
