"""Read the dictionaries in ``data/``.

``data/words/`` has base forms by dictionaries (sources and licences: the model card), ``data/learnt/``
concepts by parallel text. A row is a key of a word, then English words with the share of each.
"""

import lzma
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from linearize.frames import first_frame

BEGINNINGS = {"ko": (4, 3, 2)} | dict.fromkeys(("cs", "hr", "hu", "ro", "uk"), (7, 6, 5, 4))
"""Languages with endings and without a dictionary, and the numbers of letters of the beginnings of words."""
_ARABIC_SIGNS = re.compile("[\u0640\u064b-\u065f\u0670]")
_ARABIC_ARTICLE = re.compile("(?:[وف]?[بكل]?ال|[وف]?لل)(?=..)")  # noqa: RUF001


@cache
def word_shares(lang: str) -> Mapping[str, Mapping[str, float]]:
    """Return the English of the words of a language by their `keys`, each with its share, 0 to 1; if any.

    The shares of a key that both folders have are the means of the two.
    """
    known, learnt = (_shares(f"{kind}/{lang}.tsv.xz") for kind in ("words", "learnt"))
    both = {
        key: {
            one: (shares.get(one, 0.0) + learnt[key].get(one, 0.0)) / 2 for one in {**shares, **learnt[key]}
        }
        for key, shares in known.items()
        if key in learnt
    }
    return known | learnt | both


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


def english(word: str, lang: str, acting: bool) -> str | None:
    """Return the concept of a word: its likeliest English, as a frame if it is ``acting``; ``None`` without.

    Example:
        >>> english("Waschmaschine", "xx", acting=False) is None
        True
    """
    shares = shares_of(word, lang)
    if not shares:
        return None
    best = max(shares, key=lambda one: shares[one])
    frame = first_frame(best)
    return frame if acting and frame else best


def _shares(name: str) -> dict[str, dict[str, float]]:
    rows = (line.split("\t") for line in _lines(name))
    return {word: dict(map(_share, pairs)) for word, *pairs in rows}


def _share(pair: str) -> tuple[str, float]:
    english, _, share = pair.partition(":")
    return english, float(share)


def _lines(name: str) -> list[str]:
    file = files("parser.mini.lexicon") / "data" / name
    return lzma.decompress(file.read_bytes()).decode("utf-8").splitlines() if file.is_file() else []
