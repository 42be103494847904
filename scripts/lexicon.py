"""Read words by hand: ``everyday_nouns.tsv``, ``_verbs.tsv``, ``_adjectives.tsv``, ``lexicon/LANGUAGE.tsv``.

A line of the first three is a concept, other concepts that may be right, and the words of all languages::

    tap             faucet          de:Wasserhahn es:grifo fr:robinet
    sneeze-01       cough           de:niesen es:estornudar fr:éternuer

A line of the lexicon is the kind of a word (``n``, ``v`` or ``a``), the word as a dictionary has it, its
English, and other English words that may be right::

    n       Häuptling       chief           chieftain
    a       zuverlässig     reliable        dependable
"""

from __future__ import annotations

import lzma
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Everyday(NamedTuple):
    """The words of all languages for a concept."""

    concept: str
    others: list[str]  # other concepts that may be right
    words: Mapping[str, list[str]]  # by language, in lower case

    @classmethod
    def read(cls, line: str) -> Everyday:
        """Read a line of concepts."""
        concept, others, words = line.rstrip("\n").split("\t")
        by_language = (one.split(":") for one in words.lower().split())
        return cls(concept, others.split(), {lang: one.split(",") for lang, one in by_language})


def read_lines(name: str) -> list[Everyday]:
    """Return the lines of a file of concepts."""
    return [Everyday.read(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def read_lexicon(kind: str) -> list[Everyday]:
    """Return the words of a kind in the lexicon, by English word."""
    others: defaultdict[str, set[str]] = defaultdict(set)
    words: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((FOLDER / "lexicon").glob("*.tsv")):
        for line in path.read_text("utf-8").splitlines():
            one, word, english, *more = line.split("\t")
            if one == kind:
                others[english].update(*(other.split() for other in more))
                words[english][path.stem].append(word.lower())
    return [Everyday(english, sorted(others[english]), words[english]) for english in sorted(words)]


def read_rows(path: Path) -> list[tuple[str, list[str]]]:
    """Return the lines of a dictionary: an English word and the others; none if there is no file."""
    if not path.is_file():
        return []
    lines = lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return [(first, others) for first, *others in (line.split("\t") for line in lines)]
