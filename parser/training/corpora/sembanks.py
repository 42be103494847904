"""Read sembanks: sentences with AMR graphs, gold (Little Prince, Bio) or silver (BAMBOO).

A sembank is a sequence of PENMAN blocks with blank lines between them::

    # ::id lpp_1943.1 ::date 2012-06-07T17:06:07
    # ::snt Chapter 1 .
    # ::snt_zh I
    (c / chapter :mod 1)

BAMBOO stores every corpus as two such files, ``src`` and ``tgt``, and one score per line: block ``n`` of both
belongs to line ``n`` of the scores. BAMBOO parsed its tables line by line, including headers (``sentence_A``)
and empty last lines (``Empty line``); these are skipped here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import penman

from amrx.errors import InputError
from amrx.records import blocks
from parser.training.corpora.lines import normal_form, read_columns, read_lines

FILLERS = frozenset({"Empty line", "sentence_A", "sentence_B", "#1 String", "#2 String"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of a sembank."""

    snt: str  # the sentence (``::snt``), empty if the block has none
    graph: penman.Graph  # its graph
    metadata: Mapping[str, str]  # every ``::key value`` of the block


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two sentences, their graphs, and their similarity (0-1)."""

    source: Entry
    target: Entry
    score: float


def read_blocks(path: Path) -> Iterator[Entry]:
    """Yield the entries of every block with a graph, including BAMBOO's fillers."""
    for parse, error in blocks.read_blocks(path, "en"):
        if error is not None:
            raise error
        if parse.repairs != (blocks.NO_GRAPH,):
            yield Entry(parse.text, parse.graph, parse.graph.metadata)


def read_sembank(path: Path) -> Iterator[Entry]:
    """Yield the entries of a sembank in order, without comment-only blocks and BAMBOO's fillers."""
    return (entry for entry in read_blocks(Path(path)) if entry.snt.strip() not in FILLERS)


def lpp(data: Path, split: str) -> Iterator[Entry]:
    """Yield The Little Prince (``train`` or ``dev``); its Chinese is ``metadata["snt_zh"]``."""
    return read_sembank(data / "amr" / "lpp" / f"{split}.amr")


def bio(data: Path, split: str) -> Iterator[Entry]:
    """Yield the Bio AMR corpus (``train`` or ``dev``)."""
    return read_sembank(data / "amr" / "bio" / f"{split}.amr")


def bamboo_pairs(folder: Path, split: str) -> Iterator[GradedPair]:
    """Yield the pairs of one BAMBOO corpus, checked against its table of texts."""
    path = folder / f"{split}.y"
    sides = [list(read_blocks(folder / f"{side}.{split}.amr")) for side in ("src", "tgt")]
    scores = list(read_lines(path))
    texts = [*_table(folder, split), ("Empty line", "Empty line")]
    counts = {len(scores), len(texts), *map(len, sides)}
    if len(counts) != 1:
        raise InputError(f"files of a pair have different numbers of rows: {sorted(counts)}", file=path)
    rows = zip(*sides, scores, texts, strict=True)
    for number, (source, target, score, (first, second)) in enumerate(rows, start=1):
        if normal_form(source.snt) != normal_form(first) or normal_form(target.snt) != normal_form(second):
            raise InputError(f"{source.snt!r} is beside {first!r}", file=path, line=number)
        if source.snt not in FILLERS:
            yield GradedPair(source, target, float(score))


def bamboo_texts(folder: Path, split: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the same pairs, read only from the table."""
    return (row for row in _table(folder, split) if row[0] not in FILLERS)


def _table(folder: Path, split: str) -> Iterator[tuple[str, str]]:
    path = folder / f"orig.{split}.txt"
    first = {"sts": 5, "sick": 1, "para": 3}[folder.name]
    for columns in read_columns(path, first + 2):
        yield columns[first], columns[first + 1]
