"""Read ``lexicon/LANGUAGE.tsv``: nouns, verbs and adjectives by hand, a line for each word.

A line is the kind of a word (``n``, ``v`` or ``a``), the word as a dictionary has it, its English, and other
English words that may be right::

    n       Häuptling       chief           chieftain
    v       niesen          sneeze
    a       zuverlässig     reliable        dependable
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("lexicon")


class Words(NamedTuple):
    """The words of all languages for an English word."""

    english: str
    others: set[str]  # other English words that may be right
    words: Mapping[str, list[str]]  # by language, in lower case


def read_lexicon(kind: str) -> list[Words]:
    """Return the words of a kind, by English word."""
    rows: dict[str, Words] = {}
    for path in sorted(FOLDER.glob("*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            one, word, english, *others = line.split("\t")
            if one == kind:
                row = rows.setdefault(english, Words(english, set(), defaultdict(list)))
                row.others.update(*(other.split() for other in others))
                row.words[path.stem].append(word.lower())
    return [rows[english] for english in sorted(rows)]
