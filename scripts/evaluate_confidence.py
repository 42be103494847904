"""Compare confidence with Smatch: ``python scripts/evaluate_confidence.py DATA OUT.json [PARSER [MOST]]``.

On up to MOST (200) random sentences in odd rows of each dev set of `scripts/evaluate_parser.py` with gold
graphs (`scripts/fit_confidence.py` fits on even rows). Reports
the rank correlation of each set; the mean confidence and mean Smatch of eight equal parts by confidence; and
the expected calibration error, which is the mean absolute difference of the two over the parts.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from evaluate_parser import tasks
from scipy.stats import spearmanr

from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Sentence
from parser import load
from parser.load import PARSER
from parser.score.smatch import corpus_smatch

PARTS = 8
Row = dict[str, str | float]
Floats = npt.NDArray[np.float64]


def main(data: Path, out: Path, name: str = PARSER, most: str = "200") -> None:
    """Parse, score and write the table."""
    set_threads()
    parser = load(name)
    rows: list[Row] = []
    confidences: list[float] = []
    scores: list[float] = []
    for task, lang, texts, gold in tasks(data):
        rows_left = range(1, len(texts), 2)
        chosen = random.Random(0).sample(rows_left, min(int(most), len(rows_left)))  # noqa: S311
        parses = parser.parse([Sentence(str(i), texts[i], lang) for i in chosen])
        pairs = [
            (100 * parse.confidence, corpus_smatch([gold[i]], [parse.graph]).f1)
            for i, parse in zip(chosen, parses, strict=True)
            if parse.confidence is not None
        ]
        confidence, smatch = np.array(pairs).T
        rho = 100 * float(spearmanr(confidence, smatch).statistic)
        rows += _rows(name, "by set", f"{task}-{lang}", confidence, smatch)
        rows.append(_row(name, "by set", f"{task}-{lang}", "Spearman's correlation", rho, len(pairs)))
        print(f"{task}-{lang}: {len(pairs)} sentences, rho {rho:.1f}", flush=True)
        confidences += confidence.tolist()
        scores += smatch.tolist()
    order, error = np.argsort(confidences, kind="stable"), 0.0
    for number, part in enumerate(np.array_split(order, PARTS), 1):
        confidence, smatch = np.array(confidences)[part], np.array(scores)[part]
        rows += _rows(name, "in eight parts", f"part {number}", confidence, smatch)
        error += abs(confidence.mean() - smatch.mean()) * len(part) / len(order)
    rows.append(_row(name, "in eight parts", "all", "expected calibration error", error, len(order)))
    write_json(out, rows)
    print(f"{out}: expected calibration error {error:.1f} over {len(order)} sentences")


def _rows(name: str, how: str, group: str, confidence: Floats, smatch: Floats) -> list[Row]:
    """Return rows of the mean confidence and the mean Smatch of some sentences."""
    means = (("confidence", confidence), ("smatch", smatch))
    return [_row(name, how, group, metric, float(values.mean()), len(values)) for metric, values in means]


def _row(name: str, how: str, group: str, metric: str, value: float, n: int) -> Row:
    return {
        "encoder": name,
        "task": f"Confidence of graphs, {how}",
        "language": group,
        "metric": metric,
        "value": round(value, 2),
        "n": n,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
