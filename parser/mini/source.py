"""A sentence as the mini parser sees it: subword ids, and which of them begin a word that can be copied."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from amrx.muse.tokenize import MuseTokenizer

MOST_PIECES = 128
_UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
_WORD = re.compile(r"[^\W_]+(?:[-'.,’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence, cut to `MOST_PIECES` pieces.

    Attributes:
        ids: Subword ids with ``<s>`` and ``</s>``.
        spans: Character span of every piece.
        words: The words of the sentence.
        starts: The piece in which each word starts.
        cut: Whether pieces were cut off.
    """

    ids: list[int]
    spans: list[tuple[int, int]]
    words: list[str]
    starts: list[int]
    cut: bool


def read_source(text: str, tokenizer: MuseTokenizer) -> Source:
    """Split ``text`` into pieces and words.

    Raises:
        InputError: ``text`` holds a lone surrogate.
    """
    ids, spans = tokenizer.pieces_with_spans(text)
    cut = len(ids) > MOST_PIECES
    if cut:
        ids, spans = [*ids[: MOST_PIECES - 1], ids[-1]], [*spans[: MOST_PIECES - 1], spans[-1]]
    words, starts, piece = [], [], 1
    for found in _WORD.finditer(text):
        while piece < len(ids) - 1 and spans[piece][1] <= found.start():
            piece += 1
        if piece >= len(ids) - 1:
            break
        words.append(found[0])
        starts.append(piece)
    return Source(ids, spans, words, starts, cut)


def word_span(text: str, source: Source, slot: int) -> tuple[int, int] | None:
    """Character span of the word at a memory slot; the piece itself where words are written without spaces.

    ``None`` for slot 0 (the sentence), the marks around a sentence, and punctuation.
    """
    if slot == 0 or slot >= len(source.ids):
        return None
    start, end = source.spans[slot - 1]
    start += len(text[start:end]) - len(text[start:end].lstrip())
    found = next((word for word in _WORD.finditer(text) if word.start() <= start < word.end()), None)
    if found is None or start >= end:
        return None
    unspaced = any(unicodedata.name(letter, "").startswith(_UNSPACED) for letter in text[start:end])
    return (start, end) if unspaced else found.span()
