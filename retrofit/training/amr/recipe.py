"""Define the recipe of a training: one frozen dataclass per part, read from a TOML file.

::

    [recipe]            one file of retrofit/training/amr/recipes, or any TOML file
    ├── model           backbone, pooling, length limit, vocabulary, storage
    ├── languages       language -> weight of being drawn (Algorithm 1)
    ├── nli             Eq. 1 over triplets with hard negatives
    ├── pairs           the same loss over two draws of one meaning, and over paraphrases
    ├── distill         towards a frozen text encoder's vector of the English sentence
    ├── graded          CoSENT over pairs with a score
    ├── foils           extra negatives made from graphs: swapped roles, toggled polarity
    └── edits           Eq. 1 beside a base encoder, over two graphs of a sentence and both with one change

An objective with ``weight = 0`` is switched off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from amrx.recipes import require, require_least
from linearize.forms import Form
from retrofit.amr.tensor_files import Storage
from retrofit.training.amr.edits import KINDS

Pooling = Literal["mean", "cls", "mlp", "mlp-train"]


@dataclass(frozen=True, slots=True)
class ModelPart:
    """The encoder's shape."""

    # ``minilm`` (the packaged all-MiniLM-L6), folder or hub id of a BERT-like model, or folder of an AMR
    # encoder, from whose weights the training starts
    backbone: str = "minilm"
    # ``mean`` of the token states, ``cls`` (the paper), or ``mlp`` ([CLS], dense layer, tanh)
    pooling: Pooling = "mean"
    # maximum word pieces per graph or sentence in training, including [CLS] and [SEP]
    max_tokens: int = 128
    # maximum word pieces in use and for dev graphs; by default as in training
    read_tokens: int | None = None
    # linearization of the graphs: the ``paper``'s, or with ``pointer`` tokens (an ablation); the corpus must
    # hold that one (``amrx gather --form``)
    form: Form = "paper"
    # file of ``amrx vocabulary``, or the folder ``data/vocab`` of SPRING's repository, with the relations and
    # frames to add; Cai et al. 2022, section 4.1, add those with a count of at least 5 in LDC2017T10, which
    # that folder lists. By default they are those of the training parses.
    vocabulary: str | None = None
    zones: bool = False  # encode the core role above every piece as its token type (`retrofit.amr.zones`)
    # add the concept of the parent node to the embedding of every piece (`retrofit.amr.model`); needs zones
    parents: bool = False
    # minimum count of an added frame in the training parses; our choice, less strict than 5 in a sembank.
    # Ignored with ``vocabulary``.
    min_frame_count: int = 5
    storage: Storage = "int8"  # number format of the saved weights
    dropout: float = 0.1  # dropout of the backbone in training

    @property
    def read_limit(self) -> int:
        """The maximum word pieces of the trained encoder."""
        return self.max_tokens if self.read_tokens is None else self.read_tokens


@dataclass(frozen=True, slots=True)
class Contrast:
    """A contrastive objective: weight in the sum, rows per step, temperature of Eq. 1."""

    weight: float = 0.0
    batch: int = 128
    temperature: float = 0.05


@dataclass(frozen=True, slots=True)
class Distill:
    """Regression (1 - cosine) and InfoNCE towards the teacher."""

    weight: float = 0.0  # weight of the whole objective in the sum
    batch: int = 256  # draws per step
    teacher: str = "minilm"  # ``minilm`` or a folder of a BERT-like sentence encoder (mean pooling)
    contrast: float = 1.0  # weight of InfoNCE beside the regression
    temperature: float = 0.05  # temperature of InfoNCE
    same_above: float = 0.9  # teacher cosine above which two meanings are not negatives of each other


@dataclass(frozen=True, slots=True)
class Foils:
    """Foils: negatives of ``pairs`` and ``distill``, and an objective of their own."""

    share: float = 0.0  # share of the rows of ``pairs`` and ``distill`` that get a foil; 0 disables foils
    kinds: tuple[str, ...] = ("roles", "polarity")  # ``roles`` and ``polarity``
    weight: float = 0.0  # weight of the loss that keeps a foil's cosine with its graph below ``ceiling``
    ceiling: float = 0.5  # maximum cosine without loss


@dataclass(frozen=True, slots=True)
class Edits:
    """Two graphs of each meaning, and both with the same change (`retrofit.training.amr.edits`).

    The similarity of Eq. 1 is that of use: ``(b + w^2 a) / (1 + w^2)``, with the cosines b of the base and a
    of this encoder. The base is frozen; a change is made in a graph and has no text, so its b is assumed.
    """

    weight: float = 0.0  # weight of the objective in the sum
    batch: int = 24  # meanings per step; each gives four graphs
    temperature: float = 0.05  # temperature of Eq. 1
    kinds: tuple[str, ...] = KINDS  # kinds of changes
    base: str = "muse"  # base encoder
    base_weight: float = 1.5  # w: weight of this encoder beside the base
    base_kept: float = 0.95  # cosine of the base for a sentence and its changed one


