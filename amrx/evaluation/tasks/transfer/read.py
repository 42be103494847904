"""Read and check files of labelled sentences and sentence pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from amrx.errors import InputError
from amrx.evaluation.data_folders import check_row, check_text
from amrx.records.files import read_lines
from amrx.records.json_lines import Node, read_objects


@dataclass(frozen=True, slots=True)
class Item:
    """One or two texts and the number of their label."""

    texts: tuple[str, ...]
    label: int


@dataclass(frozen=True, slots=True)
class TsvReader:
    """Read ``text TAB text TAB label`` lines; quotes are ordinary characters."""

    texts: tuple[str, ...]  # names of the text columns
    labels: tuple[str, ...]  # the labels; their order gives their numbers
    label_column: int = -1  # Python index of the label among the columns
    # names of leading columns, which are ignored; if any, the first line is a header
    header: tuple[str, ...] = ()
    # header of the published file if its form differs: the text columns in order, ``label``, and other
    # columns, which are ignored
    published: tuple[str, ...] = ()
    synonyms: tuple[tuple[str, str], ...] = ()  # labels in published files, and the labels that replace them

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file."""
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
                message = f"header must be {', '.join(fields)!r}, got {', '.join(first)!r}"
                field = next((field for field in fields if field not in first), fields[-1])
                raise InputError(message, file=path, line=1, field=field)
        return tuple(self._item(row, path, line) for line, row in rows)

    def _published(self, row: list[str], path: Path, line: int) -> Item:
        """Return a row in published form, without its other columns and with our label."""
        check_row(row, self.published, path, line)
        values = dict(zip(self.published, row, strict=True))
        label = values.pop("label")
        texts = [values[name] for name in self.published if name not in ("label", "id")]
        texts.insert(self.label_column % (len(texts) + 1), dict(self.synonyms).get(label, label))
        return self._item([*("" for _ in self.header), *texts], path, line)

    def _fields(self) -> list[str]:
        fields = list(self.texts)
        fields.insert(self.label_column % (len(fields) + 1), "label")
        return [*self.header, *fields]

    def _item(self, row: list[str], path: Path, line: int) -> Item:
        check_row(row, self._fields(), path, line)
        row = row[len(self.header) :]
        label = row.pop(self.label_column)
        for field, text in zip(self.texts, row, strict=True):
            check_text(text, path, line, field)
        return Item(tuple(row), _number(label, self.labels, path, line, "label"))


@dataclass(frozen=True, slots=True)
class JsonLinesReader:
    """Read one JSON object per line."""

    texts: tuple[str, ...]  # names of the text fields
    label_field: str  # name of the label field
    labels: tuple[str, ...]  # the labels; their order gives their numbers

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return the rows of a file."""
        return tuple(self._item(node) for node in read_objects(path))

    def _item(self, node: Node) -> Item:
        texts = tuple(node.get(field).string() for field in self.texts)
        for field, text in zip(self.texts, texts, strict=True):
            check_text(text, node.file, node.line, field)
        label = node.get(self.label_field).string()
        return Item(texts, _number(label, self.labels, node.file, node.line, self.label_field))


@dataclass(frozen=True, slots=True)
class ChoiceReader:
    """Read COPA or Social IQa, one JSON object per line.

    COPA: ``{"premise", "choice1", "choice2", "question": cause or effect, "label": 0 or 1}``. Each line gives
    two items, one per choice: the cause first, the effect second, labelled 1 if the choice is right.
    Social IQa: ``{"context", "question", "answerA", "answerB", "answerC"}``. Each line gives three items; the
    number of the right answer, from 1, is on the same line of ``train-labels.lst`` in the same folder.
    """

    def __call__(self, path: Path) -> tuple[Item, ...]:
        """Return two items per line of COPA, three of Social IQa."""
        nodes = list(read_objects(path))
        if not (nodes and isinstance(nodes[0].value, Mapping) and "context" in nodes[0].value):
            return tuple(item for node in nodes for item in self._items(node))
        labels = path.with_name("train-labels.lst")
        lines = [line.strip() for line in read_lines(labels)]
        if len(lines) != len(nodes):
            raise InputError(f"must have {len(nodes)} labels as {path.name}, got {len(lines)}", file=labels)
        answers = [
            _number(text, ("1", "2", "3"), labels, line, "label") for line, text in enumerate(lines, start=1)
        ]
        return tuple(
            Item(
                (f"{node.get('context').text()} {node.get('question').text()}", node.get(field).text()),
                int(index == right),
            )
            for node, right in zip(nodes, answers, strict=True)
            for index, field in enumerate(("answerA", "answerB", "answerC"))
        )

    def _items(self, node: Node) -> tuple[Item, Item]:
        question, label = node.get("question").text(), node.get("label").integer()
        if question not in ("cause", "effect"):
            raise node.get("question").error(f"must be cause or effect, got {question!r}")
        if label not in (0, 1):
            raise node.get("label").error(f"must be 0 or 1, got {label}")
        premise = node.get("premise").text()
        first, second = (
            Item((choice, premise) if question == "cause" else (premise, choice), int(index == label))
            for index, choice in enumerate(node.get(field).text() for field in ("choice1", "choice2"))
        )
        return first, second


def _number(label: str, labels: tuple[str, ...], path: Path, line: int | None, field: str) -> int:
    if label not in labels:
        message = f"must be one of {', '.join(labels)}, got {label!r}"
        raise InputError(message, file=path, line=line, field=field)
    return labels.index(label)
