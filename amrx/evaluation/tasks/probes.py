"""Probes: what else than meaning can be read off the vectors.

Language identification, as Wang et al. 2022 (mSimCSE, Table 7) ask it: a linear classifier guesses a
sentence's language from its vector. The fewer it gets right, the less the vectors tell of the language. Table
7 has two classifiers, of four languages each, on sentences of XNLI: here on its hypotheses, since a premise
comes three times, fitted on dev and measured on test. The paper does not say what kind of classifier it has.
``langid`` is the same question on the fifty languages of FLORES.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data, read_sentences
from amrx.evaluation.results.means import group_means
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row, Scored, Skipped
from amrx.evaluation.tasks.geometry.flores import FLORES
from amrx.evaluation.tasks.task import Column, Described, iso_code
from amrx.evaluation.tasks.transfer.classifier import Labelled
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.source import Source, Take
from amrx.evaluation.tasks.transfer.tasks import XNLI
from amrx.types import Vectors
from amrx.vectors import normalise

GUESSED = "language guessed right, lower is more neutral"
STRENGTH = 1.0  # scikit-learn's C: nothing is chosen, because nothing is to be won


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageTask(Described):
    """Language identification from vectors; see `amrx.evaluation.tasks.task.Task`.

    Attributes:
        languages: ISO 639-1 codes, or other names of languages that have none, in the order of the tables.
        fit: Sentences to learn from, in every language.
        measure: Sentences whose language is guessed.
    """

    languages: tuple[str, ...]
    fit: Source
    measure: Source
    group: str = "probes"

    @property
    def shown(self) -> tuple[str, ...]:
        """Accuracy."""
        return (GUESSED,)

    def load(self, data: Data) -> tuple[list[LanguagePart], list[Skipped]]:
        """Read and check every language that has both files; with fewer than two, none is measured.

        Raises:
            InputError: A line is empty, or a file has not as many lines as its source says.
        """
        found: list[Sides] = []
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
            found.append(Sides(code, fit, measure))
        if len(found) == 1:  # nothing to tell it from
            missing_too = skipped[0].file
            skipped.append(Skipped(self.name, found.pop().code, missing_too, self.fetch))
        return [LanguagePart(self, tuple(found))] if found else [], skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over languages."""
        return group_means(scores, [("all", self.languages)])


def _texts(source: Source, file: Path, task: str) -> list[str]:
    """Return the sentences of a file of them, or the last text of each row that the source's reader gives."""
    if source.reader is None:
        return source.take(read_sentences(file, source.count, task))
    rows = source.reader(file)
    if len(rows) != source.count:
        raise InputError(f"{len(rows)} rows, not the {source.count} of {task}", file=file)
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
        """Return for each language the sentences to learn from, then for each those to guess."""
        return [
            *(Column(sides.fit, iso_code(sides.code)) for sides in self.languages),
            *(Column(sides.measure, iso_code(sides.code)) for sides in self.languages),
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the share of sentences whose language is guessed right, for each language.

        Vectors are scaled to length 1 first, so that the strength of the penalty means the same for all.
        """
        count = len(self.languages)
        x = np.concatenate([normalise(vectors[place]) for place in range(count)])
        y = np.repeat(np.arange(count), [len(sides.fit) for sides in self.languages])
        wide = Labelled(x.astype(np.float64), y)
        model = Logistic().fit_one(wide, STRENGTH, count)
        found = []
        for place, sides in enumerate(self.languages):
            told = normalise(vectors[count + place]).astype(np.float64)
            right = model.right(Labelled(told, np.full(len(told), place))).astype(np.float64)
            row = Row(label, self.task.name, sides.code, GUESSED, 100 * float(right.mean()), len(right))
            found.append(Scored(row, right))
        return found


_FIFTH = Take(block=1, of=5, parts=(0,))  # a fifth of each file says enough, in a fifth of the time

LANGUAGE_ID = LanguageTask(
    name="langid",
    languages=FLORES.languages,
    fit=Source("geometry/flores/dev.{}", 997, _FIFTH),
    measure=Source("geometry/flores/devtest.{}", 1012, _FIFTH),
    note="language identification from vectors, the question of mSimCSE's Table 7 (Wang et al. 2022) on "
    "FLORES: logistic regression, C = 1, on vectors of length 1, every fifth sentence",
    fetch="https://github.com/facebookresearch/flores, a language a file, as "
    "geometry/flores/{dev,devtest}.XX",
)


def _on_xnli(languages: str, *published: tuple[str, float]) -> LanguageTask:
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
        published=tuple(
            Published(name, (("mean, all", value),), "Wang et al. 2022, Table 7") for name, value in published
        ),
    )


TABLE_7 = (
    _on_xnli("en de fr hi", ("XLM-R", 99.2), ("mSimCSE en", 91.1)),
    _on_xnli("en tr ar bg", ("XLM-R", 99.8), ("mSimCSE en", 95.3)),
)
PROBES = (LANGUAGE_ID, *TABLE_7)
