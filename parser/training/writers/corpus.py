"""Read sembanks and their translations, convert them to ids, and form the batches of a training step.

::

    train.amr       # ::id 7   # ::snt The boy goes.   (g / go-02 :ARG0 (b / boy))
    translated/de   {"id": "7", "text": "Der Junge geht.", "lang": "de"}

    graphs     ( <pointer:0> go-02 ...  -> ids                  one row per graph
    sentences  Der Junge geht.          -> de_DE ids </s>       one row per sentence
    phases     (sentence, graph), (sentence, graph), ...        the teacher's; the bank's

A sembank has its own sentences; ``amrx translate`` adds translations, each with the ``id`` of a sentence that
has a graph. Links to Wikipedia are left out, as in SPRING.
"""

from __future__ import annotations

import hashlib
import logging
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import penman

from amrx.errors import InputError
from amrx.records import read_graphs
from amrx.records.blocks import check_lang
from amrx.records.json_lines import Node, numbered_objects
from amrx.types import Parse
from linearize import linearize
from linearize.vocabulary import Vocabulary
from linearize.vocabulary import count as count_symbols
from parser.training.dev import files_in
from parser.training.writers.recipe import Recipe
from parser.writers.seq2seq import Seq2SeqParser
from parser.writers.words import to_spring

_LOG = logging.getLogger(__name__)
_POOL = 8_192  # examples sorted by length at a time: enough for little padding, few enough to stay shuffled
Indices = npt.NDArray[np.int64]
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
            words = to_spring(linearize(parse.graph, form="pointer"))
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


class Phase(NamedTuple):
    """One phase: its name, its number of updates, and pairs ``(n, 2)`` of sentence row and graph row."""

    name: str
    steps: int
    pairs: Indices


class Source:
    """The files of a run: sembanks by the name of their phase, and translations."""

    def __init__(self, data: Path, recipe: Recipe) -> None:
        files = {"teacher": (recipe.teacher, recipe.distill_steps), "bank": (recipe.bank, recipe.tune_steps)}
        self.steps = {name: steps for name, (_, steps) in files.items() if steps}
        self.sembanks = {name: Sembank(data / files[name][0]) for name in self.steps}
        self.vocabulary: Vocabulary = count_symbols(
            chain.from_iterable(sembank.read() for sembank in self.sembanks.values()), min_count=recipe.least
        )
        self.translated = data / recipe.translated if recipe.translated else None
        self.drop = recipe.drop
        for _ in self.texts():
            pass  # read to the end, so that errors come before the base is loaded

    def texts(self) -> Iterator[tuple[Text, list[str]]]:
        """Yield every sentence with the phases whose sembank has a graph for it."""
        for name, sembank in self.sembanks.items():
            yield from ((text, [name]) for text in sembank.texts)
        translated: Iterable[Text] = ()
        if self.translated is not None:
            translated = read_translations(self.translated, self.drop)
        for text in translated:
            named = [name for name, sembank in self.sembanks.items() if text.id in sembank.rows]
            if not named:
                where = " nor in ".join(str(sembank.path) for sembank in self.sembanks.values())
                fault = f"no sentence {text.id!r} in {where}"
                raise InputError(fault, file=text.file, line=text.line, field="id")
            yield text, named


class Corpus:
    """All training pairs of a run, as ids."""

    def __init__(self, source: Source, parser: Seq2SeqParser, longest: int) -> None:
        self.sources, self.targets = Ragged(), Ragged()
        self._parser, self._longest = parser, min(longest, parser.longest)
        self._left_out = 0
        self._spelt: dict[str, list[int]] = {}
        rows = {name: self._graphs(sembank) for name, sembank in source.sembanks.items()}
        pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in rows}
        for text, names in source.texts():
            numbers = {name: rows[name][source.sembanks[name].rows[text.id]] for name in names}
            if any(number >= 0 for number in numbers.values()) and (read := self._read(text)) is not None:
                for name, number in numbers.items():
                    if number >= 0:
                        pairs[name].append((read, number))
        self.phases = []
        for name, examples in pairs.items():
            if not examples:
                raise InputError("has no training sentence", file=source.sembanks[name].path)
            self.phases.append(Phase(name, source.steps[name], np.array(examples, dtype=np.int64)))
            unusable = source.sembanks[name].unusable
            _LOG.info("%s: %d pairs; %d graphs repaired, failed or blank", name, len(examples), unusable)
        _LOG.info("%d sentences and graphs of more than %d pieces left out", self._left_out, self._longest)

    def _graphs(self, sembank: Sembank) -> list[int]:
        """Return the row of each graph, -1 if it is too long; the last entry is -1, for missing graphs."""
        rows = []
        for number in range(len(sembank.words)):
            ids: list[int] = []
            for word in sembank[number]:
                if word not in self._spelt:
                    self._spelt[word] = self._parser.pieces.ids([word])
                ids += self._spelt[word]
            fits = len(ids) + 2 <= self._longest
            self._left_out += not fits
            rows.append(self.targets.append(ids) if fits else -1)
        return [*rows, -1]

    def _read(self, text: Text) -> int | None:
        codes = self._parser.codes
        if codes and text.lang not in codes:
            fault = f"{text.lang!r} is not a language of the base; it reads: {', '.join(sorted(codes))}"
            raise InputError(fault, file=text.file, line=text.line, field="lang")
        ids, notes = self._parser.read(text.text, text.lang)
        if notes or len(ids) > self._longest:
            self._left_out += 1
            return None
        return self.sources.append(ids)

    def fingerprint(self) -> str:
        """Return a hash of all ids and pairs."""
        digest = hashlib.sha256()
        for rows in (self.sources, self.targets):
            digest.update(rows.flat.tobytes() + rows.ends.tobytes())
        for phase in self.phases:
            digest.update(phase.pairs.tobytes())
        return digest.hexdigest()

    def steps(self, number: int, recipe: Recipe, first: int) -> Iterator[list[Indices]]:
        """Yield the batches of the updates of a phase, from update ``first`` on, epoch after epoch.

        The order depends only on the seed, the phase and the epoch.

        Yields:
            The batches of one update, each pairs ``(B, 2)``.
        """
        pairs = self.phases[number].pairs
        sentences, graphs = (np.diff(np.asarray(rows.ends)) for rows in (self.sources, self.targets))
        sizes = np.stack([sentences[pairs[:, 0]], graphs[pairs[:, 1]] + 2], axis=1)
        stream = (
            pairs[batch]
            for epoch in count()
            for batch in make_batches(sizes, recipe.batch, [recipe.seed, number, epoch])
        )
        groups = iter(lambda: list(islice(stream, recipe.accumulate)), [])
        return islice(groups, first, None)


def make_batches(sizes: Indices, room: int, seed: Sequence[int]) -> list[Indices]:
    """Divide rows into batches of similar lengths, in random order; each row is in exactly one."""
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(sizes))
    batches: list[Indices] = []
    for start in range(0, len(order), _POOL):
        pool = order[start : start + _POOL]
        pool = pool[np.lexsort((sizes[pool, 0], sizes[pool, 1]))]
        begin, widest = 0, np.zeros(2, dtype=np.int64)
        for position, size in enumerate(sizes[pool]):
            grown = np.maximum(widest, size)
            if position > begin and (position - begin + 1) * int(grown.sum()) > room:
                batches.append(pool[begin:position])
                begin, grown = position, size
            widest = grown
        batches.append(pool[begin:])
    return [batches[number] for number in draw.permutation(len(batches))]
