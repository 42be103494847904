"""Question retrieval: find the nearest of 65 million generated questions and check its answer.

Source: Wieting et al. 2023, A Variational Generative Model for Multilingual Retrieval (VMSST). The pool is
PAQ (Lewis et al. 2021), the questions are NQ-open and MKQA. PAQ is English, so a question in any language is
correct if the answer of its nearest neighbour is one of its English answers.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.neighbours.nearest import load_faiss
from amrx.evaluation.neighbours.pool import Entry, PoolSearch
from amrx.evaluation.results.published import table_rows
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.task import Column, Described
from amrx.records.json_lines import Node, read_objects
from amrx.types import Vectors

ACCURACY = "R@1"
UNANSWERED = frozenset({"unanswerable", "long_answer"})
"""Types of MKQA answers without a short answer; 6,758 of its 10,000 questions have another type."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question in each language of its task, in order, and its English answers."""

    texts: tuple[str, ...]
    answers: tuple[str, ...]


Read = Callable[[Path, Sequence[str]], Iterator[Question]]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTask(Described):
    """Question retrieval; see `amrx.evaluation.tasks.task.Task`."""

    # name in tables and ISO 639-1 code of each language, in table order
    languages: tuple[tuple[str, str], ...]
    file: str  # path of the questions below the data folder
    reader: Read  # reads the questions in the given languages
    count: int  # number of questions with an answer
    pool: str  # path of PAQ below the data folder
    other_means: tuple[tuple[str, tuple[str, ...]], ...] = ()  # name and languages of a paper's mean
    group: str = "retrieval"
    shown: tuple[str, ...] = (ACCURACY,)

    def load(self, data: Data) -> tuple[list[QuestionPart], list[Skipped]]:
        """Read and check the questions and every line of the pool; the pool is not kept."""
        files = [data / self.file, data / self.pool]
        missing = [file for file in files if not file.is_file()]
        if missing:
            return [], [Skipped(self.name, name, missing[0], self.fetch) for name, _ in self.languages]
        load_faiss()  # fail now, not after an hour of encoding
        questions = tuple(self.reader(files[0], [name for name, _ in self.languages]))
        check_count(len(questions), self.count, "questions with an answer", self.name, files[0])
        for _ in read_pool(files[1]):
            pass
        return [QuestionPart(self, questions, files[1])], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages if there are several, and those of papers."""
        names = [name for name, _ in self.languages]
        return group_means(scores, [*self.other_means, ("all", names)]) if len(names) > 1 else {}


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """The questions of every language, and the path of the pool."""

    task: QuestionTask
    questions: tuple[Question, ...]
    pool: Path

    def columns(self) -> list[Column]:
        """Return the questions of each language."""
        return [
            Column([question.texts[index] for question in self.questions], code)
            for index, (_, code) in enumerate(self.task.languages)
        ]

    def score_pool(self, label: str, vectors: Sequence[Vectors], search: PoolSearch) -> list[Scored]:
        """Return for each language how often the nearest question of the pool has a correct answer."""
        languages = self.task.languages
        queries = np.concatenate([vectors[index] for index in range(len(languages))])
        answers = search(read_pool(self.pool), queries, 1).names[:, 0].reshape(len(languages), -1)
        gold = [frozenset(map(plain, question.answers)) for question in self.questions]
        scored = []
        for (name, _), own in zip(languages, answers, strict=True):
            right = np.array([plain(answer) in known for answer, known in zip(own, gold, strict=True)], float)
            scored.append(mean_scored(label, self.task.name, name, ACCURACY, right))
        return scored


def plain(answer: str) -> str:
    """Normalise an answer as SQuAD does: lower case, no punctuation, no articles, single spaces.

    Example:
        >>> plain("The  U.S. Senate"), plain("a 2,718")
        ('us senate', '2718')
    """
    letters = "".join(letter for letter in answer.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", letters).split())


def read_pool(file: Path) -> Iterator[Entry]:
    """Yield the questions of PAQ, named by their first answer; lines are read on demand."""
    for node in read_objects(file):
        yield Entry(node.get("question").text(), "en", node.list("answer")[0].text())


def read_nq(file: Path, languages: Sequence[str]) -> Iterator[Question]:
    """Yield the lines of NQ-open: ``{"question": ..., "answer": [...]}``."""
    for node in read_objects(file):
        answers = tuple(answer.text() for answer in node.list("answer"))
        yield Question((node.get("question").text(),) * len(languages), answers)


def read_mkqa(file: Path, languages: Sequence[str]) -> Iterator[Question]:
    """Yield the questions of MKQA that have a short answer, with the English answers and their aliases."""
    for node in read_objects(file):
        queries = node.get("queries")
        texts = tuple(queries.get(code).text() for code in languages)
        answers = node.get("answers").list("en")
        if not any(answer.get("type").text() in UNANSWERED for answer in answers):
            yield Question(texts, tuple(text for answer in answers for text in _spellings(answer)))


def _spellings(answer: Node) -> Iterator[str]:
    yield answer.get("text").text()
    if isinstance(answer.value, Mapping) and "aliases" in answer.value:
        yield from (alias.text() for alias in answer.get("aliases").items())


_PAQ = (
    "PAQ from https://github.com/facebookresearch/PAQ (CC BY-SA 3.0, 5.8 GB) as retrieval/questions/PAQ.jsonl"
)
_NOTE = (
    "its nearest question of PAQ by cosine has one of its English answers (Wieting et al. 2023; exact match "
    "after SQuAD's normalisation); no training; the index of PAQ takes 2 bytes per number of each question"
)
_MKQA = "ar da de en es fi fr he hu it ja ko km ms nl no pl pt ru sv th tr vi zh_cn zh_hk zh_tw".split()
VMSST_24 = "VMSST-24"
"""Name of the mean over the languages of Table 12 of VMSST, which has one Chinese; here zh_cn."""

NQ = QuestionTask(
    name="nq", languages=(("en", "en"),), file="retrieval/questions/NQ-open.test.jsonl", reader=read_nq,
    count=3610, pool="retrieval/questions/PAQ.jsonl", note=f"NQ-open test (Kwiatkowski et al. 2019): {_NOTE}",
    fetch="https://dl.fbaipublicfiles.com/paq/v1/annotated_datasets/NQ-open.test.jsonl as "
    f"retrieval/questions/NQ-open.test.jsonl, and {_PAQ}",
    published=table_rows("wieting-2023-table-11"),
)  # fmt: skip
MKQA = QuestionTask(
    name="mkqa",
    languages=tuple((code, code.partition("_")[0]) for code in _MKQA),
    other_means=((VMSST_24, tuple(code for code in _MKQA if code not in ("zh_hk", "zh_tw"))),),
    file="retrieval/questions/mkqa.jsonl.gz",
    reader=read_mkqa,
    count=6758,
    pool="retrieval/questions/PAQ.jsonl",
    note=f"MKQA (Longpre et al. 2021), the questions with a short answer: {_NOTE}",
    fetch="https://github.com/apple/ml-mkqa, dataset/mkqa.jsonl.gz as retrieval/questions/mkqa.jsonl.gz, and "
    f"{_PAQ}",
    published=table_rows("wieting-2023-table-12"),
)
