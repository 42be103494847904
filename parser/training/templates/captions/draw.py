"""Draw random scenes, and write them as parallel text."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from random import Random

from amrx.errors import OptionError
from parser.training.corpora.parallel import Pair
from parser.training.templates.captions.arabic import arabic
from parser.training.templates.captions.english import english
from parser.training.templates.captions.scene import (
    COUNTS,
    SIDES,
    Act,
    Doing,
    Place,
    Scene,
    Thing,
    Word,
    acts,
    nouns,
    words,
)
from parser.training.templates.captions.turkish import turkish
from parser.training.templates.morphology.turkish import read_noun
from parser.training.templates.words import Noun, UnsayableError, finished

RULES: Mapping[str, Callable[[Scene], str]] = {"tr": turkish, "ar": arabic}
MANNERS = {
    "present": 10, "simple": 4, "phrase": 4, "past": 1, "negated": 2, "passive": 2, "exists": 2, "absent": 1,
    "mood": 1, "coloured": 1, "where": 2,
}  # fmt: skip
"""Relative frequencies of the forms of a caption; see `Scene` for examples."""
_COLOURS = 11  # number of colours, which are first in their table; the other adjectives are of size and age
_COMMON = 16  # number of common nouns, which are first in their table and get half of the draws


def scene_pairs(count: int, seed: int, reserved: Container[str], langs: Sequence[str]) -> Iterator[Pair]:
    """Yield ``count`` distinct scenes as pairs of English and each of ``langs`` that can express them.

    A scene is dropped if its sentence in any language is reserved.
    """
    if count < 0:
        raise OptionError(f"scenes must be at least 0, got {count}")
    rng = Random(seed)  # noqa: S311
    rules = {lang: RULES[lang] for lang in langs if lang in RULES}
    seen = set[str]()
    while rules and len(seen) < count:
        scene = draw(rng)
        stop = rng.random() < 0.9
        sentence = finished(english(scene), "en", stop)
        others = {lang: finished(text, lang, stop) for lang, text in _sentences(scene, rules)}
        if sentence in seen or sentence in reserved or any(text in reserved for text in others.values()):
            continue
        seen.add(sentence)
        for lang, text in others.items():
            yield Pair(sentence, text, lang, "scenes")


def _sentences(scene: Scene, rules: Mapping[str, Callable[[Scene], str]]) -> Iterator[tuple[str, str]]:
    for lang, rule in rules.items():
        try:
            yield lang, rule(scene)
        except UnsayableError:
            continue


def draw(rng: Random) -> Scene:
    """Draw a scene."""
    (manner,) = rng.choices(list(MANNERS), list(MANNERS.values()))
    who: tuple[Thing, ...]
    if manner == "coloured":
        kind = rng.choice(("vehicle", "clothing", "held", "animal"))
        noun = rng.choice([noun for noun in nouns(kind) if not read_noun(noun).adjective])
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
            [one for one in (*nouns("clothing"), *nouns("plural")) if not read_noun(one).compound]
        )
        wears = Thing(garment, colour=rng.choice(words("colours")[:_COLOURS]) if rng.random() < 0.7 else None)
    return Thing(noun, count, wears=wears)


def _doing(rng: Random, act: Act) -> Doing:
    if not act.kind:
        return Doing(act)
    noun = rng.choice(nouns(act.kind))
    the = noun.living or act.kind not in ("sport", "drink")
    count = "the" if the and rng.random() < 0.35 else "a"
    if count == "a" and "en" in noun.plurals and noun.living and rng.random() < 0.1:
        count = "two"
    return Doing(act, Thing(noun, count, _colour(rng, noun)))


def _colour(rng: Random, noun: Noun) -> Word | None:
    """Draw an adjective for some of the nouns that can have any colour."""
    fitting = noun.kinds[0] in ("vehicle", "held", "clothing", "ball", "ride") and " " not in noun.name
    return rng.choice(words("colours")) if fitting and rng.random() < 0.15 else None


def _place(rng: Random) -> Place:
    relation = rng.choices(("in", "on", "at", *SIDES), (4, 4, 2, *[0.4] * len(SIDES)))[0]
    kind = "side-place" if relation in SIDES else f"{relation}-place"
    return Place(relation, Thing(rng.choice(nouns(kind)), "the" if rng.random() < 0.6 else "a"))
