"""Nearest neighbours among many vectors, by faiss, which is the extra ``index``."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from amrx.errors import MissingResourceError
from amrx.evaluation.neighbours.nearest import Neighbours
from amrx.types import Vectors
from amrx.vectors import normalise

_BLOCK = 4096


def nearest_of_many(queries: Vectors, base: Vectors, k: int) -> Neighbours:
    """Return the nearest rows of ``base`` per query, exactly, as `amrx.evaluation.neighbours.nearest` does.

    Beside what it is given and a copy of it, it holds less than 100 MB, however many vectors there are. Of
    equally near rows the first comes first; at the edge of the ``k`` one of them is taken.

    Args:
        queries: ``(n, d)``, of any length; a zero vector has cosine 0 with everything.
        base: ``(m, d)``, ``m >= 1``.
        k: How many; all of them where ``base`` has fewer.

    Raises:
        MissingResourceError: faiss is not installed.

    Example:
        >>> base = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
        >>> nearest_of_many(np.array([[0, 5]], dtype=np.float32), base, k=2).places
        array([[1, 2]])
    """
    faiss = load_faiss()
    sides, wanted = (_unit(queries), _unit(base)), min(k, len(base))
    cosines, places = faiss.knn(*sides, wanted, metric=faiss.METRIC_INNER_PRODUCT)
    order = np.lexsort((places, -cosines), axis=1)
    return Neighbours(np.take_along_axis(cosines, order, axis=1), np.take_along_axis(places, order, axis=1))


def _unit(vectors: Vectors) -> Vectors:
    """Return the vectors with length 1; a block at a time, because lengths are taken in float64."""
    unit = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        unit[start : start + _BLOCK] = normalise(vectors[start : start + _BLOCK])
    return unit


def load_faiss() -> Any:  # noqa: ANN401  # faiss is optional, and so are its types
    """Return the package.

    Raises:
        MissingResourceError: It is not installed.
    """
    try:
        return importlib.import_module("faiss")
    except ModuleNotFoundError as error:
        if error.name != "faiss":
            raise
        raise MissingResourceError("files of the package faiss", fetch="pip install 'amrx[index]'") from None
