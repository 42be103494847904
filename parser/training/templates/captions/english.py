"""Write scenes in English."""

import re
from collections.abc import Callable

from parser.training.templates.captions.scene import Doing, Place, Scene, Thing, plural_of
from parser.training.templates.words import joined

_PARTICIPLES = {
    "bite": "bitten", "build": "built", "buy": "bought", "catch": "caught", "cut": "cut", "draw": "drawn",
    "drink": "drunk", "drive": "driven", "eat": "eaten", "hit": "hit", "hold": "held", "make": "made",
    "put": "put", "read": "read", "ride": "ridden", "sell": "sold", "sew": "sewn", "show": "shown",
    "throw": "thrown", "wear": "worn", "write": "written",
}  # fmt: skip
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


def english(scene: Scene) -> str:
    """Return the sentence, without capital and full stop."""
    who, where = " and ".join(_thing(thing) for thing in scene.who), _where(scene.place)
    many = len(scene.who) > 1 or scene.who[0].many
    be = "are" if many else "is"
    doing = " and ".join(_doing(done, progressive, many=many) for done in scene.doing)
    if scene.manner == "passive":
        (done,) = scene.doing
        assert done.thing is not None
        verb, _, rest = done.act.english.partition(" ")
        particle = rest.partition("{")[0].strip()
        be = "are" if done.thing.many or "plural" in done.thing.noun.kinds else "is"
        return joined(_thing(done.thing), be, "being", participle(verb), particle, "by", who, where)
    if scene.manner == "phrase":
        return joined(who, doing, where)
    if scene.manner == "exists":
        return joined("there", be, who, doing, where)
    if scene.manner == "absent":
        (thing,) = scene.who
        return joined("there is no", thing.noun.name, doing, where)
    if scene.mood is not None:
        return joined(who, be, scene.mood.english)
    if scene.manner == "simple":
        simple = str if many else third
        return joined(who, " and ".join(_doing(done, simple, many=many) for done in scene.doing), where)
    be = ("were" if many else "was") if scene.manner == "past" else be
    return joined(who, be, "not" if scene.manner == "negated" else "", doing, where)


def progressive(verb: str) -> str:
    """Return the present participle.

    Example:
        >>> [progressive(verb) for verb in ("run", "eat", "lie", "take", "open", "see", "box", "play")]
        ['running', 'eating', 'lying', 'taking', 'opening', 'seeing', 'boxing', 'playing']
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if _DOUBLED.fullmatch(verb) else "") + "ing"


def third(verb: str) -> str:
    """Return the third person singular.

    Example:
        >>> [third(verb) for verb in ("run", "go", "carry", "watch", "play")]
        ['runs', 'goes', 'carries', 'watches', 'plays']
    """
    return verb + "es" if verb.endswith("o") else plural_of(verb)


def participle(verb: str) -> str:
    """Return the past participle.

    Example:
        >>> [participle(verb) for verb in ("cut", "chop", "bake", "carry", "play")]
        ['cut', 'chopped', 'baked', 'carried', 'played']
    """
    if verb in _PARTICIPLES:
        return _PARTICIPLES[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    if verb.endswith("e"):
        return verb + "d"
    return verb + (verb[-1] if _DOUBLED.fullmatch(verb) else "") + "ed"


def _doing(doing: Doing, inflected: Callable[[str], str], *, many: bool) -> str:
    verb, _, rest = doing.act.english.partition(" ")
    if many and rest.startswith(("his ", "her ")):
        rest = f"their {rest[4:]}"
    verb_phrase = rest.replace("{" + doing.act.kind + "}", _thing(doing.thing)) if doing.thing else rest
    return joined(inflected(verb), verb_phrase)


def _thing(thing: Thing) -> str:
    noun = thing.noun
    colour = thing.colour.english if thing.colour else ""
    wears = joined("wearing", _thing(thing.wears)) if thing.wears else ""
    if thing.many:
        count = {"all": "", "group": "a group of"}.get(thing.count, thing.count)
        return joined(count, colour, noun.plurals["en"], wears)
    phrase = joined(colour, noun.name)
    indefinite = ("an" if phrase[0] in "AEIOaeio" else "a") if noun.single else ""
    article = "the" if thing.count == "the" else indefinite
    return joined(article, phrase, wears)


def _where(place: Place | None) -> str:
    return joined(place.relation, _thing(place.thing)) if place else ""
