"""From the open sembanks to a causal parser, in one resumable run (recipe ``causal``).

::

    base + roles, references, senses ── English sentences and graphs ──> parser folder

``OUT/training`` keeps checkpoint, log and recipe. Everything random in an update follows from (seed, update):
a run that was killed and started again goes on to the weights of an unbroken one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch

from amrx.device import pick_device
from amrx.errors import OutputError
from amrx.pretrained.hub import TRAINING, saving
from amrx.recipes import to_toml
from amrx.records import atomic_path
from amrx.training import alone
from parser.causal.base import extend_base, load_base
from parser.causal.parser import CausalParser
from parser.training.causal.corpus import Corpus, read_sembanks
from parser.training.causal.recipe import Recipe
from parser.training.causal.trainer import Trainer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["Recipe", "train"]
LOG_EVERY = 25
_LOG = logging.getLogger(__name__)


def train(data: Path, out: Path, recipe: Recipe, *, device: str | None = None) -> None:
    """Train a parser; started again after a kill it goes on from its last checkpoint.

    Args:
        data: Folder of the open data.
        out: Parser folder to write, as ``causal:DIR`` reads it.
        recipe: What to do.
        device: Torch device; the best there is when ``None``.

    Raises:
        MissingResourceError: The base or the data are not on this machine.
        InputError: A file is malformed (names file and line), or the base is no causal language model.
        OptionError: ``out`` holds a run of another recipe, base or data.
        OutputError: ``out`` cannot be written, or another run is training into it.
    """
    with alone(out):
        _train(data, out, recipe, device)


def _train(data: Path, out: Path, recipe: Recipe, device: str | None) -> None:
    place = pick_device(device)
    model, tokenizer = load_base(recipe.base)
    work = out / TRAINING
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{work}: cannot be made: {error.strerror}") from error
    _LOG.info("reading the sembanks of %s", data)
    sembanks = read_sembanks(data)
    words = {word for _, graph, _ in sembanks for word in graph}
    _LOG.info("%d tokens of AMR added to the base", extend_base(tokenizer, model, words, recipe.base))
    if place.type == "cpu":
        model.set_attn_implementation("eager")  # the fused kernel is slow on sequences this short
    cast("torch.nn.Module", model).to(place)  # the stub of its own ``to`` is wrapped
    corpus = Corpus(sembanks, CausalParser(model, tokenizer, "student"), recipe.longest)
    run = hashlib.sha256(f"{recipe!r} {corpus.fingerprint()} {_digest(model)}".encode()).hexdigest()[:16]
    trainer = Trainer(model, corpus, recipe, run)
    _run(trainer, work)
    _write_parser(out, trainer, tokenizer)


def _digest(model: object) -> str:
    """Return a hash of the weights that a run begins with."""
    digest = hashlib.sha256()
    for name, weight in sorted(cast("torch.nn.Module", model).named_parameters()):
        digest.update(f"{name} {weight.detach().double().sum().item()!r}".encode())
    return digest.hexdigest()


def _run(trainer: Trainer, work: Path) -> None:
    checkpoint, log, recipe = work / "checkpoint.safetensors", work / "log.jsonl", trainer.recipe
    lines: list[str] = []
    if checkpoint.is_file():
        trainer.restore(checkpoint)
        kept = log.read_text("utf-8").splitlines() if log.is_file() else []
        lines = [line for line in kept if json.loads(line)["step"] <= trainer.step]
        _LOG.info("goes on after update %d", trainer.step)
    with atomic_path(work / "recipe.toml") as temporary:
        temporary.write_text(to_toml(recipe), "utf-8")
    batches, losses, begun = trainer.batches(), [], time.monotonic()
    while trainer.step < recipe.steps:
        losses.append(trainer.update(next(batches)))
        last = trainer.step == recipe.steps
        if trainer.step % LOG_EVERY == 0 or last:
            spent = time.monotonic() - begun
            line = {"step": trainer.step, "loss": round(sum(losses) / len(losses), 4)}
            lines.append(json.dumps(line))
            losses.clear()
            _LOG.info("step %d of %d: loss %.3f, %.0f s", trainer.step, recipe.steps, line["loss"], spent)
        if trainer.step % recipe.save_every == 0 or last:
            with atomic_path(log) as temporary:
                temporary.write_text("".join(f"{line}\n" for line in lines), "utf-8")
            trainer.save(checkpoint)


def _write_parser(out: Path, trainer: Trainer, tokenizer: PreTrainedTokenizerBase) -> None:
    """Write the folder; its configuration comes last, so that a folder that has one is whole."""
    partial = out / TRAINING / "parser"
    shutil.rmtree(partial, ignore_errors=True)
    with saving(out), torch.no_grad():
        trainer.model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
    for file in sorted(partial.iterdir(), key=lambda file: file.name == "config.json"):
        file.replace(out / file.name)
    partial.rmdir()
