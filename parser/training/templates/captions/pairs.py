"""Scenes as parallel text."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from random import Random

from amrx.errors import OptionError
from parser.training.corpora.parallel import Pair
from parser.training.templates.captions.arabic import arabic
from parser.training.templates.captions.draw import draw
from parser.training.templates.captions.english import english
from parser.training.templates.captions.scene import Scene
from parser.training.templates.captions.turkish import turkish
from parser.training.templates.meanings.sentences import finished
from parser.training.templates.meanings.words import UnsayableError

RULES: Mapping[str, Callable[[Scene], str]] = {"tr": turkish, "ar": arabic}


def scene_pairs(count: int, seed: int, reserved: Container[str], langs: Sequence[str]) -> Iterator[Pair]:
    """Yield ``count`` scenes, all different, in English and each of ``langs`` that can say them.

    A scene of which a sentence is reserved is said in no language.

    Args:
        count: How many.
        seed: Of all draws.
        reserved: Texts that may only be measured on.
        langs: Languages; those without rules are passed over.

    Raises:
        OptionError: ``count`` is negative.
    """
    if count < 0:
        raise OptionError(f"scenes {count}: 0 or more")
    rng = Random(seed)  # noqa: S311
    rules = {lang: RULES[lang] for lang in langs if lang in RULES}
    seen = set[str]()
    while rules and len(seen) < count:
        scene = draw(rng)
        stop = rng.random() < 0.9
        said = finished(english(scene), "en", stop)
        others = {lang: finished(text, lang, stop) for lang, text in _said(scene, rules)}
        if said in seen or said in reserved or any(text in reserved for text in others.values()):
            continue
        seen.add(said)
        for lang, text in others.items():
            yield Pair(said, text, lang, "scenes")


def _said(scene: Scene, rules: Mapping[str, Callable[[Scene], str]]) -> Iterator[tuple[str, str]]:
    for lang, rule in rules.items():
        try:
            yield lang, rule(scene)
        except UnsayableError:
            continue
