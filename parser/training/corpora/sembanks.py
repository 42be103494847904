"""Sembanks: files of sentences with their AMR graphs, gold (Little Prince, Bio) or silver (BAMBOO).

A sembank is a sequence of PENMAN blocks with blank lines between them::

    # ::id lpp_1943.1 ::date 2012-06-07T17:06:07
    # ::snt Chapter 1 .
    # ::snt_zh I
    (c / chapter :mod 1)

BAMBOO stores every corpus as two such files, ``src`` and ``tgt``, and one score a line: block ``n`` of
both belongs to line ``n`` of the scores. Its files were parsed line by line from tables, so the head of
a table (``sentence_A``) and the empty last line (``Empty line``) have been parsed as well: skipped here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import penman
from penman.exceptions import PenmanError

from amrx.errors import InputError
from parser.training.corpora.lines import read_columns, read_lines
from parser.training.corpora.normal import normal_form

FILLERS = frozenset({"Empty line", "sentence_A", "sentence_B", "#1 String", "#2 String"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of a sembank.

    Attributes:
        snt: The sentence (``::snt``), empty when the block names none.
        graph: Its graph.
        metadata: Every ``::key value`` of the block.
    """

    snt: str
    graph: penman.Graph
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two sentences, their graphs, and how alike they are (0-1)."""

    source: Entry
    target: Entry
    score: float


def _blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Yield ``(line number, text)`` of every block that holds a graph."""
    block: list[str] = []
    for number, line in enumerate([*read_lines(path), ""], start=1):
        if line.strip():
            block.append(line)
            continue
        if any(not part.lstrip().startswith("#") for part in block):
            yield number - len(block), "\n".join(block)
        block = []


def _entries(path: Path) -> Iterator[Entry]:
    # penman tells of every repeated triple in the silver graphs through its logger: known, harmless
    logging.getLogger("penman.layout").setLevel(logging.ERROR)
    for number, text in _blocks(path):
        try:
            graph = penman.decode(text)
        except PenmanError as error:
            message = f"no PENMAN graph: {' '.join(str(error).split())}"
            raise InputError(message, file=path, line=number) from error
        yield Entry(graph.metadata.get("snt", ""), graph, graph.metadata)


def read_sembank(path: Path) -> Iterator[Entry]:
    """Yield the entries of a sembank in order, without comment-only blocks and BAMBOO's fillers.

    Raises:
        InputError: A block is no PENMAN (file and line are named).
    """
    return (entry for entry in _entries(Path(path)) if entry.snt.strip() not in FILLERS)


def lpp(data: Path, split: str) -> Iterator[Entry]:
    """Yield The Little Prince (``train`` or ``dev``); its Chinese is ``metadata["snt_zh"]``."""
    return read_sembank(data / "amr" / "lpp" / f"{split}.amr")


def bio(data: Path, split: str) -> Iterator[Entry]:
    """Yield the Bio AMR corpus (``train`` or ``dev``)."""
    return read_sembank(data / "amr" / "bio" / f"{split}.amr")


def bamboo_pairs(folder: Path, split: str) -> Iterator[GradedPair]:
    """Yield the pairs of one BAMBOO corpus, checked against its table of texts.

    Args:
        folder: ``amr/bamboo/sts``, ``sick`` or ``para`` of the data.
        split: ``train`` or ``dev``.

    Raises:
        InputError: The files do not run in parallel.
    """
    path = folder / f"{split}.y"
    sides = [list(_entries(folder / f"{side}.{split}.amr")) for side in ("src", "tgt")]
    scores = list(read_lines(path))
    texts = [*_table(folder, split), ("Empty line", "Empty line")]
    counts = {len(scores), len(texts), *map(len, sides)}
    if len(counts) != 1:
        raise InputError(f"{sorted(counts)} rows side by side", file=path)
    rows = zip(*sides, scores, texts, strict=True)
    for number, (source, target, score, (first, second)) in enumerate(rows, start=1):
        if normal_form(source.snt) != normal_form(first) or normal_form(target.snt) != normal_form(second):
            raise InputError(f"{source.snt!r} stands beside {first!r}", file=path, line=number)
        if source.snt not in FILLERS:
            yield GradedPair(source, target, float(score))


def bamboo_stressed(folder: Path, kind: str, split: str = "dev") -> Iterator[GradedPair]:
    """Yield the pairs of `bamboo_pairs` with graphs that are written otherwise and mean the same.

    Args:
        folder: As there.
        kind: ``reify`` (relations written as concepts) or ``syno`` (concepts exchanged for synonyms).
        split: As there.

    Raises:
        InputError: The files do not run in parallel.
    """
    plain = list(bamboo_pairs(folder, split))
    sides = [list(read_sembank(folder / kind / f"{side}.{split}.amr")) for side in ("src", "tgt")]
    for name, entries in zip(("src", "tgt"), sides, strict=True):
        wanted = [pair.source.snt if name == "src" else pair.target.snt for pair in plain]
        if [entry.snt for entry in entries] != wanted:
            told = f"{len(entries)} graphs are not of the sentences of {split}.y"
            raise InputError(told, file=folder / kind / f"{name}.{split}.amr")
    for pair, source, target in zip(plain, *sides, strict=True):
        yield GradedPair(source, target, pair.score)


def bamboo_confused(folder: Path, split: str = "dev") -> Iterator[tuple[GradedPair, GradedPair]]:
    """Yield pairs of graphs of equal meaning, each behind itself with the roles of one graph exchanged.

    Yields:
        The confused pair, which counts 0, and the pair itself, which counts 1.

    Raises:
        InputError: The files do not run in parallel.
    """
    sides = [list(_entries(folder / "role_confusion" / f"{side}.{split}.amr")) for side in ("src", "tgt")]
    if len(sides[0]) != len(sides[1]) or len(sides[0]) % 2:
        counts = f"{len(sides[0])} and {len(sides[1])} graphs, not as many twos"
        raise InputError(counts, file=folder / "role_confusion")
    for place in range(0, len(sides[0]), 2):
        confused, itself = (
            GradedPair(sides[0][place + more], sides[1][place + more], float(more)) for more in (0, 1)
        )
        yield confused, itself


def bamboo_texts(folder: Path, split: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the same pairs, from the table alone."""
    return (row for row in _table(folder, split) if row[0] not in FILLERS)


def _table(folder: Path, split: str) -> Iterator[tuple[str, str]]:
    path = folder / f"orig.{split}.txt"
    first = {"sts": 5, "sick": 1, "para": 3}[folder.name]
    for columns in read_columns(path, first + 2):
        yield columns[first], columns[first + 1]
