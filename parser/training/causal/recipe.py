"""The recipe ``causal``: everything that decides a run of its training."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from amrx.errors import OptionError
from parser.causal.smollm2 import NAME


@dataclass(frozen=True)
class Recipe:
    """A decoder learns to write the graph of an English sentence after it, from the open sembanks.

    All weights are trained. The number of draws of a sentence per epoch comes from
    `parser.training.causal.corpus.WEIGHTS`.

    Attributes:
        base: Causal language model: ``smollm2`` (from a package), a folder, a GGUF file or a hub id.
        steps: Updates.
        batch: Padded tokens in an update.
        longest: Tokens of a sentence and its graph; longer examples are left out.
        learning_rate: AdamW's highest rate, after a linear warm-up; from there on a half cosine.
        floor: Share of it that is left at the end.
        warmup: Updates of the warm-up.
        weight_decay: Of all weights.
        clip: Norm that the gradient is cut to.
        precision: ``bf16`` computes in it (weights and moments are float32), ``fp32`` in float32.
        compiled: Whether the layers are compiled, where there is a compiler: a third faster, not bit by bit
            the same.
        seed: Of the order.
        save_every: Updates between checkpoints.
    """

    base: str = NAME
    steps: int = 1_200
    batch: int = 4_096
    longest: int = 224
    learning_rate: float = 5e-4
    floor: float = 0.02
    warmup: int = 60
    weight_decay: float = 0.02
    clip: float = 1.0
    precision: Literal["bf16", "fp32"] = "bf16"
    compiled: bool = True
    seed: int = 0
    save_every: int = 200

    def __post_init__(self) -> None:
        for name in ("steps", "batch", "longest", "learning_rate", "clip", "save_every"):
            if getattr(self, name) <= 0:
                raise OptionError(f"{name} is {getattr(self, name)}; it must be above 0")
        for name in ("warmup", "weight_decay", "floor"):
            if getattr(self, name) < 0:
                raise OptionError(f"{name} is {getattr(self, name)}; it cannot be negative")
        if self.batch < self.longest:
            raise OptionError(f"batch must be at least longest, {self.longest}, got {self.batch}")

    def rate(self, step: int) -> float:
        """Return the learning rate of an update.

        Example:
            >>> recipe = Recipe(steps=4, warmup=2, learning_rate=1.0, floor=0.0)
            >>> [round(recipe.rate(step), 3) for step in range(4)]
            [0.5, 0.854, 0.5, 0.146]
        """
        warm = min(1.0, (step + 1) / max(1, self.warmup))
        return self.learning_rate * warm * (0.5 + 0.5 * math.cos(math.pi * step / self.steps) + self.floor)
