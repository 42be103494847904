"""MultiEURLEX: predict the topics of European laws, one classifier per topic, fitted on English laws.

::

    <data>/transfer/MultiEURLEX/{train,dev,test}.jsonl       all languages, as published; or else
        {"text": {"en": ..., "de": ...}, "eurovoc_concepts": {"level_1": ["100149", ...]}}
    <data>/transfer/MultiEURLEX/XX/{train,dev,test}.jsonl    one language each, from the hub
        {"text": ..., "label": ["100149", ...]}

A law has one or more of 21 topics. Of train the probe reads the English text alone; a law without a text in a
language is left out there. Emma-X (Guo et al. 2023) has this task in xrete and reports "top-1 accuracy"
(section 5.2): here whether the topic with the highest score is one of the law's. Micro-averaged F1 is our
addition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.metrics import Floats
from amrx.evaluation.results.rows import Row, Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.task import Column, Described
from amrx.evaluation.tasks.transfer.classifier import Labelled, Linear
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.on_hub import multieurlex
from amrx.records.json_lines import Node, read_objects
from amrx.types import Vectors

LETTERS = 2000
"""Number of letters read of each law: about the input of an encoder of 512 tokens."""
TOPICS = tuple(
    "100149 100160 100148 100147 100152 100143 100156 100158 100154 100153 100142 100145 100150 100162 "
    "100159 100144 100151 100157 100161 100146 100155".split()
)
"""Concepts of EUROVOC, level 1, in the order of the hub's labels."""

Flags = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The text of a law and its topics, ``(topics,)``."""

    texts: tuple[str]
    topics: Flags


@dataclass(frozen=True, slots=True)
class Laws:
    """Texts of one language, and the topics of each, ``(n, topics)``."""

    code: str
    texts: tuple[str, ...]
    topics: Flags

    def rows(self) -> list[Law]:
        """Return the laws one by one."""
        return [Law((text,), topics) for text, topics in zip(self.texts, self.topics, strict=True)]


def read_together(file: Path, codes: Sequence[str], topics: Sequence[str], count: int) -> tuple[Laws, ...]:
    """Read several languages from a file that has all of them."""
    texts: dict[str, list[str]] = {code: [] for code in codes}
    flags: dict[str, list[list[bool]]] = {code: [] for code in codes}
    total = 0
    for node in read_objects(file):
        total += 1
        own = _flags(node.get("eurovoc_concepts").get("level_1"), topics)
        for code, text in _texts(node.get("text"), codes):
            texts[code].append(text)
            flags[code].append(own)
    check_count(total, count, "laws", "multieurlex", file)
    empty = [code for code in codes if not texts[code]]
    if empty:
        raise InputError(f"no law has a text of language {empty[0]!r}", file=file, field="text")
    return tuple(Laws(code, tuple(texts[code]), np.array(flags[code])) for code in codes)


def read_alone(file: Path, code: str, topics: Sequence[str], count: int) -> Laws:
    """Read the file of one language."""
    texts, flags = [], []
    for node in read_objects(file):
        texts.append(node.get("text").text().strip()[:LETTERS])
        flags.append(_flags(node.get("label"), topics))
    if not texts or len(texts) > count or (code == "en" and len(texts) != count):
        check_count(len(texts), count, "laws", "multieurlex", file)
    return Laws(code, tuple(texts), np.array(flags))


def _flags(node: Node, known: Sequence[str]) -> list[bool]:
    named = [topic.text() for topic in node.items()]
    unknown = [topic for topic in named if topic not in known]
    if unknown:
        raise node.error(f"unknown topic {unknown[0]!r}")
    return [topic in named for topic in known]


def _texts(texts: Node, codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not isinstance(texts.value, Mapping):
        raise texts.error("is not an object")
    for code in codes:
        if texts.value.get(code):
            yield code, texts.get(code).text().strip()[:LETTERS]


F1, TOP_1 = "F1, micro", "accuracy, top 1"
SPLITS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class EurlexTask(Described):
    """Topics of laws; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[str, ...]  # ISO 639-1 codes, in table order
    # path below the data folder; ``{}`` is replaced by train, dev or test, or by a language folder and one of
    # these
    file: str
    counts: tuple[int, int, int]  # numbers of laws in train, dev and test
    topics: tuple[str, ...]  # the labels
    classifier: Logistic  # fits one topic; its grid is searched
    fitted_on: tuple[str, ...] = ("en",)  # languages of the training laws
    group: str = "transfer"
    shown: tuple[str, ...] = (F1, TOP_1)

    def load(self, data: Data) -> tuple[list[EurlexPart], list[Skipped]]:
        """Read and check the three files, or those of each language if one of the three is missing."""
        together = [data / self.file.format(split) for split in SPLITS]
        if all(file.is_file() for file in together):
            sides = (self.fitted_on, self.languages, self.languages)
            train, dev, test = (
                read_together(file, codes, self.topics, count)
                for file, codes, count in zip(together, sides, self.counts, strict=True)
            )
            return [EurlexPart(self, train, dev, test)], []
        missing_files = {code: self._missing(data, code, SPLITS[1:]) for code in self.languages}
        missing_train = [file for code in self.fitted_on for file in self._missing(data, code, SPLITS[:1])]
        skipped = [
            Skipped(self.name, code, (missing_train + missing)[0], self.fetch)
            for code, missing in missing_files.items()
            if missing_train or missing
        ]
        present = [code for code, missing in missing_files.items() if not (missing_train or missing)]
        if not present:
            return [], skipped
        sides = (self.fitted_on, tuple(present), tuple(present))
        train, dev, test = (
            tuple(read_alone(data / self._path(code, split), code, self.topics, count) for code in codes)
            for split, codes, count in zip(SPLITS, sides, self.counts, strict=True)
        )
        return [EurlexPart(self, train, dev, test)], skipped

    def _path(self, code: str, split: str) -> str:
        return self.file.format(f"{code}/{split}")

    def _missing(self, data: Data, code: str, splits: Sequence[str]) -> list[Path]:
        files = [data / self._path(code, split) for split in splits]
        return [file for file in files if not file.is_file()]

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages."""
        return group_means(scores, [("all", self.languages)])


@dataclass(frozen=True, slots=True)
class EurlexPart:
    """The laws of all languages."""

    task: EurlexTask
    train: tuple[Laws, ...]
    dev: tuple[Laws, ...]
    test: tuple[Laws, ...]

    def columns(self) -> list[Column]:
        """Return the laws to fit on, then dev and test of each language."""
        return [Column(laws.texts, laws.code) for laws in (*self.train, *self.dev, *self.test)]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return F1 and accuracy on test of each language, at the strength with the best mean dev F1."""
        fits, count = len(self.train), len(self.dev)
        train = np.concatenate(vectors[:fits])
        models = [self._fit(train, strength) for strength in self.task.classifier.grid]
        dev = [
            [
                micro_f1(model.scores(vectors[fits + index]) > 0, laws.topics)
                for index, laws in enumerate(self.dev)
            ]
            for model in models
        ]
        best = models[int(np.argmax(np.mean(dev, axis=1)))]
        scored = []
        for index, laws in enumerate(self.test):
            scored += score_topics(label, self.task.name, laws, best.scores(vectors[fits + count + index]))
        return scored

    def _fit(self, vectors: Vectors, strength: float) -> Linear:
        """Return a classifier whose classes are the topics; a topic of a law has a score above 0."""
        x = vectors.astype(np.float64)
        weights, bias = [], []
        for flags in np.concatenate([laws.topics for laws in self.train]).T:
            if flags.all() or not flags.any():  # one class only: predict always, or never
                weights.append(np.zeros(x.shape[1]))
                bias.append(1.0 if flags.all() else -1.0)
                continue
            model = self.task.classifier.fit_one(Labelled(x, flags.astype(np.int64)), strength, 2)
            weights.append(model.weights[:, 1] - model.weights[:, 0])
            bias.append(float(model.bias[1] - model.bias[0]))
        return Linear(np.stack(weights, axis=1), np.array(bias))


