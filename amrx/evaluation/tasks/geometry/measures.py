"""Measure invariance, canonical form and isotropy of vectors of many languages.

They are three properties of a universal sentence representation (Guo et al. 2023, Emma-X, appendix B). Each
docstring gives the formula as computed here. All sums are in float64.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """A normal distribution."""

    mean: Floats  # ``(d,)``
    covariance: Floats  # ``(d, d)``
    precision: Floats  # its inverse, ``(d, d)``


def fit_gaussian(x: Vectors) -> Gaussian | None:
    """Fit a normal distribution to vectors, with the shrunk covariance of Ledoit and Wolf 2004.

    There are hardly more sentences than dimensions, so the plain covariance has no usable inverse: it is
    moved towards ``mean variance * identity`` by the amount with the least expected error. That amount is 0
    if all vectors are equal, or alternate between two values; they have no density, and the result is
    ``None``.
    """
    from sklearn.covariance import LedoitWolf

    wide = x.astype(np.float64)
    if not np.ptp(wide, axis=0).any():
        return None
    fitted = LedoitWolf(store_precision=False).fit(wide)
    covariance: Floats = fitted.covariance_
    if np.linalg.matrix_rank(covariance, hermitian=True) < len(covariance):
        return None
    return Gaussian(fitted.location_, covariance, np.asarray(np.linalg.inv(covariance), dtype=np.float64))


def symmetric_kl(a: Gaussian, b: Gaussian) -> float:
    """Return the mean of both Kullback-Leibler divergences, in nats: 0 if equal, no upper bound.

    ``KL(a, b) = (tr(B^-1 A) + (m_b - m_a)' B^-1 (m_b - m_a) - d + ln det B - ln det A) / 2``; in the mean of
    ``KL(a, b)`` and ``KL(b, a)`` the determinants cancel. Invertible linear maps of both do not change it.

    Example:
        >>> narrow = Gaussian(np.zeros(1), np.array([[1.0]]), np.array([[1.0]]))
        >>> wide = Gaussian(np.zeros(1), np.array([[2.0]]), np.array([[0.5]]))
        >>> symmetric_kl(narrow, wide)  # (2 + 1/2 - 2) / 4
        0.125
    """
    gap = a.mean - b.mean
    traces = np.sum(b.precision * a.covariance) + np.sum(a.precision * b.covariance)
    distance = gap @ (a.precision + b.precision) @ gap
    return float(traces + distance - 2 * len(gap)) / 4


def canonical_form(x: Vectors, meanings: npt.NDArray[np.int64]) -> float:
    """Return the index of Calinski and Harabasz 1974 over translations: higher is better, 1 is chance.

    Each meaning is a cluster of its translations. The index is the variance between clusters divided by the
    variance within clusters, each over its degrees of freedom.

    ``meanings`` ``(n,)`` are equal for translations of each other.
    """
    from sklearn.metrics import calinski_harabasz_score

    return float(calinski_harabasz_score(x.astype(np.float64), meanings))


def as_printed(index: float, clusters: int, count: int) -> float:
    """Return the index as Guo et al. 2023 print it (B.2, Eq. 2): variance between over variance within.

    Example:
        >>> as_printed(30.0, clusters=3, count=33)  # 30 * (3 - 1) / (33 - 3)
        2.0
    """
    return index * (clusters - 1) / (count - clusters)


def principal_ratio(x: Vectors) -> float:
    """Return how evenly the vectors fill all directions, 0-100; 100 is isotropic.

    ``min Z(c) / max Z(c)``, ``Z(c) = sum over x of exp(c' x)``, over the eigenvectors ``c`` of ``X' X`` (Mu
    and Viswanath 2018), and over ``-c`` too, because the sign of an eigenvector is arbitrary. Computed from
    ``log Z``. Longer vectors lower the ratio, so compare vectors of length 1.
    """
    from scipy.special import logsumexp

    wide = x.astype(np.float64)
    directions = np.linalg.eigh(wide.T @ wide).eigenvectors  # (d, d), one per column
    along = wide @ directions  # (n, d)
    logs = np.concatenate([logsumexp(along, axis=0), logsumexp(-along, axis=0)])
    return 100 * float(np.exp(logs.min() - logs.max()))
