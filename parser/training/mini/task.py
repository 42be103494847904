"""Train the mini parser from packed examples; the same on a CPU and on one accelerator."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import Tensor

from amrx.muse.model import fastest_dtype
from amrx.training import adamw
from parser.mini.model import MiniNetwork
from parser.mini.symbols import Alphabet
from parser.training.mini.batches import Batch, Corpus, to_device
from parser.training.mini.loss import loss
from parser.training.mini.recipe import Recipe
from parser.training.task import ParserTask

AVERAGE = "average."
"""Prefix of the running means in a checkpoint."""
UNLIKELIER = 8.0
"""Bias of a new symbol below that of its nearest symbol, so that new symbols do not dominate at first."""
READER = "reader."
"""Prefix of the reader's weights."""


class MiniTask(ParserTask[Batch]):
    """Train weights, and keep their running mean; the order of the batches follows from (seed, step)."""

    def __init__(
        self,
        corpus: Corpus,
        alphabet: Alphabet,
        names: Tensor,
        recurs: Tensor,
        recipe: Recipe,
        device: torch.device,
        start: MiniNetwork | None = None,
    ) -> None:
        self.corpus, self.recipe = corpus, recipe
        self.lower = fastest_dtype(device) == torch.bfloat16  # emulated, it is slower than float32
        self.first_node = alphabet.first_node
        torch.manual_seed(recipe.seed)
        self.network = MiniNetwork(recipe.shape(len(alphabet))).to(device)
        self.network.names.copy_(names)
        self.network.recurs.copy_(recurs)
        if start is not None:
            take_weights(self.network, start)
        self.average = {name: p.detach().clone() for name, p in self.trained()}
        reader = [p for name, p in self.trained() if name.startswith(READER)]
        own = [p for name, p in self.trained() if not name.startswith(READER)]
        rate, decay, fused = recipe.learning_rate, recipe.weight_decay, device.type == "cuda"
        optimizer = adamw(own, rate, decay, betas=(0.9, 0.98), fused=fused)
        for group in adamw(reader, rate, decay).param_groups:
            optimizer.add_param_group({"params": group["params"], "weight_decay": group["weight_decay"]})
        super().__init__("mini parser", self.network, optimizer)

    def trained(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """Yield the parameters that are trained, with their names."""
        return ((name, p) for name, p in self.network.named_parameters() if p.requires_grad)

    def rates(self, step: int) -> Sequence[float]:
        """Return the learning rates of a step: matrices and vectors of the rest, then of the reader."""
        rate = self.recipe.rate(step)
        return [rate] * 2 + [rate * self.recipe.reader_rate] * 2

    def batches(self, step: int) -> Iterator[Batch]:
        """Yield batches, which a thread makes while the network computes."""
        order = self.corpus.steps(self.recipe.seed, self.recipe.batch, step)
        return ahead(to_device(self.corpus.batch(pairs), self.device) for pairs in order)

    def learn(self, batch: Batch) -> float:
        """Add the gradients of a batch; return its loss per symbol."""
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.lower):
            features, vector = self.network.reader(batch.ids, batch.mask)
            hidden, memory = self.network(features, vector, batch.mask, batch.inputs)
            value = loss(
                self.network, hidden, memory, batch.starts, batch.target, batch.copies, self.first_node
            )
        value.backward()
        return float(value.detach())

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


def take_weights(network: MiniNetwork, start: MiniNetwork) -> None:
    """Copy the weights of ``start`` that have the same shape; encoder layers are counted from the last.

    So a parser with another reader starts from a trained decoder. Additional symbols of ``network`` come
    after those of ``start`` (`parser.mini.symbols.with_frames`): each gets the row of the symbol with the
    nearest name, with a bias lower by `UNLIKELIER`.
    """
    shift = start.shape.encoder - network.shape.encoder
    own = dict(network.named_parameters())
    for name, weight in start.named_parameters():
        if name.startswith("encoder."):
            number, rest = name.split(".", 2)[1:]
            name = f"encoder.{int(number) - shift}.{rest}"
        if name in own and own[name].shape == weight.shape:
            own[name].data.copy_(weight.detach())
    old = len(start.bias)
    if len(network.bias) > old:
        nearest = (network.names[old:] @ start.names.T).argmax(1)
        rows = torch.cat((start.symbols.weight, start.symbols.weight[nearest]))
        network.symbols.weight.data.copy_(rows.detach())
        bias = torch.cat((start.bias, start.bias[nearest] - UNLIKELIER))
        network.bias.data.copy_(bias.detach())


def ahead(batches: Iterator[Batch], count: int = 4) -> Iterator[Batch]:
    """Make batches in a thread while the network computes."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, batches) for _ in range(count)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(next, batches))
