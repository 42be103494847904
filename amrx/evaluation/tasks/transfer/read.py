"""Files of labelled sentences and sentence pairs, checked row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines
from amrx.records.json_lines import Node, read_objects


@dataclass(frozen=True, slots=True)
class Item:
    """One or two texts and the number of their label."""

    texts: tuple[str, ...]
    label: int


@dataclass(frozen=True, slots=True)
class TsvReader:
    """Reads ``text TAB text TAB label`` lines; quotes are letters like any other.

    Attributes:
        texts: Names of the text columns.
        labels: The labels; their order gives their numbers.
        label_column: Place of the label, counted as Python counts.
        header: Names of columns before those, which are left out; with some, the first line is a header.
        published: Header of the file as it is published, where that has another form: the columns of the
            texts, in order, ``label`` and others, which are left out.
        synonyms: Labels that published files have in place of others.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    label_column: int = -1
    header: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file.

        Raises:
            InputError: File, line and column of the first row that is wrong.
        """
        lines = (line.rstrip("\r\n").split("\t") for line in read_lines(path))
        rows: Iterator[tuple[int, list[str]]] = enumerate(lines, start=1)
        if self.published:
            line, first = next(rows, (1, []))
            if tuple(first) == self.published:
                return tuple(self._published(row, path, line) for line, row in rows)
            rows = chain([(line, first)] if first else [], rows)
        if self.header:
            _, first = next(rows)
            fields = self._fields()
            if first != fields:
                message = f"the header is {', '.join(first)!r}, not {', '.join(fields)!r}"
                at_fault = next((field for field in fields if field not in first), fields[-1])
                raise InputError(message, file=path, line=1, field=at_fault)
        return tuple(self._item(row, path, line) for line, row in rows)

    def _published(self, row: list[str], path: Path, line: int) -> Item:
        """Return a row of the published form: without its other columns, its label by our name."""
        if len(row) != len(self.published):
            field = self.published[min(len(row), len(self.published) - 1)]
            message = f"{len(row)} columns, not {len(self.published)}"
            raise InputError(message, file=path, line=line, field=field)
        values = dict(zip(self.published, row, strict=True))
        label = values.pop("label")
        kept = [values[name] for name in self.published if name not in ("label", "id")]
        kept.insert(self.label_column % (len(kept) + 1), dict(self.synonyms).get(label, label))
        return self._item([*("" for _ in self.header), *kept], path, line)

    def _fields(self) -> list[str]:
        fields = list(self.texts)
        fields.insert(self.label_column % (len(fields) + 1), "label")
        return [*self.header, *fields]

    def _item(self, row: list[str], path: Path, line: int) -> Item:
        fields = self._fields()
        if len(row) != len(fields):
            field = fields[min(len(row), len(fields) - 1)]
            raise InputError(f"{len(row)} columns, not {len(fields)}", file=path, line=line, field=field)
        row = row[len(self.header) :]
        label = row.pop(self.label_column)
        for field, text in zip(self.texts, row, strict=True):
            _check_text(text, path, line, field)
        return Item(tuple(row), _number(label, self.labels, path, line, "label"))


@dataclass(frozen=True, slots=True)
class JsonLinesReader:
    """Reads one JSON object a line.

    Attributes:
        texts: Names of the text fields.
        label_field: Name of the label's field.
        labels: The labels; their order gives their numbers.
    """

    texts: tuple[str, ...]
    label_field: str
    labels: tuple[str, ...]

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file.

        Raises:
            InputError: File, line and field of the first row that is wrong.
        """
        return tuple(self._item(node) for node in read_objects(path))

    def _item(self, node: Node) -> Item:
        texts = tuple(node.get(field).string() for field in self.texts)
        for field, found in zip(self.texts, texts, strict=True):
            _check_text(found, node.file, node.line, field)
        label = node.get(self.label_field).string()
        return Item(texts, _number(label, self.labels, node.file, node.line, self.label_field))


@dataclass(frozen=True, slots=True)
class ChoiceReader:
    """Reads COPA: ``{"premise", "choice1", "choice2", "question": cause or effect, "label": 0 or 1}`` a line.

    Each line gives two items, one a choice: the cause first, the effect second, and 1 if it is the right one.
    Or Social IQa: ``{"context", "question", "answerA", "answerB", "answerC"}`` a line, three items each; the
    number of the right answer, from 1, is the same line of ``train-labels.lst`` beside the file.
    """

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return two items a line, of Social IQa three.

        Raises:
            InputError: File, line and field of the first line that is wrong.
        """
        nodes = list(read_objects(path))
        if not (nodes and isinstance(nodes[0].value, Mapping) and "context" in nodes[0].value):
            return tuple(item for node in nodes for item in self._items(node))
        labels = path.with_name("train-labels.lst")
        lines = [line.strip() for line in read_lines(labels)]
        if len(lines) != len(nodes):
            raise InputError(f"{len(lines)} labels, not the {len(nodes)} of {path.name}", file=labels)
        answers = [
            _number(text, ("1", "2", "3"), labels, line, "label") for line, text in enumerate(lines, start=1)
        ]
        return tuple(
            Item(
                (f"{node.get('context').text()} {node.get('question').text()}", node.get(field).text()),
                int(place == right),
            )
            for node, right in zip(nodes, answers, strict=True)
            for place, field in enumerate(("answerA", "answerB", "answerC"))
        )

    def _items(self, node: Node) -> tuple[Item, Item]:
        asked, label = node.get("question").text(), node.get("label").integer()
        if asked not in ("cause", "effect"):
            raise node.get("question").error(f"{asked!r} is none of cause, effect")
        if label not in (0, 1):
            raise node.get("label").error(f"{label} is none of 0, 1")
        premise = node.get("premise").text()
        first, second = (
            Item((choice, premise) if asked == "cause" else (premise, choice), int(place == label))
            for place, choice in enumerate(node.get(field).text() for field in ("choice1", "choice2"))
        )
        return first, second


def _check_text(text: str, path: Path, line: int | None, field: str) -> None:
    if not text.strip():
        raise InputError("is empty", file=path, line=line, field=field)


def _number(label: str, labels: tuple[str, ...], path: Path, line: int | None, field: str) -> int:
    if label not in labels:
        message = f"{label!r} is none of {', '.join(labels)}"
        raise InputError(message, file=path, line=line, field=field)
    return labels.index(label)
