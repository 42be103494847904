"""Estimate the quality of translations from vectors, against human assessments.

::

    <data>/qe/XX-YY/{train.tsv.gz,dev.tsv,test.tsv}    sentence, translation, mean z-score of its assessments

``qe`` is zero-shot: the cosine of both sides, in the eleven pairs of WMT21, the last four of which have only
a test part. ``qe-probe`` fits a ridge regression per language pair on frozen vectors, its penalty chosen on
dev.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.metrics import METRICS, Floats
from amrx.evaluation.results.rows import Row, Scored, Skipped, group_means
from amrx.evaluation.tasks.scored_pairs import Pair, read_any_score
from amrx.evaluation.tasks.similarity import Task, Track
from amrx.evaluation.tasks.task import Column, Described
from amrx.evaluation.tasks.transfer.classifier import features
from amrx.types import Vectors
from amrx.vectors import normalise

PAIRS = ("en-de", "en-zh", "et-en", "ne-en", "ro-en", "ru-en", "si-en")
ZERO_SHOT = ("en-cs", "en-ja", "km-en", "ps-en")
"""Pairs of WMT21 without training data."""
FEATURES = ("u", "v", "abs(u-v)", "u*v")
PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0)
_FETCH = "https://github.com/sheffieldnlp/mlqe-pe, direct-assessments, columns original, translation, z_mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityTask(Described):
    """Regression from frozen vectors; see `amrx.evaluation.tasks.task.Task`."""

    pairs: tuple[str, ...]  # source and target language of each pair, joined by a hyphen, in table order
    files: tuple[tuple[str, int], ...]  # paths and row counts of the training, dev and test files
    # names in `amrx.evaluation.metrics`; the first is shown
    metrics: tuple[str, ...] = ("pearson", "spearman")

    @property
    def shown(self) -> tuple[str, ...]:
        """The first metric."""
        return self.metrics[:1]

    def load(self, data: Data) -> tuple[list[QualityPart], list[Skipped]]:
        """Read and check every pair that has all three files."""
        loaded, skipped = [], []
        for pair in self.pairs:
            files = [(data / name.format(pair), count) for name, count in self.files]
            missing = [file for file, _ in files if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, pair, missing[0], self.fetch))
                continue
            parts = []
            for file, count in files:
                parts.append(read_any_score(file))
                check_count(len(parts[-1]), count, "rows", self.name, file)
            loaded.append(QualityPart(self, pair, tuple(parts)))
        return loaded, skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the pairs."""
        return group_means(scores, [("all", self.pairs)])


@dataclass(frozen=True, slots=True)
class QualityPart:
    """The training, dev and test rows of one language pair."""

    task: QualityTask
    pair: str
    rows: tuple[tuple[Pair, ...], ...]

    def columns(self) -> list[Column]:
        """Return both sides of each of the three parts."""
        source, target = self.pair.split("-")
        return [
            column
            for part in self.rows
            for column in (
                Column([row.first for row in part], source),
                Column([row.second for row in part], target),
            )
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return every metric of the prediction; items are pairs of prediction and gold score."""
        (x, y), dev, (x_test, gold) = (
            (
                features([normalise(vectors[2 * index + side]) for side in (0, 1)], FEATURES),
                np.array([row.score for row in part]),
            )
            for index, part in enumerate(self.rows)
        )
        predicted = ridge(x.astype(np.float64), y, dev, x_test)
        items = np.column_stack([predicted, gold])
        return [
            Scored(
                Row(label, self.task.name, self.pair, name, METRICS[name](predicted, gold), len(gold)), items
            )
            for name in self.task.metrics
        ]


def ridge(x: Floats, y: Floats, dev: tuple[Vectors, Floats], test: Vectors) -> Floats:
    """Predict scores by the ridge regression with the best Pearson correlation on dev.

    ``dev`` has the features and scores that choose among ``PENALTIES``; the first of equals wins.
    """
    from sklearn.linear_model import Ridge

    models = [Ridge(alpha=penalty).fit(x, y) for penalty in PENALTIES]
    best = max(models, key=lambda model: METRICS["pearson"](model.predict(dev[0]), dev[1]))
    predicted: Floats = best.predict(test)
    return predicted


def _track(pair: str) -> Track:
    source, target = pair.split("-")
    return Track(pair, f"qe/{pair}/test.tsv", (source, target), 1000)


QE = Task(
    name="qe",
    group="similarity",
    tracks=tuple(_track(pair) for pair in (*PAIRS, *ZERO_SHOT)),
    loader=read_any_score,
    metrics=("pearson", "spearman"),
    note="MLQE-PE direct assessments, test (Fomicheva et al. 2022), the eleven pairs of WMT21; zero-shot, "
    "cosine of sentence and translation",
    fetch=f"{_FETCH}, as qe/XX-YY/test.tsv",
)
QE_PROBE = QualityTask(
    name="qe-probe",
    group="similarity",
    pairs=PAIRS,
    files=(("qe/{}/train.tsv.gz", 7000), ("qe/{}/dev.tsv", 1000), ("qe/{}/test.tsv", 1000)),
    note="MLQE-PE direct assessments (Fomicheva et al. 2022); ridge regression on (u, v, abs(u-v), u*v) of "
    "frozen vectors of length 1, fitted on train, its penalty chosen on dev",
    fetch=f"{_FETCH}, as qe/XX-YY/{{train.tsv.gz,dev.tsv,test.tsv}}",
)
