"""Paired bootstrap: estimate whether a difference between two encoders would persist on other items.

Source: Efron and Tibshirani 1993, chapters 13 and 16; for systems on one test set Koehn 2004.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.evaluation.metrics import MEAN_PEARSON, METRICS, Floats
from amrx.evaluation.results.rows import Items

Counts = npt.NDArray[np.intp]
Indices = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

SAMPLES, SEED = 2000, 1
_BLOCK = 500_000  # numbers in an array of samples, 4 MB


class Interval(NamedTuple):
    """A difference, its 95 % percentile interval, and the two-sided p-value that it is 0."""

    difference: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether the interval excludes 0."""
        return not self.low <= 0 <= self.high

    @property
    def p_text(self) -> str:
        """The p-value as printed in tables."""
        return "< 0.001" if self.p < 0.001 else f"{self.p:.3f}"


def value_of(items: Items, metric: str) -> float:
    """Compute the value of a row from its items.

    Args:
        items: ``(n,)``, whose mean times 100 is the value; or ``(n, 2)``, predicted and gold; or ``(n, 3)``,
            counts of correct, predicted and gold, whose F1 is the value, or, for `MEAN_PEARSON`, predicted,
            gold and number of the file.
        metric: Name in `amrx.evaluation.metrics` if there are predictions.

    Example:
        >>> value_of(np.array([1.0, 0.0, 1.0, 1.0]), "accuracy")
        75.0
    """
    if metric == MEAN_PEARSON:
        return float(np.mean([value_of(part, "pearson") for part in _by_file(items)]))
    if items.ndim == 1:
        return 100 * float(items.mean())
    if items.shape[1] == 3:
        return float(_f1(items.sum(axis=0)[None, :])[0])
    return METRICS[metric](items[:, 0], items[:, 1])


def is_readable(columns: int, metric: str) -> bool:
    """Return whether `value_of` accepts items with this number of columns.

    Example:
        >>> is_readable(2, "spearman"), is_readable(2, "accuracy"), is_readable(4, "F1")
        (True, False, False)
    """
    if metric == MEAN_PEARSON:
        return columns == 3
    return columns in (1, 3) or (columns == 2 and metric in METRICS)


def paired_bootstrap(
    a: Items, b: Items, metric: str, *, samples: int = SAMPLES, seed: int = SEED
) -> Interval:
    """Return the value of ``b`` minus that of ``a``, with interval and p-value from resampled items.

    Each sample draws as many items as there are, with replacement, the same ones for both. The p-value is
    twice the smaller share of samples on one side of 0, with one added to both counts (Davison and Hinkley
    1997).

    Both have items for the same inputs in the same order (see `value_of`).
    """
    differences = resampled(a, b, metric, samples=samples, seed=seed)
    return interval(value_of(b, metric) - value_of(a, metric), differences)


def interval(difference: float, samples: Floats) -> Interval:
    """Return a difference with its interval and p-value, from the differences of samples, ``(samples,)``."""
    low, high = np.percentile(samples, [2.5, 97.5])
    below, above = int(np.sum(samples <= 0)), int(np.sum(samples >= 0))
    p = min(1.0, 2 * (1 + min(below, above)) / (1 + len(samples)))
    return Interval(difference, float(low), float(high), p)


