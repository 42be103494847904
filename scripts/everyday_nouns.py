"""Read ``everyday_nouns.tsv`` and ``everyday_verbs.tsv``: words that dictionaries confuse, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Everyday(NamedTuple):
    """A line of such a file."""

    concept: str
    others: list[str]  # other concepts that may be right
    words: Mapping[str, list[str]]  # its words by language, in lower case

    @classmethod
    def read(cls, line: str) -> Everyday:
        """Read a line."""
        concept, others, words = line.rstrip("\n").split("\t")
        by_language = (one.split(":") for one in words.lower().split())
        return cls(concept, others.split(), {lang: one.split(",") for lang, one in by_language})


def read_lines(name: str) -> list[Everyday]:
    """Return the lines of a file beside this script."""
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [Everyday.read(line) for line in lines]


EVERYDAY = read_lines("everyday_nouns.tsv")
