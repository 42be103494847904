"""Scenes in Turkish."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from parser.training.templates.captions.lexicon import Noun
from parser.training.templates.captions.scene import COUNTS, Doing, Place, Scene, Thing
from parser.training.templates.meanings.turkish import VOWELS, before_vowel, present, suffixed
from parser.training.templates.meanings.words import joined

_CASES = {"bare": "", "acc": "yI", "dat": "yA", "loc": "DA", "abl": "DAn", "gen": "nIn", "ins": "ylA"}
_COUNTS = {
    "a": "bir", "group": "bir grup", "two": "iki", "three": "üç", "four": "dört", "five": "beş",
    "several": "birkaç", "many": "birçok",
}  # fmt: skip
"""They leave the noun singular."""
_SIDES = {
    "next to": "yanında", "near": "yakınında", "in front of": "önünde", "behind": "arkasında",
    "beside": "yanında", "under": "altında",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """What the column of a noun holds: ``[adjective+]noun[ stem before a vowel][*]``, ``_`` for a space.

    Attributes:
        adjective: Adjective that is part of it (``yaşlı`` of an old man), or empty.
        noun: The noun.
        soft: Its stem before a vowel.
        compound: Whether it ends in the suffix of a compound (``futbol topu``), so that cases take an ``n``.
    """

    adjective: str
    noun: str
    soft: str
    compound: bool


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
        return joined(who, scene.mood.forms["tr"])
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
    if stem[-1] in VOWELS:
        return stem + "n"
    return suffixed(before_vowel(stem), "In" if stem[-1] == "l" else "Il")


def declined(noun: Noun, case: str, *, plural: bool = False) -> str:
    """Return a noun in a case.

    Args:
        noun: The noun.
        case: One of ``bare``, ``acc``, ``dat``, ``loc``, ``abl``, ``gen``, ``ins``.
        plural: Whether it is plural.
    """
    suffix, word = _CASES[case], said(noun)
    if plural:
        stem = suffixed(word.noun[:-1].rstrip("s") if word.compound else word.noun, "lAr")
        stem = suffixed(stem, "I") if word.compound else stem
    else:
        soft = suffix[:1] in ("y", "n") and case != "ins"
        stem = word.soft if soft else word.noun
    if not suffix:
        return stem
    if word.compound and case != "ins":
        return suffixed(stem, "n" + suffix.lstrip("yn"))
    if word.noun == "su" and case == "gen":
        return "suyun"
    return suffixed(stem, suffix)


def said(noun: Noun) -> Said:
    """Return what the noun's column says."""
    return _read(noun.forms["tr"])


@cache
def _read(column: str) -> Said:
    adjective, _, rest = column.rpartition("+")
    bare, _, soft = rest.rstrip("*").partition(" ")
    adjective, bare, soft = (text.replace("_", " ") for text in (adjective, bare, soft or bare))
    return Said(adjective, bare, soft, rest.endswith("*"))


def _verb(done: Doing) -> str:
    """Return the verb's stem with what belongs to it: ``dans et`` of ``{ins} dans et``."""
    return done.act.forms["tr"].rpartition("} ")[2]


def _before(done: Doing) -> str:
    """Return the noun and what of the act stands before the verb's stem."""
    if done.thing is None:
        return ""
    head, _, _ = done.act.forms["tr"].rpartition("} ")
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
    count = _COUNTS.get(thing.count, "")
    if thing.count == "a" and not noun.single:
        count = ""
    garment = ""
    if thing.wears:
        worn = suffixed(said(thing.wears.noun).noun, "lI")
        garment = joined(thing.wears.colour.forms["tr"] if thing.wears.colour else "", worn)
    adjectives = (thing.colour.forms["tr"] if thing.colour else "", said(noun).adjective)
    several = thing.count in COUNTS or thing.count == "group"  # "kırmızı bir araba", "iki kırmızı araba"
    before = (count, *adjectives) if several else (*adjectives, count)
    return joined(garment, *before, declined(noun, case, plural=plural))


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    if place.relation in _SIDES:
        return joined(_thing(place.thing, "gen"), _SIDES[place.relation])
    return _thing(place.thing, "loc")
