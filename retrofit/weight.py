"""Fit the weight of the AMR side on dev pairs, from similarities computed once.

With unit vectors ``s`` and ``h`` the combined vector is ``s + w h`` side by side, so that

``cos_w(a, b) = (s_a.s_b + w^2 h_a.h_b) / sqrt((1 + w^2 p_a) (1 + w^2 p_b))``

where p is 1 for a parsed sentence and 0 for a failed one, whose AMR part is zero. The whole grid costs no
further encoding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
GRID: tuple[float, ...] = tuple(round(0.05 * step, 2) for step in range(41))


@dataclass(frozen=True, slots=True)
class PairCosines:
    """Similarities of ``n`` dev pairs.

    Attributes:
        base: Cosine of the base vectors ``(n,)``.
        amr: Cosine of the AMR vectors, 0 where a side failed ``(n,)``.
        parsed: Whether each side has an AMR part, ``(n, 2)``.
        gold: Human score ``(n,)``.
        languages: Language, or pair of languages, of each pair.
    """

    base: Floats
    amr: Floats
    parsed: npt.NDArray[np.bool_]
    gold: Floats
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class FittedWeight:
    """The best weight of the grid, and the mean Spearman (0-100) with it and without the AMR side."""

    weight: float
    score: float
    base_score: float


def combined_cosines(pairs: PairCosines, weight: float) -> Floats:
    """Return the cosines of the combined vectors ``(n,)`` (formula in the module's docstring)."""
    square = weight * weight
    norms = np.sqrt(np.prod(1 + square * pairs.parsed, axis=1))
    result: Floats = (pairs.base + square * pairs.amr) / norms
    return result


def spearman_by_language(cosines: Floats, gold: Floats, languages: Sequence[str]) -> dict[str, float]:
    """Return Spearman's correlation on the 0-100 scale for each language; 0 where one side is constant.

    Example:
        >>> spearman_by_language(np.array([0.1, 0.5, 0.9]), np.array([1.0, 2.0, 5.0]), ["de"] * 3)
        {'de': 100.0}
    """
    from scipy.stats import spearmanr

    found: dict[str, float] = {}
    names = np.array(languages)
    for language in dict.fromkeys(languages):
        inside = names == language
        varied = np.ptp(cosines[inside]) > 0 and np.ptp(gold[inside]) > 0
        value = spearmanr(cosines[inside], gold[inside]).statistic if varied else 0.0
        found[language] = round(float(value) * 100, 4)
    return found


def mean_spearman(pairs: PairCosines, weight: float) -> float:
    """Return the mean over languages of Spearman with one weight, 0-100."""
    scores = spearman_by_language(combined_cosines(pairs, weight), pairs.gold, pairs.languages)
    return float(np.mean(list(scores.values())))


def fit_weight(pairs: PairCosines, grid: Sequence[float] = GRID) -> FittedWeight:
    """Return the weight with the best mean Spearman; the smallest one if several are equal."""
    scores = [mean_spearman(pairs, weight) for weight in grid]
    best = int(np.argmax(scores))
    return FittedWeight(grid[best], scores[best], mean_spearman(pairs, 0.0))
