"""XQuAD-R files: questions, the sentences of their passages, and which sentence holds each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.evaluate.jsonl import Node, read_document


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the place of the sentence that answers it."""

    id: str
    text: str
    sentence: int


@dataclass(frozen=True, slots=True)
class Passages:
    """One language: all sentences of all passages, and all questions."""

    sentences: tuple[str, ...]
    questions: tuple[Question, ...]


def read_xquad(path: Path) -> Passages:
    """Read one language.

    Raises:
        InputError: File and field, as ``data[0].paragraphs[2].qas[1].question``, of what is wrong first.
    """
    sentences: list[str] = []
    questions: list[Question] = []
    seen: set[str] = set()
    root = read_document(path)
    for paragraph in (inner for article in root.list("data") for inner in article.list("paragraphs")):
        spans = [_span(breaks) for breaks in paragraph.list("sentence_breaks")]
        texts = [sentence.text() for sentence in paragraph.list("sentences")]
        if len(spans) != len(texts):
            raise paragraph.error(f"{len(texts)} sentences with {len(spans)} breaks")
        for asked in paragraph.list("qas"):
            place = _sentence_of(asked.list("answers")[0].get("answer_start"), spans)
            question = Question(asked.get("id").text(), asked.get("question").text(), len(sentences) + place)
            if question.id in seen:
                raise asked.error(f"id {question.id!r} stands twice")
            seen.add(question.id)
            questions.append(question)
        sentences.extend(texts)
    return Passages(tuple(sentences), tuple(questions))


def _span(breaks: Node) -> tuple[int, int]:
    """Return where a sentence starts and where it ends."""
    numbers = [number.integer() for number in breaks.items()]
    if len(numbers) != 2:
        raise breaks.error(f"{len(numbers)} numbers, not 2")
    return numbers[0], numbers[1]


def _sentence_of(answer: Node, spans: Sequence[tuple[int, int]]) -> int:
    """Return the place of the sentence that an answer starts in."""
    start = answer.integer()
    place = sum(begin <= start for begin, _ in spans) - 1
    if place < 0:
        raise answer.error(f"the answer starts at {start}, before the first sentence")
    if start >= spans[-1][1]:
        raise answer.error(f"the answer starts at {start}, behind the last sentence")
    return place
