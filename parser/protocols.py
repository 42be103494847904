"""Define the base class of parsers, and the protocols of those with beams and of those with workers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence, Sentences
from parser.own_words import with_own_words

CUT = "sentence cut"
"""Start of the note on a sentence that is too long for its parser."""
UNKNOWN_LANGUAGE = "the parser was not trained on language"
"""Start of the note on a sentence in a language that the parser does not know."""


class TextParser(ABC):
    """Parse text; base class of every `amrx.types.Parser` here. A subclass parses a list of records."""

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order; see `amrx.types.Parser`."""
        records = as_sentences(sentences, lang)
        return list(map(with_own_words, self._parse(records, batch_size=batch_size, progress=progress)))

    @abstractmethod
    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order."""


@runtime_checkable
class BlockParser(Protocol):
    """A parser that returns parses while its workers parse others."""

    def parse_blocks(
        self, records: list[Sentence], *, batch_size: int
    ) -> Iterator[tuple[list[int], list[Parse]]]:
        """Yield positions of records with their parses; every position once."""


@runtime_checkable
class Searcher(Protocol):
    """A parser that can search with beams."""

    def with_beam(self, beam: int) -> Parser:
        """Return this parser with a search of ``beam`` beams."""


def search(parser: Parser, beam: int) -> Parser:
    """Return ``parser`` with a search of ``beam`` beams."""
    if not isinstance(parser, Searcher):
        raise OptionError(f"parser {parser.fingerprint!r} has no beam search; it decodes greedily")
    return parser.with_beam(beam)
