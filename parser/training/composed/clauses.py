"""Turn a sentence without one of its noun phrases into a relative clause."""

from __future__ import annotations

import re

from parser.training.composed.adnominal import ADNOMINAL, japanese_adnominal
from parser.training.composed.grammars import GRAMMARS, PEOPLE
from parser.training.composed.phrases import Phrase

_PARTICLES = frozenset(
    "an auf aus ab ein mit vor zu zurück weg hin her um nach los fest durch bei statt teil herunter herum"
    " hinunter hinauf hoch vorbei entlang weiter zusammen fort"
    " op aan uit af in mee voor toe terug weg om na los vast door bij neer rond langs samen".split()
)
"""German and Dutch particles that are written together with a verb at the end of a clause."""
_JOINING = frozenset({"und", "oder", "en", "of", "dass", "dat"})


def with_final_verb(words: list[str]) -> str | None:
    """Return a German or Dutch clause with its first word, the verb, at its end; ``None`` if unclear.

    Example:
        >>> with_final_verb("zieht den Mantel an".split())
        'den Mantel anzieht'
    """
    if not words or not words[0].islower() or _JOINING & set(words):
        return None
    verb, *rest = words
    if rest and rest[-1] in _PARTICLES:
        return " ".join([*rest[:-1], rest[-1] + verb])
    return " ".join([*rest, verb])


def subject_clause(phrase: Phrase, lang: str, head: Phrase, concept: str) -> str | None:
    """Return the sentence of a subject as a relative clause of ``head``, which means ``concept``."""
    grammar, predicate = GRAMMARS[lang], phrase.after.strip()
    if grammar.pronoun is None:
        return ADNOMINAL[lang](predicate)
    pronoun = grammar.pronoun(head.article, head.noun, concept)
    if grammar.order == "final":
        words = predicate.split()
        moved = with_final_verb(words) if len(words) > 1 else None
        return None if moved is None or pronoun is None else f"{pronoun} {moved}"
    return None if pronoun is None else f"{pronoun} {predicate}"


def object_clause(
    phrase: Phrase, lang: str, head: Phrase, concept: str, before: str, subject: Phrase | None
) -> str | None:
    """Return the sentence of an object as a relative clause of ``head``, which means ``concept``.

    Args:
        phrase: The object.
        lang: The language.
        head: The noun that the clause is about.
        concept: Its concept.
        before: The text before the object, as it is inside a sentence.
        subject: The subject of the sentence, if it is known.
    """
    if lang == "zh":
        return before + "的"
    if lang == "ja":
        verb = japanese_adnominal(phrase.after)
        return None if verb is None else re.sub("は", "が", before, count=1) + verb
    if GRAMMARS[lang].order == "final":
        return _germanic(phrase, lang, head, concept, subject)
    clause = f"{before.strip()} {phrase.after}".strip()
    if lang == "en":
        words = ("that ", "who " if concept in PEOPLE else "which ", "")
        return words[sum(map(ord, clause)) % 3] + clause
    if lang == "fr":
        return ("qu'" if clause[0] in "aeiouhéêà" else "que ") + clause
    return {"it": "che ", "el": "που "}.get(lang, "que ") + clause


def _germanic(phrase: Phrase, lang: str, head: Phrase, concept: str, subject: Phrase | None) -> str | None:
    pronoun = GRAMMARS[lang].pronoun
    if subject is None or pronoun is None:
        return None
    word = pronoun(head.article, head.noun, concept)
    moved = with_final_verb(f"{phrase.before[len(subject.text) :].strip()} {phrase.after}".split())
    if word is None or moved is None:
        return None
    own = subject.text[0].lower() + subject.text[1:]
    return f"{'den' if word == 'der' else word} {own} {moved}"


def with_clause(phrase: Phrase, clause: str, lang: str) -> str:
    """Return the sentence of a noun phrase with a relative clause at it."""
    grammar = GRAMMARS[lang]
    if lang in ("zh", "ja"):
        return f"{phrase.before}{phrase.article}{clause}{phrase.noun}{phrase.after}"
    if lang == "ko":
        return f"{phrase.before}{clause} {phrase.text}{phrase.after}"
    if grammar.order == "before":
        noun = phrase.noun if phrase.article else phrase.noun[0].lower() + phrase.noun[1:]
        return f"{phrase.before}{clause} {phrase.article.lower()}{noun} {phrase.after}"
    first, last = "," if grammar.comma else "", "," if grammar.comma or lang == "nl" else ""
    after = f"{last} {phrase.after}" if phrase.after else ""
    return f"{phrase.before}{phrase.text}{first} {clause}{after}"
