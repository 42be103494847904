"""Two graphs of a sentence: the parser ``readings:PARSER``.

::

    sentence ──PARSER's own search──> graph, status, repairs, alignments; a reading
             ──PARSER, greedily─────> one more reading

A small parser errs in one search where it is right in the other, and the retrofit takes the mean of the
vectors of all readings (`retrofit.combine`). Whoever asks for one graph gets that of the search. Draws bring
more for more time (`parser.ensemble`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.encoder import as_sentences
from amrx.types import Parse, Parser, Sentences

if TYPE_CHECKING:
    from parser.run.cache import ParseCache


class ReadingsParser:
    """A parser whose parses hold several readings; is itself a parser.

    Law: each parse is that of ``first``; ``readings`` are its graph and those of the further parsers, in
    order, without those that failed. A sentence that ``first`` fails on has none.

    Args:
        first: Gives the graph, its status and alignments.
        further: Give one more graph each.
    """

    def __init__(self, first: Parser, *further: Parser) -> None:
        self.first, self.further = first, further
        self.fingerprint = "readings:" + "+".join(one.fingerprint for one in (first, *further))

    def with_beam(self, beam: int) -> ReadingsParser:
        """Return this parser with a first search of ``beam`` beams.

        Raises:
            OptionError: The first parser has no beams.
        """
        from parser.load import search

        return ReadingsParser(search(self.first, beam), *self.further)

    def cached(self, cache: ParseCache) -> ReadingsParser:
        """Return this parser with every search behind the cache, which ``amrx parse`` shares."""
        from parser.run.cache import CachedParser

        first, *further = (CachedParser(one, cache) for one in (self.first, *self.further))
        return ReadingsParser(first, *further)

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order."""
        records = as_sentences(sentences, lang)
        parses = self.first.parse(records, batch_size=batch_size, progress=progress)
        rest = [one.parse(records, batch_size=batch_size, progress=progress) for one in self.further]
        return [
            replace(
                parse,
                parser=self.fingerprint,
                readings=()
                if parse.status == "failed"
                else (parse.graph, *(other.graph for other in others if other.status != "failed")),
            )
            for parse, *others in zip(parses, *rest, strict=True)
        ]


def load_readings(name: str | None) -> ReadingsParser:
    """Load the parser of the name after ``readings:``, ``mini`` where there is none.

    Raises:
        OptionError: The parser has no beams.
        MissingResourceError: Its weights are not on this machine.
    """
    from parser.load import load, search

    parser = load(name or "mini")
    return ReadingsParser(parser, search(parser, 1))
