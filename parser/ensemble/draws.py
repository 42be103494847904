"""Combine the graphs of a search and of draws: the base of the parsers in `parser.ensemble`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Self

from amrx.encoder import as_sentences
from amrx.types import Parse, Parser, Sentences

if TYPE_CHECKING:
    from parser.load import Drawing


class DrawnParser(ABC):
    """Search and draws make one parse; is itself a parser.

    Law: ``readings`` are the search's and those drawn that did not fail, in order, whatever was made of them.
    A sentence that the search fails on stays failed, and has none.

    Args:
        search: Gives the first reading.
        drawing: Gives the others.

    Attributes:
        kind: What the fingerprint begins with.
    """

    kind: ClassVar[str]

    def __init__(self, search: Parser, drawing: Drawing) -> None:
        self.search, self.drawing = search, drawing
        self.fingerprint = f"{self.kind}:{search.fingerprint}+{drawing.fingerprint}"

    @abstractmethod
    def choose(self, readings: Sequence[Parse]) -> Parse:
        """Return the parse that the readings make, the search's first."""

    def with_beam(self, beam: int) -> Self:
        """Return this parser with a search of ``beam`` beams; what is drawn stays.

        Raises:
            OptionError: The searching parser has no beams.
        """
        from parser.load import search

        return type(self)(search(self.search, beam), self.drawing)

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
        searched = self.search.parse(records, batch_size=batch_size, progress=progress)
        drawn = self.drawing.readings(records, batch_size=batch_size, progress=progress)
        return [
            replace(self._made(first, others), parser=self.fingerprint)
            for first, others in zip(searched, drawn, strict=True)
        ]

    def _made(self, first: Parse, drawn: Sequence[Parse]) -> Parse:
        if first.status == "failed":
            return first
        readings = [first, *(other for other in drawn if other.status != "failed")]
        return replace(self.choose(readings), readings=tuple(reading.graph for reading in readings))

    @classmethod
    def load(cls, name: str | None, samples: int) -> Self:
        """Load this over the parser of that name, ``mini`` where there is none, with ``samples`` draws.

        Raises:
            OptionError: The parser cannot draw, or ``samples`` is below 1.
            MissingResourceError: Its weights are not on this machine.
        """
        from parser.load import draws, load

        parser = load(name or "mini")
        return cls(parser, draws(parser, samples))
