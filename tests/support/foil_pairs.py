"""Sentences of one verb and two beings, with their role swaps and negations, in six languages.

::

    meaning     The dog bites the man.            Der Hund beißt den Mann.
    paraphrase  The man is bitten by the dog.     Der Mann wird vom Hund gebissen.
    role-swap   The man bites the dog.            Der Mann beißt den Hund.
    negation    The dog does not bite the man.    Der Hund beißt den Mann nicht.

The paraphrase is the passive; in Arabic, whose passive names no agent, it is the other order of words (verb
first). Who does what to whom is drawn, so many sentences say unlikely things; all are grammatical. The draw
is the same for every language, so that sentence *n* of one is the translation of sentence *n* of another.

These sentences measure. No sentence of this file, and no graph of one, may ever be trained on, whatever the
model; nor may weights be chosen by them.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from amrx.examples import Example

WORDS = Path(__file__).with_suffix(".toml")
KINDS = ("role-swap", "negation")
SEED = 4
Forms: TypeAlias = str | Sequence[str]


class Sayings(NamedTuple):
    """One thing said, denied, and said otherwise."""

    plain: str
    negated: str
    paraphrase: str


def english(agent: str, patient: str, verb: Sequence[str]) -> Sayings:
    said, infinitive, participle = verb
    return Sayings(
        f"The {agent} {said} the {patient}.",
        f"The {agent} does not {infinitive} the {patient}.",
        f"The {patient} is {participle} by the {agent}.",
    )


def german(agent: Sequence[str], patient: Sequence[str], verb: Sequence[str]) -> Sayings:
    said, participle = verb
    return Sayings(
        f"{_capital(agent[0])} {said} {patient[1]}.",
        f"{_capital(agent[0])} {said} {patient[1]} nicht.",
        f"{_capital(patient[0])} wird {agent[2]} {participle}.",
    )


def spanish(agent: str, patient: str, verb: Sequence[str]) -> Sayings:
    """The personal ``a`` stands before every object, for all are beings; ``a el`` is ``al``."""
    said, participle = verb
    whom = f"a {patient}".replace("a el ", "al ")
    if patient.startswith("la "):
        participle = participle.removesuffix("o") + "a"
    return Sayings(
        f"{_capital(agent)} {said} {whom}.",
        f"{_capital(agent)} no {said} {whom}.",
        f"{_capital(patient)} es {participle} por {agent}.",
    )


def french(agent: str, patient: str, verb: Sequence[str]) -> Sayings:
    said, participle = verb
    if patient.startswith("la "):
        participle += "e"
    who, whom = _elide(agent), _elide(patient)
    return Sayings(
        f"{_capital(who)} {said} {whom}.",
        f"{_capital(who)} {_elide(f'ne {said}')} pas {whom}.",
        f"{_capital(whom)} est {participle} par {who}.",
    )


def chinese(agent: str, patient: str, verb: Sequence[str]) -> Sayings:
    said, denied, suffered = verb
    return Sayings(
        f"{agent}{said}{patient}。", f"{agent}{denied}{patient}。", f"{patient}被{agent}{suffered}。"
    )


def arabic(agent: str, patient: str, verb: Sequence[str]) -> Sayings:
    """The subject stands first, for without vowel signs only the order tells it from the object."""
    said = verb[agent.endswith("ة")]
    return Sayings(
        f"{agent} {said} {patient}.", f"{agent} لا {said} {patient}.", f"{said} {agent} {patient}."
    )


GRAMMARS: dict[str, Callable[..., Sayings]] = {
    "en": english, "de": german, "es": spanish, "fr": french, "zh": chinese, "ar": arabic,
}  # fmt: skip
LANGUAGES = tuple(GRAMMARS)


def examples(languages: Sequence[str] = LANGUAGES, number: int = 100, seed: int = SEED) -> list[Example]:
    """Return four sentences (kinds meaning, paraphrase, role-swap, negation) of each thing and language.

    The key of a meaning names it, such as ``dog bite man``; no two have the same verb and beings.
    """
    words = tomllib.loads(WORDS.read_text("utf-8"))
    nouns, verbs = words["nouns"], words["verbs"]
    made = []
    for agent, verb, patient in _draw(list(nouns), list(verbs), number, seed):
        for lang in languages:
            say = GRAMMARS[lang]
            said = say(nouns[agent][lang], nouns[patient][lang], verbs[verb][lang])
            swapped = say(nouns[patient][lang], nouns[agent][lang], verbs[verb][lang])
            kinds = {
                "meaning": said.plain, "paraphrase": said.paraphrase,
                "role-swap": swapped.plain, "negation": said.negated,
            }  # fmt: skip
            key = f"{agent} {verb} {patient}"
            made += [Example(key, kind, lang, text) for kind, text in kinds.items()]
    return made


def _draw(nouns: list[str], verbs: list[str], number: int, seed: int) -> list[tuple[str, str, str]]:
    """Draw (agent, verb, patient); a swap of one is never drawn as another."""
    chance = random.Random(seed)
    seen: set[tuple[str, frozenset[str]]] = set()
    drawn = []
    while len(drawn) < number:
        verb, (agent, patient) = chance.choice(verbs), chance.sample(nouns, 2)
        key = verb, frozenset({agent, patient})
        if key not in seen:
            seen.add(key)
            drawn.append((agent, verb, patient))
    return drawn


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _elide(text: str) -> str:
    """Elide le, la or ne before a vowel or the mute h of this file's nouns."""
    first, second = text.split(" ", 1)
    return f"{first[0]}'{second}" if second[0] in "aeiouéèh" else text
