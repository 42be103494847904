"""Probe vectors for information other than meaning: language identification.

A linear classifier predicts the language of a sentence from its vector (Wang et al. 2022, mSimCSE, Table 7);
the lower its accuracy, the more language-neutral the vectors. Table 7 has two classifiers of four languages
each on sentences of XNLI: here on its hypotheses, because each premise occurs three times, fitted on dev and
measured on test. The paper does not specify the classifier. ``langid`` is the same probe on FLORES.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.evaluation.data_folders import Data, check_count, read_sentences
from amrx.evaluation.results.published import printed
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.geometry.flores import FLORES
from amrx.evaluation.tasks.task import Column, Described, iso_code
from amrx.evaluation.tasks.transfer.classifier import Labelled
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.source import Source, Take
from amrx.evaluation.tasks.transfer.task_table import XNLI
from amrx.types import Vectors
from amrx.vectors import normalise

GUESSED = "language guessed right, lower is more neutral"
STRENGTH = 1.0  # scikit-learn's C, fixed


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageTask(Described):
    """Language identification from vectors; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[str, ...]  # ISO 639-1 codes, or other names of languages that have none, in table order
    fit: Source  # training sentences of every language
    measure: Source  # test sentences of every language
    group: str = "probes"
    shown: tuple[str, ...] = (GUESSED,)

    def load(self, data: Data) -> tuple[list[LanguagePart], list[Skipped]]:
        """Read and check every language that has both files; fewer than two languages are not measured."""
        sides: list[Sides] = []
        skipped: list[Skipped] = []
        for code in self.languages:
            files = [data / source.path(code) for source in (self.fit, self.measure)]
            missing = [file for file in files if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, code, missing[0], self.fetch))
                continue
            fit, measure = (
                _texts(source, file, self.name)
                for source, file in zip((self.fit, self.measure), files, strict=True)
            )
            sides.append(Sides(code, fit, measure))
        if len(sides) == 1:  # no other language to distinguish it from
            skipped.append(Skipped(self.name, sides.pop().code, skipped[0].file, self.fetch))
        return [LanguagePart(self, tuple(sides))] if sides else [], skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over languages."""
        return group_means(scores, [("all", self.languages)])


def _texts(source: Source, file: Path, task: str) -> list[str]:
    """Return the lines of a file, or the last text of each row if the source has a reader."""
    if source.reader is None:
        return source.take(read_sentences(file, source.count, task))
    rows = source.reader(file)
    check_count(len(rows), source.count, "rows", task, file)
    return source.take([row.texts[-1] for row in rows])


@dataclass(frozen=True, slots=True)
class Sides:
    """The sentences of one language."""

    code: str
    fit: Sequence[str]
    measure: Sequence[str]


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """The sentences of every language."""

    task: LanguageTask
    languages: tuple[Sides, ...]

    def columns(self) -> list[Column]:
        """Return the training sentences of each language, then the test sentences of each."""
        return [
            *(Column(sides.fit, iso_code(sides.code)) for sides in self.languages),
            *(Column(sides.measure, iso_code(sides.code)) for sides in self.languages),
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the accuracy of language prediction for each language.

        Vectors are scaled to length 1 first, so that the penalty has the same strength for all encoders.
        """
        count = len(self.languages)
        x = np.concatenate([normalise(vectors[index]) for index in range(count)])
        y = np.repeat(np.arange(count), [len(sides.fit) for sides in self.languages])
        model = Logistic().fit_one(Labelled(x.astype(np.float64), y), STRENGTH, count)
        scored = []
        for index, sides in enumerate(self.languages):
            test = normalise(vectors[count + index]).astype(np.float64)
            right = model.right(Labelled(test, np.full(len(test), index))).astype(np.float64)
            scored.append(mean_scored(label, self.task.name, sides.code, GUESSED, right))
        return scored


_FIFTH = Take(block=1, of=5, parts=(0,))  # enough sentences, in a fifth of the time

LANGUAGE_ID = LanguageTask(
    name="langid",
    languages=FLORES.languages,
    fit=Source("geometry/flores/dev.{}", 997, _FIFTH),
    measure=Source("geometry/flores/devtest.{}", 1012, _FIFTH),
    note="language identification from vectors, the question of mSimCSE's Table 7 (Wang et al. 2022) on "
    "FLORES: logistic regression, C = 1, on vectors of length 1, every fifth sentence",
    fetch="https://github.com/facebookresearch/flores, one file per language, as "
    "geometry/flores/{dev,devtest}.XX",
)


def _on_xnli(languages: str, table_7: str) -> LanguageTask:
    """Return one of the two tasks of Table 7."""
    return LanguageTask(
        name=f"langid-{languages.replace(' ', '-')}",
        languages=tuple(languages.split()),
        fit=Source("transfer/XNLI/dev-{}.tsv", 2490, reader=XNLI.reader),
        measure=Source("transfer/XNLI/test-{}.tsv", 5010, reader=XNLI.reader),
        note="language identification from vectors (mSimCSE, Table 7) on XNLI's hypotheses: logistic "
        "regression, C = 1, on vectors of length 1, fitted on dev, measured on test",
        fetch=XNLI.fetch,
        hub=XNLI.hub,
        published=printed(table_7, ["mean, all"], "Wang et al. 2022, Table 7"),
    )


TABLE_7 = (
    _on_xnli("en de fr hi", "XLM-R: 99.2; mSimCSE en: 91.1"),
    _on_xnli("en tr ar bg", "XLM-R: 99.8; mSimCSE en: 95.3"),
)
