"""The base of every parser, and abilities that some have: search with beams, draw graphs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.types import Parse, Parser, Sentence, Sentences
from parser.own_words import with_own_words

UNKNOWN_LANGUAGE = "the parser was not trained on language"
"""Beginning of the repair of a sentence in a language that the parser does not know."""


class TextParser(ABC):
    """Parse text; the base of every `amrx.types.Parser` here. A subclass parses a list of records."""

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order, as `amrx.types.Parser` says."""
        records = as_sentences(sentences, lang)
        return list(map(with_own_words, self._parse(records, batch_size=batch_size, progress=progress)))

    @abstractmethod
    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order."""


@runtime_checkable
class Searcher(Protocol):
    """A parser that can search with beams."""

    def with_beam(self, beam: int) -> Parser:
        """Return this parser with a search of ``beam`` beams."""


class Drawing(Parser, Protocol):
    """A parser that draws graphs beside the one of its search."""

    def readings(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[list[Parse]]:
        """Return the search's graph of each sentence and the drawn ones, one parse each."""

    def with_beam(self, beam: int) -> Drawing:
        """Return this parser with a search of ``beam`` beams; the draws stay the same."""


@runtime_checkable
class Sampler(Protocol):
    """A parser that can draw graphs from its distribution."""

    def with_samples(self, samples: int) -> Drawing:
        """Return this parser drawing ``samples`` graphs per sentence beside its search."""


@runtime_checkable
class Mending(Protocol):
    """A parser that mends a graph which its readings have elected, as it mends its own."""

    def mended(self, parse: Parse) -> Parse:
        """Return the parse with the mended graph."""


def search(parser: Parser, beam: int) -> Parser:
    """Return ``parser`` with a search of ``beam`` beams."""
    if not isinstance(parser, Searcher):
        raise OptionError(f"parser {parser.fingerprint!r} has no beams; it decodes greedily")
    return parser.with_beam(beam)


def draws(parser: Parser, samples: int) -> Drawing:
    """Return ``parser`` drawing ``samples`` graphs per sentence."""
    if not isinstance(parser, Sampler):
        raise OptionError(f"parser {parser.fingerprint!r} cannot draw graphs from its distribution")
    return parser.with_samples(samples)
