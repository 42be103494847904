"""Paired bootstrap: is one encoder better than another on these items, or would other items say otherwise?

Source: Efron and Tibshirani 1993, chapters 13 and 16; for systems on one test set Koehn 2004.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from amrx.evaluate.contract import Items
from amrx.evaluate.metrics import METRICS

SAMPLES, SEED = 2000, 1


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


def value_of(items: Items, metric: str) -> float:
    """Return the value of a row from its items.

    Args:
        items: ``(n,)``, whose mean times 100 is the value, or ``(n, 2)``, predicted and gold.
        metric: Name in `amrx.evaluate.metrics` where there are two columns.

    Example:
        >>> value_of(np.array([1.0, 0.0, 1.0, 1.0]), "accuracy")
        75.0
    """
    if items.ndim == 1:
        return 100 * float(items.mean())
    return METRICS[metric](items[:, 0], items[:, 1])


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
    if a.shape != b.shape:
        raise ValueError(f"items of {a.shape} and {b.shape} do not pair")
    generator = np.random.default_rng(seed)
    found = np.empty(samples)
    for sample in range(samples):
        draw = generator.integers(0, len(a), size=len(a))
        found[sample] = value_of(b[draw], metric) - value_of(a[draw], metric)
    low, high = np.percentile(found, [2.5, 97.5])
    below, above = int(np.sum(found <= 0)), int(np.sum(found >= 0))
    p = min(1.0, 2 * (1 + min(below, above)) / (1 + samples))
    return Interval(value_of(b, metric) - value_of(a, metric), float(low), float(high), p)
