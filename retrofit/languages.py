"""The language of each sentence: as given, or detected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amrx import langid
from amrx.encoder import as_sentences
from amrx.texts import as_texts
from amrx.types import Sentence


def languages_of(sentences: str | Iterable[str], lang: str | Iterable[str] | None) -> list[str]:
    """Return one language code per sentence, detected where ``lang`` is ``None``.

    Raises:
        OptionError: A code is none, or there are not as many codes as sentences.
    """
    return fill_languages(as_sentences(as_texts(sentences), lang))


def fill_languages(sentences: Sequence[Sentence]) -> list[str]:
    """Return the language of each record, detected where it is missing."""
    unknown = [sentence.text for sentence in sentences if sentence.lang is None]
    found = iter(langid.detect(unknown) if unknown else [])
    return [sentence.lang if sentence.lang is not None else next(found) for sentence in sentences]
