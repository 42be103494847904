"""Train the mini parser from packed examples; the same on a CPU and on one accelerator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from torch import Tensor

from amrx.muse.model import MuseModel, fastest_dtype
from amrx.training import adamw
from amrx.training.checkpoint import read_tensors
from parser.mini.model import MiniNetwork
from parser.mini.symbols import Alphabet
from parser.training.mini.batches import Batch, Corpus, to_device
from parser.training.mini.loss import loss
from parser.training.mini.recipe import Recipe
from parser.training.task import ParserTask

AVERAGE = "average."
"""Prefix of the running means in a checkpoint."""


class MiniTask(ParserTask[Batch]):
    """A stage of the training: weights and their running mean.

    The order of the batches is a function of (seed, step). A stage has dropout of its own, and so a network
    of its own, which takes the weights of the stage before from the checkpoint.

    Args:
        corpus: What batches are drawn from.
        alphabet: Symbols of the graphs.
        names: Vectors of the symbols' names.
        recurs: How seldom each symbol comes again.
        muse: Gives the features of the source.
        recipe: Everything that decides the run.
        device: Where it computes.
        stage: Number of the stage, whose dropout it is.
        start: Network of the recipe's shape whose weights are the first ones; new ones when ``None``.
    """

    def __init__(
        self,
        corpus: Corpus,
        alphabet: Alphabet,
        names: Tensor,
        recurs: Tensor,
        muse: MuseModel,
        recipe: Recipe,
        device: torch.device,
        stage: int = 0,
        start: MiniNetwork | None = None,
    ) -> None:
        self.corpus, self.muse, self.recipe = corpus, muse, recipe
        self.lower = fastest_dtype(device) == torch.bfloat16  # emulated, it is slower than float32
        self.first_node = alphabet.first_node
        torch.manual_seed(recipe.seed)
        self.network = MiniNetwork(recipe.shape(len(alphabet), stage)).to(device)
        self.network.names.copy_(names)
        self.network.recurs.copy_(recurs)
        if start is not None:
            self.network.load_state_dict(dict(start.named_parameters()), strict=False)
        self.average = {name: p.detach().clone() for name, p in self.network.named_parameters()}
        optimizer = adamw(
            self.network.parameters(),
            recipe.learning_rate[stage],
            recipe.weight_decay,
            betas=(0.9, 0.98),
            fused=device.type == "cuda",
        )
        super().__init__("mini parser", self.network, optimizer)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of a step, for matrices and for vectors."""
        return [self.recipe.rate(step)] * 2

    def batches(self, step: int) -> Iterator[Batch]:
        """Yield batches that a thread makes ahead of the network."""
        order = self.corpus.steps(self.recipe.seed, self.recipe.batch, step)
        return ahead(to_device(self.corpus.batch(pairs), self.device) for pairs in order)

    def learn(self, batch: Batch) -> float:
        """Add the gradients of a batch; return its loss per symbol."""
        with torch.no_grad():
            features = self.muse.token_features(batch.ids, batch.mask)
            vector = self.muse.sentence(features, batch.mask)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.lower):
            hidden, memory = self.network(features, vector, batch.mask, batch.inputs)
            value = loss(
                self.network, hidden, memory, batch.starts, batch.target, batch.copies, self.first_node
            )
        value.backward()
        return float(value.detach())

    def update(self, step: int) -> None:
        """Change the weights and their running mean."""
        super().update(step)
        keep = min(self.recipe.average, (step + 1) / (step + 10))
        weights = [p.detach() for p in self.network.parameters()]
        torch._foreach_lerp_(list(self.average.values()), weights, 1 - keep)

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the network's tensors and the running means."""
        return self.network.state_dict() | {AVERAGE + name: mean for name, mean in self.average.items()}

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Put back network and running means."""
        self.network.load_state_dict({n: t for n, t in tensors.items() if not n.startswith(AVERAGE)})
        for name, mean in self.average.items():
            mean.copy_(tensors[AVERAGE + name])

    def averaged(self, before: Mapping[Path, float] | None = None, share: float = 1.0) -> MiniNetwork:
        """Return a copy of the network with the running mean of the weights, or the mean of several of these.

        Args:
            before: Files of running means, each with its share in the weighted mean; all shares are divided
                by their sum.
            share: That of the running mean itself.

        Raises:
            InputError: A file is damaged.
        """
        before = before or {}
        whole = share + sum(before.values())
        mean = {name: own * (share / whole) for name, own in self.average.items()}
        for path, part in before.items():
            for name, other in read_tensors(path, self.device).items():
                mean[name] += other * (part / whole)
        network = MiniNetwork(self.network.shape).to(self.device)
        network.load_state_dict(self.network.state_dict() | mean)
        return network.eval()


def ahead(batches: Iterator[Batch], count: int = 4) -> Iterator[Batch]:
    """Make batches in a thread while the network computes."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, batches) for _ in range(count)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(next, batches))
