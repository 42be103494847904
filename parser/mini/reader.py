"""The layers that read the sentence: the first of multilingual-e5-small, trained with the parser."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from amrx.e5.model import load_model as load_e5


class E5Layers(nn.Module):
    """The first layers of multilingual-e5-small; all but the embeddings are trained.

    The features of a piece are the states before the first, after the middle and after the last layer side
    by side, ``(B, S, 3 * 384)``; the vector of a sentence is the mean of its last states, ``(B, 384)``.
    """

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.model = load_e5(layers=layers)
        for parameter in self.model.embeddings.parameters():
            parameter.requires_grad_(False)
        self.middle = layers // 2

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features and vectors of pieces ``(B, S)``."""
        states = self.model(ids * mask, mask)
        shares = mask[..., None].to(states[-1].dtype)
        vector = (states[-1] * shares).sum(1) / shares.sum(1).clamp_min(1)
        return torch.cat((states[0], states[self.middle], states[-1]), -1) * shares, vector
