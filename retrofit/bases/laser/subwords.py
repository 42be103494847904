"""From sentences to the subwords whose ids the network reads, for each of the two encoders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from amrx import langid
from retrofit.bases.laser.text import clean

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

    from retrofit.bases.laser.bpe import Cut
    from retrofit.bases.laser.words import Words

Lang = str | Sequence[str] | None


class Subwords(Protocol):
    """One row of subwords a sentence, without ``</s>``."""

    def __call__(self, sentences: Sequence[str], lang: Lang) -> list[list[str]]:
        """Return the subwords of every sentence; ``lang`` is one code, one a sentence, or to be detected."""


class WordsAndMerges:
    """LASER1's: words of the language, each cut by byte-pair encoding."""

    def __init__(self, words: Words, bpe: Cut) -> None:
        self._words, self._bpe = words, bpe

    def __call__(self, sentences: Sequence[str], lang: Lang) -> list[list[str]]:
        """Return the subwords of every sentence.

        Raises:
            OptionError: There are not as many codes as sentences.
            MissingResourceError: A language needs a package that is not installed.
        """
        codes = langid.detect(sentences) if lang is None else langid.codes_of(lang, len(sentences))
        cut = (self._words.cut(text, code).split() for text, code in zip(sentences, codes, strict=True))
        return [self._bpe(words) for words in cut]


class Pieces:
    """LASER2's: SentencePiece on the cleaned text; every language is read alike."""

    def __init__(self, model: SentencePieceProcessor) -> None:
        self._model = model

    def __call__(self, sentences: Sequence[str], lang: Lang) -> list[list[str]]:
        """Return the subwords of every sentence, whatever ``lang`` is."""
        cut = self._model.encode([clean(sentence) for sentence in sentences], out_type=str)
        # joined and cut at blanks, as the files between the published steps were
        return [" ".join(pieces).split() for pieces in cut]
