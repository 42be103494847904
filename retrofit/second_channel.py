"""The second channel beside a base encoder: who gives it, and what it is for some sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors

if TYPE_CHECKING:
    import penman


class GraphEncoder(Protocol):
    """AMR graphs to vectors."""

    @property
    def name(self) -> str:
        """Short name for tables."""

    @property
    def dimension(self) -> int:
        """Width of the vectors."""

    @property
    def fingerprint(self) -> str:
        """Name and weight hash."""

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        """Return float32 ``(n, d)``."""


@dataclass(frozen=True, slots=True)
class Side:
    """The second channel of some sentences.

    Attributes:
        vectors: ``h``, ``(n, d_amr)``; zero where there is none.
        there: Whether each sentence has one: false where its parse failed ``(n,)``.
    """

    vectors: Vectors
    there: npt.NDArray[np.bool_]
