"""A meaning in every language that can say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from parser.training.templates.meanings.arabic import arabic
from parser.training.templates.meanings.chinese import chinese
from parser.training.templates.meanings.english import english
from parser.training.templates.meanings.german import german
from parser.training.templates.meanings.meaning import Both, Clause, Comparison, Meaning, Reason, Thing
from parser.training.templates.meanings.romance import french, italian, spanish
from parser.training.templates.meanings.turkish import turkish
from parser.training.templates.meanings.words import UnsayableError

RULES: Mapping[str, Callable[[Meaning, int], str]] = {
    "en": english, "de": german, "es": spanish, "fr": french,
    "it": italian, "tr": turkish, "zh": chinese, "ar": arabic,
}  # fmt: skip
_NO_SPACES = frozenset({"zh"})


def sentences(meaning: Meaning, rng: Random) -> dict[str, str]:
    """Return a meaning in each language that can say it; articles, style and full stop are drawn."""
    said: dict[str, str] = {}
    for lang, rules in RULES.items():
        style = rng.randrange(2)
        for attempt in (style, 1 - style):
            try:
                text = rules(with_articles(meaning, rng), attempt)
            except UnsayableError:
                continue
            said[lang] = finished(text, lang, rng.random() < 0.9)
            break
    return said


def finished(text: str, lang: str, stop: bool = True) -> str:
    """Return a sentence with its capital and, where wanted, its full stop.

    Example:
        >>> finished("iki kedi", "tr")
        'İki kedi.'
    """
    first = "İ" if lang == "tr" and text[0] == "i" else text[0].upper()
    end = "。" if lang in _NO_SPACES else "."
    return first + text[1:] + (end if stop else "")


def with_articles(meaning: Meaning, rng: Random) -> Meaning:
    """Return a meaning whose noun phrases have either article, which its graph does not tell."""

    def one(thing: Thing | None) -> Thing | None:
        if thing is None:
            return None
        relative = None if thing.relative is None else clause(thing.relative)
        return replace(thing, definite=rng.random() < 0.65, relative=relative)

    def clause(said: Clause) -> Clause:
        agent, patient, recipient = one(said.agent), one(said.patient), one(said.recipient)
        return replace(said, agent=agent, patient=patient, recipient=recipient)

    if isinstance(meaning, Clause):
        return clause(meaning)
    if isinstance(meaning, Reason):
        return Reason(clause(meaning.clause), clause(meaning.cause))
    if isinstance(meaning, Both):
        return Both(clause(meaning.clause), clause(meaning.other))
    who = one(meaning.who)
    assert who is not None
    if isinstance(meaning, Comparison):
        than = one(meaning.than)
        assert than is not None
        return Comparison(who, meaning.adjective, than)
    return replace(meaning, who=who, clause=clause(meaning.clause))
