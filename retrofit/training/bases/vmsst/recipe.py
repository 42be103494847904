"""Define the recipe of VMSST and of its baselines; ``recipes/paper.toml`` marks the paper's values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amrx.recipes import require, require_least
from amrx.training.rates import Rate
from retrofit.training.bases.recipe import Backbone, Data, Run

Method = Literal["vmsst", "contrastive", "bitranslation"]
_RATE = Rate(peak=1e-3, warmup=4000, schedule="inverse-sqrt")
_BACKBONE = Backbone(name="google/mt5-large", pooling="mean", max_tokens=32)


@dataclass(frozen=True, slots=True)
class Decoder:
    """The decoder, which writes a sentence from its latents."""

    layers: int = 24  # number of layers; of a pretrained decoder the first ones
    languages: bool = True  # whether the embedding of the first token depends on the language
    # whether states and latents are mapped to the width of the states before the output layer
    factored: bool = False
    per_language: bool = False  # whether every language has its own decoder

    def __post_init__(self) -> None:
        require_least(self, {"layers": 1}, "decoder.")


@dataclass(frozen=True, slots=True)
class Latents:
    """The variables z_sem and z_lang."""

    width: int = 0  # width of each, and so of the sentence vector; 0 is the width of the encoder
    kl: bool = True  # whether there is a KL term
    # number of steps in which its weight rises from 0 to 1; in the paper ten times the training steps
    kl_warmup: int = 1_000_000
    one_encoder: bool = False  # whether the semantic encoder is also the language encoder
    languages: bool = True  # whether the language encoder reads the language's embedding
    # number of language encoders, to which languages are allocated at random; 0 is one per language
    encoders: int = 1

    def __post_init__(self) -> None:
        require_least(self, {"encoders": 0, "width": 0, "kl_warmup": 0}, "latents.")
        alone = self.encoders == 1 or not self.one_encoder
        require(alone, "latents.encoders", self.encoders, "must be 1 with latents.one_encoder")

    def kl_weight(self, step: int) -> float:
        """Return the weight of the KL term in a step, the first being 0.

        Example:
            >>> [Latents(kl_warmup=4).kl_weight(step) for step in (0, 2, 4, 9)]
            [0.0, 0.5, 1.0, 1.0]
        """
        if not self.kl:
            return 0.0
        return min(1.0, step / self.kl_warmup) if self.kl_warmup else 1.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """One run."""

    seed: int = 0
    method: Method = "vmsst"  # method to train by; set by the command
    steps: int = 100_000  # number of steps
    batch: int = 2048  # pairs per step
    elbo: float = 0.025  # λ of VMSST, the weight of reconstruction and KL relative to the translation terms
    contrast: float = 0.0  # weight of the contrastive term in ``vmsst``; 0 omits it
    # λ of VMSST Contrastive, the weight of the loss of ``vmsst`` (per piece) relative to the contrastive term
    # (per pair)
    vmsst: float = 1.0
    similarity: Literal["dot", "cosine"] = "dot"  # similarity of the contrastive term
    temperature: float = 1.0  # divisor of the similarities
    rate: Rate = _RATE  # learning rate
    latents: Latents = field(default_factory=Latents)
    decoder: Decoder = field(default_factory=Decoder)
    backbone: Backbone = _BACKBONE
    data: Data = field(default_factory=Data)
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        require_least(self, {"steps": 1, "batch": 2, "contrast": 0})
        require(self.elbo > 0, "elbo", self.elbo, "must be positive")
        require(self.vmsst > 0, "vmsst", self.vmsst, "must be positive")
        require(self.temperature > 0, "temperature", self.temperature, "must be positive")
        mean = self.backbone.pooling == "mean"
        require(mean, "backbone.pooling", self.backbone.pooling, "must be 'mean': VMSST pools by the mean")
        require(
            not self.backbone.unit, "backbone.unit", self.backbone.unit, "must be false: vectors are means"
        )
