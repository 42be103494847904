"""XQuAD-R files: questions, the sentences of their passages, and which sentence holds each answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines


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
    try:
        document = json.loads("".join(read_lines(path)))
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", file=path, line=error.lineno) from None
    sentences: list[str] = []
    questions: list[Question] = []
    seen: set[str] = set()
    root = _Node(document, "", path)
    for paragraph in (inner for article in root.list("data") for inner in article.list("paragraphs")):
        starts = [breaks.integer(0) for breaks in paragraph.list("sentence_breaks")]
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


@dataclass(frozen=True, slots=True)
class _Node:
    """A value in a JSON document that knows where it stands."""

    value: object
    where: str
    file: Path

    def error(self, message: str) -> InputError:
        return InputError(message, file=self.file, field=self.where or "document")

    def get(self, key: str) -> _Node:
        where = f"{self.where}.{key}" if self.where else key
        if not isinstance(self.value, Mapping) or key not in self.value:
            raise InputError("is missing", file=self.file, field=where)
        return _Node(self.value[key], where, self.file)

    def list(self, key: str) -> Sequence[_Node]:
        found = self.get(key)
        if not isinstance(found.value, list) or not found.value:
            raise found.error("is no list with items")
        return [_Node(item, f"{found.where}[{i}]", self.file) for i, item in enumerate(found.value)]

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("is no text")
        return self.value

    def integer(self, place: int | None = None) -> int:
        value = self.value
        if place is not None and isinstance(value, list) and len(value) > place:
            value = value[place]
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"{value!r} is no integer")
        return value
