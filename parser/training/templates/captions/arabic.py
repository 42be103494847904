"""Write scenes in Arabic.

A passive scene becomes an active sentence, as is usual in Arabic if the agent is named.
"""

from parser.training.templates.captions.scene import Doing, Place, Scene, Thing
from parser.training.templates.morphology.arabic import (
    Agreement,
    agreeing,
    agreement,
    his,
    one,
    read_noun,
    several,
    two,
    verb,
)
from parser.training.templates.words import UnsayableError, joined

_PREPOSITIONS = {
    "in": "في", "on": "على", "at": "في", "next to": "بجانب", "near": "بالقرب من", "in front of": "أمام",
    "behind": "خلف", "beside": "بجانب", "under": "تحت",
}  # fmt: skip
_IN = frozenset({"bus", "train", "street", "farm", "balcony", "court", "field", "track", "swing"})
_BESIDE = frozenset({"table", "window", "desk", "counter", "bus stop"})
_WAS = {False: "كان", True: "كانت"}  # a verb before its subject agrees only in gender
_THAT = {(False, 1): "الذي", (True, 1): "التي", (False, 2): "اللذان", (True, 2): "اللتان"}


def arabic(scene: Scene) -> str:
    """Return the sentence, without its full stop."""
    first, to = scene.who[0], _together(scene.who)
    subject, where = " و".join(_subject(who) for who in scene.who), _where(scene.place)
    doing = " و".join(_doing(done, to) for done in scene.doing)
    if scene.mood is not None:
        return joined(subject, agreeing(scene.mood.forms["ar"], to))
    if scene.manner == "exists":
        return joined("هناك", subject, doing, where)
    if scene.manner == "absent":
        return joined("لا", verb("يوجد", Agreement(to.feminine)), _thing(Thing(first.noun)), doing, where)
    if scene.manner == "phrase":
        return joined(subject, _that(first), doing, where)
    before = _WAS[agreement(first.noun, first.count).feminine] if scene.manner == "past" else ""
    return joined(before, subject, "لا" if scene.manner == "negated" else "", doing, where)


def _together(who: tuple[Thing, ...]) -> Agreement:
    """Return the agreement of a joint subject: masculine if any of its nouns is."""
    each = [agreement(thing.noun, thing.count) for thing in who]
    if len(each) == 1:
        return each[0]
    number = min(sum(to.number for to in each), 3)
    return Agreement(all(to.feminine for to in each), number)


def _subject(who: Thing) -> str:
    if not who.wears:
        return _thing(who)
    wears = joined(verb("يرتدي", agreement(who.noun, who.count)), _thing(who.wears, accusative=True))
    return joined(_thing(who), _that(who), wears)


def _that(thing: Thing) -> str:
    """Return the relative pronoun; empty after an indefinite noun phrase."""
    to = agreement(thing.noun, thing.count)
    return _THAT[to.feminine, to.number] if thing.count == "the" else ""


def _doing(done: Doing, to: Agreement) -> str:
    if "ar" not in done.act.forms:
        raise UnsayableError
    present, _, rest = done.act.forms["ar"].partition(" ")
    phrase = joined(verb(present, to), rest.replace("~", his(to)))
    if done.thing is None:
        return phrase
    return phrase.replace("{}", _thing(done.thing, accusative=True)).replace(
        "{gen}", _thing(done.thing, genitive=True)
    )


def _thing(thing: Thing, *, accusative: bool = False, genitive: bool = False) -> str:
    """Return a noun phrase; uncountable nouns are definite, as generic nouns are in Arabic."""
    if thing.count in ("a", "the"):
        adjectives = (
            (agreeing(thing.colour.forms["ar"], Agreement(read_noun(thing.noun).feminine)),)
            if thing.colour
            else ()
        )
        definite = thing.count == "the" or "en" not in thing.noun.plurals
        oblique = accusative or (genitive and read_noun(thing.noun).pair)
        return one(thing.noun, adjectives, definite=definite, accusative=oblique)
    if thing.colour or (thing.count == "two" and read_noun(thing.noun).pair):
        raise UnsayableError
    if thing.count == "two":
        return two(thing.noun, oblique=accusative or genitive)
    return several(thing.noun, thing.count)


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    preposition = _PREPOSITIONS[place.relation]
    if place.relation == "on" and place.thing.noun.name in _IN:
        preposition = "في"
    if place.relation == "at" and place.thing.noun.name in _BESIDE:
        preposition = "عند"
    return joined(preposition, _thing(place.thing, genitive=True))
