"""Define scenes, and read their words from the tables beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from parser.training.templates.words import Noun, rows

LANGS = ("tr", "ar")
"""Languages of the tables beside English."""


@dataclass(frozen=True, slots=True)
class Word:
    """A colour, size or mood, in English and as each language's column has it."""

    english: str
    forms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Act:
    """An action."""

    english: str  # the verb and the words after it, ``{kind}`` for a noun of that kind
    # the same in other languages, ``{case}`` for the noun and ``{}`` for a direct object: in Turkish the
    # words before the verb stem, then the stem; in Arabic the masculine present, then the rest, with ``~``
    # for ``his`` after a noun
    forms: Mapping[str, str]

    @property
    def kind(self) -> str:
        """The kind of its object, empty if it has none."""
        return self.english.partition("{")[2].partition("}")[0]

    @property
    def direct(self) -> bool:
        """Whether it has a direct object, and so a passive; Turkish marks other objects by other cases."""
        return self.forms["tr"].startswith("{} ") and self.english.endswith("}")


@cache
def nouns(kind: str) -> tuple[Noun, ...]:
    """Return the nouns of a kind."""
    return tuple(noun for noun in _nouns() if kind in noun.kinds)


@cache
def acts(agents: str) -> tuple[Act, ...]:
    """Return the actions of agents of a kind."""
    table = rows(__package__, "acts.tsv")
    return tuple(Act(row["english"], _forms(row)) for row in table if row["agents"] == agents)


@cache
def words(table: str) -> tuple[Word, ...]:
    """Return the words of ``colours`` or ``moods``."""
    return tuple(Word(row["english"], _forms(row)) for row in rows(__package__, f"{table}.tsv"))


@cache
def _nouns() -> tuple[Noun, ...]:
    return tuple(_noun(row) for row in rows(__package__, "nouns.tsv"))


def _noun(row: Mapping[str, str]) -> Noun:
    """Read a row; an empty English plural means the regular form, ``-`` means none."""
    plurals = {lang: row[f"{lang} plural"] for lang in LANGS if row.get(f"{lang} plural")}
    if row["plural"] != "-":
        plurals["en"] = row["plural"] or plural_of(row["english"])
    return Noun(row["english"], tuple(row["kinds"].split()), _forms(row), plurals)


def plural_of(english: str) -> str:
    """Return the regular plural.

    Example:
        >>> [plural_of(word) for word in ("dog", "box", "baby", "boy")]
        ['dogs', 'boxes', 'babies', 'boys']
    """
    if english[-1] == "y" and english[-2] not in "aeiou":
        return english[:-1] + "ies"
    return english + ("es" if english.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _forms(row: Mapping[str, str]) -> dict[str, str]:
    return {lang: row[lang] for lang in LANGS if row[lang]}


COUNTS = ("two", "three", "four", "five", "several", "many")
"""Words before a plural."""
SIDES = ("next to", "near", "in front of", "behind", "beside", "under")
"""Relations of a `Place` in addition to ``in``, ``on`` and ``at``."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase."""

    noun: Noun
    count: str = "a"  # ``a``, ``the``, ``all`` (a bare plural), ``group`` or one of `COUNTS`
    colour: Word | None = None  # adjective, or none
    wears: Thing | None = None  # garment that the person wears, or none

    @property
    def many(self) -> bool:
        """Whether it is plural."""
        return self.count not in ("a", "the")


@dataclass(frozen=True, slots=True)
class Place:
    """``relation`` is ``in``, ``on``, ``at``, or one of `SIDES`."""

    relation: str
    thing: Thing


@dataclass(frozen=True, slots=True)
class Doing:
    """An action with its object, if it has one."""

    act: Act
    thing: Thing | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A caption.

    ::

        present   A man is playing a guitar in the park.     exists    There is a dog on the beach.
        past      A man was playing a guitar.                absent    There is no man playing a guitar.
        simple    A man plays a guitar.                      mood      The man is tired.
        negated   A man is not playing a guitar.             coloured  The shirt is red.
        passive   A guitar is being played by a man.         where     A dog is on the beach.
        phrase    A man playing a guitar in the park.
    """

    manner: str  # one of `parser.training.templates.captions.draw.MANNERS`
    who: tuple[Thing, ...]  # one or two subjects
    doing: tuple[Doing, ...] = ()  # their actions, none to two; two only in the manner ``present``
    place: Place | None = None  # where, or none
    mood: Word | None = None  # predicate of the manners ``mood`` and ``coloured``
