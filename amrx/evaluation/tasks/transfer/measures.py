"""Measure the predictions of a classifier per item; a value is the mean over items times 100."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.evaluation.tasks.transfer.classifier import Labelled, Linear

Floats = npt.NDArray[np.float64]


class Measure(NamedTuple):
    """A named measure."""

    name: str  # name in tables
    of: Callable[[Linear, Labelled], Floats]  # function of a model and rows that returns ``(items,)``


def right(model: Linear, data: Labelled) -> Floats:
    """Return 1 for each row whose label is predicted, else 0."""
    return model.right(data).astype(np.float64)


def absolute_error(model: Linear, data: Labelled) -> Floats:
    """Return the distance between predicted and correct label for each row, for ordered labels.

    Example:
        >>> model = Linear(np.eye(3), np.zeros(3))
        >>> absolute_error(model, Labelled(np.eye(3), np.array([0, 0, 0])))
        array([0., 1., 2.])
    """
    predicted = np.argmax(model.scores(data.x), axis=1)
    distance: Floats = np.abs(predicted - data.y).astype(np.float64)
    return distance


def likelier_of_two(model: Linear, data: Labelled) -> Floats:
    """Return 1 for each two consecutive rows whose correct one has the higher margin, else 0.

    Class 1 means *correct*; two rows with equal margins count 0.

    Example:
        >>> model = Linear(np.array([[0.0, 1.0]]), np.zeros(2))
        >>> likelier_of_two(model, Labelled(np.array([[3.0], [1.0], [2.0], [5.0]]), np.array([1, 0, 1, 0])))
        array([1., 0.])
    """
    scores = model.scores(data.x)
    margin = (scores[:, 1] - scores[:, 0]).reshape(-1, 2)
    first = data.y.reshape(-1, 2)[:, 0] == 1
    ahead = np.where(first, margin[:, 0] - margin[:, 1], margin[:, 1] - margin[:, 0])
    return (ahead > 0).astype(np.float64)


ACCURACY = Measure("accuracy", right)
MAE = Measure("MAE x 100, lower is better", absolute_error)
OF_TWO = Measure("accuracy", likelier_of_two)
