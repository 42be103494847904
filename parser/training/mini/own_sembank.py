"""Fine-tune a one-pass parser on the user's own annotated sentences, without other data.

::

    train.amr ──> new roles and concepts ──> new rows of the start's tables
              ──> examples ──> steps ──┐
    dev.amr ────> Smatch of the running mean every `evaluate_every` steps ──> the best ──> parser folder

No text is reserved: the user must keep test sentences out of the training file. Only sentences of the dev
file are left out of the training.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import torch
from torch import Tensor

from amrx.device import pick_device
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import InputError
from amrx.pretrained.hub import TRAINING
from amrx.recipes import require, require_least
from amrx.records import fingerprint, read_graphs
from amrx.training import Evaluation, Schedule, alone, best_weights, read_log
from linearize.packed import pack_graph
from parser.mini.flat import flatten
from parser.mini.labels import Labels, build_labels
from parser.mini.layers import Shape
from parser.mini.model import MiniNetwork
from parser.mini.parser import MiniParser
from parser.mini.source import MOST_PIECES
from parser.mini.store import save_network
from parser.training.corpora.lines import normal_form
from parser.training.dev import Dev, files_in
from parser.training.example import Example
from parser.training.mini.pack import MOST_NODES, Corpus
from parser.training.mini.prepare import restyled
from parser.training.mini.recipe import Recipe
from parser.training.mini.start import extended
from parser.training.mini.task import MiniTask
from parser.training.mini.train import load_start, pack_examples
from parser.training.task import claim, run_task

__all__ = ["OwnRecipe", "train"]
_LOG = logging.getLogger(__name__)
LOG_EVERY = 10


@dataclass(frozen=True)
class OwnRecipe:
    """Settings of a run, for about 200 to 2,000 graphs."""

    start: str = "mini"  # parser to start from: ``mini`` (shipped) or ``mini:DIR``; its shape is kept
    lang: str = "en"  # language of the sentences whose block has no ``# ::lang``
    steps: int = 300  # updates
    batch: int = 600  # padded source pieces in a batch
    learning_rate: float = 3e-4  # peak of AdamW's rate, after ``warmup`` updates; cosine to 0 at the end
    reader_rate: float = 0.3  # rate of the layers that read the sentence, as a share of that of the rest
    warmup: int = 20  # updates of linear warm-up
    average: float = 0.98  # decay of the running mean of the weights; the mean is scored and saved
    seed: int = 0  # of order, dropout and draws
    evaluate_every: int = 50  # updates between two scores on the dev file
    patience: int = 0  # the run ends after so many scores in a row without a new best; 0 for no limit
    save_every: int = 50  # updates between checkpoints

    def __post_init__(self) -> None:
        require_least(self, dict.fromkeys(("steps", "batch", "warmup", "evaluate_every", "save_every"), 1))
        require(0 <= self.average < 1, "average", self.average, "must be >= 0 and < 1")
        require(self.learning_rate > 0, "learning_rate", self.learning_rate, "must be positive")

    def of_shape(self, shape: Shape) -> Recipe:
        """Return the recipe of `MiniTask` for a network of the start's shape."""
        return Recipe(
            self.start, steps=self.steps, batch=self.batch, learning_rate=self.learning_rate,
            floor=0.0, warmup=self.warmup, average=self.average, seed=self.seed, save_every=self.save_every,
            reader=shape.reader, reader_rate=self.reader_rate, width=shape.width, inner=shape.inner,
            layers=shape.layers, queries=shape.queries, dropout=shape.dropout,
            feature_dropout=shape.feature_dropout, word_dropout=shape.word_dropout,
            hint_dropout=shape.hint_dropout,
        )  # fmt: skip


class OwnTask(MiniTask):
    """Train on the user's graphs; select the weights by the running mean's Smatch on the dev sentences."""

    def __init__(
        self, corpus: Corpus, network: MiniNetwork, labels: Labels, tokenizer: E5Tokenizer,
        recipe: Recipe, device: torch.device, dev: Dev,
    ) -> None:  # fmt: skip
        super().__init__(corpus, network, recipe, device)
        self.labels, self.dev, self.tokenizer = labels, dev, tokenizer

    def parser(self) -> MiniParser:
        """Return the running mean as a parser."""
        return MiniParser(self.averaged(), self.labels, self.tokenizer, "student")

    def evaluate(self) -> Evaluation:
        """Return the mean over languages of Smatch on the dev sentences."""
        return self.dev.evaluate(self.parser(), batch_size=32)

    def best(self) -> Mapping[str, Tensor]:
        """Return the running mean."""
        return self.average


