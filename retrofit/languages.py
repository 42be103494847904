"""The language of each sentence: as told, or detected."""

from __future__ import annotations

from collections.abc import Sequence

from amrx.types import Sentence


def languages_of(sentences: Sequence[str], lang: str | Sequence[str] | None) -> list[str]:
    """Return one language code a sentence, detected where ``lang`` is ``None``.

    Raises:
        OptionError: A code is none, or there are not as many codes as sentences.
    """
    from amrx import langid

    if lang is None:
        return langid.detect(sentences)
    codes = langid.codes_of(lang, len(sentences))
    for code in dict.fromkeys([lang] if isinstance(lang, str) else codes):
        langid.check(code)
    return codes


def fill_languages(sentences: Sequence[Sentence]) -> list[str]:
    """Return the language of each record, detected where it is missing."""
    unknown = [sentence.text for sentence in sentences if sentence.lang is None]
    found = iter(languages_of(unknown, None) if unknown else [])
    return [sentence.lang if sentence.lang is not None else next(found) for sentence in sentences]
