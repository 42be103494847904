"""Read the words of constructed sentences from three tables beside this file."""

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
"""Names with the same spelling in all languages in Latin script; the other languages have no names."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb."""

    frame: str  # PropBank's
    kind: str  # ``intransitive``, ``transitive``, ``ditransitive``
    subject: str  # role of the subject in the active
    agents: tuple[str, ...]  # kinds of nouns that may be subject
    patients: tuple[str, ...]  # kinds or names of nouns that may be object
    forms: Mapping[str, tuple[str, ...]]  # forms by language, without languages that lack the verb


@dataclass(frozen=True, slots=True)
class Adverb:
    """An adverbial of time or place."""

    concept: str
    role: str
    when: str  # tense that it needs: ``past``, ``present`` or ``any``
    forms: Mapping[str, str]  # the words of each language


def is_one_of(noun: Noun, kinds: tuple[str, ...]) -> bool:
    """Return whether a noun is of one of the kinds, which may also be names of nouns."""
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
    """Return the parts of a noun's column, in languages other than Turkish and Arabic.

    Raises:
        UnsayableError: The table has no such word.
    """
    return _split(noun.column(lang))


def form(verb: Verb, lang: str, number: int) -> str:
    """Return a form of a verb by its index in the table.

    Raises:
        UnsayableError: The table has no such form.
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
