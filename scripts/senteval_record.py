"""Compare the protocol ``senteval`` with the scores of the published evaluation's code on the same vectors.

::

    python scripts/senteval_record.py ../shared/reference/senteval OUT.json

Fits the softmax regression on XNLI's English rows with each seed of the record, selects by the mean accuracy
over the dev sets, and writes rows as ``amrx eval --json`` does: each language's test accuracy, mean over the
seeds, ours and the record's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from amrx.evaluation.tasks.transfer.classifier import Labelled, features
from amrx.evaluation.tasks.transfer.softmax import Softmax
from amrx.records import write_json

LANGUAGES = ("en", "de", "es")


def main(folder: Path, out: Path) -> None:
    """Fit, print and write."""
    arrays = dict(np.load(folder / "xnli_muse.npz", allow_pickle=False))
    runs = json.loads((folder / "xnli_muse.json").read_text("utf-8"))["adam"]["runs"]
    train, dev = part(arrays, "train_en"), [part(arrays, f"dev_{code}") for code in LANGUAGES]
    test = {code: part(arrays, f"test_{code}") for code in LANGUAGES}
    fitted = [Softmax(seed=run["seed"]).fit(train, dev, 3).model for run in runs]
    rows = []
    for code in LANGUAGES:
        ours = np.mean([model.accuracy(test[code]) for model in fitted])
        theirs = np.mean([run["test"][code] for run in runs])
        print(f"{code}: {ours:.2f}, in the record {theirs:.2f}, mean of {len(runs)} seeds")
        for name, value in (("amrx", ours), ("the record", theirs)):
            row = {"encoder": name, "task": "xnli-senteval", "language": code, "metric": "accuracy"}
            rows.append({**row, "value": round(float(value), 2), "n": len(test[code].y)})
    write_json(out, rows)


def part(arrays: Mapping[str, np.ndarray], name: str) -> Labelled:
    """Return the rows of one set of the record, with the features of the published evaluation."""
    sides = [arrays[f"{name}_{side}"].astype(np.float32) for side in "uv"]
    return Labelled(features(sides, ("abs(u-v)", "u*v")), arrays[f"{name}_y"].astype(np.int64))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
