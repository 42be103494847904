"""Turn a sentence without one of its noun phrases into a relative clause.

In Chinese, Japanese, Korean and Turkish the predicate gets the form that stands before a noun (`ADNOMINAL`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from parser.mini.lexicon.dictionaries import entry
from parser.training.composed.grammars import GRAMMARS, PEOPLE
from parser.training.composed.phrases import Phrase


def chinese_adnominal(predicate: str) -> str:
    """Return a predicate as an attribute.

    Example:
        >>> chinese_adnominal("在跑")
        '在跑的'
    """
    return predicate + "的"


_POLITE = re.compile("(?:ます|です|ました|ません|でした|だ)$")
_PLAIN = re.compile("[るうくぐすつぬぶむただいた]$")


def japanese_adnominal(predicate: str) -> str | None:
    """Return a predicate in its plain form, without the particle of its subject.

    Example:
        >>> japanese_adnominal("が走っています"), japanese_adnominal("は学生です")
        ('走っている', None)
    """
    predicate = re.sub("^[がはも]", "", predicate)
    predicate = re.sub("ています$", "ている", re.sub("ていました$", "ていた", predicate))
    return None if _POLITE.search(predicate) or not _PLAIN.search(predicate) else predicate


_BASE = 0xAC00  # Hangul syllable: BASE + (initial * 21 + vowel) * 28 + final
_SYLLABLES, _PER_INITIAL, _PER_VOWEL = 11_172, 588, 28
_N, _SS = 4, 20  # numbers of final consonants
_PAST_VOWELS = {9: 8, 14: 13, 6: 20, 10: 11}
"""Vowels of the stem by that of the past: ㅘ ㅗ, ㅝ ㅜ, ㅕ ㅣ, ㅙ ㅚ."""


def korean_adnominal(predicate: str) -> str | None:
    """Return a predicate in plain style as an attribute, without the particle of its subject.

    Example:
        >>> korean_adnominal("가 뛰고 있다"), korean_adnominal("가 책을 샀다"), korean_adnominal("가 먹었다")
        ('뛰고 있는', '책을 산', '먹은')
    """
    words = predicate.strip().split(" ", 1)
    if len(words) < 2 or not words[1].endswith("다") or len(words[1]) < 3:
        return None
    clause, last = words[1][:-2], words[1][-2]
    if last in "있없는":
        return clause + (last if last != "는" else "") + "는"
    code = ord(last) - _BASE
    if not 0 <= code < _SYLLABLES:
        return None
    initial, vowel, final = code // _PER_INITIAL, code % _PER_INITIAL // _PER_VOWEL, code % _PER_VOWEL
    start = _BASE + initial * _PER_INITIAL
    if final == _N:
        return clause + chr(start + vowel * _PER_VOWEL) + "는"
    if final != _SS:
        return None
    if last in "았었" and clause:
        before = ord(clause[-1]) - _BASE
        if not 0 <= before < _SYLLABLES:
            return None
        return clause + "은" if before % _PER_VOWEL else clause[:-1] + chr(_BASE + before + _N)
    vowel = 0 if last == "했" else _PAST_VOWELS.get(vowel, vowel)
    return clause + chr(start + vowel * _PER_VOWEL + _N)


_TURKISH = re.compile(r"(?P<rest>.*\s)(?P<stem>\w+?)(?:[ıiuü]yor|[dt][ıiuü])")


def turkish_adnominal(predicate: str) -> str | None:
    """Return a predicate in the present or past as a participle; its verb must be in the dictionary.

    Example:
        >>> [turkish_adnominal(one) for one in ("gitar çalıyor", "topla oynuyor", "eve gidiyor")]
        ['gitar çalan', 'topla oynayan', 'eve giden']
    """
    match = _TURKISH.fullmatch(predicate)
    vowels = [one for one in match["stem"] if one in "aeıioöuü"] if match else []
    if match is None or not vowels:
        return None
    stem = match["stem"]
    for root in (stem, stem + "a", stem + "e", stem[:-1] + "t" if stem[-1] == "d" else stem):
        if entry(root + "mak", "tr") or entry(root + "mek", "tr"):
            break
    else:
        return None
    if root[-1] in "aeıiuü":
        return match["rest"] + root + ("yan" if root[-1] in "aıu" else "yen")
    return match["rest"] + stem + ("an" if vowels[-1] in "aıou" else "en")


ADNOMINAL: Mapping[str, Callable[[str], str | None]] = {
    "ja": japanese_adnominal, "ko": korean_adnominal, "tr": turkish_adnominal, "zh": chinese_adnominal,
}  # fmt: skip
"""The form of a predicate before a noun, by language."""


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
