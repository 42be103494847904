"""Define the shapes of a student's network, one per kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network.

    Attributes:
        bag: Width of the bag of subwords (`retrofit.student.network.SubwordBag`); 0 for none.
        width: Model width.
        inner: Width of the feed-forward layers.
        layers: Number of layers.
        dimension: Width ``d`` of the vectors, equal to the teacher's.
        dropout: Dropout probability in training.
    """

    bag: int = 0
    width: int = 384
    inner: int = 1024
    layers: int = 2
    dimension: int = 384
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class UpdateShape:
    """Sizes of the updates of e5-small (`retrofit.student.adapted_e5`)."""

    rank: int = 64  # columns of ``U``, rows of ``D``
    dimension: int = 384  # width ``d`` of the vectors, equal to the teacher's
