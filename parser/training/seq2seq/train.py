"""From a sembank, a teacher's graphs and translations to a parser, in one resumable run (recipe ``xamr``).

::

    base + relations, frames, pointers ── teacher's graphs ──> student ── bank's graphs ──> student
                                              └── every `evaluate_every` updates: Smatch on dev ──┘
                                                                     └── the best ──> parser folder

``OUT/training`` keeps checkpoint, best weights, log and recipe. Everything random in an update follows from
(seed, update), so a run that was killed and started again gives, on a CPU, the same bits as an unbroken one.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from amrx.device import pick_device
from amrx.pretrained.hub import TRAINING, find_model, hash_model
from amrx.training import Schedule, alone, best_weights
from amrx.training.guard import make_folder
from parser.seq2seq.base import (
    base_kind,
    beginning,
    extend_base,
    load_network,
    load_tokenizer,
    set_generation,
)
from parser.seq2seq.parser import Seq2SeqParser
from parser.training.seq2seq.corpus import Corpus, Source
from parser.training.seq2seq.recipe import Recipe
from parser.training.seq2seq.task import Dev, Seq2SeqTask
from parser.training.task import as_module, claim, run_task, write_parser

__all__ = ["Recipe", "train"]
LOG_EVERY = 50
_LOG = logging.getLogger(__name__)


def train(data: Path, out: Path, recipe: Recipe, *, device: str | None = None) -> None:
    """Train a parser; started again after a kill it goes on from its last checkpoint.

    Raises:
        MissingResourceError: The base is not on this machine.
        InputError: A file is missing or malformed (names file and line).
        OptionError: ``out`` holds a run of another recipe, base or data.
        OutputError: ``out`` cannot be written, or another run is using it.
        AmrxError: A loss or the gradient is not finite.
    """
    with alone(out):
        _train(data, out, recipe, device)


def _train(data: Path, out: Path, recipe: Recipe, device: str | None) -> None:
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
    run = hashlib.sha256(f"{recipe!r} {hash_model(base)} {corpus.fingerprint()}".encode()).hexdigest()[:16]
    claim(work, run, recipe)
    task = Seq2SeqTask(student, beginning(model.config, kind), corpus, dev, recipe)
    schedule = Schedule(
        recipe.steps, recipe.seed, recipe.clip, LOG_EVERY, recipe.save_every, recipe.evaluate_every
    )
    outcome = run_task(task, schedule, work, run)
    if (weights := best_weights(work, outcome)) is not None:
        task.load_tensors(weights)
    set_generation(model, kind)  # parsing has put its own in its place
    write_parser(out, model, tokenizer)
    _LOG.info("%s: Smatch %.2f on dev after update %d", out, outcome.best, outcome.best_step)
