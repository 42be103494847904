"""The one place where an encoder takes its arguments.

::

    encode("A dog barks.")               ──> (d,)
    encode(["A dog barks.", "Yes."])     ──> (2, d)    any iterable, taken once
    encode([...], lang="en")             ──> one code for all, or one code per sentence
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.langid import check, codes_of, fill_languages
from amrx.texts import as_items, as_texts, check_characters
from amrx.types import Sentence, Sentences

if TYPE_CHECKING:
    from amrx.types import Vectors


class TextEncoder(ABC):
    """Base of every `amrx.types.Encoder` here; a subclass encodes a list of strings.

    Law: ``encode(text)`` is ``encode([text])[0]``, and an iterable gives the vectors of its list.
    """

    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        """Encode sentences.

        Args:
            sentences: One text, or any ordered iterable of texts, which is taken once.
            lang: ISO 639-1 code of all sentences, or one code per sentence; detected when ``None``.
            batch_size: Sentences per batch of the model.
            progress: Draw a bar on standard error.

        Returns:
            Float32 ``(n, d)``; ``(d,)`` of one text.

        Raises:
            InputError: A sentence is no text; the message names its position.
            OptionError: There are not as many codes as sentences.
        """
        texts = as_texts(sentences)
        codes = as_codes(lang, len(texts))
        vectors = self._encode(texts, lang=codes, batch_size=batch_size, progress=progress)
        return vectors[0] if isinstance(sentences, str) else vectors

    @abstractmethod
    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(len(texts), d)``; ``lang`` has one code per text where it is a list."""


def as_codes(lang: str | Iterable[str] | None, count: int) -> str | list[str] | None:
    """Return one code, or a list of ``count`` codes.

    Raises:
        OptionError: There are not as many codes as sentences.
        InputError: A code is no string.

    Example:
        >>> as_codes("de", 2), as_codes(iter(["de", "fr"]), 2)
        ('de', ['de', 'fr'])
    """
    if lang is None or isinstance(lang, str):
        return lang
    return codes_of(as_items(lang, str, "language code"), count)


def as_sentences(sentences: Sentences, lang: str | Iterable[str] | None = None) -> list[Sentence]:
    """Return records; a string gets its position as id, ``"1"`` first.

    Args:
        sentences: Strings or records, or one of them; an iterable is taken once.
        lang: ISO 639-1 code of all strings, or one code per sentence. A record keeps its own language.

    Raises:
        InputError: A sentence is neither; the message names its position.
        OptionError: A code is unknown, or there are not as many codes as sentences.

    Example:
        >>> as_sentences(["Der Junge geht.", Sentence("b", "The boy goes.", "en")], lang="de")
        ... # doctest: +NORMALIZE_WHITESPACE
        [Sentence(id='1', text='Der Junge geht.', lang='de'),
         Sentence(id='b', text='The boy goes.', lang='en')]
    """
    kinds: tuple[type[str | Sentence], ...] = (str, Sentence)
    items = [sentences] if isinstance(sentences, kinds) else as_items(sentences, kinds, "sentence")
    codes = as_codes(lang, len(items))
    for code in dict.fromkeys([codes] if isinstance(codes, str) else codes or []):
        check(code)
    langs: Sequence[str | None] = codes if isinstance(codes, list) else [codes] * len(items)
    return [_record(item, str(i), code) for i, (item, code) in enumerate(zip(items, langs, strict=True), 1)]


def languages_of(sentences: str | Iterable[str], lang: str | Iterable[str] | None) -> list[str]:
    """Return one language code per sentence, detected where ``lang`` is ``None``.

    Raises:
        OptionError: A code is unknown, or there are not as many codes as sentences.
    """
    return fill_languages(as_sentences(as_texts(sentences), lang))


def _record(item: str | Sentence, position: str, lang: str | None) -> Sentence:
    record = Sentence(position, str.__str__(item)) if isinstance(item, str) else item
    check_characters(record.text, "sentence", repr(record.id))
    return record if record.lang is not None or lang is None else replace(record, lang=lang)
