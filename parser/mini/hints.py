"""Tell the network what dictionaries say of a sentence's words.

::

    Der Hund bellte      hund: dog .74, hound .26      bellte: bark 1
    hints                (piece of hund, dog, .73), (piece of hund, hound, .27), (piece of bellte, bark-01, 1)

The network reads the sum of the names of a piece's hints, each by its share (`parser.mini.model`). A language
without a dictionary has none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from parser.mini.labels import Labels
from parser.mini.lexicon.dictionaries import shares_of
from parser.mini.model import LEVELS
from parser.mini.source import Source
from parser.values.words import DENSE

MOST = 4
"""Maximum number of hints per word."""
LONGEST = 6
"""Maximum length of a word in scripts without spaces."""
_DENSE = re.compile(rf"[{DENSE}]")
_FRAME = re.compile(r"(.+)-\d\d\d?")


class Hint(NamedTuple):
    """A label whose name a dictionary gives for a word."""

    piece: int
    label: int
    level: int  # its share, in `LEVELS`


class Hints:
    """Look up words in the dictionaries of their language.

    Args:
        labels: The network's labels.
    """

    def __init__(self, labels: Labels) -> None:
        self.labels: dict[str, int] = {}
        for number, node in enumerate(labels.nodes):
            frame = _FRAME.fullmatch(node)
            self.labels.setdefault(frame[1] if frame else node, number)

    def of(self, source: Source) -> list[Hint]:
        """Return the hints of each piece of a sentence's words."""
        hints: list[Hint] = []
        text = source.composed.text
        for word, start in zip(source.words, source.starts, strict=True):
            begin = text.find(word.text, source.spans[start][0])
            piece = start
            for offset, part in _parts(word.text, source.lang):
                found = self._found(part, source.lang)
                end = begin + offset + len(part)
                while piece < len(source.spans) - 1 and source.spans[piece][1] <= begin + offset:
                    piece += 1
                while piece < len(source.spans) - 1 and source.spans[piece][0] < end:
                    hints += (Hint(piece, label, level) for label, level in found)
                    piece += 1
        return hints

    def _found(self, word: str, lang: str) -> list[tuple[int, int]]:
        shares = shares_of(word, lang)
        best = sorted(shares, key=lambda one: -shares[one])[:MOST]
        found = ((self.labels.get(one), round(LEVELS * shares[one])) for one in best)
        return [(label, level) for label, level in found if label is not None and level]


def _parts(word: str, lang: str) -> Iterator[tuple[int, str]]:
    """Yield a word, or, in scripts without spaces, the longest words of a dictionary, with their offsets."""
    if not _DENSE.match(word):
        yield 0, word
        return
    begin = 0
    while begin < len(word):
        lengths = range(min(LONGEST, len(word) - begin), 0, -1)
        length = next((n for n in lengths if shares_of(word[begin : begin + n], lang)), 0)
        if length:
            yield begin, word[begin : begin + length]
        begin += length or 1
