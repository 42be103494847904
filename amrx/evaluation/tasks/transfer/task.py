"""Fit a classifier on the vectors of one or all languages, and measure it on every language."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.hub_data.forms import HubFile
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.task import Column, iso_code, some_rows
from amrx.evaluation.tasks.transfer.classifier import ACCURACY, Labelled, Measure, features
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.read import Item
from amrx.evaluation.tasks.transfer.softmax import Softmax
from amrx.evaluation.tasks.transfer.source import Plan, Read, Source
from amrx.types import Vectors

SEEN = ("en", "de", "es", "it", "zh", "fr", "ar")
"""Languages of the AMR side's training data; Cai et al. 2022 report their mean separately."""
BLOCK = 8192
"""Rows whose features are computed at a time."""


@dataclass(frozen=True, slots=True)
class TransferTask:
    """One transfer task; see `amrx.evaluation.tasks.task.Task`, and `Described` for other attributes."""

    name: str
    languages: tuple[str, ...]  # ISO 639-1 codes, in table order
    labels: tuple[str, ...]  # the labels; their order gives their numbers
    reader: Read  # reads and checks one file
    plans: tuple[Plan, ...]  # ways to fit; the first one whose training files all exist is taken
    classifier: Logistic | Softmax  # the protocol
    about: str  # description of texts and labels
    fetch: str
    hub: tuple[HubFile, ...] = ()
    published: tuple[Published, ...] = ()
    group: str = "transfer"
    measures: tuple[Measure, ...] = (ACCURACY,)  # the measures; the first one is the accuracy
    other_means: tuple[tuple[str, ...], ...] = ()  # other languages whose mean a paper prints

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the measures in each plan."""
        plans = (*self.plans, *(plan.of_sample() for plan in self.plans if plan.fit.sample))
        return tuple(plan.metric(measure.name) for plan in plans for measure in self.measures)

    @property
    def note(self) -> str:
        """Description of the task, then the protocol."""
        first = self.plans[0]
        return (
            f"{self.about}; {self.classifier.note}; "
            f"fitted on {self._fit_file(first)} where that is in the data folder"
        )

    def load(self, data: Data) -> tuple[list[TransferPart], list[Skipped]]:
        """Read and check the files of the first plan whose training files all exist.

        A plan is never fitted on a part of its languages, because that would give another number under the
        same name. The metric of a plan fitted on a part of its rows names the sample.
        """
        missing_fits = [
            next((file for code in plan.fit_in if not (file := plan.fit.find(data, code)).is_file()), None)
            for plan in self.plans
        ]
        if missing_fits[-1] is not None and None not in missing_fits:
            return [], [Skipped(self.name, code, missing_fits[-1], self.fetch) for code in self.languages]
        plan = self.plans[missing_fits.index(None)]
        read = functools.cache(self._read)
        fits = self._fits(plan, data, read)
        if plan.fit.sample and any(len(fit.items) < plan.fit.rows(fit.code) for fit in fits):
            plan = plan.of_sample()
        languages, skipped = [], []
        for language in self.languages:
            sources = (plan.select, plan.measure)
            files = [source.find(data, language) for source in sources]
            missing = [file for file in files if not file.is_file()]
            if missing:
                skipped.append(Skipped(self.name, language, missing[0], self.fetch))
            else:
                select, measure = (
                    source.take(read(file, source, language))
                    for source, file in zip(sources, files, strict=True)
                )
                languages.append(Language(language, select, measure))
        return [TransferPart(self, plan, fits, tuple(languages))] if languages else [], skipped

    def _fit_file(self, plan: Plan) -> str:
        return plan.fit.path(plan.fit_in[0] if len(plan.fit_in) == 1 else "XX")

    def _fits(
        self, plan: Plan, data: Data, read: Callable[[Path, Source, str], tuple[Item, ...]]
    ) -> tuple[Fit, ...]:
        """Return the training rows, language by language."""
        fits = []
        for code in plan.fit_in:
            file = plan.fit.find(data, code)
            items = plan.fit.take(read(file, plan.fit, code))
            self._check_labels(items, file)
            fits.append(Fit(code, items))
        return tuple(fits)

    def _read(self, file: Path, source: Source, language: str) -> tuple[Item, ...]:
        items = (source.reader or self.reader)(file)
        count = source.rows(language)
        if not (source.sample and 0 < len(items) < count):
            check_count(len(items), count, "rows", self.name, file)
        return items

    def _check_labels(self, fit: Sequence[Item], file: Path) -> None:
        seen = {item.label for item in fit}
        for number, label in enumerate(self.labels):
            if number not in seen:
                message = f"label {label!r} is in no training row"
                raise InputError(message, file=file, field="label")

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the seen languages, over all, and over groups that a paper has."""
        seen = [code for code in self.languages if code in SEEN]
        others = [(" ".join(codes), codes) for codes in self.other_means]
        return group_means(scores, (("seen", seen), *others, ("all", self.languages)))


