"""Define the recipe of mSimCSE; the defaults are those of the paper."""

from dataclasses import dataclass, field
from typing import Literal

from amrx.errors import OptionError
from amrx.recipes import require, require_least
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
"""Kind of source of each strategy."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One run."""

    seed: int = 0
    # one strategy, or several whose rows are mixed; hard negatives are used if all of them have some
    mix: tuple[Strategy, ...] = ("english-nli",)
    # whether hard negatives are used; without them English NLI is Table 6's "0 parallel sentences"
    negatives: bool = True
    epochs: int = 1  # number of passes over all rows
    steps: int = 0  # number of steps; if not 0, it replaces epochs
    batch: int = 128  # rows per step
    # whether the loss compares ``tanh(W v + b)`` of the vectors v, like SimCSE's ``mlp_only_train``; the
    # saved encoder does not have it
    head: bool = True
    temperature: float = 0.05  # τ
    # number of rows whose activations are in memory, with a gradient cache (Gao et al. 2021): the same loss
    # with less memory and more time; 0 keeps all
    mini_batch: int = 0
    encoder: Rate = field(default_factory=lambda: Rate(peak=1e-5, schedule="linear"))  # learning rate
    # data folder with STS-B dev (``sts/stsb/en/dev.csv``), whose Spearman selects the best weights, as in the
    # authors' scripts; without it the last weights are kept
    dev: str | None = None
    dev_every: int = 300  # steps between scores on dev
    backbone: Backbone = field(default_factory=lambda: Backbone(max_tokens=32))
    data: Data = field(default_factory=Data)
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        require_least(self, {"epochs": 1, "dev_every": 1, "steps": 0, "batch": 2, "mini_batch": 0})
        require(self.temperature > 0, "temperature", self.temperature, "must be positive")
        once = len(set(self.mix)) == len(self.mix) >= 1
        require(once, "mix", self.mix, "must name one strategy or several, each once")
        if {"english-nli", "cross-lingual-nli"} <= set(self.mix):
            raise OptionError("recipe key 'mix' takes one of english-nli and cross-lingual-nli, not both")

    @property
    def hard_negatives(self) -> bool:
        """Whether every row has a hard negative; if not, none is used."""
        return self.negatives and all("nli" in KINDS[strategy] for strategy in self.mix)
