"""Train a sequence-to-sequence parser: groups of batches, two phases, Smatch on a dev sembank."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

import torch
from torch import Tensor

from amrx.errors import InputError
from amrx.records import read_graphs
from amrx.training import Evaluation, adamw
from amrx.types import Parse, Parser, Sentence
from parser.score.smatch import corpus_smatch
from parser.seq2seq.parser import Seq2SeqParser
from parser.training.seq2seq.bank import files_in
from parser.training.seq2seq.corpus import Corpus, Indices
from parser.training.seq2seq.recipe import Recipe
from parser.training.task import FineTuning, as_module, pad

_NO_TARGET = -100  # cross_entropy passes it over


class Dev:
    """Annotated sentences, of one language or several.

    Raises:
        InputError: There is no file, or a graph cannot be read (names file and line).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.gold: dict[str, list[Parse]] = {}
        for file in files_in(path):
            for parse in read_graphs(file):
                self.gold.setdefault(parse.lang, []).append(parse)

    def check(self, langs: Collection[str]) -> None:
        """Raise InputError when a sentence is in none of ``langs`` (none named: every language passes)."""
        for lang in self.gold:
            if langs and lang not in langs:
                raise InputError(f"holds {lang!r}, which is no language of the base", file=self.path)

    def score(self, parser: Parser, batch_size: int) -> dict[str, float]:
        """Return Smatch F1 (0-100) for each language."""
        scores = {}
        for lang, gold in sorted(self.gold.items()):
            sentences = [Sentence(parse.id, parse.text, lang) for parse in gold]
            parses = parser.parse(sentences, batch_size=batch_size)
            scores[lang] = corpus_smatch([one.graph for one in gold], [one.graph for one in parses]).f1
        return scores


class Seq2SeqTask(FineTuning[list[Indices]]):
    """Learn the teacher's graphs, then those of the bank; every step is a group of batches."""

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
        """Change the weights; the second phase begins with an optimizer without memory."""
        super().update(step)
        if step + 1 == self.recipe.distill_steps:
            self.optimizer.state.clear()

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of Smatch on the dev sembank."""
        with self._autocast():
            scores = self.dev.score(self.student, self.recipe.dev_batch)
        smatch = sum(scores.values()) / len(scores)
        by_language = {lang: round(f1, 2) for lang, f1 in scores.items()}
        return Evaluation(
            smatch, {"phase": self.phase, "smatch": round(smatch, 2), "by_language": by_language}
        )

    def _autocast(self) -> torch.autocast:
        lower = self.recipe.precision == "bf16" and self.device.type != "cpu"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=lower)

    def _loss(self, batch: Indices) -> Tensor:
        """Return the summed cross-entropy of the graphs of some pairs ``(B, 2)``."""
        graphs = [[*self.begin, *self.corpus.targets[int(graph)]] for _, graph in batch]
        sentences = [self.corpus.sources[int(sentence)] for sentence, _ in batch]
        ids = pad(sentences, self.pad, self.device)  # (B, S)
        shown = pad(graphs, self.pad, self.device)  # (B, T)
        goal = pad([[*graph[1:], self.eos] for graph in graphs], _NO_TARGET, self.device)  # (B, T)
        with self._autocast():
            logits = self.module(
                input_ids=ids,
                attention_mask=(ids != self.pad).long(),
                decoder_input_ids=shown,
                use_cache=False,
            ).logits  # (B, T, V)
        return torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), goal.flatten(), ignore_index=_NO_TARGET, reduction="sum"
        )
