"""Define the training recipe of the mini parser."""

import math
from dataclasses import dataclass
from pathlib import Path

from amrx.recipes import require, require_least
from parser.mini.layers import Shape


@dataclass(frozen=True)
class Recipe:
    """Settings of a run."""

    # parser to start from, ``mini`` (shipped) or ``mini:DIR``: its symbols, and those of its weights that
    # have the shape of the recipe's (`parser.training.mini.task.take_weights`); empty for random weights
    start: str = ""
    # files of graphs of the parallel text's English side (`parser.training.corpora.silver`), separated by
    # commas; a sentence has the graph of the first file with it; empty to train on the sembanks alone
    silver: str = ""
    steps: int = 5_200  # updates
    batch: int = 24_000  # padded source pieces plus symbols in a batch
    learning_rate: float = 2e-3  # peak of AdamW's rate, after ``warmup`` updates; cosine to 0 at the end
    warmup: int = 300  # updates of linear warm-up
    weight_decay: float = 0.02  # of matrices
    average: float = 0.999  # decay of the running mean of the weights; the mean is saved
    seed: int = 0  # of weights, order, dropout and draws
    save_every: int = 400  # updates between checkpoints
    reader: int = 12  # layers of multilingual-e5-small that read the sentence and are trained; even
    reader_rate: float = 0.15  # their learning rate, as a share of that of the rest
    width: int = 256  # model width; the rest of the shape follows
    inner: int = 1024  # width of the feed-forward layers
    encoder: int = 1  # own encoder layers, after the reader's
    decoder: int = 2  # decoder layers
    dropout: float = 0.25  # dropout probability
    word_dropout: float = 0.15  # probability that a whole source piece or previous symbol is masked
    least: int = 2  # minimum count of a symbol in the English graphs to get an id
    most_nodes: int = 9_000  # maximum number of concepts and constants in the alphabet
    silver_pairs: int = 20_000  # maximum number of pairs per parallel corpus and language
    silver_english: float = 1.0  # how often an English sentence with a silver graph is drawn in an epoch
    silver_weight: float = 0.5  # how often a translation of such a sentence is drawn in an epoch
    composed: int = 40_000  # sentences composed of two others (`parser.training.templates.composed`)
    relative: int = 20_000  # pairs of sentences, one as a relative clause (`…composed.relatives`)
    constructed: int = 5_000  # meanings of constructed sentences (`parser.training.templates.meanings`)
    constructed_weight: float = 0.5  # how often a constructed sentence is drawn in an epoch
    leave_out: tuple[str, ...] = ()  # languages whose sentences are left out; not English

    def __post_init__(self) -> None:
        counts = ("steps", "batch", "warmup", "save_every", "width", "inner", "decoder")
        require_least(self, dict.fromkeys(counts, 1))
        even = self.reader >= 2 and self.reader % 2 == 0
        require(even, "reader", self.reader, "must be an even number of layers >= 2")
        english = "en" in self.leave_out
        require(
            not english, "leave_out", self.leave_out, "must not hold 'en', whose graphs give the alphabet"
        )
        require(self.width % 64 == 0, "width", self.width, "must be a multiple of 64")

    @property
    def silver_files(self) -> list[Path]:
        """The files of ``silver``."""
        return [Path(name) for name in self.silver.split(",") if name]

    def rate(self, step: int) -> float:
        """Return the learning rate of a step: linear warm-up times cosine.

        Example:
            >>> recipe = Recipe(steps=100, warmup=10, learning_rate=1.0)
            >>> [round(recipe.rate(step), 2) for step in (0, 9, 50, 99)]
            [0.1, 0.98, 0.5, 0.0]
        """
        falling = 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return self.learning_rate * min(1.0, (step + 1) / self.warmup) * falling

    def shape(self, symbols: int) -> Shape:
        """Return the shape of the network for an alphabet of ``symbols`` symbols."""
        return Shape(
            symbols, self.width, self.width // 64, self.inner, self.encoder, self.decoder,
            self.dropout, self.word_dropout, reader=self.reader,
        )  # fmt: skip
