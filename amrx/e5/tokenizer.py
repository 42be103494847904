"""Split text into the pieces of multilingual-e5-small (XLM-R's), with the span of each in the given text.

::

    "Der Junge will  gehen."
    ids    <s>    ▁Der   ▁Junge  ▁will   ▁gehen   .        </s>
    spans  (0,0)  (0,3)  (4,9)   (10,14) (16,21)  (21,22)  (22,22)
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.composed_text import Span
from amrx.e5.weights import find, read_pieces
from amrx.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from amrx.e5.weights import E5Pieces

BLANK = "▁"
"""Piece for the space before a word, used if no longer piece starts with that space."""


@functools.lru_cache(maxsize=1)
def _unigram(model: E5Pieces) -> Tokenizer:
    """Return the tokenizers model of the pieces, built once per process because that is slow."""
    from tokenizers import Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.pre_tokenizers import Metaspace, Sequence, WhitespaceSplit

    tokenizer = Tokenizer(Unigram(model.pieces, model.unk, byte_fallback=False))
    tokenizer.pre_tokenizer = Sequence([WhitespaceSplit(), Metaspace()])
    return tokenizer


class E5Tokenizer:
    """The unigram model of 250,002 pieces, with ``<s>`` and ``</s>`` added."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Read the subword model from a folder with the package's file, or from the installed package."""
        self.model = read_pieces(find(folder))
        self._tokenizer = _unigram(self.model)

    def __len__(self) -> int:
        return len(self.model.pieces)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids ``[<s>, …, </s>]`` of every text."""
        return [self.pieces_with_spans(text)[0] for text in texts]

    def pieces_with_spans(self, text: str) -> tuple[list[int], list[Span]]:
        """Return the ids of ``encode`` and the span of each in code points of ``text``."""
        normal, origin = self._normalise(text)
        encoding = self._tokenizer.encode(normal, add_special_tokens=False)
        spans = [
            (origin[begin][0], origin[end - 1][1]) if piece != BLANK else (origin[begin][0],) * 2
            for piece, (begin, end) in zip(encoding.tokens, encoding.offsets, strict=True)
        ]
        ends = (0, 0), (len(text), len(text))
        return [self.model.bos, *encoding.ids, self.model.eos], [ends[0], *spans, ends[1]]

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
