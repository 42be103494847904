"""From the open sembanks to a causal parser, in one resumable run (recipe ``causal``).

::

    base + roles, references, senses ── English sentences and graphs ──> parser folder

``OUT/training`` keeps checkpoint, log and recipe. Everything random in an update follows from (seed, update):
a run that was killed and started again goes on to the weights of an unbroken one.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import torch

from amrx.device import pick_device
from amrx.pretrained.hub import TRAINING
from amrx.training import Schedule, alone
from amrx.training.guard import make_folder
from parser.causal.base import extend_base, load_base
from parser.causal.parser import CausalParser
from parser.training.causal.corpus import Corpus, read_sembanks
from parser.training.causal.recipe import Recipe
from parser.training.causal.task import CausalTask
from parser.training.task import as_module, claim, run_task, write_parser

__all__ = ["Recipe", "train"]
LOG_EVERY = 25
_LOG = logging.getLogger(__name__)


def train(data: Path, out: Path, recipe: Recipe, *, device: str | None = None) -> None:
    """Train a parser; started again after a kill it goes on from its last checkpoint.

    Raises:
        MissingResourceError: The base or the data are not on this machine.
        InputError: A file is malformed (names file and line), or the base is no causal language model.
        OptionError: ``out`` holds a run of another recipe, base or data.
        OutputError: ``out`` cannot be written, or another run is using it.
        AmrxError: A loss or the gradient is not finite.
    """
    with alone(out):
        _train(data, out, recipe, device)


def _train(data: Path, out: Path, recipe: Recipe, device: str | None) -> None:
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
    run = hashlib.sha256(f"{recipe!r} {corpus.fingerprint()} {_digest(module)}".encode()).hexdigest()[:16]
    claim(work, run, recipe)
    schedule = Schedule(recipe.steps, recipe.seed, recipe.clip, LOG_EVERY, recipe.save_every)
    run_task(CausalTask(model, corpus, recipe), schedule, work, run)
    write_parser(out, model, tokenizer)


def _digest(module: torch.nn.Module) -> str:
    """Return a hash of the weights that a run begins with."""
    digest = hashlib.sha256()
    for name, weight in sorted(module.named_parameters()):
        digest.update(f"{name} {weight.detach().double().sum().item()!r}".encode())
    return digest.hexdigest()
