"""Define the meanings of constructed sentences as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from parser.training.templates.meanings.lexicon import Adverb, Verb
from parser.training.templates.words import Noun, UnsayableError

OPINIONS = {"think": "think-01", "say": "say-01", "know": "know-01", "hope": "hope-01"}
CONTROLS = {"want": "want-01", "try": "try-01"}
LINKS: Mapping[str, tuple[str, ...]] = {
    "because": (":ARG1-of", "cause-01", ":ARG0"),
    "if": (":condition",),
    "although": (":concession",),
    "when": (":time",),
}
"""Path in the graph from the main clause to the subordinate clause, by conjunction."""
ADJECTIVES = ("big", "small", "old", "young")


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun phrase; graphs ignore ``definite``."""

    noun: Noun
    definite: bool = True  # whether it has the definite article
    adjective: str = ""  # one of `ADJECTIVES`, or empty
    # a relative clause; the noun phrase itself is the argument that the clause lacks
    relative: Clause | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """Someone does something."""

    verb: Verb
    # the subject of the active; ``None`` if another clause names it, or for a passive without an agent
    agent: Thing | None = None
    patient: Thing | None = None  # the object
    recipient: Thing | None = None  # of a ditransitive verb
    past: bool = False  # whether it is in the past tense
    negated: bool = False  # whether it is negated
    passive: bool = False  # whether the patient is the subject; the graph is the same
    modal: str = ""  # ``can`` or ``must``, or empty
    adverb: Adverb | None = None  # when or where


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
class Linked:
    """Someone does something because, if, although or when someone does something."""

    clause: Clause
    other: Clause  # the subordinate clause
    link: str = "because"  # one of `LINKS`


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


@dataclass(frozen=True, slots=True)
class Command:
    """The hearer is told to do something, or not to do it; ``clause`` has no agent."""

    clause: Clause


Meaning = Clause | Control | Wish | Opinion | Linked | Both | Comparison | Command


def required(thing: Thing | None) -> Thing:
    """Return ``thing``, which a rule requires; raise UnsayableError for ``None``."""
    if thing is None:
        raise UnsayableError
    return thing
