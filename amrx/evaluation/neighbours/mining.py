"""Mine translations: pairs of sentences of two sides, with scores.

::

    neighbours of x in y ─┬─by_cosine──> pairs, best first
    neighbours of y in x ─┴─by_margin──> pairs, best first
    neighbours of x in y ───by_nearest─> pairs, best first

``forward`` are the neighbours of the first side's ``n`` sentences in the second side, at least one each, and
``backward`` those of the second side's ``m`` sentences in the first side.

Source: Artetxe and Schwenk 2019, Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.evaluation.neighbours.nearest import Neighbours

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


class Mined(NamedTuple):
    """Pairs, best first; each sentence occurs at most once, but for the second side of `by_nearest`."""

    first: Places  # ``(n,)``, rows of the first side
    second: Places  # ``(n,)``, rows of the second side
    scores: Floats  # ``(n,)``, in descending order


def by_cosine(forward: Neighbours, backward: Neighbours) -> Mined:
    """Mine by the cosine of each sentence with its nearest one of the other side, in both directions."""
    return _keep_best(
        np.concatenate([np.arange(len(forward.places)), backward.places[:, 0]]),
        np.concatenate([forward.places[:, 0], np.arange(len(backward.places))]),
        np.concatenate([forward.cosines[:, 0], backward.cosines[:, 0]]).astype(np.float64),
    )


def by_nearest(forward: Neighbours) -> Mined:
    """Mine by the cosine of each sentence of the first side with its nearest one of the second.

    A sentence of the second side may be in several pairs.
    """
    order = np.argsort(-forward.cosines[:, 0], kind="stable")
    return Mined(order, forward.places[order, 0], forward.cosines[order, 0].astype(np.float64))


def by_margin(forward: Neighbours, backward: Neighbours) -> Mined:
    """Mine by the ratio margin: the cosine of a pair over the mean of both sentences' ``k`` nearest.

    ``margin(x, y) = cos(x, y) / (mean of cos(x, NN_k(x)) / 2 + mean of cos(y, NN_k(y)) / 2)`` (section 3.1,
    ratio). The candidate of a sentence is the best of its ``k`` nearest, in both directions (section 3.2,
    max).
    """
    mean_x = forward.cosines.mean(axis=1, dtype=np.float64)
    mean_y = backward.cosines.mean(axis=1, dtype=np.float64)
    second, forward_scores = _best_margin(forward, mean_x, mean_y)
    first, backward_scores = _best_margin(backward, mean_y, mean_x)
    return _keep_best(
        np.concatenate([np.arange(len(forward.places)), first]),
        np.concatenate([second, np.arange(len(backward.places))]),
        np.concatenate([forward_scores, backward_scores]),
    )


def _best_margin(neighbours: Neighbours, own: Floats, other: Floats) -> tuple[Places, Floats]:
    """Return the neighbour of each sentence with the highest margin, and that margin.

    A margin of 0 / 0, as of zero vectors, is taken as 0.
    """
    between = (own[:, None] + other[neighbours.places]) / 2
    margins = np.divide(neighbours.cosines, between, out=np.zeros_like(between), where=between != 0)
    best = np.argmax(margins, axis=1)[:, None]
    places: Places = np.take_along_axis(neighbours.places, best, axis=1)[:, 0]
    scores: Floats = np.take_along_axis(margins, best, axis=1)[:, 0]
    return places, scores


def _keep_best(first: Places, second: Places, scores: Floats) -> Mined:
    """Select pairs from the best score down, skipping pairs with a sentence already used."""
    used_first, used_second, best = set(), set(), []
    for index in np.argsort(-scores, kind="stable").tolist():
        a, b = int(first[index]), int(second[index])
        if a not in used_first and b not in used_second:
            used_first.add(a)
            used_second.add(b)
            best.append(index)
    return Mined(first[best], second[best], scores[best])
