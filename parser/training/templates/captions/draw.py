"""Scenes at random."""

from __future__ import annotations

from random import Random

from parser.training.templates.captions.lexicon import Act, Noun, Word, acts, nouns, words
from parser.training.templates.captions.scene import COUNTS, SIDES, Doing, Place, Scene, Thing
from parser.training.templates.captions.turkish import said

_MANNERS = {
    "present": 10, "simple": 4, "phrase": 4, "past": 1, "negated": 2, "passive": 2, "exists": 2, "absent": 1,
    "mood": 1, "coloured": 1, "where": 2,
}  # fmt: skip
"""How often each manner is drawn."""
_COLOURS = 11  # the table's other adjectives are of size and age
_COMMON = 16  # the table has the commonest persons and animals first; half of the draws are of these


def draw(rng: Random) -> Scene:
    """Draw a scene."""
    (manner,) = rng.choices(list(_MANNERS), list(_MANNERS.values()))
    who: tuple[Thing, ...]
    if manner == "coloured":
        kind = rng.choice(("vehicle", "clothing", "held", "animal"))
        noun = rng.choice([noun for noun in nouns(kind) if not said(noun).adjective])
        who = (Thing(noun, rng.choice(("a", "the"))),)
        return Scene(manner, who, mood=rng.choice(words("colours")[:_COLOURS]))
    kind = "person" if rng.random() < 0.75 else "animal"
    if manner == "mood":
        kind = "person"
        return Scene(manner, (_who(rng, kind),), mood=rng.choice(words("moods")))
    if manner == "where":
        return Scene(manner, (_who(rng, kind),), place=_place(rng))
    if manner == "absent":
        who = (Thing(rng.choice(nouns(kind))),)
    elif manner != "exists" and (manner == "passive" or rng.random() < 0.9):
        who = (_who(rng, kind),)
    elif manner == "exists":
        who = (_who(rng, kind, rng.choice(("a", "a", "two", "three"))),)
    else:
        who = (_who(rng, kind, "a"), _who(rng, kind, "a"))
    if manner == "passive":
        direct = [act for act in acts(kind) if act.direct]
        done = _doing(rng, rng.choice(direct))
        return Scene(manner, who, (done,), _place(rng) if rng.random() < 0.2 else None)
    doing = [_doing(rng, rng.choice(acts(kind)))]
    if manner == "present" and rng.random() < 0.1:
        doing.append(_doing(rng, rng.choice(acts(kind))))
    alone = manner == "exists" and rng.random() < 0.5
    place = _place(rng) if alone or (len(doing) < 2 and rng.random() < 0.4) else None
    return Scene(manner, who, () if alone else tuple(doing), place)


def _who(rng: Random, kind: str, count: str = "") -> Thing:
    noun = rng.choice(nouns(kind)[: _COMMON if rng.random() < 0.5 else None])
    count = count or rng.choices(("a", "the", "all", "group", *COUNTS), (10, 6, 1, 1, 2, 1, *[0.3] * 4))[0]
    wears = None
    if kind == "person" and rng.random() < 0.12:
        garment = rng.choice(
            [one for one in (*nouns("clothing"), *nouns("plural")) if not said(one).compound]
        )
        wears = Thing(garment, colour=rng.choice(words("colours")[:_COLOURS]) if rng.random() < 0.7 else None)
    return Thing(noun, count, wears=wears)


def _doing(rng: Random, act: Act) -> Doing:
    if not act.kind:
        return Doing(act)
    noun = rng.choice(nouns(act.kind))
    the = noun.living or act.kind not in ("sport", "drink")
    count = "the" if the and rng.random() < 0.35 else "a"
    if count == "a" and noun.plural and noun.living and rng.random() < 0.1:
        count = "two"
    return Doing(act, Thing(noun, count, _colour(rng, noun)))


def _colour(rng: Random, noun: Noun) -> Word | None:
    """Draw an adjective for some things that can be of any colour."""
    fitting = noun.kinds[0] in ("vehicle", "held", "clothing", "ball", "ride") and " " not in noun.singular
    return rng.choice(words("colours")) if fitting and rng.random() < 0.15 else None


def _place(rng: Random) -> Place:
    relation = rng.choices(("in", "on", "at", *SIDES), (4, 4, 2, *[0.4] * len(SIDES)))[0]
    kind = "side-place" if relation in SIDES else f"{relation}-place"
    return Place(relation, Thing(rng.choice(nouns(kind)), "the" if rng.random() < 0.6 else "a"))
