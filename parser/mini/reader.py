"""The layers that read the sentence: the first of multilingual-e5-small, trained with the parser."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from amrx.e5.model import load_model as load_e5


class E5Layers(nn.Module):
    """The first layers of multilingual-e5-small; all but the embeddings are trained.

    The features of a piece are the states before the first, after the middle and after the last layer side
    by side, ``(B, S, 3 * 384)``; the vector of a sentence is the mean of its last states, ``(B, 384)``.

    Args:
        layers: How many, even.
        folder: Folder with the weights of the package; the installed package when ``None``.
    """

    def __init__(self, layers: int, folder: Path | None = None) -> None:
        super().__init__()
        self.model = load_e5(folder, layers)
        for parameter in self.model.embeddings.parameters():
            parameter.requires_grad_(False)
        self.middle = layers // 2

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return features and vectors of pieces ``(B, S)``."""
        output = self.model(
            input_ids=ids * mask, attention_mask=mask.long(), output_hidden_states=True, use_cache=False
        )
        states = output.hidden_states
        shares = mask[..., None].to(states[-1].dtype)
        vector = (states[-1] * shares).sum(1) / shares.sum(1).clamp_min(1)
        return torch.cat((states[0], states[self.middle], states[-1]), -1) * shares, vector
