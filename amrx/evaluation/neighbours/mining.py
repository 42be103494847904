"""Mining of translations: pairs of sentences of two sides, and their scores.

::

    neighbours of x in y ─┬─by_cosine──> pairs, best first
    neighbours of y in x ─┴─by_margin──> pairs, best first

Source: Artetxe and Schwenk 2019, Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.evaluation.neighbours.nearest import Neighbours

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class Mined(NamedTuple):
    """Pairs in which each sentence stands at most once, the best first.

    Attributes:
        first: ``(n,)``, rows of the first side.
        second: ``(n,)``, rows of the second side.
        scores: ``(n,)``, never rising.
    """

    first: Places
    second: Places
    scores: Floats


def by_cosine(there: Neighbours, back: Neighbours) -> Mined:
    """Mine by the cosine of each sentence with its nearest one of the other side, both ways.

    Args:
        there: Neighbours of the first side's ``n`` sentences in the second, one or more.
        back: Neighbours of the second side's ``m`` in the first.
    """
    return _keep_best(
        np.concatenate([np.arange(len(there.places)), back.places[:, 0]]),
        np.concatenate([there.places[:, 0], np.arange(len(back.places))]),
        np.concatenate([there.cosines[:, 0], back.cosines[:, 0]]).astype(np.float64),
    )


def by_margin(there: Neighbours, back: Neighbours) -> Mined:
    """Mine by the ratio margin: the cosine of a pair over the mean of both sentences' ``k`` nearest.

    ``margin(x, y) = cos(x, y) / (mean of cos(x, NN_k(x)) / 2 + mean of cos(y, NN_k(y)) / 2)`` (section 3.1,
    ratio). Candidates are each sentence's best one among its ``k`` nearest, both ways (section 3.2, max).

    Args:
        there: The ``k`` neighbours of the first side's ``n`` sentences in the second.
        back: The ``k`` neighbours of the second side's ``m`` in the first.
    """
    mean_x = there.cosines.mean(axis=1, dtype=np.float64)
    mean_y = back.cosines.mean(axis=1, dtype=np.float64)
    second, forward = _best_margin(there, mean_x, mean_y)
    first, backward = _best_margin(back, mean_y, mean_x)
    return _keep_best(
        np.concatenate([np.arange(len(there.places)), first]),
        np.concatenate([second, np.arange(len(back.places))]),
        np.concatenate([forward, backward]),
    )


def _best_margin(found: Neighbours, own: Floats, other: Floats) -> tuple[Places, Floats]:
    """Return the neighbour of each sentence with the highest margin, and that margin.

    Where all is orthogonal, as beside vectors that are zero, the margin 0 / 0 is taken for 0.
    """
    between = (own[:, None] + other[found.places]) / 2
    margins = np.divide(found.cosines, between, out=np.zeros_like(between), where=between != 0)
    best = np.argmax(margins, axis=1)[:, None]
    places: Places = np.take_along_axis(found.places, best, axis=1)[:, 0]
    scores: Floats = np.take_along_axis(margins, best, axis=1)[:, 0]
    return places, scores


def _keep_best(first: Places, second: Places, scores: Floats) -> Mined:
    """Take pairs from the best score down, leaving out those with a sentence that is taken already."""
    taken_first, taken_second, kept = set(), set(), []
    for place in np.argsort(-scores, kind="stable").tolist():
        a, b = int(first[place]), int(second[place])
        if a not in taken_first and b not in taken_second:
            taken_first.add(a)
            taken_second.add(b)
            kept.append(place)
    return Mined(first[kept], second[kept], scores[kept])
