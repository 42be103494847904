"""Rows of several sources, each drawn as often as a temperature says.

A source of ``n`` rows is drawn with probability proportional to ``n ** (1 / temperature)``: 1 draws every row
alike, a higher temperature brings small sources nearer to large ones (Conneau and Lample 2019, whose alpha is
1 / temperature).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrofit.bases.training.sources import Source
from retrofit.bases.training.stream import Stream, Texts


class Row(NamedTuple):
    """One line of a source."""

    source: Source
    texts: Texts


class Mixture:
    """Endless rows of all sources.

    Args:
        sources: Where rows come from.
        counts: Rows of each.
        temperature: See the module.
        seed: What every draw follows from.
        block: Rows of one source that are shuffled among each other.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        counts: Sequence[int],
        *,
        temperature: float,
        seed: int,
        block: int,
    ) -> None:
        self._sources, self._seed = list(sources), seed
        self._chances = chances(counts, temperature)
        self._streams = [
            Stream(source, count, (seed, number), block)
            for number, (source, count) in enumerate(zip(sources, counts, strict=True))
        ]

    def draw(self, step: int, size: int) -> list[Row]:
        """Return the rows of a step; which source gives each follows from the seed and the step."""
        random = np.random.default_rng((self._seed, step))
        chosen = random.choice(len(self._sources), size=size, p=self._chances)
        wanted = np.bincount(chosen, minlength=len(self._sources)).tolist()
        given = [iter(stream.take(count)) for stream, count in zip(self._streams, wanted, strict=True)]
        return [Row(self._sources[number], next(given[number])) for number in chosen.tolist()]

    def state(self) -> dict[str, object]:
        """Return where every stream stands."""
        return {"streams": [stream.state() for stream in self._streams]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go to where another mixture of the same sources and seed stood."""
        for stream, one in zip(self._streams, state["streams"], strict=True):
            stream.restore(one)


def chances(counts: Sequence[int], temperature: float) -> npt.NDArray[np.float64]:
    """Return the probability of each source.

    Example:
        >>> chances([900, 100], 1.0).tolist(), chances([900, 100], 2.0).round(2).tolist()
        ([0.9, 0.1], [0.75, 0.25])
    """
    weights = np.asarray(counts, dtype=np.float64) ** (1 / temperature)
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares
