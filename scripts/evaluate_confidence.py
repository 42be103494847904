"""How far confidence tells Smatch: ``python scripts/evaluate_confidence.py DATA OUT.json [PARSER [MOST]]``.

The dev sets of `scripts/evaluate_parser.py` that have gold graphs, at most MOST (200) sentences of each drawn
at random: in eight equal parts by confidence the mean confidence and the mean Smatch, each set's rank
correlation, and the expected calibration error, the mean of their differences.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
from evaluate_parser import tasks
from scipy.stats import spearmanr

from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Sentence
from parser import load
from parser.load import PARSER
from parser.score.smatch import corpus_smatch

PARTS = 8


def main(data: Path, out: Path, name: str = PARSER, most: str = "200") -> None:
    """Parse, score and write the table."""
    set_threads()
    parser = load(name)
    sets: dict[str, dict[str, float]] = {}
    confidences: list[float] = []
    scores: list[float] = []
    for task, lang, texts, gold in tasks(data):
        chosen = random.Random(0).sample(range(len(texts)), min(int(most), len(texts)))  # noqa: S311
        parses = parser.parse([Sentence(str(i), texts[i], lang) for i in chosen])
        pairs = [
            (parse.confidence, corpus_smatch([gold[i]], [parse.graph]).f1 / 100)
            for i, parse in zip(chosen, parses, strict=True)
            if parse.confidence is not None
        ]
        told, true = np.array(pairs).T
        rho = float(spearmanr(told, true).statistic)
        sets[f"{task}-{lang}"] = {
            "sentences": len(pairs),
            "confidence": float(told.mean()),
            "smatch": float(true.mean()),
            "rho": rho,
        }
        print(f"{task}-{lang}: {len(pairs)} sentences, rho {rho:.3f}", flush=True)
        confidences += told.tolist()
        scores += true.tolist()
    order = np.argsort(confidences, kind="stable")
    parts = [
        {
            "least": float(np.array(confidences)[part].min()),
            "confidence": float(np.array(confidences)[part].mean()),
            "smatch": float(np.array(scores)[part].mean()),
            "sentences": len(part),
        }
        for part in np.array_split(order, PARTS)
    ]
    error = sum(abs(p["confidence"] - p["smatch"]) * p["sentences"] for p in parts) / len(order)
    result = {"parser": parser.fingerprint, "error": error, "parts": parts, "sets": sets}
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(f"{out}: expected calibration error {error:.3f} over {len(order)} sentences")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
