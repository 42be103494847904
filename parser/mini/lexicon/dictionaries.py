"""Read the dictionaries in ``data/``.

``data/words/`` has base forms by dictionaries (sources and licences: the model card), ``data/learnt/``
concepts by parallel text. A row is a key of a word, then English words with the share of each.
"""

import lzma
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain

from linearize.frames import first_frame

BEGINNINGS = {"ko": (4, 3, 2)} | dict.fromkeys(("cs", "hr", "hu", "ro", "uk"), (7, 6, 5, 4))
"""Languages with endings and without a dictionary, and the numbers of letters of the beginnings of words."""
_ARABIC_SIGNS = re.compile("[\u0640\u064b-\u065f\u0670]")
_ARABIC_ARTICLE = re.compile("(?:[وف]?[بكل]?ال|[وف]?لل)(?=..)")  # noqa: RUF001


@lru_cache(maxsize=65_536)
def entry(key: str, lang: str) -> Mapping[str, float]:
    """Return the English of a key, each with its share, 0 to 1: the mean of the folders that have the key."""
    rows = [row for kind in ("words", "learnt") if (row := _rows(kind, lang).get(key)) is not None]
    shares: dict[str, float] = {}
    for pair in chain.from_iterable(row.split("\t") for row in rows):
        english, _, share = pair.partition(":")
        shares[english] = shares.get(english, 0.0) + float(share) / len(rows)
    return shares


def keys(word: str, lang: str) -> tuple[str, ...]:
    """Return the keys of a word for `entry`, the most specific first.

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
    return next(filter(None, (entry(key, lang) for key in keys(word, lang))), {})


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


@cache
def _rows(kind: str, lang: str) -> Mapping[str, str]:
    """Return the rows of a file by their keys, not parsed: few of them are needed."""
    file = files("parser.mini.lexicon") / "data" / kind / f"{lang}.tsv.xz"
    text = lzma.decompress(file.read_bytes()).decode("utf-8") if file.is_file() else ""
    return {key: row for key, _, row in (line.partition("\t") for line in text.splitlines())}
