"""Optimisation of the mini parser from packed examples; the same on a CPU and on one accelerator."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from amrx.device import repeatable_sums
from amrx.muse.model import MuseModel, fastest_dtype
from amrx.records import atomic_path
from amrx.training import check_finite
from parser.mini.model import MiniNetwork
from parser.mini.symbols import Alphabet
from parser.training.checkpoint import read, write
from parser.training.mini.batches import Batch, Corpus, to_device
from parser.training.mini.loss import loss
from parser.training.mini.recipe import Recipe

LOG_EVERY = 50


class Trainer:
    """A run that can be stopped after any checkpoint and taken up again to the same weights.

    Order and dropout are functions of (seed, step), so a checkpoint needs only weights, their running mean,
    AdamW's moments and the number of steps (all in one safetensors file).

    Args:
        corpus: What batches are drawn from.
        alphabet: Symbols of the graphs.
        names: Vectors of the symbols' names.
        recurs: How seldom each symbol comes again.
        muse: Gives the features of the source.
        recipe: Everything that decides the run.
        device: Where it computes.
        stage: Number of the stage, whose dropout it is.
        start: Network whose weights are the first ones, of the recipe's shape or with fewer encoder layers;
            new ones when ``None``.
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
        self.corpus, self.muse, self.recipe, self.device = corpus, muse, recipe, device
        self.lower = fastest_dtype(device) == torch.bfloat16  # emulated, it is slower than float32
        self.first_node = alphabet.first_node
        torch.manual_seed(recipe.seed)
        self.network = MiniNetwork(recipe.shape(len(alphabet), stage)).to(device)
        self.network.names.copy_(names)
        self.network.recurs.copy_(recurs)
        self.parameters = dict(self.network.named_parameters())
        if start is not None:
            self.network.grow(start)
        self.average = {name: p.detach().clone() for name, p in self.parameters.items()}
        matrices = [p for p in self.parameters.values() if p.dim() > 1]
        vectors = [p for p in self.parameters.values() if p.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": matrices, "weight_decay": recipe.weight_decay},
                {"params": vectors, "weight_decay": 0.0},
            ],
            lr=recipe.learning_rate[stage],
            betas=(0.9, 0.98),
            fused=device.type == "cuda",
        )
        self.step, self.spent = 0, 0.0

    def rate(self) -> float:
        """Learning rate of the current step: linear warm-up times cosine, anew after each projection."""
        recipe = self.recipe
        stage = recipe.stage(self.step)
        begin, end = recipe.stages()[stage]
        peak = recipe.learning_rate[stage]
        warm = min(1.0, (self.step - begin + 1) / recipe.warmup)
        return peak * warm * 0.5 * (1 + math.cos(math.pi * (self.step - begin) / (end - begin)))

    def update(self, batch: Batch) -> Tensor:
        """One step of AdamW; returns the loss.

        Raises:
            AmrxError: Loss or gradient is not finite; the weights are those before.
        """
        recipe = self.recipe
        torch.manual_seed(recipe.seed * 1_000_003 + self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.network.train()
        with torch.no_grad():
            features = self.muse.token_features(batch.ids, batch.mask)
            vector = self.muse.sentence(features, batch.mask)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.lower):
            hidden, memory = self.network(features, vector, batch.mask, batch.inputs)
            value = loss(
                self.network, hidden, memory, batch.starts, batch.target, batch.copies, self.first_node
            )
        with repeatable_sums(self.device):
            value.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        check_finite({"loss": float(value.detach()), "gradient": float(norm)}, f"step {self.step}")
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        keep = min(recipe.average, (self.step + 1) / (self.step + 10))
        torch._foreach_lerp_(
            list(self.average.values()), [p.detach() for p in self.parameters.values()], 1 - keep
        )
        self.step += 1
        return value.detach()

    def save(self, path: Path) -> None:
        """Write a checkpoint (renamed into place when complete)."""
        tensors = {f"network.{n}": p.detach() for n, p in self.parameters.items()}
        tensors |= {f"average.{n}": p for n, p in self.average.items()}
        tensors["names"] = self.network.names
        for name, p in self.parameters.items():
            state = self.optimizer.state[p]
            tensors |= {f"mean.{name}": state["exp_avg"], f"square.{name}": state["exp_avg_sq"]}
        write(path, tensors, {"step": str(self.step), "spent": repr(self.spent)})

    def resume(self, path: Path) -> None:
        """Take up the run of a checkpoint, which `parser.training.mini.fingerprint` has told to be this one.

        Raises:
            InputError: It is damaged.
        """
        header, tensors = read(path, self.device)
        self.step, self.spent = int(header["step"]), float(header["spent"])
        self.network.names.copy_(tensors["names"])
        for name, p in self.parameters.items():
            p.data.copy_(tensors[f"network.{name}"])
            self.average[name].copy_(tensors[f"average.{name}"])
            moments = {"exp_avg": tensors[f"mean.{name}"], "exp_avg_sq": tensors[f"square.{name}"]}
            step = torch.tensor(float(self.step), device=self.device if self.device.type == "cuda" else "cpu")
            self.optimizer.state[p] = {"step": step, **moments}

    def save_average(self, path: Path) -> None:
        """Write the running mean of the weights (renamed into place when complete)."""
        write(path, self.average, {})

    def averaged(self, before: Mapping[Path, float] | None = None, share: float = 1.0) -> MiniNetwork:
        """A copy of the network with the running mean of the weights, or with the mean of several such means.

        Args:
            before: Files of `save_average`, each with its share in the weighted mean; all shares are divided
                by their sum.
            share: That of the running mean itself.

        Raises:
            InputError: A file is damaged.
        """
        before = before or {}
        whole = share + sum(before.values())
        mean = {name: own * (share / whole) for name, own in self.average.items()}
        for path, part in before.items():
            for name, other in read(path, self.device)[1].items():
                mean[name] += other * (part / whole)
        network = MiniNetwork(self.network.shape).to(self.device)
        fixed = {"names": self.network.names, "recurs": self.network.recurs}
        network.load_state_dict(mean | fixed)
        return network.eval()


