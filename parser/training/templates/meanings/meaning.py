"""Define the meaning of a constructed sentence."""

from __future__ import annotations

from dataclasses import dataclass

from parser.training.templates.meanings.lexicon import Adverb, Verb
from parser.training.templates.words import Noun, UnsayableError

OPINIONS = {"think": "think-01", "say": "say-01", "know": "know-01", "hope": "hope-01"}
CONTROLS = {"want": "want-01", "try": "try-01"}
ADJECTIVES = ("big", "small", "old", "young")


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase; graphs ignore ``definite``.

    Attributes:
        noun: Its noun.
        definite: Whether it has the definite article.
        adjective: One of `ADJECTIVES`, or empty.
        relative: A relative clause; the noun phrase itself is the argument that the clause lacks.
    """

    noun: Noun
    definite: bool = True
    adjective: str = ""
    relative: Clause | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """Someone does something.

    Attributes:
        verb: Its verb.
        agent: The subject of the active; ``None`` where another clause names it, or for a passive without
            one.
        patient: The object.
        recipient: Of a ditransitive verb.
        past: Whether it is in the past tense.
        negated: Whether it is denied.
        passive: Whether the patient is to be subject; the graph is the same.
        modal: ``can`` or ``must``, or empty.
        adverb: When or where.
    """

    verb: Verb
    agent: Thing | None = None
    patient: Thing | None = None
    recipient: Thing | None = None
    past: bool = False
    negated: bool = False
    passive: bool = False
    modal: str = ""
    adverb: Adverb | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """Someone wants or tries to do something; ``clause`` has no agent. ``verb`` is of `CONTROLS`."""

    verb: str
    who: Thing
    clause: Clause
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """Someone wants another one to do something."""

    who: Thing
    clause: Clause


@dataclass(frozen=True, slots=True)
class Opinion:
    """Someone thinks, says, knows or hopes that something is so. ``verb`` is of `OPINIONS`."""

    verb: str
    who: Thing
    clause: Clause


@dataclass(frozen=True, slots=True)
class Reason:
    """Someone does something because someone does something; ``clause`` is the first of the two."""

    clause: Clause
    cause: Clause


@dataclass(frozen=True, slots=True)
class Both:
    """Someone does two things; ``other`` has no agent, and no adverb or negation."""

    clause: Clause
    other: Clause


@dataclass(frozen=True, slots=True)
class Comparison:
    """Someone is bigger, smaller, older or younger than someone; ``adjective`` is of `ADJECTIVES`."""

    who: Thing
    adjective: str
    than: Thing


Meaning = Clause | Control | Wish | Opinion | Reason | Both | Comparison


def there(thing: Thing | None) -> Thing:
    """Return a thing that a rule needs.

    Raises:
        UnsayableError: There is none.
    """
    if thing is None:
        raise UnsayableError
    return thing
