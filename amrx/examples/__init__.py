"""Example sentences that ship with amrx, written for it and under its licence.

``meanings.tsv`` (columns meaning, lang, text) holds 12 everyday meanings in seven languages each; every
meaning shows one phenomenon of AMR::

    want    control verb         have    possession       sing    coordination
    give    three arguments      rain    cause            tall    comparison
    open    negation             arrive  place and time   chase   passive
    live    names                help    question, modality
    play    number

``foils.tsv`` (columns meaning, kind, lang, text) holds sentences with nearly the same words and another
meaning: kind ``role-swap`` (roles are exchanged) or ``negation`` (the polarity is reversed).

``users.tsv`` holds 200 longer, realistic sentences (tickets, headlines, reviews, mails, instructions) in
twelve languages, each with an informal paraphrase, a translation and a foil: nearly the same words, and
another meaning by ``swap``, ``negation``, ``antonym`` or ``amount``. They are for evaluation only
(``scripts/evaluate_users.py``) and must never be trained on.

``tour.amr`` holds 50 varied inputs, from headings to mails, each with a graph that a careful annotator would
accept (``scripts/evaluate_tour.py``). ``ordinary.amr`` holds 20 such sentences, each in two of eight
languages: relative clauses, coordination, conditions, quantities, long sentences. Neither is trained on.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "de", "es", "fr", "it", "zh", "ar")


@dataclass(frozen=True, slots=True)
class Example:
    """One line of ``meanings.tsv`` or ``foils.tsv``."""

    meaning: str  # key shared by the translations of one meaning and by its foils
    kind: str  # ``meaning`` for the sentence itself, else ``role-swap`` or ``negation``
    lang: str  # ISO 639-1 code
    text: str  # the sentence


@dataclass(frozen=True, slots=True)
class UserSentence:
    """One line of ``users.tsv``; ``paraphrase`` and ``foil`` are in the language of ``text``."""

    id: str  # language and number
    lang: str  # ISO 639-1 code of ``text``
    kind: str  # how ``foil`` differs: ``swap``, ``negation``, ``antonym`` or ``amount``
    text: str  # the sentence
    paraphrase: str  # the same meaning in other, informal words
    translation_lang: str  # ISO 639-1 code of ``translation``
    translation: str  # the same meaning in another language
    foil: str  # another meaning in the words of ``text``


def path(name: str) -> Path:
    """Return the path of an example file."""
    return Path(__file__).with_name(name)


def meanings() -> list[Example]:
    """Return the 12 meanings in seven languages, in file order.

    Example:
        >>> meanings()[1]
        Example(meaning='want', kind='meaning', lang='de', text='Der Junge will gehen.')
    """
    return list(_read("meanings.tsv"))


def foils() -> list[Example]:
    """Return the role-swapped and negated foils, in file order."""
    return list(_read("foils.tsv"))


def users() -> list[UserSentence]:
    """Return the 200 realistic sentences, in file order."""
    return [UserSentence(**row) for row in _rows("users.tsv")]


def _read(name: str) -> Iterator[Example]:
    for row in _rows(name):
        yield Example(row["meaning"], row.get("kind", "meaning"), row["lang"], row["text"])


def _rows(name: str) -> Iterator[dict[str, str]]:
    with path(name).open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
