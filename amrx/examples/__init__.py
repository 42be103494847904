"""Example sentences that ship with amrx: our own writing, so free to use as the package itself.

``meanings.tsv`` (columns meaning, lang, text) says 12 everyday things in seven languages each; every meaning
stands for one thing that AMR writes down::

    want    control verb         have    possession       sing    coordination
    give    three arguments      rain    cause            tall    comparison
    open    negation             arrive  place and time   chase   passive
    live    names                help    question, modality
    play    number

``foils.tsv`` (columns meaning, kind, lang, text) holds sentences with nearly the same words and another
meaning: kind ``role-swap`` (who does what to whom is exchanged) or
``negation`` (the polarity is turned round).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "de", "es", "fr", "it", "zh", "ar")


@dataclass(frozen=True, slots=True)
class Example:
    """One line of an example file.

    Attributes:
        meaning: Key shared by the translations of one meaning and by its foils.
        kind: ``meaning`` for the sentence itself, else ``role-swap`` or ``negation``.
        lang: ISO 639-1 code.
        text: The sentence.
    """

    meaning: str
    kind: str
    lang: str
    text: str


def path(name: str) -> Path:
    """Return the place of ``meanings.tsv`` or ``foils.tsv`` on this machine."""
    return Path(__file__).with_name(name)


def meanings() -> list[Example]:
    """Return the 12 meanings in seven languages, in file order.

    Example:
        >>> meanings()[1]
        Example(meaning='want', kind='meaning', lang='de', text='Der Junge will gehen.')
    """
    return list(_read("meanings.tsv"))


def foils() -> list[Example]:
    """Return the role-swapped and negated foils, in file order.

    Example:
        >>> foils()[0].text
        'The child gives the woman an apple.'
    """
    return list(_read("foils.tsv"))


def _read(name: str) -> Iterator[Example]:
    with path(name).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Example(row["meaning"], row.get("kind", "meaning"), row["lang"], row["text"])
