"""Scenes as parallel text."""

from __future__ import annotations

from collections.abc import Container, Iterator
from random import Random

from amrx.errors import OptionError
from parser.construct.sentences import finished
from parser.corpora.parallel import Pair
from parser.scenes.draw import draw
from parser.scenes.english import english
from parser.scenes.turkish import turkish

LANGS = ("tr",)


def scene_pairs(count: int, seed: int, reserved: Container[str]) -> Iterator[Pair]:
    """Yield ``count`` scenes in English and Turkish, all different, none of them reserved.

    Args:
        count: How many.
        seed: Of all draws.
        reserved: Texts that may only be measured on.

    Raises:
        OptionError: ``count`` is negative.
    """
    if count < 0:
        raise OptionError(f"scenes {count}: 0 or more")
    rng = Random(seed)  # noqa: S311
    seen = set[str]()
    while len(seen) < count:
        scene = draw(rng)
        stop = rng.random() < 0.9
        said = finished(english(scene), "en", stop)
        if said in seen or said in reserved:
            continue
        seen.add(said)
        yield Pair(said, finished(turkish(scene), "tr", stop), "tr", "scenes")
