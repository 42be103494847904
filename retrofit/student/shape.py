"""The shape of a student's network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network.

    Attributes:
        kind: ``pooled`` reads the mean of the token features (`retrofit.student.pooled`), ``tokens`` all of
            them (`retrofit.student.model`), which costs ten times as much.
        bag: Width of the bag of subwords (`retrofit.student.bag`) that ``pooled`` reads too; 0 for none.
        width: Model width.
        heads: Attention heads of ``tokens``; they divide the width.
        inner: Width of the feed-forward layers.
        layers: Transformer layers of ``tokens``, feed-forward layers of ``pooled``.
        dimension: Width ``d`` of the vectors, which is the teacher's.
        dropout: Dropout probability in training.
    """

    kind: Literal["pooled", "tokens"] = "tokens"
    bag: int = 0
    width: int = 384
    heads: int = 6
    inner: int = 1024
    layers: int = 2
    dimension: int = 384
    dropout: float = 0.0