def ahead(batches: Iterator[Batch], count: int = 4) -> Iterator[Batch]:
    """Make batches in a thread while the network computes."""
    with ThreadPoolExecutor(1) as pool:
        waiting = [pool.submit(next, batches) for _ in range(count)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(pool.submit(next, batches))


def run(
    trainer: Trainer, checkpoint: Path, log: Path, show: Callable[[str], None], stop: int | None = None
) -> None:
    """Train up to ``stop`` (or the recipe's last step), taking up ``checkpoint`` when it is there.

    ``log`` gets a JSON line every `LOG_EVERY` steps: step, mean loss, learning rate, seconds. Lines that a
    killed run wrote after its checkpoint are dropped; they come again.
    """
    if checkpoint.exists():
        trainer.resume(checkpoint)
    _cut(log, trainer.step)
    recipe, corpus = trainer.recipe, trainer.corpus
    last = recipe.steps if stop is None else min(stop, recipe.steps)
    if not last:
        return  # a first stage without updates; AdamW has nothing to keep
    order = corpus.steps(recipe.seed, recipe.batch, trainer.step)
    batches = ahead(to_device(corpus.batch(pairs), trainer.device) for pairs in order)
    begun, already, losses = time.monotonic(), trainer.spent, []
    with log.open("a", encoding="utf-8") as lines:
        for batch in islice(batches, max(0, last - trainer.step)):
            losses.append(trainer.update(batch))
            trainer.spent = already + time.monotonic() - begun
            if trainer.step % LOG_EVERY == 0:
                mean = round(torch.stack(losses).mean().item(), 4)
                losses.clear()
                record = {
                    "step": trainer.step,
                    "loss": mean,
                    "rate": trainer.rate(),
                    "s": round(trainer.spent, 1),
                }
                lines.write(json.dumps(record) + "\n")
                lines.flush()
                show(f"step {trainer.step} of {recipe.steps}: loss {mean:.3f}, {trainer.spent:.0f} s")
            if trainer.step % recipe.save_every == 0:
                trainer.save(checkpoint)
    trainer.save(checkpoint)


def _cut(log: Path, step: int) -> None:
    """Keep the lines of a log up to ``step``, and none that a kill broke off."""
    if not log.exists():
        return
    whole = log.read_text("utf-8").split("\n")[:-1]
    with atomic_path(log) as temporary:
        kept = (line for line in whole if json.loads(line)["step"] <= step)
        temporary.write_text("".join(f"{line}\n" for line in kept), "utf-8")
