"""Train a causal parser on the open sembanks, in one resumable run (recipe ``causal``).

::

    base + roles, references, senses ── English sentences and graphs ──> parser folder

``OUT/training`` keeps checkpoint, log and recipe. All randomness of an update follows from (seed, update): a
killed and resumed run ends with the weights of an uninterrupted one.
"""

from __future__ import annotations

import hashlib
import logging
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from amrx.device import pad_rows, pick_device
from amrx.pretrained.hub import TRAINING
from amrx.recipes import require, require_least
from amrx.records import make_folder
from amrx.training import Outcome, Schedule, alone
from linearize.packed import pack_graph
from parser.training.corpora.leakage import load_reserved
from parser.training.mini.prepare import english
from parser.training.task import (
    NO_TARGET,
    FineTuning,
    as_module,
    claim,
    run_key,
    run_task,
    write_parser,
)
from parser.writers.causal import NAME, CausalParser, extend_base, load_base
from parser.writers.words import to_packed_words

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["Recipe", "train"]
LOG_EVERY = 25
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recipe:
    """Train a decoder to write the graph after an English sentence, on the open sembanks.

    All weights are trained. The number of draws of a sentence per epoch comes from
    `WEIGHTS`.
    """

    base: str = NAME  # causal language model: ``smollm2`` (from a package), a folder, a GGUF file or a hub id
    steps: int = 1_200  # number of updates
    batch: int = 4_096  # padded tokens per update
    longest: int = 224  # tokens of a sentence and its graph; longer examples are left out
    learning_rate: float = 5e-4  # AdamW's peak rate, after a linear warm-up; then half-cosine decay
    floor: float = 0.02  # final rate, as a share of the peak rate
    warmup: int = 60  # number of updates of the warm-up
    weight_decay: float = 0.02  # decay of all weights
    clip: float = 1.0  # maximum norm of the gradient
    # number format of the computation; weights and moments are float32 in both
    precision: Literal["bf16", "fp32"] = "bf16"
    # whether to compile the layers, if there is a compiler: a third faster, but not bit-identical
    compiled: bool = True
    seed: int = 0  # seed of the order
    save_every: int = 200  # updates between checkpoints

    def __post_init__(self) -> None:
        require_least(self, dict.fromkeys(("steps", "longest", "save_every"), 1))
        require_least(self, dict.fromkeys(("warmup", "weight_decay", "floor"), 0))
        require(self.batch >= self.longest, "batch", self.batch, f"must be at least longest, {self.longest}")
        for key in ("learning_rate", "clip"):
            require(getattr(self, key) > 0, key, getattr(self, key), "must be positive")

    def rate(self, step: int) -> float:
        """Return the learning rate of an update.

        Example:
            >>> recipe = Recipe(steps=4, warmup=2, learning_rate=1.0, floor=0.0)
            >>> [round(recipe.rate(step), 3) for step in range(4)]
            [0.5, 0.854, 0.5, 0.146]
        """
        warm = min(1.0, (step + 1) / max(1, self.warmup))
        return self.learning_rate * warm * (0.5 + 0.5 * math.cos(math.pi * step / self.steps) + self.floor)


WEIGHTS = {"sts": 1.0, "sick": 0.5, "para": 1.0, "lpp": 2.0, "bio": 1.0, "umr": 1.0, "qald9": 2.0}
"""Number of draws of each sentence per epoch, by sembank."""
WIDTHS = (32, 48, 64, 96, 128, 160, 224)
"""Widths to which batches are padded, so that few shapes are compiled; beyond, multiples of the last."""
Indices = npt.NDArray[np.int64]


def read_sembanks(data: Path) -> list[tuple[str, list[str], float]]:
    """Return the text, the words of its graph and the weight of every English training sentence.

    A graph without a packed form is left out.
    """
    examples = []
    for name, entry in english(data, load_reserved(data)):
        graph = pack_graph(entry.graph)
        if graph is not None:
            examples.append((entry.snt, to_packed_words(graph), WEIGHTS[name]))
    return examples


