"""Paired bootstrap: is one encoder better than another on these items, or would other items say otherwise?

Source: Efron and Tibshirani 1993, chapters 13 and 16; for systems on one test set Koehn 2004.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.evaluation.metrics import MEAN_PEARSON, METRICS, Floats
from amrx.evaluation.results.rows import Items

Counts = npt.NDArray[np.intp]
Places = npt.NDArray[np.intp]
Varied = npt.NDArray[np.bool_]

SAMPLES, SEED = 2000, 1
_HELD = 500_000  # numbers in an array of samples, 4 MB


class Interval(NamedTuple):
    """A difference, its 95 % percentile interval and the two-sided p-value that it is 0."""

    difference: float
    low: float
    high: float
    p: float

    @property
    def real(self) -> bool:
        """Whether 0 lies outside of the interval."""
        return not self.low <= 0 <= self.high

    @property
    def told_p(self) -> str:
        """The p-value as tables print it."""
        return "< 0.001" if self.p < 0.001 else f"{self.p:.3f}"


def value_of(items: Items, metric: str) -> float:
    """Return the value of a row from its items.

    Args:
        items: ``(n,)``, whose mean times 100 is the value; or ``(n, 2)``, predicted and gold; or ``(n, 3)``,
            counts of what is right, taken and gold, whose F1 is the value, or, for `MEAN_PEARSON`,
            predicted, gold and number of the file.
        metric: Name in `amrx.evaluation.metrics` where there are predictions.

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
    """Tell whether `value_of` can read items of so many columns.

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
    """Return the value of ``b`` less that of ``a``, with what resampling the items makes of it.

    Each sample draws as many items as there are, with replacement, the same ones for both. The p-value is
    twice the smaller share of samples on one side of 0, with one added to both counts (Davison and Hinkley
    1997).

    Args:
        a: Items of the first encoder, see ``value_of``.
        b: Items of the second, for the same things in the same order.
        metric: Name of the metric.
        samples: How many samples.
        seed: Of the draws; equal seeds give equal results.

    Raises:
        ValueError: The shapes differ.
    """
    found = resampled(a, b, metric, samples=samples, seed=seed)
    return interval(value_of(b, metric) - value_of(a, metric), found)


def interval(difference: float, found: Floats) -> Interval:
    """Return a difference with its interval and p-value, from the differences ``(samples,)`` of samples."""
    low, high = np.percentile(found, [2.5, 97.5])
    below, above = int(np.sum(found <= 0)), int(np.sum(found >= 0))
    p = min(1.0, 2 * (1 + min(below, above)) / (1 + len(found)))
    return Interval(difference, float(low), float(high), p)


def resampled(a: Items, b: Items, metric: str, *, samples: int = SAMPLES, seed: int = SEED) -> Floats:
    """Return the difference of each sample, ``(samples,)``; arguments as in `paired_bootstrap`.

    Equal seeds draw the same places from arrays of equal length, so that the differences of parallel test
    sets may be averaged sample by sample: the languages of one sentence are then drawn together.

    Items of F1 that count for neither encoder are not drawn: they change no sample's value, and of BUCC's
    sentences they are nearly all. Of several files each is drawn from apart, so that it keeps its length.
    """
    if a.shape != b.shape:
        raise ValueError(f"items of {a.shape} and {b.shape} do not pair")
    if metric == MEAN_PEARSON:
        files = zip(_by_file(a), _by_file(b), strict=True)
        differences = [
            resampled(one, other, "pearson", samples=samples, seed=seed + number)
            for number, (one, other) in enumerate(files)
        ]
        mean: Floats = np.mean(differences, axis=0)
        return mean
    if a.ndim == 2 and a.shape[1] == 3:
        counts = a.any(axis=1) | b.any(axis=1)
        a, b = a[counts], b[counts]
        if not len(a):
            return np.zeros(samples)
    generator = np.random.default_rng(seed)
    count = len(a)
    block = max(1, _HELD // count)
    found: list[Floats] = []
    for start in range(0, samples, block):
        size = min(block, samples - start)
        draw = generator.integers(0, count, size=(size, count))
        flat = (draw + count * np.arange(size)[:, None]).ravel()
        times = np.bincount(flat, minlength=size * count).reshape(size, count)
        if a.ndim == 1:
            found.append(100 * (times @ (b - a)) / count)
        elif a.shape[1] == 3:
            found.append(_f1(times @ b) - _f1(times @ a))
        else:
            found.append(_correlations(b, times, metric) - _correlations(a, times, metric))
    return np.concatenate(found)


def _by_file(items: Items) -> list[Items]:
    """Return predicted and gold ``(n, 2)`` of each file, in the order of the items."""
    starts = np.flatnonzero(np.diff(items[:, 2])) + 1
    return np.split(items[:, :2], starts)


def _f1(sums: Floats) -> Floats:
    """Return F1 of each row of sums ``(k, 3)``: right, taken, gold; 0 where nothing is taken or gold.

    ``F1 = 2 right / (taken + gold)``, which is the harmonic mean of precision and recall.
    """
    total = sums[:, 1] + sums[:, 2]
    found: Floats = np.divide(200 * sums[:, 0], total, out=np.zeros(len(sums)), where=total > 0)
    return found


def _correlations(items: Items, times: Counts, metric: str) -> Floats:
    """Return the correlation of each sample, as `amrx.evaluation.metrics` gives it.

    Args:
        items: ``(n, 2)``.
        times: ``(k, n)``, how often each sample has each item.
        metric: ``spearman`` or ``pearson``.
    """
    of = {"spearman": _ranks, "pearson": _values}[metric]
    (x, many_x), (y, many_y) = (of(items[:, side], times) for side in (0, 1))
    count = len(items)
    x = x - (times * x).sum(axis=1, keepdims=True) / count
    y = y - (times * y).sum(axis=1, keepdims=True) / count
    product = (times * x * y).sum(axis=1)
    length = np.sqrt((times * x * x).sum(axis=1) * (times * y * y).sum(axis=1))
    varied = many_x & many_y
    there = varied & (length > 0)
    found: Floats = np.divide(product, length, out=np.zeros(len(times)), where=there)
    return 100 * found


def _levels(values: Floats, times: Counts) -> tuple[Counts, Places]:
    """Return how often each sample has each distinct value, ascending, and the value of each item."""
    order = np.argsort(values, kind="stable")
    _, first, place = np.unique(values[order], return_index=True, return_inverse=True)
    back = np.empty_like(place)
    back[order] = place
    return np.add.reduceat(times[:, order], first, axis=1), back


def _ranks(values: Floats, times: Counts) -> tuple[Floats, Varied]:
    """Return the mean rank of each item in each sample ``(k, n)``, and whether a sample has two ranks."""
    levels, place = _levels(values, times)
    ranks = np.cumsum(levels, axis=1) - (levels - 1) / 2
    return ranks[:, place], np.sum(levels > 0, axis=1) > 1


def _values(values: Floats, times: Counts) -> tuple[Floats, Varied]:
    """Return the values themselves ``(1, n)``, and whether a sample has two of them."""
    levels, _ = _levels(values, times)
    return values[None, :], np.sum(levels > 0, axis=1) > 1
