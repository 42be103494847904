"""Find the subject and the object of short sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from parser.mini.lexicon.dictionaries import entry, shares_of
from parser.training.composed.grammars import ADJECTIVE, GRAMMARS

_LONGEST = {"zh": 5}
"""Maximum number of characters of a noun in a language without spaces."""
_MARK = re.compile("[,，、]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase of a sentence, with the text around it."""

    before: str
    article: str  # with an adjective, if any, and with the space after it; empty in some languages
    noun: str
    after: str  # begins with a particle in Japanese and Korean

    @property
    def text(self) -> str:
        """The phrase."""
        return self.article + self.noun


class Meanings:
    """Meanings of nouns: of the dictionaries, and in ``learnt``, by language and noun."""

    def __init__(self, learnt: Mapping[tuple[str, str], frozenset[str]]) -> None:
        self._learnt = learnt

    def has(self, noun: str, lang: str, concept: str) -> bool:
        """Return whether a noun means a concept."""
        noun = noun.lower()
        return (
            concept in self._learnt.get((lang, noun), ())
            or concept in shares_of(noun, lang)
            or (lang == "ar" and concept in entry(noun.removeprefix("ال"), lang))
        )


def bare(text: str) -> str:
    """Return a sentence without its full stop."""
    return text.strip().rstrip(" .!。！।۔")


def first_phrase(text: str, lang: str, *, modified: bool) -> Phrase | None:
    """Return what can be the subject at the beginning of a sentence; in Chinese its noun is empty.

    ``modified``: whether it has an adjective.
    """
    grammar, text = GRAMMARS[lang], bare(text)
    if modified and ADJECTIVE not in grammar.subject:
        return None
    match = re.match(grammar.subject if modified else grammar.subject.replace(ADJECTIVE, ""), text)
    if match is None:
        return None
    particle = match.groupdict().get("particle") or ""
    space = " " if lang == "ko" else ""
    return Phrase("", match["article"], match["noun"], particle + space + text[match.end() :])


def subject(text: str, lang: str, concept: str, meanings: Meanings, *, modified: bool) -> Phrase | None:
    """Return the subject at the beginning of a sentence, if it is a noun that means ``concept``.

    ``modified``: whether it has an adjective.
    """
    phrase = first_phrase(text, lang, modified=modified)
    if phrase is not None and lang in _LONGEST:
        phrase = _cut(phrase, lang, concept, meanings)
    elif phrase is not None and not meanings.has(phrase.noun, lang, concept):
        return None
    return phrase if phrase is not None and is_whole(phrase, lang) else None


def _cut(phrase: Phrase, lang: str, concept: str, meanings: Meanings) -> Phrase | None:
    """Return the phrase whose noun is the longest beginning of the text that means ``concept``."""
    for length in range(_LONGEST[lang], 0, -1):
        if meanings.has(phrase.after[:length], lang, concept):
            return Phrase("", phrase.article, phrase.after[:length], phrase.after[length:])
    return None


def is_whole(phrase: Phrase, lang: str) -> bool:
    """Return whether a predicate follows a phrase, in a sentence of one clause."""
    if not phrase.after or _MARK.search(phrase.after) or GRAMMARS[lang].unfit.match(phrase.after):
        return False
    return lang != "de" or phrase.noun[0].isupper()


def object_of(text: str, lang: str, concept: str, meanings: Meanings) -> Phrase | None:
    """Return the object of a sentence, if it is its only noun after an article that means ``concept``."""
    grammar, text = GRAMMARS[lang], bare(text)
    if not grammar.objects or re.search("[,，]", text):
        return None
    found = [
        phrase for phrase in _OBJECTS.get(lang, _objects)(text, lang)
        if meanings.has(phrase.noun, lang, concept)
    ]  # fmt: skip
    return found[0] if found and (lang == "zh" or len(found) == 1) else None


def _objects(text: str, lang: str) -> list[Phrase]:
    """Return the phrases of an article and a noun, neither after the first word nor after a preposition."""
    grammar = GRAMMARS[lang]
    pattern = rf"(?<=.\s)(?P<article>(?i:{grammar.objects})\s)(?P<noun>[\w-]+)(?=\s|$)"
    found = []
    for match in re.finditer(pattern, text):
        words = text[: match.start()].split()
        if len(words) > 1 and words[-1].lower() not in grammar.prepositions:
            after = text[match.end() :].strip()
            found.append(Phrase(text[: match.start()], match["article"], match["noun"], after))
    return found


def _chinese_objects(text: str, lang: str) -> list[Phrase]:
    """Return the ends of the text, the longest first."""
    found = []
    for length in range(min(4, len(text) - 3), 0, -1):
        match = re.search(GRAMMARS[lang].objects + "$", text[:-length])
        assert match is not None  # all of it is optional
        found.append(Phrase(text[: match.start()], match[0], text[-length:], ""))
    return found


def _japanese_objects(text: str, lang: str) -> list[Phrase]:
    particle = GRAMMARS[lang].objects
    pattern = f"(?:^|[がはもをにで])([^がはもをにでの、]{{1,6}}){particle}"
    return [Phrase(text[: m.start(1)], "", m[1], text[m.end() :]) for m in re.finditer(pattern, text)]


_OBJECTS = {"zh": _chinese_objects, "ja": _japanese_objects}
