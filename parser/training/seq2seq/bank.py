"""Read sembanks and their translations for training.

::

    train.amr       # ::id 7   # ::snt The boy goes.   (g / go-02 :ARG0 (b / boy))
    translated/de   {"id": "7", "text": "Der Junge geht.", "lang": "de"}

A sembank has its own sentences; ``amrx translate`` adds translations, each with the ``id`` of a sentence that
has a graph. Links to Wikipedia are left out, as in SPRING.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import penman

from amrx.errors import InputError
from amrx.records import read_graphs
from amrx.records.blocks import check_lang
from amrx.records.json_lines import Node, numbered_objects
from amrx.types import Parse
from linearize import linearize
from parser.seq2seq.dialect import to_words
from parser.training.dev import files_in

ROWS = ("jsonl",)


@dataclass(frozen=True, slots=True)
class Text:
    """A training sentence: its identifier in the sembank, text, language, file and line."""

    id: str
    text: str
    lang: str
    file: Path
    line: int | None


@dataclass(slots=True)
class Ragged:
    """Rows of whole numbers, packed."""

    flat: array[int] = field(default_factory=lambda: array("i"))
    ends: array[int] = field(default_factory=lambda: array("q", [0]))

    def append(self, row: Sequence[int]) -> int:
        """Append a row and return its number."""
        self.flat.extend(row)
        self.ends.append(len(self.flat))
        return len(self.ends) - 2

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, number: int) -> list[int]:
        return self.flat[self.ends[number] : self.ends[number + 1]].tolist()


class Sembank:
    """The graphs of a file or a folder as words, by identifier, and their sentences."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self.words = Ragged()
        self.rows: dict[str, int] = {}
        self.texts: list[Text] = []
        self.unusable = 0

    def read(self) -> Iterator[penman.Graph]:
        """Yield each usable graph of the files; failed and repaired graphs are skipped."""
        for file in files_in(self.path):
            for parse in read_graphs(file):
                if parse.id in self.rows:
                    raise InputError(f"sentence {parse.id!r} occurs twice", file=file, field="id")
                usable = parse.status == "ok" and bool(parse.text.strip())
                self.unusable += not usable
                self.rows[parse.id] = self.words.append(self._number(parse, file)) if usable else -1
                if usable:
                    self.texts.append(Text(parse.id, parse.text, parse.lang, file, None))
                    yield parse.graph

    def __getitem__(self, number: int) -> list[str]:
        return [self.names[word] for word in self.words[number]]

    def _number(self, parse: Parse, file: Path) -> list[int]:
        try:
            words = to_words(linearize(parse.graph, form="pointer"))
        except InputError as error:
            raise InputError(f"sentence {parse.id!r}: {error}", file=file) from None
        for word in words:
            if word not in self._numbers:
                self._numbers[word] = len(self.names)
                self.names.append(word)
        return [self._numbers[word] for word in words]


def read_translations(path: Path, drop: Sequence[str]) -> Iterator[Text]:
    """Yield the translations written by ``amrx translate``, without blank and flagged ones."""
    for file in files_in(path, ROWS):
        for number, record in numbered_objects(file):
            row = Node(record, "", file, number)
            name, text, lang = (row.get(key).string() for key in ("id", "text", "lang"))
            check_lang(lang, file, number)
            if text.strip() and not set(drop) & set(record.get("flags", ())):
                yield Text(name, text, lang, file, number)
