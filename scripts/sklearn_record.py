"""How far scikit-learn's rows of the published evaluation's record can be met, and why no further.

::

    python scripts/sklearn_record.py ../shared/reference/senteval

Prints, for each C of the record, the largest difference in accuracy over dev-en and three test sets: of
the protocol ``sklearn``, of the same in float32, and of the exact optimum (Newton's method to 1e-8, which
no rounding moves). lbfgs stops at scikit-learn's usual tolerance, short of the optimum, and where it
stops follows from how the processor rounds: OPENBLAS_CORETYPE=Haswell (or SkylakeX, Sandybridge, ...)
before the command shows what other processors give.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from amrx.evaluate.transfer.classifier import Labelled, features
from amrx.evaluate.transfer.logistic import Logistic

SETS = ("dev_en", "test_en", "test_de", "test_es")


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1])
    arrays = dict(np.load(folder / "xnli_muse.npz"))
    recorded = json.loads((folder / "xnli_muse.json").read_text("utf-8"))["sklearn"]

    def part(name: str, dtype: type) -> Labelled:
        sides = [arrays[f"{name}_{side}"].astype(np.float32) for side in "uv"]
        return Labelled(features(sides, Logistic().pair_features).astype(dtype), arrays[f"{name}_y"])

    wide, narrow = part("train_en", np.float64), part("train_en", np.float32)
    print(f"{'C':>5} {'protocol':>9} {'float32':>9} {'optimum':>9}")
    for row in recorded:
        protocol = Logistic().fit_one(wide, row["C"], 3)
        single = LogisticRegression(C=row["C"], max_iter=1000).fit(narrow.x, narrow.y)
        exact = LogisticRegression(C=row["C"], solver="newton-cg", tol=1e-8, max_iter=1000).fit(
            wide.x, wide.y
        )
        cells = []
        for told in (
            {name: protocol.accuracy(part(name, np.float64)) for name in SETS},
            {name: 100 * single.score(*part(name, np.float32)) for name in SETS},
            {name: 100 * exact.score(*part(name, np.float64)) for name in SETS},
        ):
            cells.append(max(abs(told[name] - row[name]) for name in SETS))
        print(f"{row['C']:>5} " + " ".join(f"{cell:>9.2f}" for cell in cells))


if __name__ == "__main__":
    main()
