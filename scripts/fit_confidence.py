"""Fit the confidence of the parser ``mini``: ``python scripts/fit_confidence.py DATA FOLDER [MOST]``.

On up to MOST (250) sentences in even rows of each dev set of `scripts/evaluate_parser.py`; the odd rows
are left to measure it. FOLDER, a parser's, gets ``confidence.json`` (`parser.mini.confidence`).
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from evaluate_parser import tasks
from scipy.optimize import least_squares

from amrx.threads import set_threads
from parser.mini.confidence import Confidence, write_confidence
from parser.mini.flat import unflatten
from parser.mini.parser import load_mini
from parser.mini.source import read_source
from parser.mini.store import CONFIDENCE
from parser.score.smatch import corpus_smatch

BATCH = 32
Floats = npt.NDArray[np.float64]


def fitted(features: Floats, smatch: Floats) -> Confidence:
    """Return the numbers with the least squared error.

    Args:
        features: Of each graph ``(n, 6)`` (`Signs.features`).
        smatch: Of each graph with the gold one, 0 to 1 ``(n,)``.
    """

    def errors(numbers: Floats) -> Floats:
        return 1 / (1 + np.exp(-(numbers[0] + features @ numbers[1:]))) - smatch

    numbers = least_squares(errors, np.zeros(features.shape[1] + 1)).x
    return Confidence(round(float(numbers[0]), 4), tuple(round(float(one), 4) for one in numbers[1:]))


def main(data: Path, folder: Path, most: str = "250") -> None:
    """Parse, score, fit and write."""
    set_threads()
    parser = load_mini(folder)
    features, smatch = list[tuple[float, ...]](), list[float]()
    for _, lang, texts, gold in tasks(data):
        rows = range(0, len(texts), 2)
        chosen = random.Random(0).sample(rows, min(int(most), len(rows)))  # noqa: S311
        for begin in range(0, len(chosen), BATCH):
            block = chosen[begin : begin + BATCH]
            sources = [read_source(texts[row], lang, parser.tokenizer) for row in block]
            for row, graph in zip(block, parser.decoder(*parser.tensors(sources), sources), strict=True):
                features.append(graph.signs.features)
                smatch.append(corpus_smatch([gold[row]], [unflatten(graph.flat)[0]]).f1 / 100)
    confidence = fitted(np.array(features), np.array(smatch))
    write_confidence(folder / CONFIDENCE, confidence)
    print(f"{folder / CONFIDENCE}: {confidence}, on {len(smatch)} graphs")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
