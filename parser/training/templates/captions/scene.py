"""What a caption says."""

from __future__ import annotations

from dataclasses import dataclass

from parser.training.templates.captions.lexicon import Act, Word
from parser.training.templates.words import Noun

COUNTS = ("two", "three", "four", "five", "several", "many")
"""What stands before a plural."""
SIDES = ("next to", "near", "in front of", "behind", "beside", "under")
"""Relations of a `Place` beside ``in``, ``on`` and ``at``."""
MANNERS = (
    "present", "past", "simple", "negated", "passive", "phrase", "exists", "absent", "mood", "coloured",
    "where",
)  # fmt: skip
"""How a scene is told; `Scene`'s docstring shows each."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase.

    Attributes:
        noun: Its noun.
        count: ``a``, ``the``, ``all`` (a bare plural), ``group`` or one of `COUNTS`.
        colour: Adjective, or none.
        wears: Garment that the person has on, or none.
    """

    noun: Noun
    count: str = "a"
    colour: Word | None = None
    wears: Thing | None = None

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
    """An act, and what it is done to."""

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

    Attributes:
        manner: One of `MANNERS`.
        who: Who is seen, one or two.
        doing: What they do, none to two; two only in the manner ``present``.
        place: Where, or none.
        mood: Predicate of the manners ``mood`` and ``coloured``.
    """

    manner: str
    who: tuple[Thing, ...]
    doing: tuple[Doing, ...] = ()
    place: Place | None = None
    mood: Word | None = None
