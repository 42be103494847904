"""Scenes in Turkish."""

from __future__ import annotations

from parser.construct.turkish import before_vowel, present, suffixed
from parser.construct.words import joined
from parser.scenes.lexicon import Noun
from parser.scenes.scene import COUNTS, SIDES, Doing, Place, Scene, Thing

_CASES = {"bare": "", "acc": "yI", "dat": "yA", "loc": "DA", "abl": "DAn", "gen": "nIn", "ins": "ylA"}
_VOWELS = "aıoueiöü"


def turkish(scene: Scene) -> str:
    """Return the sentence, without capital and full stop."""
    who, where = " ve ".join(_thing(thing) for thing in scene.who), _where(scene.place)
    if scene.manner == "passive":
        (done,) = scene.doing
        assert done.thing is not None
        verb = present(passive(_verb(done)))
        return joined(_thing(done.thing), where, who, "tarafından", verb)
    if scene.manner in ("phrase", "exists", "absent"):
        doing = " ve ".join(joined(_before(done), subject_participle(_verb(done))) for done in scene.doing)
        seen = joined(where, doing, who) if doing or scene.manner == "phrase" else joined(where, who)
        return joined(seen, {"exists": "var", "absent": "yok"}.get(scene.manner, ""))
    if scene.mood is not None:
        return joined(who, scene.mood[1])
    doing = " ve ".join(joined(_before(done), _finite(_verb(done), scene.manner)) for done in scene.doing)
    return joined(who, where, doing)


def subject_participle(stem: str) -> str:
    """Return who does it, as it stands before a noun.

    Example:
        >>> [subject_participle(stem) for stem in ("çal", "oku", "ye", "dans et", "dinle")]
        ['çalan', 'okuyan', 'yiyen', 'dans eden', 'dinleyen']
    """
    return suffixed(before_vowel(stem), "yAn")


def passive(stem: str) -> str:
    """Return the passive's stem.

    Example:
        >>> [passive(stem) for stem in ("kes", "çal", "oku", "ye", "tamir et")]
        ['kesil', 'çalın', 'okun', 'yen', 'tamir edil']
    """
    if stem[-1] in _VOWELS:
        return stem + "n"
    return suffixed(before_vowel(stem), "In" if stem[-1] == "l" else "Il")


def declined(noun: Noun, case: str, *, plural: bool = False) -> str:
    """Return a noun in a case.

    Args:
        noun: The noun.
        case: One of ``bare``, ``acc``, ``dat``, ``loc``, ``abl``, ``gen``, ``ins``.
        plural: Whether it is plural.
    """
    suffix = _CASES[case]
    if plural:
        stem = suffixed(noun.turkish[:-1].rstrip("s") if noun.compound else noun.turkish, "lAr")
        stem = suffixed(stem, "I") if noun.compound else stem
    else:
        soft = suffix[:1] in ("y", "n") and case != "ins"
        stem = noun.soft if soft else noun.turkish
    if not suffix:
        return stem
    if noun.compound and case != "ins":
        return suffixed(stem, "n" + suffix.lstrip("yn"))
    if noun.turkish == "su" and case == "gen":
        return "suyun"
    return suffixed(stem, suffix)


def _verb(done: Doing) -> str:
    """Return the verb's stem with what belongs to it: ``dans et`` of ``{ins} dans et``."""
    return done.act.turkish.rpartition("} ")[2]


def _before(done: Doing) -> str:
    """Return the noun and what of the act stands before the verb's stem."""
    if done.thing is None:
        return ""
    head, _, _ = done.act.turkish.rpartition("} ")
    before, _, case = head.rpartition("{")
    if not case:
        definite = done.thing.count == "the" or done.thing.noun.living
        case = "acc" if definite else "bare"
    return joined(before.strip(), _thing(done.thing, case))


def _finite(stem: str, manner: str) -> str:
    if manner == "negated":
        return suffixed(stem, "mIyor")
    return present(stem) + ("du" if manner == "past" else "")


def _thing(thing: Thing, case: str = "bare") -> str:
    noun = thing.noun
    plural = thing.count == "all"
    count = {"a": "bir", "group": "bir grup", **COUNTS}.get(thing.count, "")
    if thing.count == "a" and (not noun.plural or "plural" in noun.kinds):
        count = ""
    garment = ""
    if thing.wears:
        worn = suffixed(thing.wears.noun.turkish, "lI")
        garment = joined(thing.wears.colour[1] if thing.wears.colour else "", worn)
    adjectives = (thing.colour[1] if thing.colour else "", noun.adjective)
    several = thing.count in COUNTS or thing.count == "group"  # "kırmızı bir araba", "iki kırmızı araba"
    said = (count, *adjectives) if several else (*adjectives, count)
    return joined(garment, *said, declined(noun, case, plural=plural))


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    if place.relation in SIDES:
        return joined(_thing(place.thing, "gen"), SIDES[place.relation])
    return _thing(place.thing, "loc")
