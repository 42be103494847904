"""Convert a sentence to the network's input: subword ids, and the words that can be copied."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from amrx.composed_text import (
    ZERO_WIDTH_SPACE,
    Composed,
    Span,
    compose,
    whole_signs,
    with_letters_for_marks,
)
from amrx.e5.tokenizer import E5Tokenizer
from parser.mini.words import Word, read_words
from parser.values.text import written_in_digits

MOST_PIECES = 128
_WORD = re.compile(r"[^\W_]+(?:[-'.,’][^\W_]+)*")
_UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")


@dataclass(frozen=True, slots=True)
class Source:
    """One sentence, cut to `MOST_PIECES` pieces."""

    ids: list[int]  # subword ids with ``<s>`` and ``</s>``
    spans: list[Span]  # span of every piece in ``composed``
    words: list[Word]  # the words of the sentence
    starts: list[int]  # the piece in which each word starts, ascending
    cut: bool  # whether pieces were cut off
    composed: Composed  # the text read, with spans in the given text
    lang: str  # its language
    capitals: bool = False  # whether the text was in capitals


def read_source(text: str, lang: str, tokenizer: E5Tokenizer) -> Source:
    """Compose ``text`` and split it into pieces and words.

    A text in capitals is lower-cased; numbers and clock times in words are written in digits.
    """
    composed = compose(text)
    capitals = in_capitals(composed.text)
    if capitals:
        composed = replace(composed, text=in_small_letters(composed.text, lang))
    composed = written_in_digits(composed, lang)
    ids, spans = tokenizer.pieces_with_spans(composed.text)
    cut = len(ids) > MOST_PIECES
    if cut:
        ids, spans = [*ids[: MOST_PIECES - 1], ids[-1]], [*spans[: MOST_PIECES - 1], spans[-1]]
    words, starts = _with_starts(read_words(composed.text, lang), spans)
    if capitals:
        words = [_with_capital(word) for word in words]
    return Source(ids, spans, words, starts, cut, composed, lang, capitals)


def _with_capital(word: Word) -> Word:
    """Return a word with a capital at the start of its name."""
    return word if word.name is None else replace(word, name=f'"{word.name[1:2].upper()}{word.name[2:]}')


def _with_starts(words: Iterable[tuple[Span, Word]], spans: Sequence[Span]) -> tuple[list[Word], list[int]]:
    """Return the words that start before the last piece, with the piece in which each starts."""
    inside, starts, piece = list[Word](), list[int](), 1
    for (begin, _), word in words:
        while piece < len(spans) - 1 and spans[piece][1] <= begin:
            piece += 1
        if piece >= len(spans) - 1:
            break
        inside.append(word)
        starts.append(piece)
    return inside, starts


def piece_span(source: Source, piece: int) -> Span | None:
    """Return the span of the word at a piece, in the given text.

    In scripts without spaces it is the span of the piece. ``None`` for ``<s>``, ``</s>`` and punctuation.
    """
    text = source.composed.text
    start, end = source.spans[piece]
    while start < end and (text[start].isspace() or text[start] == ZERO_WIDTH_SPACE):
        start += 1
    word = next((span for span in _word_spans(text) if span[0] <= start < span[1]), None)
    if word is None or start >= end:
        return None
    unspaced = any(unicodedata.name(letter, "").startswith(_UNSPACED) for letter in text[start:end])
    return source.composed.given(*(whole_signs(text, start, end) if unspaced else word))


@lru_cache(maxsize=64)
def _word_spans(text: str) -> tuple[Span, ...]:
    return tuple(match.span() for match in _WORD.finditer(with_letters_for_marks(text)))


FEWEST = 2
"""Minimum number of words in a sentence in capitals: a single one may be an abbreviation."""


def in_capitals(text: str) -> bool:
    """Return whether a text is written in capitals only.

    Example:
        >>> [in_capitals(text) for text in ("THE DOG SLEEPS.", "The dog sleeps.", "NATO", "狗睡了。")]
        [True, False, False, False]
    """
    return text.isupper() and sum(word.isupper() and len(word) > 1 for word in text.split()) >= FEWEST


def in_small_letters(text: str, lang: str = "") -> str:
    """Return a text of the same length in lower case, except the first letter of each sentence.

    Example:
        >>> in_small_letters("DER HUND SCHLÄFT. ER TRÄUMT.")
        'Der hund schläft. Er träumt.'
        >>> in_small_letters("IŞIK İYİ", "tr")
        'Işık iyi'
    """
    small = _TURKISH if lang in ("tr", "az") else {}
    letters = [small.get(letter) or (low if len(low := letter.lower()) == 1 else letter) for letter in text]
    begins = True
    for index, letter in enumerate(text):
        if begins and letter.isalpha():
            letters[index], begins = letter, False
        begins = begins or letter in ".!?"
    return "".join(letters)


_TURKISH = {"I": "ı", "İ": "i"}
