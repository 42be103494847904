"""A sentence as the mini parser sees it: subword ids, and which of them begin a word that can be copied."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from amrx.composed_text import (
    ZERO_WIDTH_SPACE,
    Composed,
    Span,
    compose,
    whole_signs,
    with_letters_for_marks,
)
from amrx.muse.tokenize import MuseTokenizer
from parser.mini.literals import Word
from parser.mini.symbols import copied

MOST_PIECES = 128
_UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
_WORD = re.compile(r"[^\W_]+(?:[-'.,’][^\W_]+)*")


class Tokenizer(Protocol):
    """A subword model."""

    def pieces_with_spans(self, text: str) -> tuple[list[int], list[Span]]:
        """Return the ids of the pieces, with those of the ends, and the span of each."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence, cut to `MOST_PIECES` pieces.

    Attributes:
        ids: Subword ids with ``<s>`` and ``</s>``.
        spans: Character span of every piece in ``composed``.
        words: The words of the sentence.
        starts: The piece in which each word starts.
        cut: Whether pieces were cut off.
        composed: The text that was read (`amrx.composed_text`), with the way back to the given one.
        places: Plain forms of the English place names that it names; ``None`` where names are not held to the
            sentence, as they have to be spelled in another script.
        numbers: Numbers that it writes in letters; ``None`` where that is not known.
    """

    ids: list[int]
    spans: list[tuple[int, int]]
    words: list[Word]
    starts: list[int]
    cut: bool
    composed: Composed
    places: frozenset[str] | None = None
    numbers: frozenset[float] | None = None


def read_source(text: str, tokenizer: MuseTokenizer) -> Source:
    """Compose ``text`` and split it into pieces and words.

    Raises:
        InputError: ``text`` holds a lone surrogate.
    """
    composed, ids, spans, cut = cut_pieces(text, tokenizer)
    words = [(span, simple_word(composed.text[slice(*span)])) for span in _word_spans(composed.text)]
    return join_words(composed, ids, spans, cut, words)


def simple_word(text: str) -> Word:
    """Return a word that is copied without regard to its language or neighbours."""
    return Word(text, copied(text, False), copied(text, True))


def cut_pieces(text: str, tokenizer: Tokenizer) -> tuple[Composed, list[int], list[Span], bool]:
    """Compose a text and cut it to `MOST_PIECES` pieces.

    Returns:
        The composed text, the ids and spans of its pieces, and whether pieces were cut off.
    """
    composed = compose(text)
    ids, spans = tokenizer.pieces_with_spans(composed.text)
    cut = len(ids) > MOST_PIECES
    if cut:
        ids, spans = [*ids[: MOST_PIECES - 1], ids[-1]], [*spans[: MOST_PIECES - 1], spans[-1]]
    return composed, ids, spans, cut


def join_words(
    composed: Composed, ids: list[int], spans: list[Span], cut: bool, words: Sequence[tuple[Span, Word]]
) -> Source:
    """Return the sentence with the piece in which each of its words starts."""
    kept, starts, piece = list[Word](), list[int](), 1
    for (begin, _), word in words:
        while piece < len(ids) - 1 and spans[piece][1] <= begin:
            piece += 1
        if piece >= len(ids) - 1:
            break
        kept.append(word)
        starts.append(piece)
    return Source(ids, spans, kept, starts, cut, composed)


def _word_spans(text: str) -> Iterator[Span]:
    for match in _WORD.finditer(with_letters_for_marks(text)):
        yield match.span()


def word_span(source: Source, slot: int) -> Span | None:
    """Return the span, in the text as given, of the word at a memory slot.

    Where words are written without spaces it is that of the piece. ``None`` for slot 0 (the sentence), the
    marks around a sentence, and punctuation.
    """
    text = source.composed.text
    if slot == 0 or slot >= len(source.ids):
        return None
    start, end = source.spans[slot - 1]
    while start < end and (text[start].isspace() or text[start] == ZERO_WIDTH_SPACE):
        start += 1
    word = next((span for span in _word_spans(text) if span[0] <= start < span[1]), None)
    if word is None or start >= end:
        return None
    unspaced = any(unicodedata.name(letter, "").startswith(_UNSPACED) for letter in text[start:end])
    return source.composed.given(*(whole_signs(text, start, end) if unspaced else word))