@dataclass(frozen=True, slots=True)
class Recipe:
    """One training run."""

    seed: int = 0  # seed of everything random
    steps: int = 1000  # steps of the whole schedule
    # number of passes over the triplets, which replaces ``steps``; 0 uses ``steps``
    epochs: int = 0
    learning_rate: float = 5e-5  # peak learning rate of AdamW
    warmup: int = 100  # steps of linear warm-up
    schedule: Literal["linear", "constant"] = "linear"  # ``linear`` decay to 0, or ``constant``
    weight_decay: float = 0.01  # decay of matrices (not of biases and norms)
    clip: float = 1.0  # largest norm of the gradient
    # ``bf16`` autocast, ``fp32``, or ``auto``: bf16 if the device supports it in hardware; emulated bf16 is
    # slower than fp32
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    # padded tokens in one forward pass; longer steps are cut into length-sorted chunks
    chunk_tokens: int = 65536
    # keep no activations across chunks (same gradients, twice the forward passes)
    gradient_cache: bool = False
    evaluate_every: int = 125  # steps between two scores on the dev pairs
    checkpoint_every: int = 500  # steps between two checkpoints
    patience: int = 0  # number of scores without a new best before the run stops; 0 never stops
    # probability that an English draw is the sentence itself (Algorithm 1: one half)
    english_text: float = 0.5
    # weight of each language in the draw
    languages: Mapping[str, float] = field(default_factory=lambda: {"en": 1.0})
    model: ModelPart = field(default_factory=ModelPart)
    nli: Contrast = field(default_factory=Contrast)
    pairs: Contrast = field(default_factory=Contrast)
    distill: Distill = field(default_factory=Distill)
    graded: Contrast = field(default_factory=Contrast)
    foils: Foils = field(default_factory=Foils)
    edits: Edits = field(default_factory=Edits)

    def __post_init__(self) -> None:
        """Check the values beyond their types."""
        counts = {"steps": 1, "evaluate_every": 1, "checkpoint_every": 1, "chunk_tokens": 1}
        require_least(self, {**counts, "epochs": 0})
        require_least(self.model, {"max_tokens": 8}, "model.")
        alone = self.model.parents and not self.model.zones
        require(not alone, "model.parents", self.model.parents, "needs model.zones")
        longer = self.model.read_limit >= self.model.max_tokens
        require(longer, "model.read_tokens", self.model.read_tokens, "must be at least model.max_tokens")
        require(0 <= self.english_text <= 1, "english_text", self.english_text, "must lie in 0..1")
        require(0 <= self.foils.share <= 1, "foils.share", self.foils.share, "must lie in 0..1")
        for code, weight in self.languages.items():
            require(weight >= 0, f"languages.{code}", weight, "must not be negative")
        require(
            sum(self.languages.values()) > 0, "languages", dict(self.languages), "needs one positive weight"
        )
        require_least(self.foils, {"weight": 0}, "foils.")
        require(-1 <= self.foils.ceiling <= 1, "foils.ceiling", self.foils.ceiling, "must lie in -1..1")
        for kind in self.foils.kinds:
            require(kind in ("roles", "polarity"), "foils.kinds", kind, "knows roles and polarity")
        require(self.edits.base_weight > 0, "edits.base_weight", self.edits.base_weight, "must be positive")
        require(-1 <= self.edits.base_kept <= 1, "edits.base_kept", self.edits.base_kept, "must lie in -1..1")
        for kind in self.edits.kinds:
            require(kind in KINDS, "edits.kinds", kind, f"must be one of {', '.join(KINDS)}")
        parts: dict[str, Contrast | Distill | Edits] = {
            "nli": self.nli, "pairs": self.pairs, "distill": self.distill, "graded": self.graded,
            "edits": self.edits,
        }  # fmt: skip
        for key, part in parts.items():
            require_least(part, {"weight": 0, "batch": 2}, f"{key}.")
            require(part.temperature > 0, f"{key}.temperature", part.temperature, "must be positive")
        require(any(part.weight > 0 for part in parts.values()), "weight", 0, "switches every objective off")

    def counted(self, triplets: int) -> Recipe:
        """Return the recipe with ``steps`` computed from its ``epochs``, for a number of triplets.

        Example:
            >>> Recipe(epochs=3, nli=Contrast(weight=1, batch=4)).counted(10).steps
            9
        """
        if self.epochs == 0:
            return self
        require(triplets > 0 and self.nli.weight > 0, "epochs", self.epochs, "counts passes over triplets")
        return replace(self, steps=self.epochs * -(-triplets // self.nli.batch))
