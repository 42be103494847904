"""LAReQA on XQuAD-R: retrieve the sentences that answer a question from a pool of eleven languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.neighbours.nearest import nearest
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.task import Column, Described
from amrx.records.json_lines import Node, read_document
from amrx.types import Vectors


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the index of the sentence that answers it."""

    id: str
    text: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Passages:
    """All sentences of all passages, and all questions, of one language."""

    sentences: tuple[str, ...]
    questions: tuple[Question, ...]


def read_xquad(path: Path) -> Passages:
    """Read the file of one language."""
    sentences: list[str] = []
    questions: list[Question] = []
    seen: set[str] = set()
    root = read_document(path)
    for paragraph in (inner for article in root.list("data") for inner in article.list("paragraphs")):
        spans = [_span(breaks) for breaks in paragraph.list("sentence_breaks")]
        texts = [sentence.text() for sentence in paragraph.list("sentences")]
        if len(spans) != len(texts):
            raise paragraph.error(f"{len(texts)} sentences with {len(spans)} breaks")
        for qa in paragraph.list("qas"):
            index = _sentence_of(qa.list("answers")[0].get("answer_start"), spans)
            question = Question(qa.get("id").text(), qa.get("question").text(), len(sentences) + index)
            if question.id in seen:
                raise qa.error(f"duplicate id {question.id!r}")
            seen.add(question.id)
            questions.append(question)
        sentences.extend(texts)
    return Passages(tuple(sentences), tuple(questions))


def _span(breaks: Node) -> tuple[int, int]:
    """Return the start and the end of a sentence."""
    numbers = [number.integer() for number in breaks.items()]
    if len(numbers) != 2:
        raise breaks.error(f"must have 2 numbers, got {len(numbers)}")
    return numbers[0], numbers[1]


def _sentence_of(answer: Node, spans: Sequence[tuple[int, int]]) -> int:
    """Return the index of the sentence in which an answer starts."""
    start = answer.integer()
    index = sum(begin <= start for begin, _ in spans) - 1
    if index < 0:
        raise answer.error(f"the answer starts at {start}, before the first sentence")
    if start >= spans[-1][1]:
        raise answer.error(f"the answer starts at {start}, after the last sentence")
    return index


DEPTH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LareqaTask(Described):
    """Answer retrieval from one pool of all languages; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[str, ...]  # ISO 639-1 codes, in table order
    file: str  # path of a language's file below the data folder
    questions: int  # number of questions per language
    group: str = "retrieval"
    shown: tuple[str, ...] = (f"mAP@{DEPTH}",)

    def load(self, data: Data) -> tuple[list[LareqaPart], list[Skipped]]:
        """Read and check every language; if one is missing, skip all, because the pool would differ."""
        files = {code: data / self.file.format(code) for code in self.languages}
        missing = [file for file in files.values() if not file.is_file()]
        if missing:
            return [], [Skipped(self.name, code, missing[0], self.fetch) for code in self.languages]
        passages: dict[str, Passages] = {}
        for code, file in files.items():
            passages[code] = read_xquad(file)
            ids = {question.id for question in passages[code].questions}
            check_count(len(ids), self.questions, "questions", self.name, file)
            other = ids - {question.id for question in passages[self.languages[0]].questions}
            if other:
                message = f"{min(other)!r} is not in {files[self.languages[0]].name}"
                raise InputError(message, file=file, field="id")
        return [LareqaPart(self, tuple(passages.values()))], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages."""
        return group_means(scores, [("all", self.languages)])


@dataclass(frozen=True, slots=True)
class LareqaPart:
    """The passages of every language, in the order of the task's languages."""

    task: LareqaTask
    passages: tuple[Passages, ...]

    def columns(self) -> list[Column]:
        """Return the sentences of each language, then the questions of each."""
        pairs = list(zip(self.task.languages, self.passages, strict=True))
        sentences = [Column(passages.sentences, code) for code, passages in pairs]
        questions = [Column([each.text for each in passages.questions], code) for code, passages in pairs]
        return [*sentences, *questions]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the mean average precision of each language's questions."""
        count = len(self.passages)
        pool = np.concatenate([vectors[index] for index in range(count)])
        answers = self._answers()
        scored = []
        for index, code in enumerate(self.task.languages):
            relevant = np.array([answers[question.id] for question in self.passages[index].questions])
            ranked = nearest(vectors[count + index], pool, DEPTH).places
            items = average_precision(ranked, relevant)
            scored.append(mean_scored(label, self.task.name, code, self.task.shown[0], items))
        return scored

    def _answers(self) -> dict[str, list[int]]:
        """Return the rows of the pool that answer each question, one per language."""
        answers: dict[str, list[int]] = {}
        start = 0
        for passages in self.passages:
            for question in passages.questions:
                answers.setdefault(question.id, []).append(start + question.sentence)
            start += len(passages.sentences)
        return answers


def average_precision(
    ranked: npt.NDArray[np.int64], relevant: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the average precision of each query, 0-1, at the depth of its ranking.

    ``AP@k = sum of precision(r) over the ranks r <= k of relevant rows / min(k, number of relevant rows)``.

    Example:
        >>> average_precision(np.array([[7, 3, 5]]), np.array([[5, 7]]))  # (1/1 + 2/3) / 2
        array([0.83333333])
    """
    hits = (ranked[:, :, None] == relevant[:, None, :]).any(axis=2)  # (n, k)
    precision = np.cumsum(hits, axis=1) / np.arange(1, ranked.shape[1] + 1)
    average: npt.NDArray[np.float64] = (precision * hits).sum(axis=1) / min(
        ranked.shape[1], relevant.shape[1]
    )
    return average


LAREQA = LareqaTask(
    name="lareqa",
    languages=("ar", "de", "el", "en", "es", "hi", "ru", "th", "tr", "vi", "zh"),
    file="retrieval/xquad-r/{}.json",
    questions=1190,
    note="LAReQA on XQuAD-R (Roy et al. 2020), cut off at 20 as in XTREME-R; each question against the "
    "sentences of all eleven languages, eleven of which answer it; cosine, no training",
    fetch="https://github.com/google-research-datasets/lareqa, xquad-r as retrieval/xquad-r",
)
