"""The network: BERT states -> one vector a sequence, by mean, [CLS] or [CLS] through a small head."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from retrofit.amr.zones import Zones


def attention_for(device: torch.device) -> str:
    """Return transformers' name of the attention to compute with.

    On a CPU two plain products train faster than the fused kernel for sequences as short as graphs.
    """
    return "eager" if device.type == "cpu" else "sdpa"


class AmrModel(nn.Module):
    """Backbone and pooling."""

    def __init__(self, backbone: PreTrainedModel, pooling: str, zones: Zones | None = None) -> None:
        super().__init__()
        self.backbone = backbone
        self.pooling = pooling
        self.zones = zones
        width: int = backbone.config.hidden_size
        self.head: nn.Linear | None = nn.Linear(width, width) if pooling == "mlp" else None

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return ``(B, d)``, not normalised.

        Args:
            ids: Word-piece ids ``(B, T)``.
            mask: 1 at pieces, 0 at padding ``(B, T)``.
            types: Token types ``(B, T)``, those of ``zones``; the backbone's default when ``None``.
        """
        type_ids = {} if types is None else {"token_type_ids": types}
        states = self.backbone(input_ids=ids, attention_mask=mask, **type_ids).last_hidden_state  # (B, T, d)
        if self.pooling == "mean":
            weights = mask.unsqueeze(-1).to(states.dtype)  # (B, T, 1)
            mean: torch.Tensor = (states * weights).sum(1).float() / weights.sum(1).float().clamp(min=1)
            return mean
        first: torch.Tensor = states[:, 0]
        pooled: torch.Tensor = first if self.head is None else torch.tanh(self.head(first))
        return pooled.float()


class Trainee(nn.Module):
    """The encoder and, trained with it but not shipped, a linear map into the teacher's width."""

    def __init__(self, encoder: AmrModel, teacher_width: int | None) -> None:
        super().__init__()
        self.encoder = encoder
        width: int = encoder.backbone.config.hidden_size
        differs = teacher_width is not None and teacher_width != width
        self.bridge = nn.Linear(width, teacher_width or width) if differs else nn.Identity()