@dataclass(frozen=True, slots=True)
class Fit:
    """The training rows of one language."""

    code: str
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Language:
    """The dev and test rows of one language."""

    code: str
    select: Sequence[Item]
    measure: Sequence[Item]


@dataclass(frozen=True, slots=True)
class TransferPart:
    """All rows of a task; its classifier is selected on all of its languages."""

    task: TransferTask
    plan: Plan
    fits: tuple[Fit, ...]
    languages: tuple[Language, ...]

    @property
    def fit(self) -> list[Item]:
        """All training rows, language by language."""
        return [item for fit in self.fits for item in fit.items]

    def _portions(self) -> list[tuple[Sequence[Item], str]]:
        plan = self.plan
        fits = [(fit.items, plan.fit.code or fit.code) for fit in self.fits]
        select = [(language.select, plan.select.code or language.code) for language in self.languages]
        measure = [(language.measure, plan.measure.code or language.code) for language in self.languages]
        return [*fits, *select, *measure]

    @property
    def _width(self) -> int:
        return len(self.fits[0].items[0].texts)

    def columns(self) -> list[Column]:
        """Return the training texts, then the dev texts of each language, then the test texts of each."""
        width = self._width
        return [
            Column([item.texts[side] for item in items], iso_code(code))
            for items, code in self._portions()
            for side in range(width)
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return every measure on the test rows of each language, with its items, and on the dev rows."""
        width, portions = self._width, self._portions()

        def labelled(*indices: int) -> Labelled:
            """Return the rows of several portions in one array, filled block by block."""
            y = np.array([item.label for index in indices for item in portions[index][0]])
            x, start = None, 0
            for index, first in ((i, row) for i in indices for row in range(0, len(portions[i][0]), BLOCK)):
                rows = slice(first, first + BLOCK)
                sides = [some_rows(vectors, index * width + side, rows) for side in range(width)]
                block = features(sides, self.task.classifier.pair_features)
                if x is None:
                    x = np.empty((len(y), block.shape[1]), self.task.classifier.dtype)
                x[start : start + len(block)] = block
                start += len(block)
            assert x is not None  # every portion has rows
            return Labelled(x, y)

        fits, count = len(self.fits), len(self.languages)
        dev = [labelled(fits + index) for index in range(count)]
        train = labelled(*range(fits))
        model = self.task.classifier.fit(train, dev, len(self.task.labels)).model
        scored = []
        for index, language in enumerate(self.languages):
            test = labelled(fits + count + index)
            for measure in self.task.measures:
                items, selected = measure.of(model, test), measure.of(model, dev[index])
                task, code, metric = self.task.name, language.code, self.plan.metric
                scored.append(mean_scored(label, task, code, metric(measure.name), items))
                on_dev = mean_scored(label, task, code, metric(f"dev {measure.name}"), selected)
                scored.append(Scored(on_dev.row))
        return scored
