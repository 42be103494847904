#!/usr/bin/env python
"""Compare the presets and the base alone: scores and speed.

.venv/bin/python scripts/compare_settings.py "$AMRX_DATA" results/settings.json

* STS17: Spearman's correlation, mean of the tracks within languages and of those between languages; each text
  is one sentence (``--no-split``);
* hand-written foils: share of `amrx.examples.users` whose translation is nearer than the foil;
* Tatoeba: share of sentences whose nearest of `PAIRS` English ones is the translation, mean of 112 languages;
* speed: sentences per second on one thread, `SPEED` sentences of STS-B dev, without caches, after a warm-up.
  Compare ratios: all settings are timed in one run. The time is that of the processor, so that other load
  counts little.

Graphs and vectors for the scores are in the caches of ``amrx eval``, so a killed run resumes. With
``--speed`` after the file, only the speeds are measured, and replaced in the file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from compare_bases import PAIRS, tatoeba

import amrx
from amrx import vector_cache
from amrx.evaluation.tasks.retrieval.tatoeba import TatoebaPart
from amrx.examples import users
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Encoder
from parser.run.cache import ParseCache
from retrofit.bases import load_base
from retrofit.cached_parts import CachedParts
from retrofit.load import load
from retrofit.weight_fitting import stsb_dev

SETTINGS: Mapping[str, Mapping[str, str]] = {
    "base alone": {},
    "fast": {"preset": "fast"},
    "text": {"preset": "text"},
    "graph": {"preset": "graph"},
    "meaning": {"preset": "meaning"},
    "best": {"preset": "best"},
}
SPEED, WARM_UP = 256, 32
SPEEDS = "speed, one thread"
Row = dict[str, str | float]


def sts17(name: str, encoder: Encoder, data: Path) -> Iterator[Row]:
    """Yield the mean STS17 correlation within and between languages."""
    within: dict[bool, list[float]] = {True: [], False: []}
    for row in amrx.evaluate(encoder, "sts17", data):
        if row.metric == "spearman" and "-" in row.language:
            first, _, second = row.language.partition("-")
            within[first == second].append(row.value)
    for same, values in within.items():
        task = f"STS17 {'within' if same else 'between'} languages"
        yield _row(name, task, "spearman", float(np.mean(values)), len(values))


def foils(name: str, encoder: Encoder) -> Row:
    """Return the share of hand-written sentences whose translation is nearer than the foil."""
    asked = [one for one in users() if one.kind]
    own = [one.lang for one in asked]
    texts = [one.text for one in asked] + [one.translation for one in asked] + [one.foil for one in asked]
    vectors = encoder.encode(texts, lang=[*own, *(one.translation_lang for one in asked), *own])
    text, translation, foil = np.split(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), 3)
    nearer = (text * translation).sum(1) > (text * foil).sum(1)
    return _row(name, "hand-written foils", "share", 100 * float(nearer.mean()), len(asked))


def retrieval(name: str, encoder: Encoder, parts: list[TatoebaPart]) -> Row:
    """Return the mean Tatoeba accuracy from other languages to English."""
    scores = []
    for part in parts:
        sides = [encoder.encode(list(column.texts), lang=column.language) for column in part.columns()]
        scores.append(part.score(name, sides)[0].row.value)
    return _row(name, f"Tatoeba, {PAIRS} pairs per language", "accuracy", float(np.mean(scores)), len(scores))


def speed(name: str, setting: Mapping[str, str], texts: list[str]) -> Row:
    """Return the sentences per second of an encoder without caches."""
    encoder = load(**setting) if setting else load_base("muse")
    encoder.encode(texts[:WARM_UP], lang="en")
    started = time.process_time()
    encoder.encode(texts[WARM_UP:], lang="en")
    rate = (len(texts) - WARM_UP) / (time.process_time() - started)
    return _row(name, SPEEDS, "sentences per second", rate, len(texts) - WARM_UP)


def _encoder(
    setting: Mapping[str, str],
    cache: ParseCache | None,
    vectors: vector_cache.VectorCache | None,
    *,
    split: bool,
) -> Encoder:
    """Load the encoder of a setting, with caches."""
    if not setting:
        return load_base("muse")
    whole = load(**setting, split=split, cache=cache)
    return whole if vectors is None else CachedParts(whole, vectors)


def _row(encoder: str, task: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": encoder, "task": task, "language": "all", "metric": metric, "value": round(value, 2),
        "n": n,
    }  # fmt: skip


def main(data: Path, out: Path, *options: str) -> None:
    """Score and time every setting, print and write the rows."""
    set_threads(1)
    rows: list[Row] = []
    texts = stsb_dev(data, ["en"], limit=(SPEED + WARM_UP) // 2).texts["en"]
    for name, setting in SETTINGS.items():
        rows.append(speed(name, setting, texts))
        print(rows[-1], flush=True)
    if options == ("--speed",):
        scores = [row for row in json.loads(out.read_text("utf-8")) if row["task"] != SPEEDS]
        write(out, rows + scores)
        return
    parts = tatoeba(data)
    with ExitStack() as stack:
        cache, vectors = ParseCache.chosen(), vector_cache.VectorCache.chosen()
        for one in (cache, vectors):
            if one is not None:
                stack.enter_context(one)
        for name, setting in SETTINGS.items():
            whole = _encoder(setting, cache, vectors, split=False)
            parted = _encoder(setting, cache, vectors, split=True)
            rows += [*sts17(name, whole, data), foils(name, parted), retrieval(name, parted, parts)]
            print(*rows[-4:], sep="\n", flush=True)
    write(out, rows)


def write(out: Path, rows: list[Row]) -> None:
    """Write the rows."""
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
