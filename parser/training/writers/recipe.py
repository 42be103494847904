"""Define the recipe ``xamr``: all settings of its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from amrx.recipes import require, require_least
from amrx.translate.files import FLAGS


@dataclass(frozen=True)
class Recipe:
    """Cai et al., "Multilingual AMR Parsing with Noisy Knowledge Distillation", Findings of EMNLP 2021.

    A run has two phases. In the first the student learns the English teacher's graphs from the sentences and
    their noisy (machine) translations; in the second it learns the annotated graphs of the sembank from the
    same input. Base, phases, learning rate and dropout are the paper's; weight decay and clipping follow
    SPRING (Bevilacqua et al., AAAI 2021). Steps, warm-up, batches and lengths are our choice; those of the
    authors' code are ``results/papers/cai-2021-released.toml``.
    """

    base: str = "facebook/mbart-large-50-many-to-many-mmt"  # hub id or folder of an mBART-50 or a BART
    # sembank to fine-tune on: a file or a folder of files, relative to the folder of the data
    bank: str = "train.amr"
    # sembank whose Smatch, averaged over its languages, selects the weights
    dev: str = "dev.amr"
    teacher: str = "teacher.jsonl"  # graphs of the English teacher, as written by ``amrx parse``
    # folder of ``amrx translate``; a row gets the graph of the sentence with the same ``id``. Empty for none.
    translated: str = "translated"
    drop: tuple[str, ...] = ("empty", "cut")  # translations with one of these flags are left out
    distill_steps: int = 60_000  # number of updates of the first phase
    tune_steps: int = 20_000  # number of updates of the second phase
    learning_rate: float = 5e-5  # AdamW's rate, constant after the warm-up of each phase
    warmup: int = 500  # number of updates of linear warm-up
    weight_decay: float = 0.004  # decay of matrices
    clip: float = 2.5  # maximum norm of the gradient
    dropout: float = 0.25  # dropout probability of the network
    batch: int = 2_000  # padded pieces of sentences and graphs per batch
    accumulate: int = 4  # batches per update
    longest: int = 512  # maximum pieces of a sentence or a graph; longer examples are left out
    least: int = 5  # minimum count of a relation or frame in the graphs to become a token
    # number format of the computation; ``bf16`` is not used on a CPU; weights are always float32
    precision: Literal["bf16", "fp32"] = "bf16"
    seed: int = 0  # seed of order and dropout
    evaluate_every: int = 2_000  # updates between scores on the dev sembank
    save_every: int = 1_000  # updates between checkpoints
    dev_batch: int = 32  # sentences per batch when scoring

    def __post_init__(self) -> None:
        counts = ("batch", "accumulate", "longest", "least", "evaluate_every", "save_every", "dev_batch")
        require_least(self, dict.fromkeys(counts, 1))
        require_least(self, dict.fromkeys(("distill_steps", "tune_steps", "warmup", "weight_decay"), 0))
        for key in ("learning_rate", "clip"):
            require(getattr(self, key) > 0, key, getattr(self, key), "must be positive")
        require(0 <= self.dropout < 1, "dropout", self.dropout, "must be >= 0 and < 1")
        require(self.steps > 0, "tune_steps", self.tune_steps, "must be positive if distill_steps is 0")
        for flag in self.drop:
            require(flag in FLAGS, "drop", flag, f"must be of {', '.join(FLAGS)}")

    @property
    def steps(self) -> int:
        """The number of updates of both phases."""
        return self.distill_steps + self.tune_steps

    def rate(self, step: int) -> float:
        """Return the learning rate of an update.

        Example:
            >>> recipe = Recipe(distill_steps=4, tune_steps=4, warmup=2, learning_rate=1.0)
            >>> [recipe.rate(step) for step in range(6)]
            [0.5, 1.0, 1.0, 1.0, 0.5, 1.0]
        """
        done = step if step < self.distill_steps else step - self.distill_steps
        return self.learning_rate * min(1.0, (done + 1) / max(1, self.warmup))
