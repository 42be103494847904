"""Read ``everyday_nouns.tsv``: nouns that dictionaries confuse, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Everyday(NamedTuple):
    """A line of ``everyday_nouns.tsv``."""

    noun: str
    others: list[str]  # other nouns that may be right
    words: Mapping[str, list[str]]  # its words by language, in lower case

    @classmethod
    def read(cls, line: str) -> Everyday:
        """Read a line."""
        noun, others, words = line.rstrip("\n").split("\t")
        by_language = (one.split(":") for one in words.lower().split())
        return cls(noun, others.split(), {lang: one.split(",") for lang, one in by_language})


EVERYDAY = [
    Everyday.read(line)
    for line in Path(__file__).with_name("everyday_nouns.tsv").read_text("utf-8").splitlines()
]
