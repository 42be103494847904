"""Learning rates that change as training goes on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from retrofit.training.bases.recipe import require

Schedule = Literal["constant", "linear", "cosine", "inverse-sqrt"]


@dataclass(frozen=True, slots=True)
class Rate:
    """A learning rate.

    Attributes:
        peak: Its largest value.
        warmup: Steps in which it rises to it.
        schedule: What follows: nothing, a fall to 0 along a line or a half cosine, or with
            ``sqrt(warmup / step)``.
        decay: Weight decay (AdamW; 0 is Adam).
    """

    peak: float = 1e-5
    warmup: int = 0
    schedule: Schedule = "constant"
    decay: float = 0.0

    def __post_init__(self) -> None:
        """Raise OptionError when a value lies outside its range."""
        require(self.peak > 0, "peak", self.peak, "must be positive")
        require(self.warmup >= 0, "warmup", self.warmup, "must not be negative")
        require(self.decay >= 0, "decay", self.decay, "must not be negative")
        rises = self.schedule != "inverse-sqrt" or self.warmup >= 1
        require(rises, "warmup", self.warmup, "must be at least 1 with the schedule 'inverse-sqrt'")

    def at(self, step: int, steps: int) -> float:
        """Return the rate of a step, the first being 0, of a run of ``steps``.

        Example:
            >>> rate = Rate(1.0, warmup=2, schedule="linear")
            >>> [rate.at(step, 6) for step in range(6)]
            [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
        """
        if step < self.warmup:
            return self.peak * (step + 1) / self.warmup
        if self.schedule == "inverse-sqrt":
            return self.peak * math.sqrt(self.warmup / (step + 1))
        gone = (step - self.warmup) / max(1, steps - self.warmup)
        if self.schedule == "linear":
            return self.peak * max(0.0, 1 - gone)
        return self.peak * (0.5 + 0.5 * math.cos(math.pi * gone)) if self.schedule == "cosine" else self.peak
