"""Define the recipe of Emma-X; the defaults are the paper's values, if given (``recipes/paper.toml``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amrx.recipes import require, require_least
from amrx.training.rates import Rate
from retrofit.training.bases.recipe import Backbone, Data, Run

_ENCODER = Rate(peak=5e-4, warmup=8000, schedule="cosine")
_CLASSIFIER = Rate(peak=3e-5)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The rank classifier."""

    count: int = 4  # N, the number of ranks
    # ``gaussian`` mixture, or the fully connected network of the ablation (``fcn``)
    kind: Literal["gaussian", "fcn"] = "gaussian"
    follow: float = 0.999  # share of the old value kept by a running mean s_r in a step (Eq. 11)
    # number of steps between the phases, which train only the classifier on parallel pairs and calibrate the
    # s_r; 0 skips them, and s_r start at r/N
    steps: int = 8000
    # maximum number of repetitions of these steps, until the classifier beats the shares of the ranks
    rounds: int = 5
    rate: Rate = field(default_factory=lambda: Rate(peak=3e-5, schedule="linear"))  # rate of those steps

    def __post_init__(self) -> None:
        require_least(self, {"count": 2, "steps": 0, "rounds": 1}, "ranks.")
        require(0 <= self.follow < 1, "ranks.follow", self.follow, "must lie in 0..1")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Phase 1, on parallel pairs."""

    steps: int = 100_000
    batch: int = 1024
    temperature: float = 0.04
    encoder: Rate = _ENCODER
    classifier: Rate = _CLASSIFIER

    def __post_init__(self) -> None:
        require_least(self, {"steps": 1, "batch": 2}, "pairs.")
        require(self.temperature > 0, "pairs.temperature", self.temperature, "must be positive")


@dataclass(frozen=True, slots=True)
class Text:
    """Phase 2, on text that is not parallel; 0 steps skip it ("+ Phase 1" of Table 5)."""

    steps: int = 100_000  # number of steps
    batch: int = 1024  # anchors per step
    # ``mutual`` supervision; ``fixed``: the classifier of phase 1 stays unchanged ("+ fixed GMM" of Table 5);
    # ``none``: a sentence's own momentum vector has rank 1 and every other one rank N, a control that is not
    # in the paper
    ranks: Literal["mutual", "fixed", "none"] = "mutual"
    # number of momentum vectors of earlier batches with which every anchor is compared
    queue: int = 256
    momentum: float = 0.999  # share of its weights kept by the momentum encoder in a step
    # τ_1 < τ_2 < …, one for each rank except the last (Eq. 7)
    temperatures: tuple[float, ...] = (0.05, 0.075, 0.1)
    encoder: Rate = _ENCODER  # learning rate
    classifier: Rate = _CLASSIFIER  # learning rate

    def __post_init__(self) -> None:
        require_least(self, {"steps": 0, "batch": 2, "queue": 1}, "text.")
        require(0 <= self.momentum < 1, "text.momentum", self.momentum, "must lie in 0..1")
        rising = all(
            0 < low < high for low, high in zip(self.temperatures, self.temperatures[1:], strict=False)
        )
        rises = rising and all(value > 0 for value in self.temperatures)
        require(rises, "text.temperatures", self.temperatures, "must be positive and rise")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One run of both phases."""

    seed: int = 0
    backbone: Backbone = field(default_factory=lambda: Backbone(unit=True))
    data: Data = field(default_factory=Data)
    run: Run = field(default_factory=Run)
    ranks: Ranks = field(default_factory=Ranks)
    pairs: Pairs = field(default_factory=Pairs)
    text: Text = field(default_factory=Text)

    def __post_init__(self) -> None:
        """Raise OptionError if parts do not fit each other."""
        wanted, count = self.ranks.count - 1, len(self.text.temperatures)
        require(count == wanted, "text.temperatures", self.text.temperatures, f"needs {wanted} values")
        require(
            self.backbone.unit, "backbone.unit", self.backbone.unit, "must be true: Emma-X compares cosines"
        )