def score_topics(label: str, task: str, laws: Laws, scores: Scores) -> list[Scored]:
    """Return F1 and accuracy of the scores of topics, ``(n, topics)``; a law has the topics above 0.

    An item is a law: its numbers of correct, predicted and gold topics; whether its first topic is right.
    """
    predicted = scores > 0
    sides = (predicted & laws.topics, predicted, laws.topics)
    items = np.stack([side.sum(axis=1) for side in sides], axis=1).astype(np.float64)
    row = Row(label, task, laws.code, F1, micro_f1(predicted, laws.topics), len(laws.texts))
    first = mean_scored(label, task, laws.code, TOP_1, first_is_right(scores, laws))
    return [Scored(row, items), first]


def first_is_right(scores: Scores, laws: Laws) -> Floats:
    """Return 1 for each law whose topic with the highest score is one of its topics, else 0."""
    right: Floats = laws.topics[np.arange(len(laws.texts)), scores.argmax(axis=1)].astype(np.float64)
    return right


def micro_f1(predicted: Flags, gold: Flags) -> float:
    """Return F1 over all topics of all laws together, 0-100; 0 if there are none.

    Example:
        >>> micro_f1(np.array([[True, True]]), np.array([[True, False]]))
        66.66666666666667
    """
    both = np.sum(predicted & gold)
    total = np.sum(predicted) + np.sum(gold)
    return float(200 * both / total) if total else 0.0


_LANGUAGES = tuple("en da de nl sv bg cs hr pl sk sl es fr it pt ro et fi hu lt lv el mt".split())

EURLEX = EurlexTask(
    name="multieurlex", languages=_LANGUAGES, file="transfer/MultiEURLEX/{}.jsonl",
    counts=(55_000, 5000, 5000), topics=TOPICS, classifier=Logistic(), hub=multieurlex(_LANGUAGES, TOPICS),
    note="MultiEURLEX (Chalkidis et al. 2021), 21 topics; a logistic regression per topic on frozen vectors "
    f"of the first {LETTERS} letters, fitted on English, C by mean dev F1 over all languages",
    fetch="https://zenodo.org/record/5363165/files/multi_eurlex.tar.gz, its train.jsonl, dev.jsonl and "
    "test.jsonl as transfer/MultiEURLEX",
)  # fmt: skip
