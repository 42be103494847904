"""Find nearest neighbours among many vectors by faiss (extra ``index``)."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import numpy as np

from amrx.errors import MissingResourceError
from amrx.evaluation.neighbours.nearest import Neighbours, keep_nearest, nearest_unit, unit_rows
from amrx.types import Vectors


def nearest_of_many(queries: Vectors, base: Vectors, k: int) -> Neighbours:
    """Return the exact nearest rows of ``base`` per query, like `amrx.evaluation.neighbours.nearest`.

    Besides its arguments and a copy of them it needs less than 100 MB, whatever their size. Ties are resolved
    to the first row; at rank ``k`` any of them is taken.

    Args:
        queries: ``(n, d)``, of any length; a zero vector has cosine 0 with everything.
        base: ``(m, d)``, ``m >= 1``.
        k: Number of neighbours, at most ``m``.

    Example:
        >>> base = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
        >>> nearest_of_many(np.array([[0, 5]], dtype=np.float32), base, k=2).places
        array([[1, 2]])
    """
    return _nearest_unit(unit_rows(queries), unit_rows(base), k)


def _nearest_unit(queries: Vectors, base: Vectors, k: int) -> Neighbours:
    faiss = load_faiss()
    cosines, places = faiss.knn(queries, base, min(k, len(base)), metric=faiss.METRIC_INNER_PRODUCT)
    order = np.lexsort((places, -cosines), axis=1)
    return Neighbours(np.take_along_axis(cosines, order, axis=1), np.take_along_axis(places, order, axis=1))


def nearest_in_blocks(queries: Vectors, blocks: Iterable[Vectors], k: int) -> Neighbours:
    """Return the nearest rows of stacked blocks, by faiss if it is installed.

    Args:
        queries: ``(n, d)``, of length 1 or 0, like the rows of the blocks.
        blocks: Each ``(m, d)``, ``m >= 1``; only one is in memory at a time.
        k: Number of neighbours, at most the number of rows.
    """
    search = _nearest_unit if find_spec("faiss") else nearest_unit
    cosines = np.empty((len(queries), 0), dtype=np.float32)
    places = np.empty((len(queries), 0), dtype=np.int64)
    start = 0
    for block in blocks:
        near = search(queries, block, k)
        both = np.hstack([cosines, near.cosines]), np.hstack([places, near.places + start])
        cosines, places = keep_nearest(*both, k)
        start += len(block)
    return Neighbours(cosines, places)


def load_faiss() -> Any:  # noqa: ANN401  # faiss is optional, and so are its types
    """Return the module ``faiss``."""
    try:
        return importlib.import_module("faiss")
    except ModuleNotFoundError as error:
        if error.name != "faiss":
            raise
        raise MissingResourceError("files of the package faiss", fetch="pip install 'amrx[index]'") from None
