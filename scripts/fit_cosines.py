#!/usr/bin/env python
"""Fit the marks that ``amrx explain`` shows, and measure cosines of related and unrelated sentences.

.venv/bin/python scripts/fit_cosines.py "$AMRX_DATA" results/cosines.json

The marks (`retrofit.marks`) are fitted on `FITTED` evenly spaced rows per language of Tatoeba (CC BY 2.0 FR)
and NTREX-128 (CC BY-SA 4.0), from training files: each English sentence with its translation, and with the
translations of `SHIFTS` other rows as unrelated sentences. They are tested on other rows of Tatoeba, where
every English sentence is paired with every translation of a language: d' of translations against unrelated
sentences, ``(m - m') / sqrt((s^2 + s'^2) / 2)``, precision and recall. PAWS-X dev, in English and from
English to German, has paraphrases against foils of the same words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.records import write_json
from amrx.threads import set_threads
from parser.run.cache import ParseCache
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import Pair, ntrex, tatoeba
from retrofit.combine import RetrofittedEncoder, Side
from retrofit.load import CHANNELS, PRESETS, load
from retrofit.marks import marks_of, write_marks
from retrofit.weight_fitting import PairCosines, combined_cosines

Floats = npt.NDArray[np.float64]
TATOEBA, NTREX = ("ar", "de", "tr", "zh"), ("de", "es", "fr", "it", "zh")
FITTED, TRIED, PARAPHRASES = 40, 40, 100
"""Rows per language to fit, to test on Tatoeba, and of PAWS-X dev."""
SHIFTS = (7, 13, 20)
THRESHOLDS = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
Row = dict[str, str | float]


class Pairs(NamedTuple):
    """Cosines of base and channels over pairs, and whether each pair belongs together."""

    cosines: PairCosines
    near: npt.NDArray[np.bool_]


class Sentences:
    """Encode sentences by base and channels."""

    def __init__(self, encoder: RetrofittedEncoder) -> None:
        self.encoder = encoder

    def encode(self, texts: Sequence[str], lang: str) -> list[Side]:
        """Return a side per encoder."""
        base = Side.whole(self.encoder.base.encode(list(texts), lang=lang))
        return [base, *self.encoder.sides(texts, [lang] * len(texts), encoders=self.encoder.encoders)]


def compare(first: list[Side], second: list[Side], rows: npt.NDArray[np.int_], near: Sequence[bool]) -> Pairs:
    """Return the cosines of the pairs ``rows (n, 2)`` of two lists of sentences."""
    cosines, there = [], []
    for one, other in zip(first, second, strict=True):
        a, b = one.vectors[rows[:, 0]].astype(np.float64), other.vectors[rows[:, 1]].astype(np.float64)
        lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        cosines.append((a * b).sum(1) / np.maximum(lengths, 1e-30))
        there.append(np.stack([one.present[rows[:, 0]], other.present[rows[:, 1]]], 1))
    values = PairCosines(np.array(cosines), np.array(there), np.zeros(len(rows)), [""] * len(rows))
    return Pairs(values, np.array(near, dtype=np.bool_))


def joined(parts: Sequence[Pairs]) -> Pairs:
    """Concatenate the pairs of several parts."""
    cosines = np.concatenate([part.cosines.cosines for part in parts], 1)
    there = np.concatenate([part.cosines.present for part in parts], 1)
    near = np.concatenate([part.near for part in parts])
    return Pairs(PairCosines(cosines, there, np.zeros(len(near)), [""] * len(near)), near)


def spaced(pairs: Sequence[Pair], count: int, tried: bool) -> list[Pair]:
    """Return evenly spaced rows: those to fit on, or those between them to test on."""
    return [pairs[(2 * i + tried) * len(pairs) // (2 * count)] for i in range(count)]


def translations(sentences: Sentences, pairs: list[Pair], every: bool) -> Pairs:
    """Return each pair, and unrelated pairs with all other rows or, unless ``every``, with `SHIFTS`."""
    n = len(pairs)
    english = sentences.encode([pair.english for pair in pairs], "en")
    foreign = sentences.encode([pair.foreign for pair in pairs], pairs[0].lang)
    shifts = range(n) if every else (0, *SHIFTS)
    rows = np.array([(i, (i + shift) % n) for shift in shifts for i in range(n)])
    return compare(english, foreign, rows, rows[:, 0] == rows[:, 1])


def paraphrases(sentences: Sentences, data: Path) -> Pairs:
    """Return the pairs of PAWS-X dev, in English and with an English first and German second sentence."""
    sides, near = {}, []
    for lang in ("en", "de"):
        rows = list(
            islice(read_columns(data / "transfer" / "PAWSX" / f"dev-{lang}.tsv", 3), 1, PARAPHRASES + 1)
        )
        near = [row[2] == "1" for row in rows]
        sides[lang] = [sentences.encode([row[side] for row in rows], lang) for side in (0, 1)]
    rows = np.stack([np.arange(len(near))] * 2, 1)
    return joined([compare(sides["en"][0], sides[lang][1], rows, near) for lang in ("en", "de")])


def separation(cosines: Floats, near: npt.NDArray[np.bool_]) -> float:
    """Return d' of the pairs that belong together against the others."""
    one, other = cosines[near], cosines[~near]
    return float((one.mean() - other.mean()) / np.sqrt((one.var() + other.var()) / 2))


