"""The protocol ``senteval``: softmax regression, trained as in the published evaluation.

SentEval (Conneau and Kiela, LREC 2018) with per-language dev sets, as in Cai et al. 2022: Adam, batch 64,
rounds of four epochs; stop at the sixth round without improvement and keep the best round.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from amrx.device import seeded
from amrx.evaluation.tasks.transfer.classifier import Fitted, Labelled, Linear, best


@dataclass(frozen=True, slots=True)
class Softmax:
    """Softmax regression without a hidden layer.

    SentEval trains the winner of the grid again from the same seed. That would repeat the same steps, so the
    classifier of the grid is returned.
    """

    name: str = "senteval"  # name of the protocol
    pair_features: tuple[str, ...] = ("abs(u-v)", "u*v")  # see ``PAIR_FEATURES``
    # weights of the L2 penalty, passed to Adam as weight decay
    grid: tuple[float, ...] = (1e-5, 1e-4, 1e-3, 1e-2)
    batch_size: int = 64  # rows per step
    epoch_size: int = 4  # epochs per round; the dev sets are scored after each round
    tenacity: int = 5  # number of rounds without improvement that are tolerated in the whole training
    max_epochs: int = 200  # no round starts after this many epochs
    seed: int = 1111  # seed of the first weights and of the order of rows
    dtype: type[np.floating] = np.float32  # format of the features, so that they are stored once

    @property
    def note(self) -> str:
        """The protocol in a few words."""
        return f"SentEval's softmax regression by Adam, seed {self.seed}, L2 weight by mean dev accuracy"

    def fit(self, train: Labelled, dev: Sequence[Labelled], classes: int) -> Fitted:
        """Fit one classifier per setting of the grid and return the one with the best mean dev accuracy.

        ``dev`` has at least one set, one per language, equally weighted. The first of equal settings wins.
        """
        return best([self.fit_one(train, dev, classes, decay) for decay in self.grid])

    def fit_one(self, train: Labelled, dev: Sequence[Labelled], classes: int, decay: float) -> Fitted:
        """Return the classifier for one weight of the penalty, at its best round."""
        rounds = (
            Fitted(model, decay, tuple(model.accuracy(part) for part in dev))
            for model in self._rounds(train, classes, decay)
        )
        return best_round(rounds, self.tenacity)

    def _rounds(self, train: Labelled, classes: int, decay: float) -> Iterator[Linear]:
        """Train, and yield the classifier after every round."""
        import torch

        x, y = torch.from_numpy(train.x.astype(np.float32, copy=False)), torch.from_numpy(train.y)
        order = np.random.RandomState(self.seed)  # noqa: NPY002  # SentEval's generator, for its row order
        with seeded(self.seed):
            layer = torch.nn.Linear(x.shape[1], classes)
        optimiser = torch.optim.Adam(layer.parameters(), weight_decay=decay)
        for _ in range(0, self.max_epochs + 1, self.epoch_size):
            for _ in range(self.epoch_size):
                rows = torch.from_numpy(order.permutation(len(x)))
                for batch in rows.split(self.batch_size):
                    loss = torch.nn.functional.cross_entropy(layer(x[batch]), y[batch])
                    optimiser.zero_grad()
                    loss.backward()
                    optimiser.step()
            weights, bias = layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()
            yield Linear(weights, bias)


def best_round(rounds: Iterable[Fitted], tenacity: int) -> Fitted:
    """Return the round with the best mean dev accuracy, stopping as SentEval does.

    Rounds that are not better than the best one so far are tolerated ``tenacity`` times in total, not in a
    row; the next such round is the last one consumed.

    Example:
        >>> nothing = Linear(np.zeros((1, 2)), np.zeros(2))
        >>> rounds = [Fitted(nothing, 0.01, (accuracy,)) for accuracy in (50, 40, 60, 60, 70)]
        >>> best_round(rounds, tenacity=1).dev
        (60,)
    """
    best_fit: Fitted | None = None
    failures = 0
    for fitted in rounds:
        if best_fit is None or np.mean(fitted.dev) > np.mean(best_fit.dev):
            best_fit = fitted
        elif failures == tenacity:
            break
        else:
            failures += 1
    if best_fit is None:
        raise ValueError("no round was trained")
    return best_fit
