"""Inflect Turkish words: `CASES` of nouns, participles and present of verbs.

Suffixes follow vowel harmony: depending on the last vowel before them, ``A`` is a or e, and ``I`` is ı, i, u
or ü; ``D`` is d or t, depending on the letter before.
"""

from dataclasses import dataclass
from functools import cache

from parser.training.templates.words import Noun

CASES = {"bare": "", "acc": "yI", "dat": "yA", "loc": "DA", "abl": "DAn", "gen": "nIn", "ins": "ylA"}
VOWELS = "aıoueiöü"
_BACK = "aıou"
_HIGH = {"a": "ı", "ı": "ı", "o": "u", "u": "u", "e": "i", "i": "i", "ö": "ü", "ü": "ü"}
_VOICELESS = "çfhkpsşt"
_SOFT = {"et": "ed", "git": "gid", "kaybet": "kaybed", "ye": "yi"}


@dataclass(frozen=True, slots=True)
class TurkishNoun:
    """Column of a noun: ``[adjective+]noun[ stem before a vowel][*]``, ``_`` for a space."""

    adjective: str  # adjective that is part of it (``yaşlı`` of an old man), or empty
    noun: str  # the noun
    soft: str  # its stem before a vowel
    # whether it ends in the suffix of a compound (``futbol topu``), so that cases take an ``n``
    compound: bool


def suffixed(stem: str, suffix: str) -> str:
    """Return a stem with a suffix in harmony; a first ``y``, ``n`` or ``s`` only follows a vowel.

    Example:
        >>> [suffixed("kedi", "yI"), suffixed("at", "yI"), suffixed("kuş", "yA"), suffixed("git", "DI")]
        ['kediyi', 'atı', 'kuşa', 'gitti']
    """
    last = next(letter for letter in reversed(stem) if letter in VOWELS)
    if suffix[0] in "yns" and stem[-1] not in VOWELS:
        suffix = suffix[1:]
    endings = ""
    for letter in suffix:
        if letter == "A":
            letter = last = "a" if last in _BACK else "e"
        elif letter == "I":
            letter = last = _HIGH[last]
        elif letter == "D":
            letter = "t" if (stem + endings)[-1] in _VOICELESS else "d"
        elif letter in VOWELS:
            last = letter
        endings += letter
    return stem + endings


def before_vowel(stem: str) -> str:
    """Return the form of a verb stem before a vowel, or before a ``y`` that separates it from a vowel.

    Example:
        >>> [before_vowel(stem) for stem in ("yardım et", "ye", "oku")]
        ['yardım ed', 'yi', 'oku']
    """
    *before, last = stem.split(" ")
    return " ".join([*before, _SOFT.get(last, last)])


def present(stem: str) -> str:
    """Return the third person of the present.

    Example:
        >>> [present(stem) for stem in ("uyu", "izle", "ye", "gel", "git", "yardım et")]
        ['uyuyor', 'izliyor', 'yiyor', 'geliyor', 'gidiyor', 'yardım ediyor']
    """
    if stem[-1] not in VOWELS:
        return suffixed(before_vowel(stem), "Iyor")
    if stem[-1] not in "ae":
        return stem + "yor"
    shorter = stem[:-1]
    if not any(letter in VOWELS for letter in shorter.rsplit(" ", 1)[-1]):
        return shorter + _HIGH[stem[-1]] + "yor"
    return suffixed(shorter, "Iyor")


def past_noun(stem: str) -> str:
    """Return the stem of the verbal noun of the past: ``gördüğ``."""
    return suffixed(stem, "DIğ")


def subject_participle(stem: str) -> str:
    """Return the subject participle before a noun.

    Example:
        >>> [subject_participle(stem) for stem in ("çal", "oku", "ye", "dans et", "dinle")]
        ['çalan', 'okuyan', 'yiyen', 'dans eden', 'dinleyen']
    """
    return suffixed(before_vowel(stem), "yAn")


def passive(stem: str) -> str:
    """Return the passive stem.

    Example:
        >>> [passive(stem) for stem in ("kes", "çal", "oku", "ye", "tamir et")]
        ['kesil', 'çalın', 'okun', 'yen', 'tamir edil']
    """
    if stem[-1] in VOWELS:
        return stem + "n"
    return suffixed(before_vowel(stem), "In" if stem[-1] == "l" else "Il")


def declined(noun: Noun, case: str, *, plural: bool = False) -> str:
    """Return a noun in a case."""
    suffix, word = CASES[case], read_noun(noun)
    if plural:
        stem = suffixed(word.noun[:-1].rstrip("s") if word.compound else word.noun, "lAr")
        stem = suffixed(stem, "I") if word.compound else stem
    else:
        soft = suffix[:1] in ("y", "n") and case != "ins"
        stem = word.soft if soft else word.noun
    if not suffix:
        return stem
    if word.compound and case != "ins":
        return suffixed(stem, "n" + suffix.lstrip("yn"))
    if word.noun == "su" and case == "gen":
        return "suyun"
    return suffixed(stem, suffix)


def read_noun(noun: Noun) -> TurkishNoun:
    """Read a noun's column.

    Raises:
        UnsayableError: The table has no such word.
    """
    return _read(noun.column("tr"))


@cache
def _read(column: str) -> TurkishNoun:
    adjective, _, rest = column.rpartition("+")
    bare, _, soft = rest.rstrip("*").partition(" ")
    adjective, bare, soft = (text.replace("_", " ") for text in (adjective, bare, soft or bare))
    return TurkishNoun(adjective, bare, soft, rest.endswith("*"))
