"""Write scenes in Turkish."""

from parser.training.templates.captions.scene import COUNTS, Doing, Place, Scene, Thing
from parser.training.templates.morphology.turkish import (
    declined,
    passive,
    present,
    read_noun,
    subject_participle,
    suffixed,
)
from parser.training.templates.words import joined

_COUNTS = {
    "a": "bir", "group": "bir grup", "two": "iki", "three": "üç", "four": "dört", "five": "beş",
    "several": "birkaç", "many": "birçok",
}  # fmt: skip
"""Words before a noun; the noun is singular after all of them."""
_SIDES = {
    "next to": "yanında", "near": "yakınında", "in front of": "önünde", "behind": "arkasında",
    "beside": "yanında", "under": "altında",
}  # fmt: skip


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


def _verb(done: Doing) -> str:
    """Return the verb stem, which may have two words: ``dans et`` of ``{ins} dans et``."""
    return done.act.forms["tr"].rpartition("} ")[2]


def _before(done: Doing) -> str:
    """Return the noun and the words of the act before the verb's stem."""
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
        worn = suffixed(read_noun(thing.wears.noun).noun, "lI")
        garment = joined(thing.wears.colour.forms["tr"] if thing.wears.colour else "", worn)
    adjectives = (thing.colour.forms["tr"] if thing.colour else "", read_noun(noun).adjective)
    several = thing.count in COUNTS or thing.count == "group"  # "kırmızı bir araba", "iki kırmızı araba"
    before = (count, *adjectives) if several else (*adjectives, count)
    return joined(garment, *before, declined(noun, case, plural=plural))


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    if place.relation in _SIDES:
        return joined(_thing(place.thing, "gen"), _SIDES[place.relation])
    return _thing(place.thing, "loc")
