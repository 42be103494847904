"""Compute the agreement of similarities with human scores."""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Metric = Callable[[Floats, Floats], float]


def pearson(predicted: Floats, gold: Floats) -> float:
    """Return Pearson's correlation, -100 to 100; 0 if one side is constant."""
    from scipy.stats import pearsonr

    if _constant(predicted) or _constant(gold):
        return 0.0
    return 100 * float(pearsonr(predicted, gold).statistic)


def spearman(predicted: Floats, gold: Floats) -> float:
    """Return Spearman's rank correlation, -100 to 100, with mean ranks for ties; 0 if a side is constant."""
    from scipy.stats import rankdata

    return pearson(rankdata(predicted), rankdata(gold))


def _constant(values: Floats) -> bool:
    return len(values) < 2 or bool(np.ptp(values) == 0)


MEAN_PEARSON = "pearson, mean over the files"
"""Metric of items in several files: Pearson's correlation of each file has the same weight."""
METRICS: Mapping[str, Metric] = {"spearman": spearman, "pearson": pearson}