def curve(cosines: Floats, near: npt.NDArray[np.bool_]) -> list[tuple[float, float, float]]:
    """Return threshold, precision and recall (0-100) of each threshold that some cosine reaches."""
    points = []
    for threshold in THRESHOLDS:
        above = cosines >= threshold
        if above.any():
            points.append((threshold, 100 * near[above].mean(), 100 * above[near].mean()))
    return points


def best_f1(cosines: Floats, near: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Return the best F1 (0-100) of all thresholds, and its threshold."""
    order = np.argsort(-cosines, kind="stable")
    hits = np.cumsum(near[order])
    f1 = 200 * hits / (np.arange(1, len(near) + 1) + near.sum())
    best = int(f1.argmax())
    return float(f1[best]), float(cosines[order[best]])


def main(data: Path, out: Path) -> None:
    """Fit, measure, print and write the rows."""
    set_threads()
    with ExitStack() as stack:
        cache = ParseCache.chosen()
        if cache is not None:
            stack.enter_context(cache)
        encoder = load("muse", None, CHANNELS, 1, cache=cache)
        sentences = Sentences(encoder)
        fitted = joined([
            translations(sentences, spaced(list(reader(data, [lang])), FITTED, False), every=False)
            for reader, langs in ((tatoeba, TATOEBA), (ntrex, NTREX)) for lang in langs
        ])  # fmt: skip
        kinds = {"unrelated": ~fitted.near, "translations": fitted.near}
        write_marks(encoder, {name: fitted.cosines.cosines[:, chosen] for name, chosen in kinds.items()})
        tried = joined([
            translations(sentences, spaced(list(tatoeba(data, [lang])), TRIED, True), every=True)
            for lang in TATOEBA
        ])  # fmt: skip
        sets = {"Tatoeba": tried, "PAWS-X dev": paraphrases(sentences, data)}
        rows: list[Row] = []
        for preset, names in {"base": (), **PRESETS}.items():
            stored = {} if not names else dict(zip(names, load("muse", None, names).weights, strict=True))
            weights = [stored.get(name, 0.0) for name in CHANNELS]
            rows += measure(preset, encoder.with_weight(weights), sets)
    write_json(out, rows)


def measure(preset: str, encoder: RetrofittedEncoder, sets: dict[str, Pairs]) -> list[Row]:
    """Return rows of the marks, d' and the curves of one setting."""
    marks = marks_of(encoder)
    base, own = marks[0], marks[-1]
    if base is None or own is None:
        raise SystemExit(f"no marks of {encoder.name}")
    own_marks = {"unrelated": own.unrelated, "translations": own.translations}
    rows = [
        _row(preset, "Cosines: marks", name, metric, 100 * value, FITTED * (len(TATOEBA) + len(NTREX)))
        for name, usual in own_marks.items()
        for metric, value in (("mean", usual.mean), ("standard deviation", usual.sd))
    ]
    print(f"{preset:6} {own}")
    for name, pairs in sets.items():
        cosines = combined_cosines(pairs.cosines, encoder.weights)
        mapped = np.array([own.on_scale_of(base, one) for one in cosines])
        n = len(cosines)
        scales = {"": cosines} if base == own else {"": cosines, " on the base's scale": mapped}
        for scale, values in scales.items():
            task = f"Cosines: {name}{scale}"
            f1, best = best_f1(values, pairs.near)
            d = separation(values, pairs.near)
            mean = values[~pairs.near].mean()
            rows += [
                _row(preset, task, "all", "d'", d, n),
                _row(preset, task, "all", "mean of pairs that do not belong together", 100 * mean, n),
                _row(preset, task, "all", "best F1", f1, n),
                _row(preset, task, "all", "threshold of the best F1", 100 * best, n),
            ]
            print(
                f"{preset:6} {task:38} d' {d:5.2f}  mean {mean:5.2f}  F1 {f1:5.1f} at {best:.2f}", flush=True
            )
            for threshold, precision, recall in curve(values, pairs.near):
                rows.append(_row(preset, task, f"{threshold:.2f}", "precision", precision, n))
                rows.append(_row(preset, task, f"{threshold:.2f}", "recall", recall, n))
    return rows


def _row(encoder: str, task: str, language: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": encoder, "task": task, "language": language, "metric": metric,
        "value": round(float(value), 2), "n": n,
    }  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
