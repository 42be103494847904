"""Define the training recipe of the one-pass parser."""

import math
from dataclasses import dataclass
from pathlib import Path

from amrx.recipes import require, require_least
from parser.mini.layers import Shape


@dataclass(frozen=True)
class Recipe:
    """Settings of a run."""

    # parser to start from, ``mini`` (shipped) or ``mini:DIR``: its labels and weights; empty for random heads
    start: str = ""
    # files of graphs of the parallel text's English side (`parser.training.corpora.silver`), separated by
    # commas; a sentence has the graph of the first file with it; empty to train on the sembanks alone
    silver: str = ""
    steps: int = 12_000  # updates
    batch: int = 1_600  # padded source pieces in a batch
    learning_rate: float = 6e-4  # peak of AdamW's rate, after ``warmup`` updates; cosine to ``floor`` of it
    floor: float = 0.05  # rate of the last update, as a share of the peak
    warmup: int = 200  # updates of linear warm-up
    weight_decay: float = 0.01  # of matrices
    average: float = 0.999  # decay of the running mean of the weights; the mean is saved
    seed: int = 0  # of weights, order, dropout and draws
    save_every: int = 400  # updates between checkpoints
    reader: int = 12  # layers of multilingual-e5-small that read the sentence; even
    frozen: int = 0  # lowest layers of the reader that are not trained
    reader_rate: float = 0.1  # learning rate of the reader, as a share of that of the rest
    width: int = 256  # width of a query; the rest of the shape follows
    inner: int = 1024  # width of the feed-forward layers
    layers: int = 2  # Transformer layers over the queries
    node_layers: int = 2  # Transformer layers over the nodes
    queries: int = 2  # queries per piece
    dropout: float = 0.0  # dropout probability of the query and node layers
    feature_dropout: float = 0.1  # dropout probability of the reader's features
    word_dropout: float = 0.05  # probability that the features of a piece are masked
    hint_dropout: float = 0.1  # probability that the hints of a piece are left out
    least: int = 4  # minimum count of a label in distinct graphs
    silver_pairs: int = 12_000  # maximum number of pairs per parallel corpus and language
    silver_english: float = 0.6  # how often an English sentence with a silver graph is drawn in an epoch
    silver_weight: float = 0.6  # how often a translation of such a sentence is drawn in an epoch
    composed: int = 40_000  # sentences composed of two others (`parser.training.composed`)
    relative: int = 20_000  # pairs of sentences, one as a relative clause (`…composed.relatives`)
    # languages without composed and constructed sentences: they show what carries over
    held_out: tuple[str, ...] = ("pt", "sv", "uk")
    constructed: int = 110_000  # constructed sentences (`parser.training.constructions`)
    constructed_weight: float = 2.0  # how often a constructed sentence is drawn in an epoch
    leave_out: tuple[str, ...] = ()  # languages whose sentences are left out; not English

    def __post_init__(self) -> None:
        require_least(
            self, {"steps": 1, "batch": 128, "save_every": 1, "layers": 0, "queries": 1, "least": 1}
        )
        even = self.reader % 2 == 0 and 2 <= self.reader <= 12
        require(even, "reader", self.reader, "must be an even number from 2 to 12")
        within = 0 <= self.frozen <= self.reader
        require(within, "frozen", self.frozen, "must not be more than the reader's layers")

    @property
    def silver_files(self) -> list[Path]:
        """The files of silver graphs."""
        return [Path(name) for name in self.silver.split(",") if name]

    def rate(self, step: int) -> float:
        """Return the learning rate of a step."""
        share = min(1.0, step / self.steps)
        cosine = self.floor + (1 - self.floor) * 0.5 * (1 + math.cos(math.pi * share))
        return self.learning_rate * min(1.0, (step + 1) / self.warmup) * cosine

    def shape(self, labels: int, roles: int) -> Shape:
        """Return the sizes of the network."""
        return Shape(
            labels=labels, roles=roles, width=self.width, inner=self.inner, layers=self.layers,
            node_layers=self.node_layers, queries=self.queries, reader=self.reader, dropout=self.dropout,
            feature_dropout=self.feature_dropout, word_dropout=self.word_dropout,
            hint_dropout=self.hint_dropout,
        )  # fmt: skip
