"""The words of constructed sentences, from three tables beside this file, and some names."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from parser.training.templates.words import Noun, UnsayableError, rows

LANGS = ("en", "de", "es", "fr", "it", "tr", "zh", "ar")
MISSING = "-"
NAMES = {
    "Anna": "f", "Laura": "f", "Maria": "f", "Sara": "f", "David": "m", "Martin": "m", "Paul": "m",
    "Tom": "m",
}  # fmt: skip
"""Names that are written alike in the languages with Latin letters; in the others there are none."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb."""

    frame: str  # PropBank's
    kind: str  # ``intransitive``, ``transitive``, ``ditransitive``
    subject: str  # role of the subject in the active
    agents: tuple[str, ...]  # kinds of nouns that may be subject
    patients: tuple[str, ...]  # kinds or names of nouns that may be object
    forms: Mapping[str, tuple[str, ...]]  # forms per language; none where the language lacks the verb


@dataclass(frozen=True, slots=True)
class Adverb:
    """When or where."""

    concept: str  # its concept
    role: str  # its role
    when: str  # ``past`` or ``present`` where it needs that tense, else ``any``
    forms: Mapping[str, str]  # the words of each language


def is_one_of(noun: Noun, kinds: tuple[str, ...]) -> bool:
    """Tell whether a noun is of one of some kinds, or named.

    Example:
        >>> is_one_of(nouns()["fox"], ("animate",))
        True
    """
    return any(kind == noun.name or kind in noun.kinds or kind == "animate" and noun.living for kind in kinds)


@cache
def nouns() -> Mapping[str, Noun]:
    """Return the nouns by name."""
    listed = [
        Noun(
            row["name"], (row["kind"],), {lang: row[lang] for lang in LANGS if row[lang]},
            concepts=tuple(row["graph"].split()),
        )
        for row in rows(__package__, "nouns.tsv")
    ]  # fmt: skip
    for name, gender in NAMES.items():
        forms = {lang: f"{gender} {name}" for lang in ("de", "es", "fr", "it")} | {"en": name, "tr": name}
        listed.append(Noun(name, ("person",), forms, concepts=("person", name), named=True))
    return {noun.name: noun for noun in listed}


@cache
def verbs() -> tuple[Verb, ...]:
    """Return the verbs."""
    return tuple(
        Verb(
            row["frame"], row["kind"], row["subject"],
            tuple(row["agent"].split()), tuple(row["patient"].split()), _forms(row),
        )
        for row in rows(__package__, "verbs.tsv")
    )  # fmt: skip


@cache
def adverbs() -> tuple[Adverb, ...]:
    """Return the adverbs."""
    return tuple(
        Adverb(row["concept"], row["role"], row["when"], {lang: row[lang] for lang in LANGS})
        for row in rows(__package__, "adverbs.tsv")
    )


def word(noun: Noun, lang: str) -> tuple[str, ...]:
    """Return a noun's column in words; not that of Turkish or Arabic.

    Raises:
        UnsayableError: The table has nothing.
    """
    return _split(noun.column(lang))


def form(verb: Verb, lang: str, number: int) -> str:
    """Return a form of a verb by its place in the table.

    Raises:
        UnsayableError: The table has none.
    """
    forms = verb.forms.get(lang, ())
    if number >= len(forms) or not forms[number]:
        raise UnsayableError
    return forms[number]


def _forms(row: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {lang: _split(row[lang]) for lang in LANGS if row[lang]}


@cache
def _split(column: str) -> tuple[str, ...]:
    """Split a column; ``_`` is a space within a form, ``-`` a form that the language lacks."""
    return tuple("" if form == MISSING else form.replace("_", " ") for form in column.split())
