"""The words of constructed sentences, from three tables that stand beside this file, and some names."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGS = ("en", "de", "es", "fr", "it", "tr", "zh", "ar")
MISSING = "-"
NAMES = {
    "Anna": "f",
    "Laura": "f",
    "Maria": "f",
    "Sara": "f",
    "David": "m",
    "Martin": "m",
    "Paul": "m",
    "Tom": "m",
}
"""Names that are written alike in the languages with Latin letters; in the others there are none."""
_NOUN_KINDS = {"animate": ("person", "animal")}


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun.

    Attributes:
        name: Its key.
        concepts: The concept, or ``person`` and the frame of which it is the agent.
        kind: ``person``, ``animal``, ``text``, ``food``, ``opening``, ``thing``.
        forms: What a language's column holds; none where the language has no such word here.
        named: Whether it is a name; then ``concepts`` is ``person`` and the name.
    """

    name: str
    concepts: tuple[str, ...]
    kind: str
    forms: Mapping[str, tuple[str, ...]]
    named: bool = False


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb.

    Attributes:
        frame: PropBank's.
        kind: ``intransitive``, ``transitive``, ``ditransitive``.
        subject: Role of the subject in the active.
        agents: Kinds of nouns that may be subject.
        patients: Kinds or names of nouns that may be object.
        forms: What a language's column holds; none where the language has no such verb here.
    """

    frame: str
    kind: str
    subject: str
    agents: tuple[str, ...]
    patients: tuple[str, ...]
    forms: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Adverb:
    """When or where.

    Attributes:
        concept: Its concept.
        role: Its role.
        when: ``past`` or ``present`` where it needs that tense, else ``any``.
        forms: The words of each language.
    """

    concept: str
    role: str
    when: str
    forms: Mapping[str, str]


def is_one_of(noun: Noun, kinds: tuple[str, ...]) -> bool:
    """Tell whether a noun is of one of some kinds, or named.

    Example:
        >>> is_one_of(nouns()["fox"], ("animate",))
        True
    """
    return any(kind in (noun.name, noun.kind) or noun.kind in _NOUN_KINDS.get(kind, ()) for kind in kinds)


@cache
def nouns() -> Mapping[str, Noun]:
    """Return the nouns by name."""
    made = [
        Noun(row["name"], tuple(row["graph"].split()), row["kind"], _forms(row)) for row in _rows("nouns.tsv")
    ]
    for name, gender in NAMES.items():
        forms = {lang: (gender, name) for lang in ("de", "es", "fr", "it")} | {"en": (name,), "tr": (name,)}
        made.append(Noun(name, ("person", name), "person", forms, named=True))
    return {noun.name: noun for noun in made}


@cache
def verbs() -> tuple[Verb, ...]:
    """Return the verbs."""
    return tuple(
        Verb(
            row["frame"], row["kind"], row["subject"],
            tuple(row["agent"].split()), tuple(row["patient"].split()), _forms(row),
        )
        for row in _rows("verbs.tsv")
    )  # fmt: skip


@cache
def adverbs() -> tuple[Adverb, ...]:
    """Return the adverbs."""
    return tuple(
        Adverb(row["concept"], row["role"], row["when"], {lang: row[lang] for lang in LANGS})
        for row in _rows("adverbs.tsv")
    )


def _forms(row: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Forms of each language; ``_`` stands for a space within one."""
    return {
        lang: tuple("" if form == MISSING else form.replace("_", " ") for form in row[lang].split())
        for lang in LANGS
        if row[lang]
    }


def _rows(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
