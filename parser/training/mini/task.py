"""Train the one-pass parser from packed examples; the same on a CPU and on one accelerator."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import torch
from torch import Tensor, nn

from amrx.muse.model import fastest_dtype
from amrx.training import adamw
from parser.mini.model import MiniNetwork
from parser.training.mini.losses import WEIGHTS, losses
from parser.training.mini.pack import Batch, Corpus
from parser.training.mini.recipe import Recipe
from parser.training.task import ParserTask

AVERAGE = "average."
"""Prefix of the running means in a checkpoint."""
READER = "reader."
"""Prefix of the reader's weights."""


class MiniTask(ParserTask[Batch]):
    """Train weights, and keep their running mean; the order of the batches follows from (seed, step)."""

    def __init__(self, corpus: Corpus, network: MiniNetwork, recipe: Recipe, device: torch.device) -> None:
        self.corpus, self.recipe = corpus, recipe
        self.lower = fastest_dtype(device) == torch.bfloat16  # emulated, it is slower than float32
        self.network = network.to(device)
        bert = network.reader.model
        for layer in [bert.embeddings, *list(cast("nn.ModuleList", bert.encoder["layer"]))[: recipe.frozen]]:
            layer.requires_grad_(False)
        self.average = {name: p.detach().clone() for name, p in self.trained()}
        reader = [p for name, p in self.trained() if name.startswith(READER)]
        own = [p for name, p in self.trained() if not name.startswith(READER)]
        rate, decay = recipe.learning_rate, recipe.weight_decay
        optimizer = adamw(own, rate, decay, betas=(0.9, 0.98), fused=True)
        self.groups = len(optimizer.param_groups)
        for group in adamw(reader, rate, decay).param_groups if reader else []:
            optimizer.add_param_group({"params": group["params"], "weight_decay": group["weight_decay"]})
        super().__init__("one-pass parser", self.network, optimizer)

    def trained(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """Yield the parameters that are trained, with their names."""
        return ((name, p) for name, p in self.network.named_parameters() if p.requires_grad)

    def rates(self, step: int) -> Sequence[float]:
        """Return the learning rates of a step: of the rest, then of the reader."""
        rate, more = self.recipe.rate(step), len(self.optimizer.param_groups) - self.groups
        return [rate] * self.groups + [rate * self.recipe.reader_rate] * more

    def batches(self, step: int) -> Iterator[Batch]:
        """Yield batches, which a thread makes while the network computes."""
        order = self.corpus.steps(self.recipe.seed, self.recipe.batch, step)
        return ahead(to_device(self.corpus.batch(rows), self.device) for rows in order)

    def learn(self, batch: Batch) -> float:
        """Add the gradients of a batch; return the weighted sum of its losses."""
        self.network.reader.eval()  # no dropout, which doubles the time of attention on a CPU
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.lower):
            features, vector = self.network.reader(batch.ids, batch.mask)
            parts = losses(self.network, self.network.ask(features, vector, batch.mask, batch.hints), batch)
        total = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
        total.backward()
        self.parts = {name: float(part.detach()) for name, part in parts.items()}
        return float(total.detach())

    def backward(self, step: int) -> Mapping[str, float]:
        """Learn from the next batch; return all losses."""
        return {**super().backward(step), **self.parts}

    def update(self, step: int) -> None:
        """Update the weights and their running mean."""
        super().update(step)
        keep = min(self.recipe.average, (step + 1) / (step + 10))
        weights = [p.detach() for _, p in self.trained()]
        torch._foreach_lerp_(list(self.average.values()), weights, 1 - keep)

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the network's tensors and the running means."""
        return self.network.state_dict() | {AVERAGE + name: mean for name, mean in self.average.items()}

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Load the network and the running means."""
        self.network.load_state_dict({n: t for n, t in tensors.items() if not n.startswith(AVERAGE)})
        for name, mean in self.average.items():
            mean.copy_(tensors[AVERAGE + name])

    def averaged(self) -> MiniNetwork:
        """Return a copy of the network with the running mean of the weights."""
        network = copy.deepcopy(self.network)
        network.load_state_dict(self.network.state_dict() | self.average)
        return network.eval()


def to_device(batch: Batch, device: torch.device) -> Batch:
    """Move a batch to a device."""
    tensors = (batch.ids, batch.mask, batch.nodes, batch.edges, batch.copies, batch.hints)
    return Batch(*(x.to(device, non_blocking=True) for x in tensors))


def ahead(batches: Iterator[Batch], count: int = 4) -> Iterator[Batch]:
    """Make batches in a thread while the network computes."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, batches) for _ in range(count)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(next, batches))
