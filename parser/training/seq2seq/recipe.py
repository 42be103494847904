"""The recipe ``xamr``: everything that decides a run of its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from amrx.errors import OptionError
from amrx.translate.files import FLAGS


@dataclass(frozen=True)
class Recipe:
    """Cai et al., "Multilingual AMR Parsing with Noisy Knowledge Distillation", Findings of EMNLP 2021.

    A run has two phases. In the first the student learns the English teacher's graphs, from the sentences
    and their noisy (machine) translations; in the second the annotated graphs of the bank, from the same.
    Base, phases, learning rate and dropout are the paper's; weight decay and clipping follow SPRING
    (Bevilacqua et al., AAAI 2021). Steps, warm-up, batches and lengths are our choice.
    """

    base: str = "facebook/mbart-large-50-many-to-many-mmt"  # hub id or folder of an mBART-50 or a BART
    # sembank to fine-tune on: a file or a folder of files, relative to the folder of the data
    bank: str = "train.amr"
    # sembank whose Smatch selects the weights; of several languages, the mean over languages
    dev: str = "dev.amr"
    teacher: str = "teacher.jsonl"  # graphs by the English teacher, as ``amrx parse`` writes them
    # folder of ``amrx translate``; a row has the graph of the sentence with its ``id``. Empty for none.
    translated: str = "translated"
    drop: tuple[str, ...] = ("empty", "cut")  # translations with one of these flags are left out
    distill_steps: int = 60_000  # updates of the first phase
    tune_steps: int = 20_000  # updates of the second phase
    learning_rate: float = 5e-5  # AdamW's rate, constant after the warm-up of each phase
    warmup: int = 500  # updates of linear warm-up
    weight_decay: float = 0.004  # of matrices
    clip: float = 2.5  # norm that the gradient is cut to
    dropout: float = 0.25  # dropout probability of the network
    batch: int = 2_000  # padded pieces, of sentences plus graphs, that are computed at once
    accumulate: int = 4  # batches in an update
    longest: int = 512  # pieces of a sentence or a graph; longer examples are left out
    least: int = 5  # times that a relation or frame must occur in the graphs to become a token
    # ``bf16`` computes in it where the device is no CPU; weights are always float32
    precision: Literal["bf16", "fp32"] = "bf16"
    seed: int = 0  # of order and dropout
    evaluate_every: int = 2_000  # updates between looks at the dev sembank
    save_every: int = 1_000  # updates between checkpoints
    dev_batch: int = 32  # sentences parsed at once for a look

    def __post_init__(self) -> None:
        counts = ("batch", "accumulate", "longest", "least", "evaluate_every", "save_every", "dev_batch")
        for name in (*counts, "learning_rate", "clip"):
            if getattr(self, name) <= 0:
                raise OptionError(f"{name} is {getattr(self, name)}; it must be above 0")
        for name in ("distill_steps", "tune_steps", "warmup", "weight_decay"):
            if getattr(self, name) < 0:
                raise OptionError(f"{name} is {getattr(self, name)}; it cannot be negative")
        if not 0 <= self.dropout < 1:
            raise OptionError(f"dropout must be a probability below 1, got {self.dropout}")
        if self.steps == 0:
            raise OptionError("distill_steps and tune_steps are both 0; nothing would be trained")
        for flag in self.drop:
            if flag not in FLAGS:
                raise OptionError(f"drop: unknown flag {flag!r}; choose from {', '.join(FLAGS)}")

    @property
    def steps(self) -> int:
        """Updates of both phases."""
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
