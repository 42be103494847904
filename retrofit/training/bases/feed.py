"""Convert rows to batches of token ids, with named columns for the objective."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from retrofit.training.bases.mixture import Mixture, Row

Features = dict[str, Tensor]
"""Ids, mask and further inputs of an encoder, each ``(B, T)``."""

Batch = dict[str, Features]
"""Column name to sentences; row i of all columns belongs together."""

Columns = Callable[[Sequence[Row], np.random.Generator], Mapping[str, Sequence[str]]]
"""Function from rows to named columns, each with one sentence per row."""


Tokenize = Callable[[Sequence[str]], Features]
"""Function from sentences to the encoder's input."""


class Feed(ABC):
    """Endless batches of ``size`` rows of a mixture, which continue after a kill as if uninterrupted.

    ``share`` is the index of this process and the number of processes; each takes its part of every batch.
    """

    def __init__(self, mixture: Mixture, size: int, tokenize: Tokenize, share: tuple[int, int]) -> None:
        self._mixture, self._size, self._tokenize, self._share = mixture, size, tokenize, share

    @abstractmethod
    def take(self, step: int) -> Batch:
        """Return the batch of a step; steps are requested in order."""

    def state(self) -> dict[str, object]:
        """Return the position of the mixture, as JSON values."""
        return self._mixture.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore the position of another feed."""
        self._mixture.restore(state)


class TextFeed(Feed):
    """Batches of named columns; the draws of ``columns`` depend only on the seed and the step."""

    def __init__(
        self,
        mixture: Mixture,
        size: int,
        columns: Columns,
        tokenize: Tokenize,
        *,
        seed: int,
        share: tuple[int, int] = (0, 1),
    ) -> None:
        super().__init__(mixture, size, tokenize, share)
        self._columns, self._seed = columns, seed

    def take(self, step: int) -> Batch:
        """Return the batch of a step."""
        rows = self._mixture.draw(step, self._size)
        # another stream than (seed, step), from which the mixture draws
        columns = self._columns(rows, np.random.default_rng((self._seed, step, 1)))
        rank, world = self._share
        return {name: self._tokenize(list(texts)[rank::world]) for name, texts in columns.items()}


PAIRS, LANGUAGE = "pairs", "language"
"""Names of the only column of `PairFeed`, and of its language indices."""


class PairFeed(Feed):
    """First all first sides, then, in the same order, all second ones: rows r and r + n are translations.

    The indices of the languages are those in ``languages``, a sequence of codes.
    """

    def __init__(
        self,
        mixture: Mixture,
        size: int,
        tokenize: Tokenize,
        languages: Sequence[str],
        share: tuple[int, int] = (0, 1),
    ) -> None:
        super().__init__(mixture, size, tokenize, share)
        self._numbers = {code: number for number, code in enumerate(languages)}

    def take(self, step: int) -> Batch:
        """Return the batch of a step."""
        rank, world = self._share
        rows = self._mixture.draw(step, self._size)[rank::world]
        both = [(row.texts[side], row.source.languages[side]) for side in (0, 1) for row in rows]
        language = torch.tensor([self._numbers[code] for _, code in both])
        return {PAIRS: {**self._tokenize([text for text, _ in both]), LANGUAGE: language}}


def pairs(rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
    """Return both sides of parallel rows; the side of the anchor is drawn for each row."""
    turned = random.random(len(rows)) < 0.5
    both = [row.texts[::-1] if turn else row.texts for row, turn in zip(rows, turned.tolist(), strict=True)]
    return {"anchor": [first for first, _ in both], "positive": [second for _, second in both]}