def train(
    sembank: Path,
    dev: Path,
    out: Path,
    recipe: OwnRecipe,
    *,
    device: str | None = None,
    time_limit: float | None = None,
) -> tuple[float, float | None]:
    """Train a parser; a stopped or killed run resumes from its last checkpoint.

    ``sembank`` and ``dev`` are files of graphs or folders of them. Returned is Smatch on dev of the start and
    of the parser. A run stopped by ``time_limit`` (seconds of steps) writes no parser, and has no second
    score.
    """
    files = [*files_in(sembank), *files_in(dev)]
    gold = Dev(dev, recipe.lang)
    for parse in chain.from_iterable(gold.gold.values()):
        if parse.status == "failed" or not parse.text.strip():
            raise InputError(f"sentence {parse.id!r} has no text or no graph", file=dev)
    examples = list(_examples(sembank, recipe.lang, gold))
    with alone(out):
        start, work = load_start(recipe.start), out / TRAINING
        key = fingerprint({"recipe": repr(recipe), "start": start.fingerprint}, files)
        claim(work, key, recipe)
        task = _task(examples, start, gold, recipe, pick_device(device))
        every = (LOG_EVERY, recipe.save_every, recipe.evaluate_every, recipe.patience)
        schedule = Schedule(recipe.steps, recipe.seed, 1.0, *every)
        before = _start_score(work, task)
        outcome = run_task(task, schedule, work, key, time_limit=time_limit, start_line={"smatch": before})
        if not outcome.finished:
            return before, None
        network = task.averaged()
        network.load_state_dict(network.state_dict() | (best_weights(work, outcome) or {}))
        save_network(out, network, task.labels)
    after = outcome.best or 0.0
    _LOG.info(
        "%s: Smatch on dev %.2f, of the start %.2f; best after step %d", out, after, before, outcome.best_step
    )
    if after <= before:
        _LOG.warning("no weights are better than the start on %s: keep %s", dev, recipe.start)
    return before, after


def _start_score(work: Path, task: OwnTask) -> float:
    """Return the start's Smatch on dev, from the log if it is there."""
    log = read_log(work / "log.jsonl")
    if log and log[0]["step"] == 0:
        return float(str(log[0]["smatch"]))
    return task.evaluate().score


def _examples(sembank: Path, lang: str, dev: Dev) -> Iterator[Example]:
    """Yield an example per sentence that has a graph and is not in the dev file."""
    measured = {normal_form(parse.text) for gold in dev.gold.values() for parse in gold}
    left_out: Counter[str] = Counter()
    count = 0
    for file in files_in(sembank):
        for parse in read_graphs(file, lang=lang):
            graph = pack_graph(parse.graph)
            if parse.status == "failed" or not parse.text.strip():
                left_out["without sentence or graph"] += 1
            elif normal_form(parse.text) in measured:
                left_out["also in the dev file"] += 1
            elif graph is None:
                left_out["whose graph has no linear form"] += 1
            else:
                count += 1
                yield Example(parse.text, graph, parse.lang, 1.0)
    reasons = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
    if not count:
        raise InputError(f"holds no graph to learn from ({reasons})", file=sembank)
    _LOG.info("%d graphs to learn from; left out: %s", count, reasons or "none")


def _task(
    examples: list[Example], start: MiniParser, dev: Dev, recipe: OwnRecipe, device: torch.device
) -> OwnTask:
    labels = build_labels((flatten(example.graph) for example in examples), 1, start.labels)
    new = len(labels) + len(labels.roles) - len(start.labels) - len(start.labels.roles)
    _LOG.info("%d roles and concepts are new to %s", new, recipe.start)
    of_shape = recipe.of_shape(start.network.shape)
    shape = of_shape.shape(len(labels), len(labels.roles))
    packed, _ = pack_examples(restyled(examples, recipe.seed), labels, start.tokenizer)
    if not len(packed["weight"]):
        raise InputError(
            f"all {len(examples)} sentences are longer than {MOST_PIECES} subwords, or their graphs have "
            f"more than {MOST_NODES} nodes"
        )
    network = extended(start.network, start.labels, labels, shape)
    return OwnTask(Corpus(packed), network, labels, start.tokenizer, of_shape, device, dev)
