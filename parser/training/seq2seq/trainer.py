"""Optimisation of a sequence-to-sequence parser, with checkpoints from which a run goes on exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor

from amrx.device import repeatable_sums
from amrx.errors import OptionError
from amrx.training import check_finite
from parser.training.checkpoint import read, write
from parser.training.seq2seq.corpus import Corpus, Indices
from parser.training.seq2seq.recipe import Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_NO_TARGET = -100  # cross_entropy passes it over


@dataclass(slots=True)
class Progress:
    """Where a run stands.

    Attributes:
        run: Hash of recipe, base and data: what must not change on resuming.
        step: Updates done.
        best: Highest Smatch on the dev sembank so far, or ``None``.
        best_step: Updates after which it was reached.
        loss: Sum of the losses since the last look.
    """

    run: str
    step: int = 0
    best: float | None = None
    best_step: int = 0
    loss: float = 0.0


class Trainer:
    """A run: weights, AdamW's moments, progress.

    Dropout is a function of (seed, step) and the order of the data too (see `Corpus.steps`), so that a
    checkpoint needs no state of a generator.

    Args:
        model: The student, on its device.
        begin: Ids that a graph begins with.
        corpus: What to learn from.
        recipe: How.
        run: Hash of all that decides the run.
    """

    def __init__(
        self, model: PreTrainedModel, begin: Sequence[int], corpus: Corpus, recipe: Recipe, run: str
    ) -> None:
        self.model, self.begin, self.corpus, self.recipe = model, list(begin), corpus, recipe
        self.module = cast("torch.nn.Module", model)
        self.device = next(self.module.parameters()).device
        self.pad, self.eos = cast("int", model.config.pad_token_id), cast("int", model.config.eos_token_id)
        # a tied table stands here once
        self.parameters = dict(self.module.named_parameters())
        self.progress = Progress(run)
        self.optimizer = self._optimizer()

    def _optimizer(self) -> torch.optim.AdamW:
        """AdamW; matrices decay, biases and norms do not."""
        matrices = [p for p in self.parameters.values() if p.dim() > 1]
        vectors = [p for p in self.parameters.values() if p.dim() <= 1]
        decay = self.recipe.weight_decay
        return torch.optim.AdamW(
            [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}],
            lr=self.recipe.learning_rate,
            fused=self.device.type == "cuda",
        )

    def autocast(self) -> torch.autocast:
        """Return the context to compute in."""
        lower = self.recipe.precision == "bf16" and self.device.type != "cpu"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower)

    def update(self, group: Sequence[Indices]) -> float:
        """One step of AdamW over the batches of ``group``; returns the mean loss of a graph's piece.

        Raises:
            AmrxError: Loss or gradient is not finite; the weights are those before.
        """
        step, recipe = self.progress.step, self.recipe
        if step == recipe.distill_steps:
            self.optimizer = self._optimizer()  # the second phase begins anew, but for the weights
        torch.manual_seed(recipe.seed * 1_000_003 + step)
        for settings in self.optimizer.param_groups:
            settings["lr"] = recipe.rate(step)
        self.module.train()
        lengths = [len(self.corpus.targets[int(graph)]) for batch in group for _, graph in batch]
        pieces = sum(lengths) + len(lengths) * len(self.begin)
        loss = 0.0
        for batch in group:
            part = self._loss(batch) / pieces
            with repeatable_sums(self.device):
                part.backward()
            loss += float(part.detach())
        norm = torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), recipe.clip)
        check_finite({"loss": loss, "gradient": float(norm)}, f"step {step}")
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.step += 1
        self.progress.loss += loss
        return loss

    def _loss(self, batch: Indices) -> Tensor:
        """Return the summed cross-entropy of the graphs of some pairs ``(B, 2)``."""
        start, rest = self.begin[:1], self.begin[1:]
        graphs = [[*start, *rest, *self.corpus.targets[int(graph)]] for _, graph in batch]
        ids = self._pad([self.corpus.sources[int(sentence)] for sentence, _ in batch], self.pad)  # (B, S)
        shown = self._pad(graphs, self.pad)  # (B, T)
        goal = self._pad([[*graph[1:], self.eos] for graph in graphs], _NO_TARGET)  # (B, T)
        with self.autocast():
            logits = self.module(
                input_ids=ids,
                attention_mask=(ids != self.pad).long(),
                decoder_input_ids=shown,
                use_cache=False,
            ).logits  # (B, T, V)
        return torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), goal.flatten(), ignore_index=_NO_TARGET, reduction="sum"
        )

    def _pad(self, rows: Sequence[Sequence[int]], filler: int) -> Tensor:
        made = torch.full((len(rows), max(map(len, rows))), filler)
        for number, row in enumerate(rows):
            made[number, : len(row)] = torch.tensor(row)
        return made.to(self.device)

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        tensors = {f"model.{name}": p for name, p in self.parameters.items()}
        for name, p in self.parameters.items():
            tensors |= {f"{key}.{name}": value for key, value in self.optimizer.state[p].items()}
        write(path, tensors, {"progress": json.dumps(asdict(self.progress))})

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            OptionError: It belongs to another recipe, base or data.
            InputError: It is damaged.
        """
        header, tensors = read(path, self.device)
        progress = Progress(**json.loads(header["progress"]))
        if progress.run != self.progress.run:
            told = "belongs to another recipe, base or data; name another folder, or delete it"
            raise OptionError(f"{path} {told}")
        self.progress = progress
        self.load(tensors)
        on_device = self.device.type == "cuda"
        for name, p in self.parameters.items():
            keys = [key for key in ("step", "exp_avg", "exp_avg_sq") if f"{key}.{name}" in tensors]
            state = {key: tensors[f"{key}.{name}"] for key in keys}
            if "step" in state and not on_device:
                state["step"] = state["step"].cpu()
            self.optimizer.state[p] = state

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Copy weights ``model.NAME`` into the model."""
        with torch.no_grad():
            for name, p in self.parameters.items():
                p.copy_(tensors[f"model.{name}"])
