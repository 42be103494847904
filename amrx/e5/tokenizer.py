"""Split text into the pieces of multilingual-e5-small (XLM-R's), with the span of each in the given text.

::

    "Der Junge will  gehen."
    ids    <s>    ▁Der   ▁Junge  ▁will   ▁gehen   .        </s>
    spans  (0,0)  (0,3)  (4,9)   (10,14) (16,21)  (21,22)  (22,22)
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.e5.weights import find, read_pieces
from amrx.errors import InputError

if TYPE_CHECKING:
    from amrx.e5.weights import E5Pieces

Span = tuple[int, int]
Piece = tuple[int, int, int]
"""Id, begin and end in its word."""
BLANK = "▁"
"""Piece of the blank before a word if no longer piece starts with it."""

# a word, cut before every blank sign in it; blanks are those of Unicode's White_Space
_WORD = re.compile(
    rf"{BLANK}?[^{BLANK}\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|{BLANK}"
)
_PENALTY = 10.0
"""Score of an unknown character below the worst piece's."""
_REMEMBERED, _LONGEST = 10_000, 256
"""Words whose pieces are remembered, and their longest length."""


class E5Tokenizer:
    """The unigram model of 250,002 pieces (Kudo 2018), with ``<s>`` and ``</s>`` added.

    It gives the pieces of the library ``tokenizers``, which takes longer to sort all of them into its tree
    than a sentence takes to be parsed. The pieces of a word are those with the highest sum of scores
    (Viterbi)::

        best(e) = max over pieces w = word[b:e] of best(b) + score(w)

    Args:
        pieces: The subword model; default that of the installed package.
    """

    def __init__(self, pieces: E5Pieces | None = None) -> None:
        self.model = pieces or read_pieces(find())
        self._longest = max(map(len, self.model.ids), default=1)
        self._unknown = min(self.model.scores, default=0.0) - _PENALTY
        self._remembered: dict[str, list[Piece]] = {}

    @classmethod
    def from_folder(cls, folder: str | Path | None = None) -> E5Tokenizer:
        """Read the subword model from a folder with the package's file, or from the installed package."""
        return cls(read_pieces(find(folder)))

    def __len__(self) -> int:
        return len(self.model.scores)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids ``[<s>, …, </s>]`` of every text."""
        return [self.pieces_with_spans(text)[0] for text in texts]

    def pieces_with_spans(self, text: str) -> tuple[list[int], list[Span]]:
        """Return the ids of ``encode`` and the span of each in code points of ``text``."""
        normal, origin = self._normalise(text)
        ids, spans = [self.model.bos], [(0, 0)]
        for match in _WORD.finditer(normal):
            word, start = match[0], match.start()
            if not word.startswith(BLANK):
                word, start = BLANK + word, start - 1
            for number, begin, end in self._pieces(word):
                # the sign put before the first character has that one's place
                first = origin[max(start + begin, match.start())][0]
                blank = end - begin == 1 and word[begin] == BLANK
                ids.append(number)
                spans.append((first, first if blank else origin[start + end - 1][1]))
        return [*ids, self.model.eos], [*spans, (len(text), len(text))]

    def _pieces(self, word: str) -> list[Piece]:
        """Return the pieces of a word, which are remembered if it is short."""
        pieces = self._remembered.get(word)
        if pieces is None:
            pieces = self._split(word)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            if len(word) <= _LONGEST:
                self._remembered[word] = pieces
        return pieces

    def _split(self, word: str) -> list[Piece]:
        """Return the pieces of a word; neighbouring unknown ones are one."""
        ids, scores, unknown = self.model.ids, self.model.scores, self.model.unk
        best: list[tuple[float, int, int]] = [(0.0, 0, unknown), *[(-math.inf, 0, unknown)] * len(word)]
        for begin in range(len(word)):
            before, single = best[begin][0], False
            for end in range(begin + 1, min(begin + self._longest, len(word)) + 1):
                number = ids.get(word[begin:end])
                if number is not None:
                    single |= end == begin + 1
                    if before + scores[number] > best[end][0]:
                        best[end] = before + scores[number], begin, number
            if not single and before + self._unknown > best[begin + 1][0]:
                best[begin + 1] = before + self._unknown, begin, unknown
        pieces: list[Piece] = []
        end = len(word)
        while end:
            _, begin, number = best[end]
            if number == unknown and pieces and pieces[-1][0] == unknown:
                pieces[-1] = unknown, begin, pieces[-1][2]
            else:
                pieces.append((number, begin, end))
            end = begin
        return [(ids.get(word[b:e], n), b, e) if n == unknown else (n, b, e) for n, b, e in reversed(pieces)]

    def _normalise(self, text: str) -> tuple[str, list[Span]]:
        """Return the text in the pieces' normal form, and the span in ``text`` of each of its characters."""
        characters, origin = list[str](), list[Span]()
        for begin, end in _composed(text):
            for character in unicodedata.normalize("NFC", text[begin:end]):
                if "\ud800" <= character <= "\udfff":
                    raise InputError(f"the text holds a lone surrogate: {text[:40]!r}")
                replacement = self.model.normaliser.get(ord(character), character)
                characters += replacement
                origin += [(begin, end)] * len(replacement)
        return "".join(characters), origin


def _composed(text: str) -> list[Span]:
    r"""Return the spans of characters with their combining marks.

    Example:
        >>> _composed("Zoe\u0308!")
        [(0, 1), (1, 2), (2, 4), (4, 5)]
    """
    starts = [i for i, sign in enumerate(text) if not i or not unicodedata.combining(sign)]
    return list(itertools.pairwise([*starts, len(text)]))
