"""STS 2012-2016: five shared tasks of several files each, by two conventions of the literature.

::

    year ── mean over its files of Pearson's correlation      Arora et al. 2017, SentEval's "mean"
         └─ Spearman's correlation of all its pairs together  Reimers and Gurevych 2019, SimCSE's "all"

SMT of 2013 may not be redistributed and is left out. Files are named as by SentEval's download script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.metrics import MEAN_PEARSON, pearson, spearman
from amrx.evaluation.results.means import group_means
from amrx.evaluation.results.rows import Items, Row, Scored, Skipped
from amrx.evaluation.tasks.scored_pairs import Pair, read_with_scores
from amrx.evaluation.tasks.task import Column, Described
from amrx.types import Vectors
from amrx.vectors import cosine


@dataclass(frozen=True, slots=True)
class Year:
    """One shared task."""

    name: str  # name in the tables
    folder: str  # path below the data folder
    files: tuple[tuple[str, int], ...]  # middle parts of the file names, and the number of scored pairs

    def paths(self, data: Data) -> list[tuple[Path, Path]]:
        """Return the sentence file and the score file of each part."""
        folder = data / self.folder
        return [(folder / f"STS.input.{name}.txt", folder / f"STS.gs.{name}.txt") for name, _ in self.files]


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsTask(Described):
    """Years of STS; see `amrx.evaluation.tasks.task.Task`."""

    years: tuple[Year, ...]  # the shared tasks, in table order
    language: str = "en"  # ISO 639-1 code of all sentences
    shown: tuple[str, ...] = ("spearman", MEAN_PEARSON)

    def load(self, data: Data) -> tuple[list[YearPart], list[Skipped]]:
        """Read and check every year whose files all exist."""
        loaded, skipped = [], []
        for year in self.years:
            paths = year.paths(data)
            missing = [file for pair in paths for file in pair if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, year.name, missing[0], self.fetch))
                continue
            parts = []
            for (sentences, gold), (_, count) in zip(paths, year.files, strict=True):
                pairs = read_with_scores(sentences, gold)
                check_count(len(pairs), count, "scores", year.name, gold)
                parts.append(pairs)
            loaded.append(YearPart(self, year, tuple(parts)))
        return loaded, skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the years; single files do not count."""
        return group_means(scores, [("all", [year.name for year in self.years])])


@dataclass(frozen=True, slots=True)
class YearPart:
    """The checked pairs of one year, file by file."""

    task: YearsTask
    year: Year
    files: tuple[tuple[Pair, ...], ...]

    def columns(self) -> tuple[Column, Column]:
        """Return both sides of all files."""
        pairs = [pair for file in self.files for pair in file]
        language = self.task.language
        return (
            Column([pair.first for pair in pairs], language),
            Column([pair.second for pair in pairs], language),
        )

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the scores of the year by both conventions, and the Pearson correlation of each file."""
        gold = np.array([pair.score for file in self.files for pair in file])
        items = np.column_stack([cosine(vectors[0], vectors[1]), gold])
        ends = np.cumsum([len(file) for file in self.files])[:-1]
        parts = np.split(items, ends)
        by_file = [pearson(part[:, 0], part[:, 1]) for part in parts]
        year, file = self.year.name, np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return [
            self._row(label, year, "spearman", spearman(items[:, 0], gold), items),
            self._row(label, year, MEAN_PEARSON, float(np.mean(by_file)), np.column_stack([items, file])),
            *(
                self._row(label, f"{year} {name}", "pearson", value, part)
                for (name, _), value, part in zip(self.year.files, by_file, parts, strict=True)
            ),
        ]

    def _row(self, label: str, language: str, metric: str, value: float, items: Items) -> Scored:
        return Scored(Row(label, self.task.name, language, metric, value, len(items)), items)


def _year(name: str, files: str) -> Year:
    """Return a year from its files and their numbers of pairs, ``headlines 750, images 750``."""
    counts = (file.split() for file in files.split(", "))
    return Year(name, f"STS/{name.upper()}-en-test", tuple((file, int(count)) for file, count in counts))


STS_YEARS = YearsTask(
    name="sts12-16",
    group="similarity",
    years=(
        _year("sts12", "MSRpar 750, MSRvid 750, SMTeuroparl 459, surprise.OnWN 750, surprise.SMTnews 399"),
        _year("sts13", "FNWN 189, headlines 750, OnWN 561"),
        _year("sts14", "deft-forum 450, deft-news 300, headlines 750, images 750, OnWN 750, tweet-news 750"),
        _year("sts15", "answers-forums 375, answers-students 750, belief 375, headlines 750, images 750"),
        _year(
            "sts16",
            "answer-answer 254, headlines 249, plagiarism 230, postediting 244, question-question 209",
        ),
    ),
    note="SemEval STS 2012-2016, English, without SMT of 2013; cosine, no training; Spearman of all pairs of "
    "a year together, and the mean over its files of Pearson",
    fetch="https://github.com/facebookresearch/SentEval, data/downstream/get_transfer_data.bash, its folder "
    "STS as STS/STS12-en-test/STS.{input,gs}.<file>.txt, ..., STS/STS16-en-test",
)
