"""Define the parts of a recipe that all trainers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amrx.recipes import require, require_least


@dataclass(frozen=True, slots=True)
class Scratch:
    """A small untrained network on multilingual USE's pieces, which needs no download."""

    # ``bert``, or the encoder of ``mt5``, of its shape and with no bound on the length
    kind: Literal["bert", "mt5"] = "bert"
    pieces: int = 32_000  # number of pieces of the 128,000, the most probable ones; 0 is all
    width: int = 256  # width of states and sentence vectors
    layers: int = 4  # number of Transformer layers
    heads: int = 4  # number of attention heads, a divisor of the width
    dropout: float = 0.1  # dropout in training
    # initial embeddings of the pieces: ``random``, or ``muse``: multilingual USE's features of each piece
    # (`amrx.muse.fast`), instead of a pretrained model
    table: Literal["random", "muse"] = "random"

    def __post_init__(self) -> None:
        require_least(self, {"width": 1, "layers": 1, "heads": 1}, "scratch.")
        require(
            self.width % self.heads == 0, "scratch.heads", self.heads, f"must divide the width {self.width}"
        )
        require(0 <= self.dropout < 1, "scratch.dropout", self.dropout, "must lie in 0..1")


@dataclass(frozen=True, slots=True)
class Backbone:
    """The encoder that is trained."""

    # ``pretrained`` weights of ``name``, or a small network from ``scratch``
    start: Literal["pretrained", "scratch"] = "pretrained"
    name: str = "FacebookAI/xlm-roberta-large"  # hub id or folder of a transformers model, or a GGUF file
    pooling: Literal["cls", "mean"] = "cls"  # pooling of token states
    unit: bool = False  # whether vectors are scaled to length 1
    max_tokens: int = 128  # maximum input length, including special tokens; longer inputs are cut
    # dropout in training, of this network and of those with the same configuration; default: that of the
    # pretrained model's configuration, or ``scratch.dropout``
    dropout: float | None = None
    # number of last layers to train; the layers below them and the embeddings are frozen; 0 trains
    # everything
    train_layers: int = 0
    scratch: Scratch = field(default_factory=Scratch)  # the small network

    def __post_init__(self) -> None:
        require_least(self, {"max_tokens": 3, "train_layers": 0}, "backbone.")
        within = self.dropout is None or 0 <= self.dropout < 1
        require(within, "backbone.dropout", self.dropout, "must lie in 0..1")


@dataclass(frozen=True, slots=True)
class Data:
    """Settings of drawing rows."""

    temperature: float = 1.0  # see `retrofit.training.bases.mixture`
    shuffle: int = 16_384  # number of rows of a source that are shuffled together, and in memory
    # data folder whose test pairs of Tatoeba are not drawn from parallel rows (VMSST, section 6.1)
    keep_out: str | None = None

    def __post_init__(self) -> None:
        require(self.temperature > 0, "data.temperature", self.temperature, "must be positive")
        require_least(self, {"shuffle": 1}, "data.")


@dataclass(frozen=True, slots=True)
class Run:
    """Settings of the training loop."""

    log_every: int = 50  # steps averaged in one line of the log
    checkpoint_every: int = 1000  # steps between checkpoints
    clip: float = 1.0  # maximum norm of the gradient of each group of parameters with its own rate
    precision: Literal["no", "bf16"] = "no"  # ``bf16`` mixed precision, or ``no``
    # ``adafactor`` is that of T5: factored second moments, no first ones, the rate as given (Shazeer and
    # Stern 2018)
    optimizer: Literal["adamw", "adafactor"] = "adamw"

    def __post_init__(self) -> None:
        require_least(self, {"log_every": 1, "checkpoint_every": 1}, "run.")
        require(self.clip > 0, "run.clip", self.clip, "must be positive")
