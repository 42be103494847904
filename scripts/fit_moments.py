#!/usr/bin/env python
"""Fit the reduction to fewer dimensions, and measure the presets with it, in float32 and int8.

.venv/bin/python scripts/fit_moments.py "$AMRX_DATA" results/dimensions.json

The moments (`retrofit.reduce`) are computed on both sides of parallel text (`SOURCES`: Tatoeba, CC BY 2.0 FR;
STS-B train, CC BY-SA 4.0; NTREX-128, CC BY-SA 4.0), with one graph per sentence. Scores are mean Spearman on
`DEV` rows of STS-B dev, on the tracks of the fit of the weights; and how often the nearest of `PAIRS` English
sentences is the translation, in the 14 languages of XNLI in Tatoeba. Both are samples, because the parser
takes 0.1 s per sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np

from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA, TO_ENGLISH, XNLI_14, TatoebaPart
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Named, Sentence, Vectors
from amrx.validation import Dtype, as_dtype
from amrx.vectors import normalise
from parser.run.cache import ParseCache
from parser.training.corpora.parallel import ntrex, stsb, tatoeba
from retrofit.combine import RetrofittedEncoder, Side, combine
from retrofit.load import CHANNELS, PRESETS, load
from retrofit.reduce import projection, write_moments
from retrofit.weight_fitting import fit_weights, stsb_dev

SOURCES = (
    (tatoeba, 100, ("ar", "de", "tr", "zh")),
    (stsb, 100, ("es", "fr", "it")),
    (ntrex, 60, ("ar", "de", "es", "fr", "it", "tr", "zh")),
)
"""Reader, rows per language, and languages."""
PAIRS, DEV = 20, 100
SIZES = (None, 512, 256, 128)
Row = dict[str, str | float]


def fit(encoder: RetrofittedEncoder, data: Path) -> None:
    """Write the moments of base and channels."""
    pairs = [
        pair
        for reader, rows, langs in SOURCES
        for lang in langs
        for pair in islice(reader(data, [lang]), rows)
    ]
    text_langs = dict.fromkeys(chain.from_iterable(((p.english, "en"), (p.foreign, p.lang)) for p in pairs))
    texts, langs = [text for text, _ in text_langs], [lang for _, lang in text_langs]
    vectors = [encoder.base.encode(texts), *(side.vectors for side in encoder.sides(texts, langs))]
    write_moments([encoder.base, *encoder.encoders], [normalise(one) for one in vectors])


def sample(data: Path) -> list[TatoebaPart]:
    """Return evenly spaced rows of Tatoeba in the languages of XNLI."""
    task = replace(TATOEBA, languages=tuple(one for one in TATOEBA.languages if one.lang in XNLI_14))
    parts = []
    for part in task.load(data)[0]:
        rows = [i * len(part.foreign) // PAIRS for i in range(PAIRS)]
        foreign, english = (tuple(side[i] for i in rows) for side in (part.foreign, part.english))
        parts.append(TatoebaPart(task, part.language, foreign, english))
    return parts


class Channels:
    """Encode texts by base and all channels."""

    def __init__(self, encoder: RetrofittedEncoder) -> None:
        self.encoder = encoder
        self.names = ["base", *CHANNELS]

    def encode(self, texts: list[str], lang: str) -> dict[str, Vectors]:
        """Return the vectors by channel."""
        sides = [side.vectors for side in self.encoder.sides(texts, [lang] * len(texts))]
        return dict(zip(self.names, [self.encoder.base.encode(texts), *sides], strict=True))


def reduced(
    vectors: dict[str, Vectors],
    names: Sequence[str],
    parts: Sequence[Named],
    weights: Sequence[float],
    size: int | None,
    dtype: Dtype,
) -> Vectors:
    """Return the combined vectors of some channels in fewer dimensions and another precision."""
    x = combine(vectors["base"], *(vectors[name] for name in names), weight=weights)
    y = x if size is None else x @ projection(parts, [1.0, *weights], size)
    return as_dtype(y, dtype, [Sentence("", "")] * len(y)).astype(np.float32)


def main(data: Path, out: Path) -> None:
    """Fit, measure, print and write the rows."""
    set_threads()
    rows: list[Row] = []
    with ExitStack() as stack:
        cache = ParseCache.chosen()
        if cache is not None:
            stack.enter_context(cache)
        encoder = load("muse", None, CHANNELS, 1, cache=cache)
        fit(encoder, data)
        channels, dev = Channels(encoder), stsb_dev(data, limit=DEV)
        sentences = {code: channels.encode(texts, code) for code, texts in dev.texts.items()}
        parts = sample(data)
        both = [
            [channels.encode(list(column.texts), str(column.language)) for column in part.columns()]
            for part in parts
        ]
        for preset, names in {"base": (), **PRESETS}.items():
            weights = load("muse", None, names).weights if names else ()
            names = [name for name, weight in zip(names, weights, strict=True) if weight]
            weights = [weight for weight in weights if weight]
            encoders = [encoder.base, *(encoder.encoders[CHANNELS.index(name)] for name in names)]
            width = sum(part.dimension for part in encoders)
            for size in (size for size in SIZES if size is None or size < width):
                for dtype in ("float32", "int8"):
                    title = f"{preset}, {size or width} {dtype}"
                    sides = {
                        code: Side.whole(reduced(one, names, encoders, weights, size, dtype))
                        for code, one in sentences.items()
                    }
                    score = fit_weights(dev.pairs(sides)).base_score
                    accuracy = {}
                    for part, pair in zip(parts, both, strict=True):
                        columns = [reduced(one, names, encoders, weights, size, dtype) for one in pair]
                        accuracy[part.language.code] = part.score(title, columns)[0].row
                    rows.append(_row(title, "stsb-dev, mean of 11 tracks", "all", "spearman", score, DEV))
                    task = f"tatoeba, {PAIRS} rows a language"
                    rows += [
                        _row(title, task, code, TO_ENGLISH, row.value, PAIRS)
                        for code, row in accuracy.items()
                    ]
                    mean = np.mean([row.value for row in accuracy.values()])
                    print(f"{title:28} {score:6.2f} {mean:6.2f}", flush=True)
    write_json(out, rows)


def _row(encoder: str, task: str, language: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": encoder, "task": task, "language": language, "metric": metric,
        "value": round(value, 2), "n": n,
    }  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
