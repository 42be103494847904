"""Several graphs of a sentence: the parsers ``readings:PARSER`` and ``readings@K:PARSER``.

::

    sentence ──PARSER's own search──────> graph, status, repairs, alignments
             ──PARSER, greedily─────────> one more graph              ``readings:PARSER``
             ──PARSER, drawing K times──> K more graphs               ``readings@K:PARSER``

The further graphs are `amrx.types.Parse.others`. A small parser errs in one search where it is right in the
other, and spreads its belief over many graphs, of which the best one holds little. The retrofit takes the
mean of their vectors (`retrofit.combine`); over draws that is an estimate of what the AMR encoder says of the
sentence in the mean over the parser's distribution. Whoever asks for one graph gets that of the search. The
price is the decoding of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.types import Parse, Parser, Sentence

if TYPE_CHECKING:
    from parser.cache import ParseCache


class ReadingsParser:
    """A parser whose parses hold further readings; is itself a parser.

    Law: each parse is that of ``first``, and ``others`` are the graphs of the further parsers, in order,
    without those that failed. A sentence that ``first`` fails on has none.

    Args:
        first: Gives the graph, its status and alignments.
        further: Give more graphs, one each or several.
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
        from parser.cache import CachedParser

        first, *further = (CachedParser(one, cache) for one in (self.first, *self.further))
        return ReadingsParser(first, *further)

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order."""
        parses = self.first.parse(sentences, batch_size=batch_size, progress=progress)
        rest = [one.parse(sentences, batch_size=batch_size, progress=progress) for one in self.further]
        return [
            replace(
                parse,
                parser=self.fingerprint,
                others=()
                if parse.status == "failed"
                else tuple(
                    graph
                    for other in others
                    if other.status != "failed"
                    for graph in (other.graph, *other.others)
                ),
            )
            for parse, *others in zip(parses, *rest, strict=True)
        ]


def load_readings(name: str | None, samples: int | None = None) -> ReadingsParser:
    """Load the parser of the name after ``readings:`` or ``readings@K:``, ``mini`` where there is none.

    Args:
        name: What stands after the colon.
        samples: ``K``; ``None`` for a greedy search in place of draws.

    Raises:
        OptionError: The parser has no beams or cannot draw, or ``samples`` is below 1.
        MissingResourceError: Its weights are not on this machine.
    """
    from parser.load import draws, load, search

    parser = load(name or "mini")
    return ReadingsParser(parser, search(parser, 1) if samples is None else draws(parser, samples))
