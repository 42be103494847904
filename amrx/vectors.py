"""Normalise sentence vectors and compute cosines."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating]


def normalise(x: Array, axis: int = -1) -> Array:
    """Scale ``x`` to Euclidean length 1 along ``axis``; zero vectors stay zero.

    Law: ``norm(normalise(x)) == 1`` for every non-zero vector, and ``normalise(c * x) == normalise(x)`` for
    every ``c > 0``. Lengths are summed in float64 after scaling by the largest value, so large vectors do not
    overflow and small ones do not vanish. NaN stays NaN.

    Returns:
        Same shape and dtype.

    Example:
        >>> normalise(np.array([[3.0, 4.0], [0.0, 0.0]]))
        array([[0.6, 0.8],
               [0. , 0. ]])
    """
    wide = np.asarray(x, dtype=np.float64)
    largest = np.max(np.abs(wide), axis=axis, keepdims=True, initial=0.0)
    scaled = np.divide(wide, largest, out=np.zeros_like(wide), where=largest != 0)
    length = np.sqrt(np.sum(scaled * scaled, axis=axis, keepdims=True))
    unit: Array = np.divide(scaled, length, out=np.zeros_like(wide), where=length != 0)
    return unit.astype(np.asarray(x).dtype)


def cosine(a: Array, b: Array) -> npt.NDArray[np.float64]:
    """Return the cosine ``(n,)`` of each row of ``a`` ``(n, d)`` with that row of ``b``; 0 if one is 0."""
    if a.shape != b.shape:
        raise ValueError(f"a and b must have the same shape, got {a.shape} and {b.shape}")
    left, right = normalise(a.astype(np.float64)), normalise(b.astype(np.float64))
    products: npt.NDArray[np.float64] = np.einsum("nd,nd->n", left, right)
    return np.clip(products, -1.0, 1.0)


def cosine_matrix(a: Array, b: Array) -> npt.NDArray[np.float64]:
    """Return the cosine ``(n, m)`` of every row of ``a`` ``(n, d)`` with every row of ``b`` ``(m, d)``."""
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"a and b must have rows of the same width, got {a.shape[-1]} and {b.shape[-1]}")
    left, right = normalise(a.astype(np.float64)), normalise(b.astype(np.float64))
    return np.clip(left @ right.T, -1.0, 1.0)
