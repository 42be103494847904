"""Define the recipe ``causal``: all settings of its training."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from amrx.recipes import require, require_least
from parser.causal.base import NAME


@dataclass(frozen=True)
class Recipe:
    """Train a decoder to write the graph after an English sentence, on the open sembanks.

    All weights are trained. The number of draws of a sentence per epoch comes from
    `parser.training.causal.corpus.WEIGHTS`.
    """

    base: str = NAME  # causal language model: ``smollm2`` (from a package), a folder, a GGUF file or a hub id
    steps: int = 1_200  # number of updates
    batch: int = 4_096  # padded tokens per update
    longest: int = 224  # tokens of a sentence and its graph; longer examples are left out
    learning_rate: float = 5e-4  # AdamW's peak rate, after a linear warm-up; then half-cosine decay
    floor: float = 0.02  # final rate, as a share of the peak rate
    warmup: int = 60  # number of updates of the warm-up
    weight_decay: float = 0.02  # decay of all weights
    clip: float = 1.0  # maximum norm of the gradient
    # number format of the computation; weights and moments are float32 in both
    precision: Literal["bf16", "fp32"] = "bf16"
    # whether to compile the layers, if there is a compiler: a third faster, but not bit-identical
    compiled: bool = True
    seed: int = 0  # seed of the order
    save_every: int = 200  # updates between checkpoints

    def __post_init__(self) -> None:
        require_least(self, dict.fromkeys(("steps", "longest", "save_every"), 1))
        require_least(self, dict.fromkeys(("warmup", "weight_decay", "floor"), 0))
        require(self.batch >= self.longest, "batch", self.batch, f"must be at least longest, {self.longest}")
        for key in ("learning_rate", "clip"):
            require(getattr(self, key) > 0, key, getattr(self, key), "must be positive")

    def rate(self, step: int) -> float:
        """Return the learning rate of an update.

        Example:
            >>> recipe = Recipe(steps=4, warmup=2, learning_rate=1.0, floor=0.0)
            >>> [round(recipe.rate(step), 3) for step in range(4)]
            [0.5, 0.854, 0.5, 0.146]
        """
        warm = min(1.0, (step + 1) / max(1, self.warmup))
        return self.learning_rate * warm * (0.5 + 0.5 * math.cos(math.pi * step / self.steps) + self.floor)
