"""Schedule learning rates."""

import math
from dataclasses import dataclass
from typing import Literal

from amrx.recipes import require, require_least

Shape = Literal["constant", "linear", "cosine", "inverse-sqrt"]


@dataclass(frozen=True, slots=True)
class Rate:
    """A learning rate: a linear warm-up to a peak, then a schedule."""

    peak: float = 1e-5  # maximum rate
    warmup: int = 0  # number of steps of the warm-up
    # after the warm-up: constant, linear or half-cosine decay to 0, or ``sqrt(warmup / step)``
    schedule: Shape = "constant"
    decay: float = 0.0  # weight decay (AdamW; 0 is Adam)

    def __post_init__(self) -> None:
        require(self.peak > 0, "peak", self.peak, "must be positive")
        require_least(self, {"warmup": 0, "decay": 0})
        warm = self.schedule != "inverse-sqrt" or self.warmup >= 1
        require(warm, "warmup", self.warmup, "must be at least 1 with the schedule 'inverse-sqrt'")

    def at(self, step: int, steps: int) -> float:
        """Return the rate at a step, counted from 0, of a run of ``steps``.

        Example:
            >>> rate = Rate(1.0, warmup=2, schedule="linear")
            >>> [rate.at(step, 6) for step in range(6)]
            [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
        """
        if step < self.warmup:
            return self.peak * (step + 1) / self.warmup
        if self.schedule == "inverse-sqrt":
            return self.peak * math.sqrt(self.warmup / (step + 1))
        done = (step - self.warmup) / max(1, steps - self.warmup)
        if self.schedule == "linear":
            return self.peak * max(0.0, 1 - done)
        return self.peak * (0.5 + 0.5 * math.cos(math.pi * done)) if self.schedule == "cosine" else self.peak
