"""The dev sembank of a training: Smatch of a student's graphs by language."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from amrx.errors import InputError
from amrx.records import missing, read_graphs
from amrx.types import Parse, Parser, Sentence
from parser.score.smatch import corpus_smatch
from parser.training.seq2seq.bank import files_in


class Dev:
    """Annotated sentences, of one language or several.

    Args:
        path: A PENMAN or JSON-lines file, or a folder of such.

    Raises:
        InputError: There is no file, or a graph cannot be read (names file and line).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.gold: dict[str, list[Parse]] = {}
        for file in files_in(path):
            for parse in read_graphs(file):
                if missing([parse]):
                    raise InputError(f"sentence {parse.id!r} has no graph to score against", file=file)
                self.gold.setdefault(parse.lang, []).append(parse)

    def check(self, langs: Collection[str]) -> None:
        """Raise InputError when a sentence is in none of ``langs`` (none named: every language passes)."""
        for lang in self.gold:
            if langs and lang not in langs:
                raise InputError(f"holds {lang!r}, which is no language of the base", file=self.path)

    def score(self, parser: Parser, batch_size: int) -> dict[str, float]:
        """Return Smatch F1 (0-100) for each language."""
        scores = {}
        for lang, gold in sorted(self.gold.items()):
            asked = [Sentence(parse.id, parse.text, lang) for parse in gold]
            made = parser.parse(asked, batch_size=batch_size)
            scores[lang] = corpus_smatch([one.graph for one in gold], [one.graph for one in made]).f1
        return scores
