"""Words of the tables, by their English, for tests of scenes."""

from __future__ import annotations

from parser.training.templates.captions.scene import Doing, Place, Thing, acts, nouns
from parser.training.templates.words import Noun


def noun(singular: str, kind: str) -> Noun:
    (found,) = (one for one in nouns(kind) if one.name == singular)
    return found


def doing(agents: str, said: str, *thing: str) -> Doing:
    (act,) = (one for one in acts(agents) if one.english == said)
    if not thing:
        return Doing(act)
    singular, count = thing
    return Doing(act, Thing(noun(singular, act.kind), count))


def place(relation: str, singular: str, count: str) -> Place:
    kind = f"{relation}-place" if relation in ("in", "on", "at") else "side-place"
    return Place(relation, Thing(noun(singular, kind), count))
