"""Cluster vectors by k-means and compare the clusters with the labels of their texts: purity.

Wang et al. 2022 (mSimCSE) cluster the headlines of TNews, part of CLUE (Xu et al. 2020), into 15 clusters,
and report the mean accuracy over clusters. The number of starts and the seed are our choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.results.published import printed
from amrx.evaluation.results.rows import Scored, Skipped, mean_scored
from amrx.evaluation.tasks.task import Column, Described
from amrx.evaluation.tasks.transfer.read import Item, JsonLinesReader
from amrx.types import Vectors
from amrx.vectors import normalise

PURITY = "purity"
STARTS, SEED = 10, 1
LABELS = tuple("100 101 102 103 104 106 107 108 109 110 112 113 114 115 116".split())

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterTask(Described):
    """Clusters of the texts of one file; see `amrx.evaluation.tasks.task.Task`."""

    language: str  # ISO 639-1 code of the texts
    file: str  # path below the data folder
    count: int  # number of texts
    reader: JsonLinesReader  # reads and checks the file
    classes: int  # number of labels, and of clusters
    group: str = "probes"
    shown: tuple[str, ...] = (PURITY,)

    def load(self, data: Data) -> tuple[list[ClusterPart], list[Skipped]]:
        """Read and check the file."""
        file = data / self.file
        if not file.is_file():
            return [], [Skipped(self.name, self.language, file, self.fetch)]
        items = self.reader(file)
        check_count(len(items), self.count, "rows", self.name, file)
        return [ClusterPart(self, items)], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return nothing: there is one language."""
        return {}


@dataclass(frozen=True, slots=True)
class ClusterPart:
    """The texts and their labels."""

    task: ClusterTask
    items: tuple[Item, ...]

    def columns(self) -> list[Column]:
        """Return the texts."""
        return [Column([item.texts[0] for item in self.items], self.task.language)]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the purity of k-means on vectors of length 1, with one cluster per class.

        Purity is the mean over clusters, regardless of size. The items mark the texts that have the commonest
        label of their cluster, weighted so that their mean is the purity; resampling keeps the clusters.
        """
        from sklearn.cluster import KMeans

        model = KMeans(self.task.classes, n_init=STARTS, random_state=SEED)
        clusters = model.fit_predict(normalise(vectors[0]))
        majority = in_majority(clusters, np.array([item.label for item in self.items]))
        _, own, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        items = majority * (len(majority) / (len(sizes) * sizes[own]))
        return [mean_scored(label, self.task.name, self.task.language, PURITY, items)]


def in_majority(clusters: Labels, labels: Labels) -> npt.NDArray[np.bool_]:
    """Return for each row whether its label is the commonest one of its cluster.

    Ties are resolved to the lowest label, which does not change the mean.

    Clusters and labels ``(n,)`` are numbers from 0.

    Example:
        >>> in_majority(np.array([0, 0, 0, 1]), np.array([2, 2, 0, 0])).tolist()
        [True, True, False, True]
    """
    table = np.zeros((clusters.max() + 1, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (clusters, labels), 1)
    majority: npt.NDArray[np.bool_] = table.argmax(axis=1)[clusters] == labels
    return majority


_TABLE_4 = """random: 6.7; mBERT: 15.2; XLM-R: 13.7; mSimCSE en, unsupervised: 30.3
mSimCSE en, English NLI: 40.3; mSimCSE all, NLI: 41.6; BERT, fine-tuned: 56.6"""
TNEWS = ClusterTask(
    name="tnews",
    language="zh",
    file="clustering/tnews/dev.json",
    count=10_000,
    reader=JsonLinesReader(("sentence",), "label", LABELS),
    classes=len(LABELS),
    note=f"TNews dev of CLUE (Xu et al. 2020), headlines of 15 topics; k-means with 15 clusters, the best of "
    f"{STARTS} starts, seed {SEED}, on vectors of length 1",
    fetch="https://storage.googleapis.com/cluebenchmark/tasks/tnews_public.zip, dev.json as "
    "clustering/tnews/dev.json",
    published=printed(_TABLE_4, ["zh"], "Wang et al. 2022, Table 4"),
)
