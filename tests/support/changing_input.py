"""A parser that, while it works, does something to the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from amrx.types import Parse, Sentence
from tests.support.fake_command import FakeParser


@contextmanager
def changing(parser: FakeParser, change: Callable[[], object], call: int) -> Iterator[None]:
    """Change the input while the parser works for the ``call``-th time."""
    real = parser.parse

    def parse(sentences: list[Sentence], *, batch_size: int = 64, progress: bool = False) -> list[Parse]:
        if parser.calls == call:
            change()
        return real(sentences, batch_size=batch_size, progress=progress)

    parser.parse = parse  # type: ignore[method-assign]
    yield
    parser.parse = real  # type: ignore[method-assign]
