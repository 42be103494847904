"""Define the recipe of a student's training, read from a TOML file.

::

    [recipe]            one file of retrofit/training/student/recipes, or any TOML file
    ├── shape           width, layers of the network on multilingual USE's features
    ├── update          rank of the updates of e5-small, which is trained instead if it is above 0
    ├── amounts         amount and languages of each corpus
    ├── distill         towards the teacher's vector of the English side
    └── near            the teacher's cosines between sentences of similar meanings
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amrx.recipes import require, require_least
from retrofit.student.shape import Shape, UpdateShape
from retrofit.training.neighbours import Near


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts of the corpora."""

    # languages besides English, with the weight of their sentences in the draw
    langs: Mapping[str, float] = field(
        default_factory=lambda: {
            "ar": 2.0, "de": 1.5, "es": 1.5, "fr": 1.2, "it": 1.0, "nl": 1.0, "tr": 1.5, "zh": 0.8,
            "ja": 0.3, "ko": 0.2, "pl": 0.4, "pt": 0.4, "ru": 0.5, "th": 0.2,
        }
    )  # fmt: skip
    english: float = 2.5  # weight of English sentences
    # parallel corpora, with the maximum number of pairs per language
    sources: Mapping[str, int] = field(
        default_factory=lambda: {
            "stsb": 100_000, "multi30k": 100_000, "tatoeba": 25_000, "wmt-mt": 9_000, "xnli": 100_000,
            "pawsx": 2_000, "qe": 3_000,
        }
    )  # fmt: skip
    words: int = 40  # pairs whose English side has more words are left out
    nli: int = 20_000  # number of SNLI pairs whose sentences are used
    english_only: int = 0  # number of sentences without a translation (`retrofit.training.student.corpus`)


@dataclass(frozen=True, slots=True)
class Distill:
    """Regression (1 - cosine) to the teacher, plus InfoNCE in both directions."""

    batch: int = 256  # sentences per step
    contrast: float = 0.1  # weight of InfoNCE
    temperature: float = 0.05  # temperature of InfoNCE
    same_above: float = 0.8  # teacher cosine above which two meanings are not negatives of each other


@dataclass(frozen=True, slots=True)
class Recipe:
    """One training run."""

    seed: int = 1  # seed of everything random
    # steps of the whole schedule: linear warm-up, constant, linear decay to 0; a stopped run may continue
    # with another number if its decay has not begun, because its steps so far are the same
    steps: int = 4_000
    decay: float = 0.4  # share of the steps that decay
    learning_rate: float = 1e-3  # peak learning rate of AdamW
    warmup: int = 200  # steps of warm-up
    weight_decay: float = 0.01  # decay of matrices
    clip: float = 1.0  # largest norm of the gradient
    rows: int = 64  # sentences per batch of the network (for ``shape``, of multilingual USE)
    subwords: int = 40  # longer sentences are not drawn for ``distill``
    evaluate_every: int = 500  # steps between scores on STS-B dev
    dev_rows: int = 300  # number of its rows per language, evenly spaced; 0 for all
    checkpoint_every: int = 100  # steps between checkpoints
    shape: Shape = field(default_factory=Shape)
    update: UpdateShape = field(default_factory=lambda: UpdateShape(rank=0))
    amounts: Amounts = field(default_factory=Amounts)
    distill: Distill = field(default_factory=Distill)
    near: Near = field(default_factory=Near)

    def __post_init__(self) -> None:
        """Check the values beyond their types."""
        require_least(self, {"steps": 1, "rows": 1, "evaluate_every": 1, "checkpoint_every": 1})
        require_least(self.distill, {"batch": 2}, "distill.")
        self.near.check(self.distill.batch)
        temperature = self.distill.temperature
        require(temperature > 0, "distill.temperature", temperature, "must be positive")
        require_least(self.update, {"rank": 0}, "update.")
        require_least(self.shape, {"bag": 0}, "shape.")
        for code, weight in self.amounts.langs.items():
            foreign = weight >= 0 and code != "en"
            require(foreign, f"amounts.langs.{code}", weight, "must be >= 0, and not for English")
