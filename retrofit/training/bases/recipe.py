"""The parts of a recipe that every trainer has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amrx.recipes import require


@dataclass(frozen=True, slots=True)
class Scratch:
    """A small untrained network over multilingual USE's pieces, which trains without any download."""

    # ``bert``, or the encoder of ``mt5``, of its shape and with no bound on the length
    kind: Literal["bert", "mt5"] = "bert"
    pieces: int = 32_000  # how many pieces of the 128,000, the most probable ones; 0 is all
    width: int = 256  # of states and sentence vectors
    layers: int = 4  # Transformer layers
    heads: int = 4  # attention heads; they divide the width
    dropout: float = 0.1  # while training
    # start of the embeddings of the pieces: ``random``, or ``muse``: the features of multilingual USE for
    # each piece (`amrx.muse.fast`), instead of a pretrained model
    table: Literal["random", "muse"] = "random"

    def __post_init__(self) -> None:
        for key in ("width", "layers", "heads"):
            require(getattr(self, key) >= 1, f"scratch.{key}", getattr(self, key), "must be at least 1")
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
    pooling: Literal["cls", "mean"] = "cls"  # how token states become the sentence vector
    unit: bool = False  # whether vectors get length 1
    max_tokens: int = 128  # longest input, special tokens included; longer inputs are cut
    # while training, of this network and of those made like it; without it as the pretrained model's
    # configuration, or ``scratch.dropout``, says
    dropout: float | None = None
    # how many layers are trained, the last ones; the layers below them and the embeddings stay as they are.
    # 0 trains everything.
    train_layers: int = 0
    scratch: Scratch = field(default_factory=Scratch)  # the small network

    def __post_init__(self) -> None:
        require(self.max_tokens >= 3, "backbone.max_tokens", self.max_tokens, "must be at least 3")
        within = self.dropout is None or 0 <= self.dropout < 1
        require(within, "backbone.dropout", self.dropout, "must lie in 0..1")
        require(self.train_layers >= 0, "backbone.train_layers", self.train_layers, "must not be negative")


@dataclass(frozen=True, slots=True)
class Data:
    """How rows are drawn."""

    temperature: float = 1.0  # see `retrofit.training.bases.mixture`
    shuffle: int = 16_384  # rows of a source that are shuffled among each other, and held in memory

    def __post_init__(self) -> None:
        require(self.temperature > 0, "data.temperature", self.temperature, "must be positive")
        require(self.shuffle >= 1, "data.shuffle", self.shuffle, "must be at least 1")


@dataclass(frozen=True, slots=True)
class Run:
    """How the loop goes."""

    log_every: int = 50  # steps that one line of the log is the mean of
    checkpoint_every: int = 1000  # steps between two checkpoints
    clip: float = 1.0  # largest norm of the gradient of each group of parameters that has a rate of its own
    precision: Literal["no", "bf16"] = "no"  # ``bf16`` mixed precision, or ``no``
    # ``adafactor`` is that of T5: factored second moments, no first ones, the rate as given (Shazeer and
    # Stern 2018)
    optimizer: Literal["adamw", "adafactor"] = "adamw"

    def __post_init__(self) -> None:
        for key in ("log_every", "checkpoint_every"):
            require(getattr(self, key) >= 1, f"run.{key}", getattr(self, key), "must be at least 1")
        require(self.clip > 0, "run.clip", self.clip, "must be positive")
