"""AdamW of a run of the AMR encoder, and its learning rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from retrofit.training.amr.recipe import Recipe


def rate(step: int, recipe: Recipe) -> float:
    """Return the share of the peak learning rate at a step: linear warm-up, then decay to 0 or constant.

    Example:
        >>> from retrofit.training.amr.recipe import Distill, Recipe
        >>> [rate(step, Recipe(steps=10, warmup=2, distill=Distill(weight=1))) for step in (0, 1, 2, 6)]
        [0.5, 1.0, 1.0, 0.5]
    """
    if step < recipe.warmup:
        return (step + 1) / recipe.warmup
    if recipe.schedule == "constant":
        return 1.0
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - recipe.warmup))


def optimizer_of(module: torch.nn.Module, recipe: Recipe, *, fused: bool) -> torch.optim.AdamW:
    """Return AdamW; matrices decay, biases and norms do not."""
    matrices = [p for p in module.parameters() if p.requires_grad and p.ndim > 1]
    others = [p for p in module.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=fused)
