"""Join rows of natural language inference to triplets, on disk.

::

    premise  hypothesis  entailment                premise  entailment  contradiction
    premise  hypothesis  contradiction     ──>
    premise  hypothesis  neutral

Every entailment gives one triplet. Its hard negative is the first contradiction of the same premise; without
one it is the next contradiction in the file, of another premise, an ordinary negative like all sentences of
the batch. With several languages, line n of every file is the same row, and the
triplet has all of them: columns 1 to 3 in the first language, 4 to 6 in the second, and so on.

The join is a table of SQLite beside the result, so memory does not grow with the corpus.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from amrx.records import atomic_path
from retrofit.training.bases.feed import pairs
from retrofit.training.bases.mixture import Row
from retrofit.training.bases.msimcse.recipe import Recipe
from retrofit.training.bases.sources import COLUMNS, ENGLISH, Source, rows_of


class Drawer:
    """Compute the columns of a batch."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._any_language = "cross-lingual-nli" in recipe.mix

    def __call__(self, rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
        """Return ``anchor``, ``positive`` and, if the recipe has them, ``negative``."""
        triplets = [self._triplet(row, random) for row in rows]
        columns = {
            "anchor": [triplet[0] for triplet in triplets],
            "positive": [triplet[1] for triplet in triplets],
        }
        if self._recipe.hard_negatives:
            columns["negative"] = [triplet[2] for triplet in triplets]
        return columns

    def _triplet(self, row: Row, random: np.random.Generator) -> tuple[str, ...]:
        """Return anchor, positive and, of NLI, negative."""
        if row.source.kind == "text":
            return row.texts * 2
        if row.source.kind == "parallel":
            both = pairs([row], random)
            return both["anchor"][0], both["positive"][0]
        languages = row.source.languages
        if self._any_language:
            chosen = random.integers(len(languages), size=COLUMNS).tolist()
        else:
            chosen = [languages.index(ENGLISH)] * COLUMNS
        return tuple(row.texts[COLUMNS * which + column] for column, which in enumerate(chosen))


_JOIN = """
SELECT e.texts, coalesce(
    (SELECT c.texts FROM nli c WHERE c.premise = e.premise AND c.label = 'contradiction'
        ORDER BY c.line),
    (SELECT c.texts FROM nli c WHERE c.label = 'contradiction' AND c.line > e.line ORDER BY c.line),
    (SELECT c.texts FROM nli c WHERE c.label = 'contradiction' ORDER BY c.line)
) FROM nli e WHERE e.label = 'entailment' ORDER BY e.line
"""


def join_nli(source: Source, out: Path) -> None:
    """Write the triplets of a checked source of NLI as one table."""
    table = out.with_suffix(".sqlite")
    table.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(table)) as base:
            base.execute("CREATE TABLE nli (line INTEGER PRIMARY KEY, premise TEXT, label TEXT, texts TEXT)")
            base.executemany("INSERT INTO nli VALUES (?, ?, ?, ?)", _rows(source))
            base.execute("CREATE INDEX by_premise ON nli (premise, label, line)")
            base.execute("CREATE INDEX by_label ON nli (label, line)")
            with atomic_path(out) as temporary, temporary.open("w", encoding="utf-8") as stream:
                for entailed, contradicting in base.execute(_JOIN):
                    stream.write("\t".join(_triplet(json.loads(entailed), json.loads(contradicting))) + "\n")
    finally:
        table.unlink(missing_ok=True)


def write_triplets(source: Source, out: Path) -> None:
    """Write published triplets as one table."""
    with atomic_path(out) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for rows in rows_of(source):
            stream.write("\t".join(text for row in rows for text in row) + "\n")


def triplets_of(source: Source, joined: Path) -> Source:
    """Return the source written by `join_nli` or `write_triplets`."""
    return replace(source, kind="triplets", files=(joined,), width=COLUMNS * len(source.languages))


def _rows(source: Source) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, premise, label, and premise and hypothesis of every language as JSON."""
    for line, rows in enumerate(rows_of(source), start=1):
        yield line, rows[0][0], rows[0][2], json.dumps([row[:2] for row in rows], ensure_ascii=False)


def _triplet(entailed: list[list[str]], contradicting: list[list[str]]) -> list[str]:
    """Return premise, entailed hypothesis and contradicting hypothesis, language by language."""
    both = zip(entailed, contradicting, strict=True)
    return [text for (premise, follows), (_, denies) in both for text in (premise, follows, denies)]
