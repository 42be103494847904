"""Recipe of mSimCSE; the defaults are the paper's."""

from dataclasses import dataclass, field
from typing import Literal

from amrx.errors import OptionError
from amrx.recipes import require
from amrx.training.rates import Rate
from retrofit.training.bases.recipe import Backbone, Data, Run
from retrofit.training.bases.sources import Kind

Strategy = Literal["unsupervised", "english-nli", "cross-lingual-nli", "parallel"]

KINDS: dict[Strategy, tuple[Kind, ...]] = {
    "unsupervised": ("text",),
    "english-nli": ("triplets", "nli"),
    "cross-lingual-nli": ("triplets", "nli"),
    "parallel": ("parallel",),
}
"""Which sources a strategy reads."""


def _backbone() -> Backbone:
    return Backbone(max_tokens=32)


def _rate() -> Rate:
    return Rate(peak=1e-5, schedule="linear")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One run."""

    seed: int = 0
    # one strategy, or several whose rows are mixed; hard negatives are used if all of them have some
    mix: tuple[Strategy, ...] = ("english-nli",)
    # whether they are used at all; without, English NLI is Table 6's "0 parallel sentences"
    negatives: bool = True
    epochs: int = 1  # passes over all rows
    steps: int = 0  # how many steps, if not 0, in place of whole epochs
    batch: int = 128  # rows of a step
    # whether the loss compares ``tanh(W v + b)`` of the vectors v, as SimCSE's ``mlp_only_train`` does; the
    # written encoder is without it
    head: bool = True
    temperature: float = 0.05  # τ
    # rows whose activations are held at a time, with gradients cached (Gao et al. 2021): the same loss in
    # less memory and more time; 0 holds all.
    mini_batch: int = 0
    encoder: Rate = field(default_factory=_rate)  # learning rate
    # data folder, of whose STS-B dev (``sts/stsb/en/dev.csv``) the weights with the best Spearman are kept,
    # as in the authors' scripts; without one the last weights are
    dev: str | None = None
    dev_every: int = 300  # steps between two scores
    backbone: Backbone = field(default_factory=_backbone)
    data: Data = field(default_factory=Data)
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        require(self.epochs >= 1, "epochs", self.epochs, "must be at least 1")
        require(self.dev_every >= 1, "dev_every", self.dev_every, "must be at least 1")
        require(self.steps >= 0, "steps", self.steps, "must not be negative")
        require(self.batch >= 2, "batch", self.batch, "must be at least 2")
        require(self.temperature > 0, "temperature", self.temperature, "must be positive")
        require(self.mini_batch >= 0, "mini_batch", self.mini_batch, "must not be negative")
        once = len(set(self.mix)) == len(self.mix) >= 1
        require(once, "mix", self.mix, "must name one strategy or several, each once")
        if {"english-nli", "cross-lingual-nli"} <= set(self.mix):
            raise OptionError("recipe key 'mix' takes one of english-nli and cross-lingual-nli, not both")

    @property
    def hard_negatives(self) -> bool:
        """Whether every row has one: they are dropped when other rows are mixed in."""
        return self.negatives and all("nli" in KINDS[strategy] for strategy in self.mix)
