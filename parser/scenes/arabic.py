"""Scenes in Arabic, as it is written, without vowels.

What the rules do not reach is not said: plurals, two who act together, passives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from parser.construct.words import UnsayableError, joined
from parser.scenes.lexicon import Noun, Word
from parser.scenes.scene import Doing, Place, Scene, Thing

_FEMININE = "ة"
_UNCHANGED = ("ة", "ا", "اء", "و", "ى", "ات")  # no alif marks their indefinite accusative
_PREPOSITIONS = {
    "in": "في", "on": "على", "at": "في", "next to": "بجانب", "near": "بالقرب من", "in front of": "أمام",
    "behind": "خلف", "beside": "بجانب", "under": "تحت",
}  # fmt: skip
_IN = frozenset({"bus", "train", "street", "farm", "balcony", "court", "field", "track", "swing"})
_BESIDE = frozenset({"table", "window", "desk", "counter", "bus stop"})


@dataclass(frozen=True, slots=True)
class Said:
    """What the column of a noun holds: ``[f:]noun[_of what][+adjective][ noun after the article]``.

    Attributes:
        noun: The noun, or the first of a genitive construction.
        of: What follows it there, or empty.
        adjectives: Adjectives behind it.
        stem: The noun as it stands behind the article or with an accusative's alif.
        feminine: Its gender.
    """

    noun: str
    of: tuple[str, ...]
    adjectives: tuple[str, ...]
    stem: str
    feminine: bool


def arabic(scene: Scene) -> str:
    """Return the sentence, without its full stop.

    Raises:
        UnsayableError: There is no way to.
    """
    if scene.manner == "passive" or len(scene.who) > 1 or scene.who[0].many:
        raise UnsayableError
    (who,) = scene.who
    feminine, subject, where = _said(who.noun).feminine, _thing(who), _where(scene.place)
    if who.wears:
        wears = joined(_gendered("يرتدي", feminine), _thing(who.wears, accusative=True))
        subject = joined(subject, _that(who), wears)
    doing = " و".join(_doing(done, feminine) for done in scene.doing)
    if scene.mood is not None:
        return joined(subject, _agreeing(scene.mood, feminine))
    if scene.manner == "exists":
        return joined("هناك", subject, doing, where)
    if scene.manner == "absent":
        return joined("لا", _gendered("يوجد", feminine), _thing(Thing(who.noun)), doing, where)
    if scene.manner == "phrase":
        return joined(subject, _that(who), doing, where)
    before = {"past": "كانت" if feminine else "كان"}.get(scene.manner, "")
    return joined(before, subject, "لا" if scene.manner == "negated" else "", doing, where)


def _that(thing: Thing) -> str:
    """Return the relative pronoun, which a noun phrase that is not definite lacks."""
    if thing.count != "the":
        return ""
    return "التي" if _said(thing.noun).feminine else "الذي"


def _gendered(verb: str, feminine: bool) -> str:
    return "ت" + verb[1:] if feminine else verb


def _doing(done: Doing, feminine: bool) -> str:
    if "ar" not in done.act.forms:
        raise UnsayableError
    verb = _gendered(done.act.forms["ar"], feminine)
    if done.thing is None:
        return verb
    return verb.replace("{}", _thing(done.thing, accusative=True)).replace("{gen}", _thing(done.thing))


def _agreeing(word: Word, feminine: bool) -> str:
    masculine, *others = word.forms["ar"].split()
    return (others[0] if feminine and others else masculine).replace("_", " ")


@cache
def _read(column: str) -> Said:
    feminine, column = column.startswith("f:"), column.removeprefix("f:")
    column, _, stem = column.partition(" ")
    nouns, *adjectives = column.split("+")
    noun, *of = nouns.split("_")
    feminine = feminine or noun.endswith(_FEMININE) or stem.endswith(_FEMININE)
    return Said(noun, tuple(of), tuple(adjectives), stem or noun, feminine)


def _said(noun: Noun) -> Said:
    if "ar" not in noun.forms:
        raise UnsayableError
    return _read(noun.forms["ar"])


def _thing(thing: Thing, *, accusative: bool = False) -> str:
    """Return a noun phrase; what is uncountable is definite, as Arabic says it of kinds."""
    if thing.many:
        raise UnsayableError
    said = _said(thing.noun)
    adjectives = (*said.adjectives, *([_agreeing(thing.colour, said.feminine)] if thing.colour else []))
    if thing.count == "the" or not thing.noun.plural:
        described = [f"ال{adjective}" for adjective in adjectives]
        if not said.of:
            return joined(f"ال{said.stem}", *described)
        *middle, last = said.of
        return joined(said.noun, *middle, f"ال{last}", *described)
    if accusative and not said.of:
        noun = said.noun if said.feminine else said.stem  # "امرأة", but "طاهيا"
        return joined(_marked(noun), *(_marked(adjective) for adjective in adjectives))
    if accusative:
        return joined(said.noun, *said.of, *(_marked(adjective) for adjective in adjectives))
    return joined(said.noun, *said.of, *adjectives)


def _marked(word: str) -> str:
    """Return the indefinite accusative; colours (``أحمر``) have no mark."""
    colour = len(word) == 4 and word.startswith("أ")
    return word if colour or word.endswith(_UNCHANGED) else word + "ا"


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    preposition = _PREPOSITIONS[place.relation]
    if place.relation == "on" and place.thing.noun.singular in _IN:
        preposition = "في"
    if place.relation == "at" and place.thing.noun.singular in _BESIDE:
        preposition = "عند"
    return joined(preposition, _thing(place.thing))
