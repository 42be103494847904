"""Train a parser on a sembank, a teacher's graphs and translations, in one run (recipe ``xamr``).

::

    base + relations, frames, pointers ── teacher's graphs ──> student ── bank's graphs ──> student
                                              └── every `evaluate_every` updates: Smatch on dev ──┘
                                                                     └── the best ──> parser folder

``OUT/training`` keeps checkpoint, best weights, log and recipe. All randomness of an update follows from
(seed, update), so a killed and resumed run gives, on a CPU, the same bits as an uninterrupted one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

import torch
from torch import Tensor

from amrx.device import pad_rows, pick_device
from amrx.pretrained.hub import TRAINING, find_model, hash_model
from amrx.records import make_folder
from amrx.training import Evaluation, Outcome, Schedule, adamw, alone, best_weights
from parser.training.dev import Dev
from parser.training.task import (
    NO_TARGET,
    FineTuning,
    as_module,
    claim,
    run_key,
    run_task,
    write_parser,
)
from parser.training.writers.corpus import Corpus, Indices, Source
from parser.training.writers.recipe import Recipe
from parser.writers.seq2seq import (
    Seq2SeqParser,
    base_kind,
    beginning,
    extend_base,
    load_network,
    load_tokenizer,
    set_generation,
)

__all__ = ["Recipe", "train"]
LOG_EVERY = 50
_LOG = logging.getLogger(__name__)


class Seq2SeqTask(FineTuning[list[Indices]]):
    """Train on the teacher's graphs, then on those of the sembank; every step is a group of batches."""

    def __init__(
        self, student: Seq2SeqParser, begin: Sequence[int], corpus: Corpus, dev: Dev, recipe: Recipe
    ) -> None:
        self.student, self.begin, self.corpus, self.dev, self.recipe = student, begin, corpus, dev, recipe
        self.phase = ""
        config = student.model.config
        self.pad, self.eos = cast("int", config.pad_token_id), cast("int", config.eos_token_id)
        weights = dict(as_module(student.model).named_parameters())
        fused = next(iter(weights.values())).device.type == "cuda"
        optimizer = adamw(weights.values(), recipe.learning_rate, recipe.weight_decay, fused=fused)
        super().__init__("seq2seq parser", student.model, weights, optimizer)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of a step, for matrices and for vectors."""
        return [self.recipe.rate(step)] * 2

    def batches(self, step: int) -> Iterator[list[Indices]]:
        """Yield groups of batches, phase after phase."""
        for number, phase in enumerate(self.corpus.phases):
            first, step = min(step, phase.steps), max(0, step - phase.steps)
            self.phase = phase.name
            yield from islice(self.corpus.steps(number, self.recipe, first), phase.steps - first)

    def learn(self, batch: list[Indices]) -> float:
        """Add the gradients of a group of batches; return the mean loss per piece of a graph."""
        lengths = [len(self.corpus.targets[int(graph)]) for part in batch for _, graph in part]
        pieces = sum(lengths) + len(lengths) * len(self.begin)
        total = 0.0
        for part in batch:
            loss = self._loss(part) / pieces
            loss.backward()
            total += float(loss.detach())
        return total

    def update(self, step: int) -> None:
        """Update the weights; the second phase starts with a new optimizer state."""
        super().update(step)
        if step + 1 == self.recipe.distill_steps:
            self.optimizer.state.clear()

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of Smatch on the dev sembank."""
        with self._autocast():
            return self.dev.evaluate(self.student, self.recipe.dev_batch, phase=self.phase)

    def _autocast(self) -> torch.autocast:
        lower = self.recipe.precision == "bf16" and self.device.type != "cpu"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower)

    def _loss(self, batch: Indices) -> Tensor:
        """Return the summed cross-entropy of the graphs of some pairs ``(B, 2)``."""
        graphs = [[*self.begin, *self.corpus.targets[int(graph)]] for _, graph in batch]
        sentences = [self.corpus.sources[int(sentence)] for sentence, _ in batch]
        ids = pad_rows(sentences, self.pad).to(self.device)  # (B, S)
        shown = pad_rows(graphs, self.pad).to(self.device)  # (B, T)
        goals = [[*graph[1:], self.eos] for graph in graphs]
        goal = pad_rows(goals, NO_TARGET).to(self.device)  # (B, T)
        with self._autocast():
            logits = self.module(
                input_ids=ids,
                attention_mask=(ids != self.pad).long(),
                decoder_input_ids=shown,
                use_cache=False,
            ).logits  # (B, T, V)
        return torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), goal.flatten(), ignore_index=NO_TARGET, reduction="sum"
        )


def train(
    data: Path, out: Path, recipe: Recipe, *, device: str | None = None, time_limit: float | None = None
) -> Outcome:
    """Train a parser; a stopped or killed run resumes from its last checkpoint.

    A run stopped by ``time_limit`` (seconds of steps) writes no parser.
    """
    with alone(out):
        chosen, work = pick_device(device), out / TRAINING
        base = find_model(recipe.base, what="weights of the base", local="--set base=DIR")
        kind = base_kind(base)
        make_folder(work)
        source, dev = Source(data, recipe), Dev(data / recipe.dev)
        tokenizer, model = load_tokenizer(base, kind), load_network(base, recipe.dropout)
        new = extend_base(tokenizer, model, source.vocabulary, kind)
        set_generation(model, kind)
        _LOG.info("%d tokens of AMR added to the base", new)
        as_module(model).to(chosen)
        student = Seq2SeqParser(model, tokenizer, "student")
        dev.check(student.codes)
        corpus = Corpus(source, student, recipe.longest)
        run = run_key(recipe, hash_model(base), corpus.fingerprint())
        claim(work, run, recipe)
        task = Seq2SeqTask(student, beginning(model.config, kind), corpus, dev, recipe)
        schedule = Schedule(
            recipe.steps, recipe.seed, recipe.clip, LOG_EVERY, recipe.save_every, recipe.evaluate_every
        )
        outcome = run_task(task, schedule, work, run, time_limit=time_limit)
        if not outcome.finished:
            return outcome
        if (weights := best_weights(work, outcome)) is not None:
            task.load_tensors(weights)
        set_generation(model, kind)  # scoring replaced the generation settings
        write_parser(out, model, tokenizer)
        _LOG.info("%s: Smatch %.2f on dev after update %d", out, outcome.best, outcome.best_step)
        return outcome
