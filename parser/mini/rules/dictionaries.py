"""Read the dictionaries in ``data/``."""

import lzma
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_MARKS = "".join(one for one in map(chr, range(0x300, 0x1100)) if unicodedata.category(one)[0] == "M")
WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*")
"""A word of letters and their combining marks."""
BEGINNINGS = {"ko": (4, 3, 2)} | dict.fromkeys(("cs", "hr", "hu", "ro", "uk"), (7, 6, 5, 4))
"""Languages with endings and without a dictionary, and the numbers of letters of the beginnings of words."""
_ARABIC_SIGNS = re.compile("[\u0640\u064b-\u065f\u0670]")
_ARABIC_ARTICLE = re.compile("(?:[وف]?[بكل]?ال|[وف]?لل)(?=..)")  # noqa: RUF001


@cache
def translations(kind: str, lang: str) -> Mapping[str, str]:
    """Return the English of ``nouns``, ``verbs`` or ``adjectives`` by the words of a language, if any."""
    rows = (line.split("\t") for line in _lines(f"{kind}/{lang}.tsv.xz"))
    return {word: english for english, *words in rows for word in words}


@cache
def word_shares(lang: str) -> Mapping[str, Mapping[str, float]]:
    """Return the English of the words of a language by their `keys`, each with its share, 0 to 1; if any.

    ``data/words/``, base forms by dictionaries, is written by ``scripts/gather_words.py``, and
    ``data/learnt/``, concepts by parallel text, by ``scripts/learn_words.py``. The shares of a key that both
    have are the means of the two.
    """
    known, learnt = dictionary_shares(lang), _shares(f"learnt/{lang}.tsv.xz")
    both = {
        key: {
            one: (shares.get(one, 0.0) + learnt[key].get(one, 0.0)) / 2 for one in {**shares, **learnt[key]}
        }
        for key, shares in known.items()
        if key in learnt
    }
    return known | learnt | both


@cache
def dictionary_shares(lang: str) -> dict[str, dict[str, float]]:
    """Return those of ``data/words/`` alone."""
    return _shares(f"words/{lang}.tsv.xz")


def keys(word: str, lang: str) -> tuple[str, ...]:
    """Return the keys of a word in `word_shares`, the most specific first.

    These are its lower-case form and, with a hyphen, its `BEGINNINGS`, or the Arabic word without article
    and preposition.

    Example:
        >>> keys("Haus", "de"), keys("여자가", "ko"), keys("بالكتاب", "ar")
        (('haus',), ('여자가', '여자가-', '여자-'), ('بالكتاب', 'كتاب-'))
    """
    word = word.lower()
    if lang == "ar":
        word = _ARABIC_SIGNS.sub("", word)
        article = _ARABIC_ARTICLE.match(word)
        return word, word[article.end() if article else 0 :] + "-"
    return word, *(word[:length] + "-" for length in BEGINNINGS.get(lang, ()) if len(word) >= length)


def shares_of(word: str, lang: str) -> Mapping[str, float]:
    """Return the English of a word by the most specific of its keys, each with its share; if any."""
    known = word_shares(lang)
    return next((known[key] for key in keys(word, lang) if key in known), {})


def _shares(name: str) -> dict[str, dict[str, float]]:
    rows = (line.split("\t") for line in _lines(name))
    return {word: dict(map(_share, pairs)) for word, *pairs in rows}


def _share(pair: str) -> tuple[str, float]:
    english, _, share = pair.partition(":")
    return english, float(share)


@cache
def near_words(kind: str) -> Mapping[str, frozenset[str]]:
    """Return the words of a meaning near that of each English word in `translations`, itself included."""
    rows = (line.split("\t") for line in _lines(f"near_{kind}.tsv.xz"))
    return {word: frozenset(others) for word, *others in rows}


def _lines(name: str) -> list[str]:
    file = files("parser.mini.rules") / "data" / name
    return lzma.decompress(file.read_bytes()).decode("utf-8").splitlines() if file.is_file() else []
