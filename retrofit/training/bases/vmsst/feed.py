"""Form batches of translations with the language of each sentence."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from retrofit.training.bases.feed import Batch, Features
from retrofit.training.bases.mixture import Mixture
from retrofit.training.bases.sources import Source

COLUMN, LANGUAGE = "pairs", "language"
"""Names of the only column, and of its language indices."""


class PairFeed:
    """First all first sides, then, in the same order, all second ones: rows r and r + n are translations.

    Args:
        mixture: Source of the rows.
        size: Pairs per batch, over all processes.
        tokenize: Function from sentences to the encoder's input.
        languages: Codes, in the order of their indices.
        share: Index of this process and number of processes; each takes its part of every batch.
    """

    def __init__(
        self,
        mixture: Mixture,
        size: int,
        tokenize: Callable[[Sequence[str]], Features],
        languages: Sequence[str],
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self._mixture, self._size, self._tokenize, self._share = mixture, size, tokenize, share
        self._numbers = {code: number for number, code in enumerate(languages)}

    def take(self, step: int) -> Batch:
        """Return the batch of a step."""
        rank, world = self._share
        rows = self._mixture.draw(step, self._size)[rank::world]
        both = [(row.texts[side], row.source.languages[side]) for side in (0, 1) for row in rows]
        language = torch.tensor([self._numbers[code] for _, code in both])
        return {COLUMN: {**self._tokenize([text for text, _ in both]), LANGUAGE: language}}

    def state(self) -> dict[str, object]:
        """Return the position of the mixture."""
        return self._mixture.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the position of another feed."""
        self._mixture.restore(state)


def languages_of(sources: Sequence[Source]) -> list[str]:
    """Return the languages of some sources, sorted by code."""
    return sorted({code for source in sources for code in source.languages})
