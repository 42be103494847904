"""Find nearest neighbours by cosine, in blocks of queries: in numpy, or by faiss."""

import importlib
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import MissingResourceError
from amrx.types import Vectors
from amrx.vectors import normalise

CELLS = 1 << 25
"""Similarities in memory at a time: 128 MB."""
_BLOCK = 4096


class Neighbours(NamedTuple):
    """The ``k`` nearest vectors of each query, nearest first."""

    cosines: Vectors  # ``(n, k)``
    places: npt.NDArray[np.int64]  # ``(n, k)``, rows of the base


def nearest(queries: Vectors, base: Vectors, k: int = 1) -> Neighbours:
    """Return the exact nearest rows of ``base`` per query, in bounded memory.

    Ties are resolved to the first row; at rank ``k`` any of them is taken.

    Args:
        queries: ``(n, d)``, of any length; a zero vector has cosine 0 with everything.
        base: ``(m, d)``, ``m >= 1``.
        k: Number of neighbours, at most ``m``.

    Example:
        >>> base = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32)
        >>> nearest(np.array([[0, 5]], dtype=np.float32), base, k=2).places
        array([[1, 2]])
    """
    return nearest_unit(unit_rows(queries), unit_rows(base), k)


def nearest_unit(queries: Vectors, base: Vectors, k: int, *, cells: int = CELLS) -> Neighbours:
    """Return the same as `nearest` for rows of length 1 or 0, without copying them."""
    count = min(k, len(base))
    cosines = np.empty((len(queries), count), dtype=np.float32)
    places = np.empty((len(queries), count), dtype=np.int64)
    step = max(1, cells // len(base))
    for start in range(0, len(queries), step):
        similar = queries[start : start + step] @ base.T  # (step, m)
        stop = start + len(similar)
        if count == 1:
            rows = np.argmax(similar, axis=1)[:, None]
        else:
            rows = np.sort(np.argpartition(-similar, count - 1, axis=1)[:, :count], axis=1)
            order = np.argsort(-np.take_along_axis(similar, rows, axis=1), axis=1, kind="stable")
            rows = np.take_along_axis(rows, order, axis=1)
        places[start:stop] = rows
        cosines[start:stop] = np.take_along_axis(similar, rows, axis=1)
    return Neighbours(cosines, places)


def unit_rows(vectors: Vectors) -> Vectors:
    """Scale vectors to length 1, in blocks, because lengths are computed in float64."""
    unit = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), _BLOCK):
        unit[start : start + _BLOCK] = normalise(vectors[start : start + _BLOCK])
    return unit


def keep_nearest(cosines: Vectors, names: npt.NDArray[Any], k: int) -> tuple[Vectors, npt.NDArray[Any]]:
    """Return the ``k`` nearest of each row, nearest first; ties keep their order.

    Example:
        >>> keep_nearest(np.array([[0.1, 0.9, 0.5]], dtype=np.float32), np.array([["a", "b", "c"]]), 2)[1]
        array([['b', 'c']], dtype='<U1')
    """
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(cosines, order, axis=1), np.take_along_axis(names, order, axis=1)


def nearest_of_many(queries: Vectors, base: Vectors, k: int) -> Neighbours:
    """Return the exact nearest rows of ``base`` per query, like `amrx.evaluation.neighbours.nearest`.

    Besides the arguments and a copy of them it needs less than 100 MB, whatever their size.
    """
    return _nearest_unit(unit_rows(queries), unit_rows(base), k)


def _nearest_unit(queries: Vectors, base: Vectors, k: int) -> Neighbours:
    faiss = load_faiss()
    cosines, places = faiss.knn(queries, base, min(k, len(base)), metric=faiss.METRIC_INNER_PRODUCT)
    order = np.lexsort((places, -cosines), axis=1)
    return Neighbours(np.take_along_axis(cosines, order, axis=1), np.take_along_axis(places, order, axis=1))


def nearest_in_blocks(queries: Vectors, blocks: Iterable[Vectors], k: int) -> Neighbours:
    """Return the nearest rows of stacked blocks, by faiss if it is installed.

    Queries and blocks ``(m, d)`` have rows of length 1 or 0; only one block is in memory at a time.
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
