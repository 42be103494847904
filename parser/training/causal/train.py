"""Train a causal parser on the open sembanks, in one resumable run (recipe ``causal``).

::

    base + roles, references, senses ── English sentences and graphs ──> parser folder

``OUT/training`` keeps checkpoint, log and recipe. All randomness of an update follows from (seed, update): a
killed and resumed run ends with the weights of an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F

from amrx.device import pad_rows, pick_device
from amrx.pretrained.hub import TRAINING
from amrx.records import make_folder
from amrx.training import Outcome, Schedule, alone
from parser.causal.base import extend_base, load_base
from parser.causal.parser import CausalParser
from parser.training.causal.corpus import Corpus, Indices, read_sembanks, width_of
from parser.training.causal.recipe import Recipe
from parser.training.task import FineTuning, as_module, claim, run_key, run_task, write_parser

if TYPE_CHECKING:
    from transformers import PreTrainedModel


_NO_TARGET = -100  # the label that cross_entropy ignores
_ROUND = 256


class CausalTask(FineTuning[Indices]):
    """Train the model to write the graph after the sentence."""

    def __init__(self, model: PreTrainedModel, corpus: Corpus, recipe: Recipe) -> None:
        self.corpus, self.recipe = corpus, recipe
        module = as_module(model)
        kept = {name: weight.detach().clone() for name, weight in module.named_parameters()}
        optimizer = torch.optim.AdamW(
            list(kept.values()),
            lr=recipe.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=recipe.weight_decay,
            fused=True,
        )
        super().__init__("causal parser", model, kept, optimizer)
        if recipe.precision == "bf16":
            module.to(torch.bfloat16)
        self.computed = dict(module.named_parameters())
        for layer in _layers(module) if recipe.compiled and _has_compiler(self.device) else ():
            layer.compile(dynamic=False)

    def rates(self, step: int) -> Sequence[float]:
        """Return the only rate of a step."""
        return [self.recipe.rate(step)]

    def batches(self, step: int) -> Iterator[Indices]:
        """Yield rows of pairs."""
        return self.corpus.steps(self.recipe.seed, self.recipe.batch, step)

    def learn(self, batch: Indices) -> float:
        """Copy the gradients of the working weights to the master weights; return the mean loss per token."""
        loss = self.loss(batch)
        loss.backward()
        for name, weight in self.weights.items():
            gradient = self.computed[name].grad
            weight.grad = None if gradient is None else gradient.to(weight.dtype)
            self.computed[name].grad = None
        return float(loss.detach())

    def update(self, step: int) -> None:
        """Update the master weights, and round them to the working weights."""
        super().update(step)
        self._round()

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore the master weights, and round them to the working weights."""
        super().load_tensors(tensors)
        self._round()

    def _round(self) -> None:
        with torch.no_grad():
            for name, weight in self.weights.items():
                self.computed[name].copy_(weight)

    def loss(self, rows: Indices) -> Tensor:
        """Return the mean cross-entropy of the graphs' tokens, including the end."""
        ids, goal = self._batch(rows)
        hidden = self.model.base_model(input_ids=ids, use_cache=False).last_hidden_state  # (B, T, d)
        targets = goal.flatten()
        position = (targets != _NO_TARGET).nonzero()[:, 0]
        real = len(position)
        # few shapes, because on a CPU products are compiled for each new shape
        position = F.pad(position, (0, -real % _ROUND), value=int(position[0]))
        targets = targets[position]
        targets[real:] = _NO_TARGET
        head = cast("torch.nn.Linear", self.model.get_output_embeddings())
        scores = head(hidden.flatten(0, 1)[position]).float()
        return F.cross_entropy(scores, targets, ignore_index=_NO_TARGET)

    def _batch(self, rows: Indices) -> tuple[Tensor, Tensor]:
        """Return the ids and, for each, the next id if it belongs to the graph, both ``(B, T)``."""
        pairs = [self.corpus.pairs[int(row)] for row in rows]
        width = width_of(max(len(source) + len(target) for source, target in pairs))
        ids = [[*source, *target] for source, target in pairs]
        goal = [[*[_NO_TARGET] * (len(source) - 1), *target] for source, target in pairs]
        shown, wanted = pad_rows(ids, self.corpus.filler, width), pad_rows(goal, _NO_TARGET, width)
        return shown.to(self.device), wanted.to(self.device)


def _layers(module: torch.nn.Module) -> list[torch.nn.Module]:
    """Return the longest list of layers, that of the Transformer."""
    lists = [m for m in module.modules() if isinstance(m, torch.nn.ModuleList)]
    return list(cast("Any", max(lists, key=len))) if lists else []


def _has_compiler(device: torch.device) -> bool:
    return device.type == "cuda" or any(map(shutil.which, ("g++", "clang++")))


__all__ = ["Recipe", "train"]
LOG_EVERY = 25
_LOG = logging.getLogger(__name__)


def train(
    data: Path, out: Path, recipe: Recipe, *, device: str | None = None, time_limit: float | None = None
) -> Outcome:
    """Train a parser; a stopped or killed run resumes from its last checkpoint.

    A run stopped by ``time_limit`` (seconds of steps) writes no parser.
    """
    with alone(out):
        chosen, work = pick_device(device), out / TRAINING
        model, tokenizer = load_base(recipe.base)
        make_folder(work)
        _LOG.info("reading the sembanks of %s", data)
        sembanks = read_sembanks(data)
        words = {word for _, graph, _ in sembanks for word in graph}
        _LOG.info("%d tokens of AMR added to the base", extend_base(tokenizer, model, words, recipe.base))
        if chosen.type == "cpu":
            model.set_attn_implementation("eager")  # the fused kernel is slow on sequences this short
        module = as_module(model).to(chosen)
        corpus = Corpus(sembanks, CausalParser(model, tokenizer, "student"), recipe.longest)
        run = run_key(recipe, corpus.fingerprint(), _digest(module))
        claim(work, run, recipe)
        schedule = Schedule(recipe.steps, recipe.seed, recipe.clip, LOG_EVERY, recipe.save_every)
        task = CausalTask(model, corpus, recipe)
        outcome = run_task(task, schedule, work, run, time_limit=time_limit)
        if outcome.finished:
            write_parser(out, model, tokenizer)
        return outcome


def _digest(module: torch.nn.Module) -> str:
    """Return a hash of the initial weights."""
    digest = hashlib.sha256()
    for name, weight in sorted(module.named_parameters()):
        digest.update(f"{name} {weight.detach().double().sum().item()!r}".encode())
    return digest.hexdigest()
