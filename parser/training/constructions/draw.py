"""Draw sentences with their graphs, as many of each kind and language."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from parser.training.constructions.graph import write_graph
from parser.training.constructions.lexicon import (
    BOUND,
    Entry,
    Language,
    Slot,
    languages,
    read_language,
    read_lexicon,
    read_meanings,
)
from parser.training.constructions.text import Filled, MissingFormError, Writer
from parser.training.example import Example

TRIES = 200
"""Draws of one frame before it is given up; most fail because one filler would be drawn twice."""

LONG = 0.35
"""Share of the kinds whose name begins with "long", sentences of joined clauses."""


def _fill(
    slots: Sequence[Slot], outer: Mapping[str, Filled], language: Language, rng: Random, keys: set[str]
) -> dict[str, Filled]:
    """Return fillers of slots, no two of one graph.

    Raises:
        MissingFormError: The language has no filler that is not used already.
    """
    lexicon = read_lexicon()
    filled = dict(outer)
    fillers: dict[str, Filled] = {}
    for slot in slots:
        kinds: dict[str, list[Entry]] = {}
        for entry in lexicon[slot.kind]:
            if entry.name in language.forms.get(entry.kind, {}) and entry.key not in keys:
                kinds.setdefault(entry.kind, []).append(entry)
        if not kinds:
            raise MissingFormError(slot.name)
        shares = [len(entries) // len({one.name for one in entries}) for entries in kinds.values()]
        entry = rng.choice(rng.choices(list(kinds.values()), shares)[0])
        if not entry.slots:
            keys.add(entry.key or slot.name)
        fillers[slot.name] = filled[slot.name] = Filled(entry)
    for slot in slots:
        one = filled[slot.name]
        inner = {
            name: filled[other] for name, other in zip(BOUND, slot.bound, strict=False) if other in filled
        }
        one.inner.update(inner)
        one.inner.update(_fill(one.entry.slots, one.inner, language, rng, keys))
    return fillers


def draw(meaning: str, frame: str, language: Language, rng: Random) -> Example | None:
    """Return a sentence of a frame with its graph; none if the language lacks a form for every draw."""
    one = read_meanings()[meaning]
    for _ in range(TRIES):
        try:
            slots = _fill(one.slots, {}, language, rng, set())
            text = Writer(language, rng).write(frame, slots)
        except MissingFormError:
            continue
        return Example(text, tuple(write_graph(one, slots)), language.code, 1.0)
    return None


def constructions_by_kind(
    count: int, seed: int, langs: Sequence[str] | None = None
) -> Iterator[tuple[str, Example]]:
    """Yield examples with their kind, drawn anew: a kind (`LONG`), then a language, meaning and frame.

    Args:
        count: Number of examples.
        seed: Seed; the same seed gives the same examples.
        langs: Codes of languages; all that have a file if none are given.

    Example:
        >>> next(constructions_by_kind(1, seed=1, langs=["en"]))[1].lang
        'en'
    """
    rng = Random(seed)
    known = [read_language(code) for code in (languages() if langs is None else langs)]
    kinds: dict[str, dict[str, list[str]]] = {}
    for name, meaning in read_meanings().items():
        for language in known:
            if name in language.frames:
                kinds.setdefault(meaning.kind, {}).setdefault(language.code, []).append(name)
    codes = {language.code: language for language in known}
    parts = {long: sorted(one for one in kinds if one.startswith("long") == long) for long in (False, True)}
    while count > 0:
        kind = rng.choice(parts[rng.random() < LONG] or sorted(kinds))
        language = codes[rng.choice(sorted(kinds[kind]))]
        name = rng.choice(kinds[kind][language.code])
        example = draw(name, rng.choice(language.frames[name]), language, rng)
        if example is not None:
            count -= 1
            yield kind, example


def constructions(count: int, seed: int, langs: Sequence[str] | None = None) -> Iterator[Example]:
    """Yield constructed examples, deterministic by seed; see `constructions_by_kind`."""
    for _, example in constructions_by_kind(count, seed, langs):
        yield example