def width_of(length: int) -> int:
    """Return the width to which a pair of ``length`` tokens is padded.

    Example:
        >>> width_of(48), width_of(49), width_of(300)
        (48, 64, 448)
    """
    return next((width for width in WIDTHS if width >= length), -(-length // WIDTHS[-1]) * WIDTHS[-1])


class Corpus:
    """Pairs of token ids."""

    def __init__(
        self, sembanks: Sequence[tuple[str, Sequence[str], float]], parser: CausalParser, longest: int
    ) -> None:
        self.pairs: list[tuple[list[int], list[int]]] = []
        self.weights: list[float] = []
        for text, words, weight in sembanks:
            source, target = parser.read(text)[0], [*parser.pieces.ids(words), parser.eos]
            if len(source) + len(target) <= longest:
                self.pairs.append((source, target))
                self.weights.append(weight)
        self.filler = parser.eos
        left = len(sembanks) - len(self.pairs)
        _LOG.info("%d sentences; %d of more than %d tokens left out", len(self.pairs), left, longest)

    def fingerprint(self) -> str:
        """Return a hash of all ids and weights."""
        return hashlib.sha256(repr((self.pairs, self.weights)).encode()).hexdigest()

    def epoch(self, seed: int, number: int, room: int) -> list[Indices]:
        """Return the batches of an epoch: indices of pairs of one width, as many as fit into ``room`` tokens.

        A pair of weight ``w`` is drawn ``floor(w)`` times, and once more with probability ``w - floor(w)``.
        The last batch of a width is filled up with the first pairs of that width.
        """
        draw = np.random.default_rng((seed, number))
        weights = np.array(self.weights)
        times = np.floor(weights + draw.random(len(weights))).astype(np.int64)
        rows = draw.permutation(np.repeat(np.arange(len(weights)), times))
        widths = np.array([width_of(len(s) + len(t)) for s, t in self.pairs])[rows]
        batches: list[Indices] = []
        for width in np.unique(widths):
            alike, size = rows[widths == width], max(1, room // int(width))
            batches += list(np.resize(alike, (-(-len(alike) // size), size)))
        return [batches[position] for position in draw.permutation(len(batches))]

    def steps(self, seed: int, room: int, first: int) -> Iterator[Indices]:
        """Yield batches endlessly, starting at the update ``first``.

        The order depends only on the seed and the epoch.
        """
        batches = (batch for number in count() for batch in self.epoch(seed, number, room))
        return islice(batches, first, None)


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
        position = (targets != NO_TARGET).nonzero()[:, 0]
        real = len(position)
        # few shapes, because on a CPU products are compiled for each new shape
        position = F.pad(position, (0, -real % _ROUND), value=int(position[0]))
        targets = targets[position]
        targets[real:] = NO_TARGET
        head = cast("torch.nn.Linear", self.model.get_output_embeddings())
        scores = head(hidden.flatten(0, 1)[position]).float()
        return F.cross_entropy(scores, targets, ignore_index=NO_TARGET)

    def _batch(self, rows: Indices) -> tuple[Tensor, Tensor]:
        """Return the ids and, for each, the next id if it belongs to the graph, both ``(B, T)``."""
        pairs = [self.corpus.pairs[int(row)] for row in rows]
        width = width_of(max(len(source) + len(target) for source, target in pairs))
        ids = [[*source, *target] for source, target in pairs]
        goal = [[*[NO_TARGET] * (len(source) - 1), *target] for source, target in pairs]
        shown, wanted = pad_rows(ids, self.corpus.filler, width), pad_rows(goal, NO_TARGET, width)
        return shown.to(self.device), wanted.to(self.device)


def _layers(module: torch.nn.Module) -> list[torch.nn.Module]:
    """Return the longest list of layers, that of the Transformer."""
    lists = [m for m in module.modules() if isinstance(m, torch.nn.ModuleList)]
    return list(cast("Any", max(lists, key=len))) if lists else []


def _has_compiler(device: torch.device) -> bool:
    return device.type == "cuda" or any(map(shutil.which, ("g++", "clang++")))


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
