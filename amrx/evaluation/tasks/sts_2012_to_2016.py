"""STS 2012-2016: five shared tasks of several files each, by two conventions of the literature.

::

    year ── mean over its files of Pearson's correlation      Arora et al. 2017, SentEval's "mean"
         └─ Spearman's correlation of all its pairs together  Reimers and Gurevych 2019, SimCSE's "all"

SMT of 2013 counts for Pearson only (Wieting et al. 2023, appendix A.1). It may not be redistributed, so
SentEval's download script, which names the files, lacks it. Without it the year is called ``without SMT:
sts13`` and the mean ``mean, without SMT``: no published value stands in their columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.metrics import MEAN_PEARSON, pearson, spearman
from amrx.evaluation.results.published import table_rows
from amrx.evaluation.results.rows import Items, Row, Scored, Skipped, group_means
from amrx.evaluation.tasks.scored_pairs import Pair, read_with_scores
from amrx.evaluation.tasks.task import Column, Described
from amrx.types import Vectors
from amrx.vectors import cosine

WITHOUT_SMT = "without SMT"
"""Start of the name of a year, and end of that of a mean, whose SMT file is not in the data folder."""


@dataclass(frozen=True, slots=True)
class Year:
    """One shared task."""

    name: str  # name in the tables
    folder: str  # path below the data folder
    files: tuple[tuple[str, int], ...]  # middle parts of the file names, and the number of scored pairs
    smt: tuple[tuple[str, int], ...] = ()  # a file that counts for Pearson only, where it is in the folder

    def paths(self, data: Data, name: str) -> tuple[Path, Path]:
        """Return the sentence file and the score file of a part."""
        folder = data / self.folder
        return folder / f"STS.input.{name}.txt", folder / f"STS.gs.{name}.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class YearsTask(Described):
    """Years of STS; see `amrx.evaluation.tasks.task.Task`."""

    years: tuple[Year, ...]  # the shared tasks, in table order
    language: str = "en"  # ISO 639-1 code of all sentences
    shown: tuple[str, ...] = ("spearman", MEAN_PEARSON)

    def load(self, data: Data) -> tuple[list[YearPart], list[Skipped]]:
        """Read and check every year whose files all exist, except SMT."""
        loaded, skipped = [], []
        for year in self.years:
            smt = [file for file in year.smt if all(path.is_file() for path in year.paths(data, file[0]))]
            files = {name: count for name, count in (*year.files, *smt)}
            paths = {name: year.paths(data, name) for name in files}
            missing = [file for pair in paths.values() for file in pair if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, year.name, missing[0], self.fetch))
                continue
            parts = {name: read_with_scores(*paths[name]) for name in files}
            for name, pairs in parts.items():
                check_count(len(pairs), files[name], "scores", year.name, paths[name][1])
            loaded.append(YearPart(self, year, parts))
        return loaded, skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the years; single files do not count."""
        names = [year.name for year in self.years]
        lacking = [name if name in scores else f"{WITHOUT_SMT}: {name}" for name in names]
        if set(scores).isdisjoint(set(lacking) - set(names)):
            return group_means(scores, [("all", names)])
        return group_means(scores, [(WITHOUT_SMT, lacking)])


@dataclass(frozen=True, slots=True)
class YearPart:
    """The checked pairs of one year, file by file."""

    task: YearsTask
    year: Year
    files: Mapping[str, tuple[Pair, ...]]  # by name, SMT last

    def columns(self) -> tuple[Column, Column]:
        """Return both sides of all files."""
        pairs = [pair for file in self.files.values() for pair in file]
        language = self.task.language
        return (
            Column([pair.first for pair in pairs], language),
            Column([pair.second for pair in pairs], language),
        )

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the scores of the year by both conventions, and the Pearson correlation of each file."""
        gold = np.array([pair.score for file in self.files.values() for pair in file])
        items = np.column_stack([cosine(vectors[0], vectors[1]), gold])
        ends = np.cumsum([len(file) for file in self.files.values()])
        parts = np.split(items, ends[:-1])
        by_file = [pearson(part[:, 0], part[:, 1]) for part in parts]
        year, file = self.year.name, np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        whole = len(parts) == len(self.year.files) + len(self.year.smt)
        joined = items[: ends[len(self.year.files) - 1]]
        mean = float(np.mean(by_file))
        return [
            self._row(label, year, "spearman", spearman(joined[:, 0], joined[:, 1]), joined),
            self._row(
                label,
                year if whole else f"{WITHOUT_SMT}: {year}",
                MEAN_PEARSON,
                mean,
                np.column_stack([items, file]),
            ),
            *(
                self._row(label, f"{year} {name}", "pearson", value, part)
                for name, value, part in zip(self.files, by_file, parts, strict=True)
            ),
        ]

    def _row(self, label: str, language: str, metric: str, value: float, items: Items) -> Scored:
        return Scored(Row(label, self.task.name, language, metric, value, len(items)), items)


def _year(name: str, files: str, smt: tuple[tuple[str, int], ...] = ()) -> Year:
    """Return a year from its files and their numbers of pairs, ``headlines 750, images 750``."""
    counts = (file.split() for file in files.split(", "))
    parts = tuple((file, int(count)) for file, count in counts)
    return Year(name, f"STS/{name.upper()}-en-test", parts, smt)


STS_YEARS = YearsTask(
    name="sts12-16",
    group="similarity",
    years=(
        _year("sts12", "MSRpar 750, MSRvid 750, SMTeuroparl 459, surprise.OnWN 750, surprise.SMTnews 399"),
        _year("sts13", "FNWN 189, headlines 750, OnWN 561", (("SMT", 750),)),
        _year("sts14", "deft-forum 450, deft-news 300, headlines 750, images 750, OnWN 750, tweet-news 750"),
        _year("sts15", "answers-forums 375, answers-students 750, belief 375, headlines 750, images 750"),
        _year(
            "sts16",
            "answer-answer 254, headlines 249, plagiarism 230, postediting 244, question-question 209",
        ),
    ),
    note="SemEval STS 2012-2016, English; cosine, no training; Spearman of all pairs of a year together "
    'without SMT of 2013, and the mean over its files of Pearson with SMT, or else named "without SMT"',
    fetch="https://github.com/facebookresearch/SentEval, data/downstream/get_transfer_data.bash, its folder "
    "STS as STS/STS12-en-test/STS.{input,gs}.<file>.txt, ..., STS/STS16-en-test; SMT of 2013, which it "
    "lacks, as STS/STS13-en-test/STS.{input,gs}.SMT.txt (github.com/jcyk/MSE-AMR has it)",
    published=table_rows("wieting-2023-table-9-pearson", MEAN_PEARSON)
    + table_rows("wieting-2023-table-9-spearman", "spearman"),
)
