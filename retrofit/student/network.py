"""The student's network: a few layers on the sum of multilingual USE's token features.

::

    p = sum_t f_t / sqrt(T) (B, 1280), sentence s (B, 512), bag of subwords b (B, bag)
      -> gelu(W (LN(p) ⊕ sqrt(512) s) + B b)           x (B, width)
      -> x + V gelu(U LN(x)), once a layer             x
      -> O LN(x) + S s                                 (B, d)

The first two are what the base ``muse`` computes on its way, and the features of a corpus fit on a disk. The
third is `retrofit.student.bag`, where the shape has one. The last term is a shortcut: what multilingual USE
knows of the sentence need not pass the layers.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.muse.model import FEATURES, WIDTH
from retrofit.student.bag import SubwordBag, Subwords
from retrofit.student.shape import Shape


class Layer(nn.Module):
    """``x + V gelu(U LN(x))``."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(shape.width)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return ``(B, width)``."""
        return x + self.dropout(self.down(F.gelu(self.up(self.norm(x)))))  # type: ignore[no-any-return]


class StudentNetwork(nn.Module):
    """See the module's picture."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.features_norm = nn.LayerNorm(FEATURES)
        self.enter = nn.Linear(FEATURES + WIDTH, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.out = nn.Linear(shape.width, shape.dimension)
        self.shortcut = nn.Linear(WIDTH, shape.dimension, bias=False)
        if shape.bag:
            self.bag = SubwordBag(shape.bag)
            self.enter_bag = nn.Linear(shape.bag, shape.width, bias=False)

    def forward(self, pooled: Tensor, sentence: Tensor, subwords: Subwords | None = None) -> Tensor:
        """Return vectors ``(B, d)`` of any length.

        Args:
            pooled: ``(B, 1280)``.
            sentence: Unit vectors ``(B, 512)``.
            subwords: Of the sentences, for a shape with a bag.
        """
        x = self.enter(torch.cat((self.features_norm(pooled), sentence * WIDTH**0.5), 1))
        if self.shape.bag:
            assert subwords is not None
            x = x + self.enter_bag(self.bag(subwords))
        x = F.gelu(x)
        for layer in self.layers:
            x = layer(x)
        return cast(Tensor, self.out(self.norm(x)) + self.shortcut(sentence))
