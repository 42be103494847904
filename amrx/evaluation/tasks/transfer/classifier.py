"""Features, linear model, model selection and measures, which the transfer protocols share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.types import Vectors

Matrix = npt.NDArray[np.floating]
Labels = npt.NDArray[np.int64]

PAIR_FEATURES: Mapping[str, Callable[[Matrix, Matrix], Matrix]] = {
    "u": lambda u, v: u,
    "v": lambda u, v: v,
    "abs(u-v)": lambda u, v: np.abs(u - v),
    "u*v": lambda u, v: u * v,
}


class Labelled(NamedTuple):
    """Features ``(n, d)`` and label numbers ``(n,)``."""

    x: Matrix
    y: Labels


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear classifier: ``argmax(x @ weights + bias)``."""

    weights: Matrix  # ``(d, classes)``
    bias: Matrix  # ``(classes,)``

    def scores(self, x: Matrix) -> Matrix:
        """Return the score of each class ``(n, classes)``; the highest one is predicted."""
        scores: Matrix = x @ self.weights + self.bias
        return scores

    def right(self, data: Labelled) -> npt.NDArray[np.bool_]:
        """Return for each row whether its label is predicted."""
        right: npt.NDArray[np.bool_] = np.argmax(self.scores(data.x), axis=1) == data.y
        return right

    def accuracy(self, data: Labelled) -> float:
        """Return the share of correct predictions, 0-100."""
        return 100 * float(np.mean(self.right(data)))


class Fitted(NamedTuple):
    """A selected classifier."""

    model: Linear  # the classifier
    setting: float  # its regularisation, from the grid of the protocol
    dev: tuple[float, ...]  # accuracy on each dev set, in order


def features(vectors: Sequence[Vectors], names: Sequence[str]) -> Matrix:
    """Return the input of a classifier for single sentences or pairs, in the vectors' dtype.

    Law: pairs give the features of ``names`` side by side, single sentences their own vectors.

    Example:
        >>> u, v = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])
        >>> features([u, v], ("abs(u-v)", "u*v"))
        array([[ 2.,  3.,  3., -2.]])
    """
    if len(vectors) == 1:
        return vectors[0]
    first, second = vectors
    return np.hstack([PAIR_FEATURES[name](first, second) for name in names])


def best(fits: Sequence[Fitted]) -> Fitted:
    """Return the fit with the best mean dev accuracy; the first of equals."""
    return fits[int(np.argmax([np.mean(fit.dev) for fit in fits]))]


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
