"""Make optimizers."""

from __future__ import annotations

from collections.abc import Iterable

import torch


def adamw(
    parameters: Iterable[torch.nn.Parameter],
    rate: float,
    decay: float,
    *,
    betas: tuple[float, float] = (0.9, 0.999),
    fused: bool = False,
) -> torch.optim.AdamW:
    """Make AdamW in two parameter groups: matrices decay, biases and norms do not.

    Example:
        >>> layer = torch.nn.Linear(2, 3)
        >>> [len(group["params"]) for group in adamw(layer.parameters(), 1e-3, 0.01).param_groups]
        [1, 1]
    """
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    groups = [
        {"params": [p for p in trained if p.dim() > 1], "weight_decay": decay},
        {"params": [p for p in trained if p.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=betas, fused=fused)