def resampled(a: Items, b: Items, metric: str, *, samples: int = SAMPLES, seed: int = SEED) -> Floats:
    """Return the difference of each sample, ``(samples,)``; arguments as in `paired_bootstrap`.

    Equal seeds draw the same indices from arrays of equal length. The differences of parallel test sets can
    therefore be averaged sample by sample: the translations of a sentence are drawn together.

    F1 items that are zero for both encoders are not drawn: they change no value, and in BUCC nearly all are
    zero. Files are resampled separately, so that each keeps its length.
    """
    if a.shape != b.shape:
        raise ValueError(f"items must have the same shape, got {a.shape} and {b.shape}")
    if metric == MEAN_PEARSON:
        files = zip(_by_file(a), _by_file(b), strict=True)
        by_file = [
            resampled(one, other, "pearson", samples=samples, seed=seed + number)
            for number, (one, other) in enumerate(files)
        ]
        mean: Floats = np.mean(by_file, axis=0)
        return mean
    if a.ndim == 2 and a.shape[1] == 3:
        counts = a.any(axis=1) | b.any(axis=1)
        a, b = a[counts], b[counts]
        if not len(a):
            return np.zeros(samples)
    generator = np.random.default_rng(seed)
    count = len(a)
    block = max(1, _BLOCK // count)
    differences: list[Floats] = []
    for start in range(0, samples, block):
        size = min(block, samples - start)
        draw = generator.integers(0, count, size=(size, count))
        flat = (draw + count * np.arange(size)[:, None]).ravel()
        times = np.bincount(flat, minlength=size * count).reshape(size, count)
        if a.ndim == 1:
            differences.append(100 * (times @ (b - a)) / count)
        elif a.shape[1] == 3:
            differences.append(_f1(times @ b) - _f1(times @ a))
        else:
            differences.append(_correlations(b, times, metric) - _correlations(a, times, metric))
    return np.concatenate(differences)


def _by_file(items: Items) -> list[Items]:
    """Return predicted and gold ``(n, 2)`` of each file, in the order of the items."""
    starts = np.flatnonzero(np.diff(items[:, 2])) + 1
    return np.split(items[:, :2], starts)


def _f1(sums: Floats) -> Floats:
    """Return the F1 of each row of sums ``(k, 3)``: correct, predicted, gold; 0 for 0 / 0.

    ``F1 = 2 correct / (predicted + gold)``, the harmonic mean of precision and recall.
    """
    total = sums[:, 1] + sums[:, 2]
    f1: Floats = np.divide(200 * sums[:, 0], total, out=np.zeros(len(sums)), where=total > 0)
    return f1


def _correlations(items: Items, times: Counts, metric: str) -> Floats:
    """Return the correlation of each sample, as defined in `amrx.evaluation.metrics`.

    ``times`` ``(k, n)`` are the numbers of occurrences of each item ``(n, 2)`` in each sample.
    """
    transform = {"spearman": _ranks, "pearson": _values}[metric]
    (x, varied_x), (y, varied_y) = (transform(items[:, side], times) for side in (0, 1))
    count = len(items)
    x = x - (times * x).sum(axis=1, keepdims=True) / count
    y = y - (times * y).sum(axis=1, keepdims=True) / count
    product = (times * x * y).sum(axis=1)
    length = np.sqrt((times * x * x).sum(axis=1) * (times * y * y).sum(axis=1))
    defined = varied_x & varied_y & (length > 0)
    correlations: Floats = np.divide(product, length, out=np.zeros(len(times)), where=defined)
    return 100 * correlations


def _levels(values: Floats, times: Counts) -> tuple[Counts, Indices]:
    """Return the count of each distinct value in each sample, ascending, and the level of each item."""
    order = np.argsort(values, kind="stable")
    _, first, level = np.unique(values[order], return_index=True, return_inverse=True)
    of_item = np.empty_like(level)
    of_item[order] = level
    return np.add.reduceat(times[:, order], first, axis=1), of_item


def _ranks(values: Floats, times: Counts) -> tuple[Floats, Flags]:
    """Return the mean rank of each item in each sample ``(k, n)``, and whether a sample has several ranks."""
    levels, of_item = _levels(values, times)
    ranks = np.cumsum(levels, axis=1) - (levels - 1) / 2
    return ranks[:, of_item], np.sum(levels > 0, axis=1) > 1


def _values(values: Floats, times: Counts) -> tuple[Floats, Flags]:
    """Return the values ``(1, n)``, and whether a sample has several of them."""
    levels, _ = _levels(values, times)
    return values[None, :], np.sum(levels > 0, axis=1) > 1
