"""Nearest neighbours by cosine, a block of queries at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors
from amrx.vectors import normalise

CELLS = 1 << 25
"""Similarities held at a time: 128 MB."""
_BLOCK = 4096


class Neighbours(NamedTuple):
    """The ``k`` nearest vectors of each query, the nearest first.

    Attributes:
        cosines: ``(n, k)``.
        places: ``(n, k)``, rows of the base.
    """

    cosines: Vectors
    places: npt.NDArray[np.int64]


def nearest(queries: Vectors, base: Vectors, k: int = 1, *, cells: int = CELLS) -> Neighbours:
    """Return the nearest rows of ``base`` for each query, exactly, in bounded memory.

    Of equally near rows the first comes first; at the edge of the ``k`` one of them is taken.

    Args:
        queries: ``(n, d)``, of any length; a zero vector has cosine 0 with everything.
        base: ``(m, d)``, ``m >= 1``.
        k: How many; all of them where ``base`` has fewer.
        cells: How many similarities to hold at a time.

    Example:
        >>> base = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
        >>> nearest(np.array([[0, 5]], dtype=np.float32), base, k=2).places
        array([[1, 2]])
    """
    return nearest_unit(unit_rows(queries), unit_rows(base), k, cells=cells)


def nearest_unit(queries: Vectors, base: Vectors, k: int, *, cells: int = CELLS) -> Neighbours:
    """Do as `nearest` for rows of length 1 or 0, which are not copied."""
    wanted = min(k, len(base))
    cosines = np.empty((len(queries), wanted), dtype=np.float32)
    places = np.empty((len(queries), wanted), dtype=np.int64)
    step = max(1, cells // len(base))
    for start in range(0, len(queries), step):
        similar = queries[start : start + step] @ base.T  # (step, m)
        stop = start + len(similar)
        if wanted == 1:
            some = np.argmax(similar, axis=1)[:, None]
        else:
            some = np.sort(np.argpartition(-similar, wanted - 1, axis=1)[:, :wanted], axis=1)
            order = np.argsort(-np.take_along_axis(similar, some, axis=1), axis=1, kind="stable")
            some = np.take_along_axis(some, order, axis=1)
        places[start:stop] = some
        cosines[start:stop] = np.take_along_axis(similar, some, axis=1)
    return Neighbours(cosines, places)


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the vectors with length 1; a block at a time, because lengths are taken in float64."""
    unit = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        unit[start : start + _BLOCK] = normalise(vectors[start : start + _BLOCK])
    return unit


def keep_nearest(cosines: Vectors, names: npt.NDArray[Any], k: int) -> tuple[Vectors, npt.NDArray[Any]]:
    """Return the ``k`` best of each row, the nearest first; of equally near ones the first comes first.

    Example:
        >>> keep_nearest(np.array([[0.1, 0.9, 0.5]], dtype=np.float32), np.array([["a", "b", "c"]]), 2)[1]
        array([['b', 'c']], dtype='<U1')
    """
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(cosines, order, axis=1), np.take_along_axis(names, order, axis=1)
