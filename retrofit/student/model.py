"""The student's network on frozen features of multilingual USE.

::

    features (B, T, 1280), sentence s (B, 512)
      -> slot 0: W_s s, slot t: LN(W_f f_t) + position     (B, 1+T, width)
      -> pre-norm Transformer layers, layer norm           x
      -> O (x_0 ⊕ mean_t x_t) + S s                        (B, d)

The last term is a shortcut: what multilingual USE knows of the sentence need not pass the layers.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from amrx.muse.model import FEATURES, WIDTH
from parser.mini import layers
from retrofit.student.shape import Shape


class StudentNetwork(nn.Module):
    """See the module's picture; ``positions`` follow from the shape and are not saved."""

    positions: Tensor

    def __init__(self, shape: Shape, most: int = 128) -> None:
        super().__init__()
        self.shape, self.most = shape, most
        inner = layers.Shape(
            0, shape.width, shape.heads, shape.inner, encoder=shape.layers, dropout=shape.dropout
        )
        self.features = nn.Linear(FEATURES, shape.width)
        self.features_norm = nn.LayerNorm(shape.width)
        self.sentence = nn.Linear(WIDTH, shape.width)
        self.blocks = nn.ModuleList(layers.Block(inner, cross=False) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.out = nn.Linear(2 * shape.width, shape.dimension)
        self.shortcut = nn.Linear(WIDTH, shape.dimension, bias=False)
        self.register_buffer("positions", layers.positions(most, shape.width), persistent=False)

    def forward(self, features: Tensor, sentence: Tensor, mask: Tensor) -> Tensor:
        """Return vectors ``(B, d)`` of any length.

        Args:
            features: ``(B, T, 1280)``, T at most ``most``.
            sentence: Unit vectors ``(B, 512)``.
            mask: ``(B, T)`` bool, true at tokens.
        """
        length = features.shape[1]
        pieces = self.features_norm(self.features(features)) + self.positions[:length]
        scaled = sentence * WIDTH**0.5  # as large as the features, whose squares are near 1
        x = torch.cat((self.sentence(scaled)[:, None], pieces), 1)  # (B, 1+T, width)
        seen = F.pad(mask, (1, 0), value=True)[:, None, None]
        for block in self.blocks:
            x = cast(layers.Block, block).encode(x, seen)
        x = self.norm(x).float()
        inside = mask[..., None].float()
        mean = (x[:, 1:] * inside).sum(1) / inside.sum(1).clamp_min(1.0)
        return cast(Tensor, self.out(torch.cat((x[:, 0], mean), 1)) + self.shortcut(sentence))
