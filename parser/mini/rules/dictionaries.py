"""Read the dictionaries in ``data/``."""

import lzma
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def translations(kind: str, lang: str) -> Mapping[str, str]:
    """Return the English of ``nouns``, ``verbs`` or ``adjectives`` by the words of a language, if any."""
    rows = (line.split("\t") for line in _lines(f"{kind}/{lang}.tsv.xz"))
    return {word: english for english, *words in rows for word in words}


@cache
def word_shares(lang: str) -> Mapping[str, Mapping[str, float]]:
    """Return the English base forms of frequent words of a language, each with its share, 0 to 1; if any.

    ``data/words/`` is written by ``scripts/gather_words.py``.
    """
    rows = (line.split("\t") for line in _lines(f"words/{lang}.tsv.xz"))
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
