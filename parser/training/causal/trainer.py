"""Optimisation of a causal parser, with checkpoints from which a run goes on exactly.

::

    weights in float32 (kept, updated) ──rounded──> weights in bfloat16 (computed with) ──> gradients

On a processor that multiplies bfloat16 in hardware (AMX) that is several times faster than float32.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from amrx.device import repeatable_sums
from amrx.errors import OptionError
from amrx.training import check_finite
from parser.training.causal.corpus import Corpus, Indices, width_of
from parser.training.causal.recipe import Recipe
from parser.training.checkpoint import read, write

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_NO_TARGET = -100  # cross_entropy passes it over
_ROUND = 256
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Trainer:
    """A run: weights, AdamW's moments, updates done.

    Args:
        model: The base with AMR's tokens, in float32 on its device; changed in place.
        corpus: What to learn from.
        recipe: How.
        run: Hash of all that decides the run.
    """

    def __init__(self, model: PreTrainedModel, corpus: Corpus, recipe: Recipe, run: str) -> None:
        self.model, self.corpus, self.recipe, self.run = model, corpus, recipe, run
        self.module = cast("torch.nn.Module", model)
        self.device = next(self.module.parameters()).device
        # a tied table stands here once
        self.weights = {name: p.detach().clone() for name, p in self.module.named_parameters()}
        if recipe.precision == "bf16":
            self.module.to(torch.bfloat16)
        self.parameters = dict(self.module.named_parameters())
        for layer in _layers(model) if recipe.compiled and _has_compiler(self.device) else ():
            layer.compile(dynamic=False)
        self.module.train()
        self.optimizer = torch.optim.AdamW(
            list(self.weights.values()),
            lr=recipe.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=recipe.weight_decay,
            fused=True,
        )
        self.step = 0

    def batches(self) -> Iterator[Indices]:
        """Yield what the updates compute, from the next one on."""
        return self.corpus.steps(self.recipe.seed, self.recipe.batch, self.step)

    def update(self, rows: Indices) -> float:
        """One step of AdamW over a batch; returns the mean loss of a graph's token.

        Raises:
            AmrxError: Loss or gradient is not finite; the weights are those before.
        """
        for settings in self.optimizer.param_groups:
            settings["lr"] = self.recipe.rate(self.step)
        with repeatable_sums(self.device):  # what is compiled must be told before the forward pass
            loss = self.loss(rows)
            loss.backward()
        for name, own in self.weights.items():
            gradient = self.parameters[name].grad
            own.grad = None if gradient is None else gradient.to(own.dtype)
            self.parameters[name].grad = None
        norm = torch.nn.utils.clip_grad_norm_(list(self.weights.values()), self.recipe.clip)
        check_finite({"loss": float(loss.detach()), "gradient": float(norm)}, f"step {self.step}")
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self._show()
        self.step += 1
        return float(loss.detach())

    def loss(self, rows: Indices) -> Tensor:
        """Return the mean cross-entropy of the graphs' tokens, the end included."""
        ids, goal = self._batch(rows)
        hidden = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state  # (B, T, d)
        wanted = goal.flatten()
        place = (wanted != _NO_TARGET).nonzero()[:, 0]
        real = len(place)
        # few shapes: a product of a new one is compiled anew on a CPU
        place = F.pad(place, (0, -real % _ROUND), value=int(place[0]))
        wanted = wanted[place]
        wanted[real:] = _NO_TARGET
        head = cast("torch.nn.Linear", self.model.get_output_embeddings())
        return F.cross_entropy(head(hidden.flatten(0, 1)[place]).float(), wanted, ignore_index=_NO_TARGET)

    def _batch(self, rows: Indices) -> tuple[Tensor, Tensor]:
        """Return ids and, for each, the one that comes next where that is the graph's, both ``(B, T)``."""
        pairs = [self.corpus.pairs[int(row)] for row in rows]
        width = width_of(max(len(source) + len(target) for source, target in pairs))
        ids = torch.full((len(pairs), width), self.corpus.filler)
        goal = torch.full_like(ids, _NO_TARGET)
        for number, (source, target) in enumerate(pairs):
            begin, end = len(source), len(source) + len(target)
            ids[number, :end] = torch.tensor([*source, *target])
            goal[number, begin - 1 : end - 1] = torch.tensor(target)
        return ids.to(self.device), goal.to(self.device)

    def _show(self) -> None:
        """Copy the weights to those that are computed with."""
        with torch.no_grad():
            for name, own in self.weights.items():
                self.parameters[name].copy_(own)

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        tensors = {f"model.{name}": p for name, p in self.weights.items()}
        for name, p in self.weights.items():
            tensors |= {f"{key}.{name}": value for key, value in self.optimizer.state[p].items()}
        write(path, tensors, {"run": self.run, "step": str(self.step)})

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            OptionError: It belongs to another recipe, base or data.
            InputError: It is damaged.
        """
        header, tensors = read(path, self.device)
        if header.get("run") != self.run:
            told = "belongs to another recipe, base or data; name another folder, or delete it"
            raise OptionError(f"{path} {told}")
        self.step = int(header["step"])
        with torch.no_grad():
            for name, p in self.weights.items():
                p.copy_(tensors[f"model.{name}"])
                self.optimizer.state[p] = {key: tensors[f"{key}.{name}"] for key in _MOMENTS}
        self._show()


def _layers(model: PreTrainedModel) -> list[torch.nn.Module]:
    """Return the longest list of layers, the Transformer's own."""
    lists = [m for m in cast("torch.nn.Module", model).modules() if isinstance(m, torch.nn.ModuleList)]
    return list(cast("Any", max(lists, key=len))) if lists else []


def _has_compiler(device: torch.device) -> bool:
    return device.type == "cuda" or any(map(shutil.which, ("g++", "clang++")))
