"""Read the training data of a causal parser: English sentences of the open sembanks and their graphs."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linearize.packed import pack_graph
from parser.causal.words import to_words
from parser.training.corpora.leakage import load_reserved
from parser.training.mini.prepare import english

if TYPE_CHECKING:
    from parser.causal.parser import CausalParser

_LOG = logging.getLogger(__name__)
WEIGHTS = {"sts": 1.0, "sick": 0.5, "para": 1.0, "lpp": 2.0, "bio": 1.0, "umr": 1.0, "qald9": 2.0}
"""Number of draws of each sentence per epoch, by sembank."""
WIDTHS = (32, 48, 64, 96, 128, 160, 224)
"""Widths to which batches are padded, so that few shapes are compiled; beyond, multiples of the last."""
Indices = npt.NDArray[np.int64]


def read_sembanks(data: Path) -> list[tuple[str, list[str], float]]:
    """Return the text, the words of its graph and the weight of every English training sentence.

    A graph without a packed form is left out.
    """
    examples = []
    for name, entry in english(data, load_reserved(data)):
        graph = pack_graph(entry.graph)
        if graph is not None:
            examples.append((entry.snt, to_words(graph), WEIGHTS[name]))
    return examples


def width_of(length: int) -> int:
    """Return the width to which a pair of ``length`` tokens is padded.

    Example:
        >>> width_of(48), width_of(49), width_of(300)
        (48, 64, 448)
    """
    return next((width for width in WIDTHS if width >= length), -(-length // WIDTHS[-1]) * WIDTHS[-1])


class Corpus:
    """Pairs of token ids."""

    def __init__(
        self, sembanks: Sequence[tuple[str, Sequence[str], float]], parser: CausalParser, longest: int
    ) -> None:
        self.pairs: list[tuple[list[int], list[int]]] = []
        self.weights: list[float] = []
        for text, words, weight in sembanks:
            source, target = parser.read(text)[0], [*parser.pieces.ids(words), parser.eos]
            if len(source) + len(target) <= longest:
                self.pairs.append((source, target))
                self.weights.append(weight)
        self.filler = parser.eos
        left = len(sembanks) - len(self.pairs)
        _LOG.info("%d sentences; %d of more than %d tokens left out", len(self.pairs), left, longest)

    def fingerprint(self) -> str:
        """Return a hash of all ids and weights."""
        return hashlib.sha256(repr((self.pairs, self.weights)).encode()).hexdigest()

    def epoch(self, seed: int, number: int, room: int) -> list[Indices]:
        """Return the batches of an epoch: indices of pairs of one width, as many as fit into ``room`` tokens.

        A pair of weight ``w`` is drawn ``floor(w)`` times, and once more with probability ``w - floor(w)``.
        The last batch of a width is filled up with the first pairs of that width.
        """
        draw = np.random.default_rng((seed, number))
        weights = np.array(self.weights)
        times = np.floor(weights + draw.random(len(weights))).astype(np.int64)
        rows = draw.permutation(np.repeat(np.arange(len(weights)), times))
        widths = np.array([width_of(len(s) + len(t)) for s, t in self.pairs])[rows]
        batches: list[Indices] = []
        for width in np.unique(widths):
            alike, size = rows[widths == width], max(1, room // int(width))
            batches += list(np.resize(alike, (-(-len(alike) // size), size)))
        return [batches[position] for position in draw.permutation(len(batches))]

    def steps(self, seed: int, room: int, first: int) -> Iterator[Indices]:
        """Yield batches endlessly, starting at the update ``first``.

        The order depends only on the seed and the epoch.
        """
        batches = (batch for number in count() for batch in self.epoch(seed, number, room))
        return islice(batches, first, None)
