"""The words of scenes, from four tables that stand beside this file."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in both languages.

    Attributes:
        singular: English.
        plural: English; empty where there is none.
        kinds: What it may be in a scene: ``person``, ``food``, ``in-place``…
        adjective: Turkish adjective that is part of it (``yaşlı`` of an old man), or empty.
        turkish: Turkish.
        soft: Its stem before a vowel.
        compound: Whether it ends in the suffix of a compound (``futbol topu``), so that cases take an ``n``.
    """

    singular: str
    plural: str
    kinds: tuple[str, ...]
    adjective: str
    turkish: str
    soft: str
    compound: bool

    @property
    def living(self) -> bool:
        """Whether it is a person or an animal."""
        return "person" in self.kinds or "animal" in self.kinds


@dataclass(frozen=True, slots=True)
class Act:
    """What someone does.

    Attributes:
        agents: Kind of noun that does it.
        english: The verb and what follows it, ``{kind}`` for a noun of that kind.
        turkish: What stands before the verb's stem and that, ``{case}`` for the noun, ``{}`` for an object
            that has the accusative only where it is definite or living.
    """

    agents: str
    english: str
    turkish: str

    @property
    def kind(self) -> str:
        """Kind of the noun it is done to, empty where there is none."""
        return self.english.partition("{")[2].partition("}")[0]

    @property
    def direct(self) -> bool:
        """Whether it can be said in the passive."""
        return self.turkish.startswith("{} ") and self.english.endswith("}")


@cache
def nouns(kind: str) -> tuple[Noun, ...]:
    """Return the nouns of a kind."""
    return tuple(noun for noun in _nouns() if kind in noun.kinds)


@cache
def acts(agents: str) -> tuple[Act, ...]:
    """Return what nouns of a kind do."""
    return tuple(Act(*row) for row in _rows("acts.tsv") if row[0] == agents)


@cache
def words(table: str) -> tuple[tuple[str, str], ...]:
    """Return the English and Turkish words of ``colours`` or ``moods``."""
    return tuple((english, turkish) for english, turkish in _rows(f"{table}.tsv"))


@cache
def _nouns() -> tuple[Noun, ...]:
    return tuple(_noun(*row) for row in _rows("nouns.tsv"))


def _noun(english: str, plural: str, kinds: str, turkish: str) -> Noun:
    """Read a row; an empty plural is the regular one, ``-`` none."""
    many = "" if plural == "-" else plural or plural_of(english)
    adjective, _, rest = turkish.replace("_", "\N{NO-BREAK SPACE}").rpartition("+")
    said, _, soft = rest.rstrip("*").partition(" ")
    adjective, said, soft = (
        text.replace("\N{NO-BREAK SPACE}", " ") for text in (adjective, said, soft or said)
    )
    return Noun(english, many, tuple(kinds.split()), adjective, said, soft, rest.endswith("*"))


def plural_of(english: str) -> str:
    """Return the regular plural.

    Example:
        >>> [plural_of(word) for word in ("dog", "box", "baby", "boy", "knife")]
        ['dogs', 'boxes', 'babies', 'boys', 'knifes']
    """
    if english[-1] == "y" and english[-2] not in "aeiou":
        return english[:-1] + "ies"
    return english + ("es" if english.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _rows(name: str) -> list[list[str]]:
    text = files(__package__).joinpath(name).read_text("utf-8")
    return list(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
