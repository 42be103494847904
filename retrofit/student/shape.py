"""Define the shapes of a student's network, one per kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network."""

    bag: int = 0  # width of the bag of subwords (`retrofit.student.network.SubwordBag`); 0 for none
    width: int = 384  # model width
    inner: int = 1024  # width of the feed-forward layers
    layers: int = 2  # number of layers
    dimension: int = 384  # width ``d`` of the vectors, equal to the teacher's
    dropout: float = 0.0  # dropout probability in training


@dataclass(frozen=True, slots=True)
class UpdateShape:
    """Sizes of the updates of e5-small (`retrofit.student.adapted_e5`)."""

    rank: int = 64  # columns of ``U``, rows of ``D``
    dimension: int = 384  # width ``d`` of the vectors, equal to the teacher's
