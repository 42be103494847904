"""Run a parser over any number of sentences: on this machine (``local``) or a Ray cluster (``ray``).

Law: the parses do not depend on the engine.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Protocol

from amrx.types import Parse, Parser, Sentence
from parser.run.cache import CachedParser, ParseCache


class Engine(Protocol):
    """Protocol of an engine, which runs a parser."""

    @property
    def hits(self) -> int:
        """Number of sentences found in the cache so far."""

    def stream(self, sentences: Iterable[Sentence], *, batch_size: int = 64) -> Iterator[Parse]:
        """Yield one parse per sentence, in order, in bounded memory."""


class LocalEngine:
    """A parser in this process, or in worker processes of this machine."""

    def __init__(self, parser: Parser, cache: ParseCache | None = None) -> None:
        self.parser = parser if cache is None else CachedParser(parser, cache)

    @property
    def hits(self) -> int:
        """Number of sentences found in the cache so far."""
        return self.parser.hits if isinstance(self.parser, CachedParser) else 0

    def stream(self, sentences: Iterable[Sentence], *, batch_size: int = 64) -> Iterator[Parse]:
        """Yield one parse per sentence, in order."""
        from parser.run.stream import parse_stream

        return parse_stream(self.parser, sentences, batch_size=batch_size)


def open_engine(
    engine: str,
    name: str,
    workers: int | None,
    beam: int | None,
    cache: ParseCache | None,
    stack: ExitStack,
) -> Engine:
    """Return the engine ``local`` or ``ray`` for a parser; what is started here ends with ``stack``."""
    if engine == "local":
        return LocalEngine(open_parser(name, workers, stack, beam), cache)
    from parser.run.ray import RayEngine

    return stack.enter_context(RayEngine(name, workers, beam, cache))


def open_parser(name: str, workers: int | None, stack: ExitStack, beam: int | None = None) -> Parser:
    """Load a parser into this process, or into ``workers`` processes that end with ``stack``.

    Without a number of workers it is a `GrowingParser`.
    """
    from parser.run.pool import GrowingParser, WorkersParser

    if workers is not None:
        return stack.enter_context(WorkersParser(name, workers, beam))
    from parser.load import load

    loaded = load(name, beam=beam)
    if "torch" in sys.modules:
        from amrx.threads import set_threads

        set_threads()
    return GrowingParser(loaded, name, stack, beam)
