"""Gather the vectors of a part's columns from one array, on access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors


class Gathered(Sequence[Vectors]):
    """The columns of a part; column ``i`` is gathered on each access."""

    def __init__(self, vectors: Vectors, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        self._vectors, self._columns = vectors, columns

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, index: int) -> Vectors: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Vectors]: ...
    def __getitem__(self, index: int | slice) -> Vectors | Sequence[Vectors]:
        if isinstance(index, slice):
            return Gathered(self._vectors, self._columns[index])
        return self._vectors[self._columns[index]]

    def rows(self, index: int, rows: slice) -> Vectors:
        """Gather some rows of a column."""
        return self._vectors[self._columns[index][rows]]


def some_rows(vectors: Sequence[Vectors], index: int, rows: slice) -> Vectors:
    """Return some rows of a column; of `Gathered` only these rows are gathered."""
    return vectors.rows(index, rows) if isinstance(vectors, Gathered) else vectors[index][rows]
