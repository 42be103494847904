"""Compare the protocol ``sklearn`` with the rows of scikit-learn in the published evaluation's record.

::

    python scripts/sklearn_record.py ../shared/reference/senteval

Prints, for each C of the record, the largest difference in accuracy over dev-en and three test sets, for: the
protocol ``sklearn``; the same with features computed in half precision, the precision of the recorded
vectors; the latter with a fit in float32; and the exact optimum (Newton's method to 1e-8, independent of
rounding). The last line counts how many of the 24 accuracies differ by more than 0.1.

lbfgs stops at scikit-learn's default tolerance, before the optimum. In double precision it stops at the same
point on every processor; in single precision the point depends on the processor's rounding. To see other
processors' results, set OPENBLAS_CORETYPE=Haswell (or SkylakeX, Sandybridge, ...) before the command.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from amrx.evaluation.tasks.transfer.classifier import Labelled, features
from amrx.evaluation.tasks.transfer.logistic import Logistic

SETS = ("dev_en", "test_en", "test_de", "test_es")


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1])
    arrays = dict(np.load(folder / "xnli_muse.npz"))
    recorded = json.loads((folder / "xnli_muse.json").read_text("utf-8"))["sklearn"]

    def part(name: str, precision: type, solver: type) -> Labelled:
        sides = [arrays[f"{name}_{side}"].astype(precision) for side in "uv"]
        return Labelled(features(sides, Logistic().pair_features).astype(solver), arrays[f"{name}_y"])

    def usual(train: Labelled, strength: float) -> LogisticRegression:
        return LogisticRegression(C=strength, max_iter=1000).fit(train.x, train.y)

    def exact(train: Labelled, strength: float) -> LogisticRegression:
        newton = LogisticRegression(C=strength, solver="newton-cg", tol=1e-8, max_iter=1000)
        return newton.fit(train.x, train.y)

    columns = {
        "protocol": (np.float32, np.float64, usual),
        "half": (np.float16, np.float64, usual),
        "half, float32": (np.float16, np.float32, usual),
        "half, optimum": (np.float16, np.float64, exact),
    }
    print(f"{'C':>5} " + " ".join(f"{name:>13}" for name in columns))
    apart = dict.fromkeys(columns, 0)
    for row in recorded:
        cells = []
        for name, (precision, solver, fit) in columns.items():
            model = fit(part("train_en", precision, solver), row["C"])
            sets = {title: part(title, precision, solver) for title in SETS}
            gaps = [abs(100 * model.score(rows.x, rows.y) - row[title]) for title, rows in sets.items()]
            apart[name] += sum(gap > 0.11 for gap in gaps)
            cells.append(max(gaps))
        print(f"{row['C']:>5} " + " ".join(f"{cell:>13.2f}" for cell in cells))
    print("apart " + " ".join(f"{count:>13}" for count in apart.values()))


if __name__ == "__main__":
    main()
