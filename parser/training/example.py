"""Hold one training example: a sentence, its language, its graph."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, its packed graph, its language and its weight."""

    text: str
    graph: Sequence[str]
    lang: str
    weight: float
