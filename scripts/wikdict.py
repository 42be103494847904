"""Read WikDict's dictionaries and translate words to English, directly and through third languages.

The dictionaries are those of Debian's source package ``freedict-wikdict`` (2024.11.01, CC BY-SA 3.0), made
from Wiktionary by DBnary; each package ``dict-freedict-deu-spa`` holds one direction. Few languages have a
dictionary of English, but each has several of other languages::

    Keller (deu)  ──>  sótano (spa)   ──>  basement 0.5, cellar 0.5
                  ──>  källare (swe)  ──>  cellar 0.5, basement 0.5
                  ──>  piwnica (pol)  ──>  basement 0.6, cellar 0.4

A translation is supported by every language that leads to it.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

CODES = {
    "bg": "bul", "ca": "cat", "de": "deu", "el": "ell", "es": "spa", "fi": "fin", "fr": "fra", "id": "ind",
    "it": "ita", "ja": "jpn", "nb": "nor", "nl": "nld", "pl": "pol", "pt": "por", "ru": "rus", "sv": "swe",
    "tr": "tur", "zh": "zho",
}  # fmt: skip
"""The languages and their codes in the names of the packages."""
DIRECT = 2.0
"""Weight of a dictionary of English; one of another language has weight 1."""
_AMERICAN = (
    ("our", "or"), ("tre$", "ter"), ("ogue$", "og"), ("ence$", "ense"), ("ey$", "y"), ("lle$", "l"),
    ("grey", "gray"), ("is(?=e$)", "iz"), ("ys(?=e$)", "yz"),
)  # fmt: skip
"""British spellings."""
_HEAD = re.compile(r"^(\S.*?) (?:/.*/ )?<(\w+)\b[^<>]*>$")
_NUMBER = re.compile(r"^\d+\. ")
_NOTE = re.compile(r"\([^)]*\)|\[[^\]]*\]| \d+\.$")

Table = Mapping[str, Counter[str]]
"""Shares of the translations of each word; those of a word add up to 1."""


class Translation(NamedTuple):
    """An English translation of a word."""

    score: float  # sum of its shares over all ways
    support: int  # number of languages that lead to it
    direct: bool  # whether a dictionary of English has it


def american(word: str, known: Container[str]) -> str:
    """Return the American spelling of a word if only that is known.

    Example:
        >>> [american(word, {"color", "analyze", "axe"}) for word in ("colour", "analyse", "axe", "hour")]
        ['color', 'analyze', 'axe', 'hour']
    """
    forms = (re.sub(old, new, word) for old, new in _AMERICAN)
    return word if word in known else next((form for form in forms if form in known), word)


def translate(
    folder: Path, lang: str, kind: str, without: frozenset[str] = frozenset()
) -> dict[str, dict[str, Translation]]:
    """Return the English translations of the words of a language, in lower case.

    Args:
        folder: Folder of the packages.
        lang: The language.
        kind: Part of speech in WikDict: ``n``, ``v``, ``adj`` or ``adv``.
        without: Codes of languages whose dictionaries are not read, only those of the other direction.
    """
    own, english = CODES[lang], _to_english(folder, kind, without)
    found: defaultdict[str, dict[str, Translation]] = defaultdict(dict)

    def add(word: str, noun: str, share: float, direct: bool) -> None:
        old = found[word.lower()].get(noun, Translation(0.0, 0, False))
        found[word.lower()][noun] = Translation(old.score + share, old.support + 1, old.direct or direct)

    for word, nouns in english.get(own, {}).items():
        for noun, share in nouns.items():
            add(word, noun, DIRECT * share, True)
    for third in sorted(english.keys() - {own}):  # the order of sums decides their last digits
        for word, others in _both_ways(folder, own, third, kind, without).items():
            shares = Counter[str]()
            for other, share in others.items():
                for noun, part in english[third].get(other, {}).items():
                    shares[noun] += share * part
            for noun, share in shares.items():
                add(word, noun, share, False)
    return dict(found)


def other_words(folder: Path, lang: str, kinds: Collection[str]) -> set[str]:
    """Return the words of a language that are of other kinds than the given ones (``n``, ``v``, ``adj``)."""
    return {word for word, own in _kinds(folder, CODES[lang]).items() if not own.issubset(kinds)}


def translating_words(folder: Path, lang: str, kinds: Collection[str]) -> set[str]:
    """Return the words that translate words of other kinds and are in no dictionary of their language."""
    found: set[str] = set()
    for path in folder.glob(f"**/freedict-???-{CODES[lang]}.dict.dz"):
        for _, kind, senses in _entries(path):
            if kind not in kinds:
                found.update(word for sense in senses for word in sense)
    return found - _kinds(folder, CODES[lang]).keys()


@cache
def _kinds(folder: Path, code: str) -> Mapping[str, set[str]]:
    """Return the kinds of the words that the dictionaries of a language have."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    for path in folder.glob(f"**/freedict-{code}-???.dict.dz"):
        for word, kind, _ in _entries(path):
            known[word].add(kind)
    return known


@cache
def _to_english(folder: Path, kind: str, without: frozenset[str]) -> dict[str, Table]:
    tables = {code: _both_ways(folder, code, "eng", kind, without) for code in CODES.values()}
    return {code: table for code, table in tables.items() if table}


def _both_ways(folder: Path, source: str, target: str, kind: str, without: frozenset[str]) -> Table:
    """Return the translations of a dictionary and of the turned dictionary of the other direction."""
    forward = {} if source in without else _read(folder, source, target, kind)
    backward = {} if target in without else _read(folder, target, source, kind)
    back = defaultdict[str, Counter[str]](Counter)
    for word, others in backward.items():
        for other, share in others.items():
            back[other][word] += share
    joined = defaultdict[str, Counter[str]](Counter)
    for table in (forward, back):
        for word, others in table.items():
            for other, share in others.items():
                joined[word][other] += share / others.total()
    return {
        word: Counter({other: share / others.total() for other, share in others.items()})
        for word, others in joined.items()
    }


def _read(folder: Path, source: str, target: str, kind: str) -> Table:
    table = defaultdict[str, Counter[str]](Counter)
    for path in folder.glob(f"**/freedict-{source}-{target}.dict.dz"):
        for word, own, senses in _entries(path):
            for sense in senses if own == kind else ():
                for other in sense:
                    table[word][other] += 1 / len(sense) / len(senses)
    return table


def _entries(path: Path) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Yield the entries of a file: a word, its part of speech, and the translations of each sense."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [*file.read().split("\n"), ""]
    starts = [(at, match) for at, match in enumerate(map(_HEAD.match, lines)) if match]
    for (at, match), (end, _) in zip(starts, [*starts[1:], (len(lines), None)], strict=True):
        # the translations are the lines with a number, or the first line; others are definitions
        rest = lines[at + 1 : end]
        senses = [_NUMBER.sub("", line) for line in rest if _NUMBER.match(line)] or rest[:1]
        parts = ([_NOTE.sub("", part).strip() for part in sense.split(", ")] for sense in senses)
        kept = [[part for part in sense if part] for sense in parts]
        yield match[1], match[2], [sense for sense in kept if sense]
