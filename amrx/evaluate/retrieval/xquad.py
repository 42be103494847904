"""XQuAD-R files: questions, the sentences of their passages, and which sentence holds each answer."""

from __future__ import annotations

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
        starts = [_start(breaks) for breaks in paragraph.list("sentence_breaks")]
        texts = [sentence.text() for sentence in paragraph.list("sentences")]
        if len(starts) != len(texts) or not texts:
            raise paragraph.error(f"{len(texts)} sentences with {len(starts)} breaks")
        for asked in paragraph.list("qas"):
            start = asked.list("answers")[0].get("answer_start").integer()
            place = sum(begin <= start for begin in starts) - 1
            if place < 0:
                raise asked.error(f"the answer starts at {start}, before the first sentence")
            question = Question(asked.get("id").text(), asked.get("question").text(), len(sentences) + place)
            if question.id in seen:
                raise asked.error(f"id {question.id!r} stands twice")
            seen.add(question.id)
            questions.append(question)
        sentences.extend(texts)
    return Passages(tuple(sentences), tuple(questions))


def _start(breaks: Node) -> int:
    """Return where a sentence starts: the first of two numbers."""
    numbers = breaks.items()
    if not numbers:
        raise breaks.error("is empty")
    return numbers[0].integer()
