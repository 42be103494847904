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
import json
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch

from amrx.device import pick_device
from amrx.errors import OutputError
from amrx.pretrained.hub import TRAINING, find_model, hash_model, saving
from amrx.recipes import to_toml
from amrx.records import atomic_path
from amrx.training import alone, require_best
from parser.seq2seq.base import (
    base_kind,
    beginning,
    extend_base,
    load_network,
    load_tokenizer,
    set_generation,
)
from parser.seq2seq.parser import Seq2SeqParser
from parser.training.checkpoint import read, write
from parser.training.seq2seq.corpus import Corpus, Source
from parser.training.seq2seq.dev import Dev
from parser.training.seq2seq.recipe import Recipe
from parser.training.seq2seq.trainer import Trainer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["Recipe", "train"]
_LOG = logging.getLogger(__name__)


def train(data: Path, out: Path, recipe: Recipe, *, device: str | None = None) -> None:
    """Train a parser; started again after a kill it goes on from its last checkpoint.

    Args:
        data: Folder of the files that the recipe names.
        out: Parser folder to write, as ``seq2seq:DIR`` reads it.
        recipe: What to do.
        device: Torch device; the best there is when ``None``.

    Raises:
        MissingResourceError: The base is not on this machine.
        InputError: A file is missing or malformed (names file and line).
        OptionError: ``out`` holds a run of another recipe, base or data.
        OutputError: ``out`` cannot be written, or another run is training into it.
    """
    with alone(out):
        _train(data, out, recipe, device)


def _train(data: Path, out: Path, recipe: Recipe, device: str | None) -> None:
    place = pick_device(device)
    base = find_model(recipe.base, what="weights of the base", local="--set base=DIR")
    kind = base_kind(base)
    work = out / TRAINING
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{work}: cannot be made: {error.strerror}") from error
    source, dev = Source(data, recipe), Dev(data / recipe.dev)
    tokenizer, model = load_tokenizer(base, kind), load_network(base, recipe.dropout)
    new = extend_base(tokenizer, model, source.vocabulary, kind)
    set_generation(model, kind)
    _LOG.info("%d tokens of AMR added to the base", new)
    cast("torch.nn.Module", model).to(place)  # the stub of its own ``to`` is wrapped
    student = Seq2SeqParser(model, tokenizer, "student")
    dev.check(student.codes)
    corpus = Corpus(source, student, recipe.longest)
    run = hashlib.sha256(f"{recipe!r} {hash_model(base)} {corpus.fingerprint()}".encode()).hexdigest()[:16]
    trainer = Trainer(model, beginning(model.config, kind), corpus, recipe, run)
    _Run(trainer, student, dev, work).go()
    set_generation(model, kind)  # parsing has put its own in its place
    _write_parser(out, trainer, tokenizer)


class _Run:
    """The loop: updates, looks at the dev sembank, checkpoints."""

    def __init__(self, trainer: Trainer, student: Seq2SeqParser, dev: Dev, work: Path) -> None:
        self.trainer, self.student, self.dev, self.work = trainer, student, dev, work
        self.lines: list[dict[str, Any]] = []

    def go(self) -> None:
        trainer, recipe = self.trainer, self.trainer.recipe
        if (self.work / "checkpoint.safetensors").is_file():
            self._restore()
        with atomic_path(self.work / "recipe.toml") as temporary:
            temporary.write_text(to_toml(recipe), "utf-8")
        done = 0
        for number, phase in enumerate(trainer.corpus.phases):
            first = trainer.progress.step - done
            done += phase.steps
            steps = trainer.corpus.steps(number, recipe, max(0, first))
            while trainer.progress.step < done:
                trainer.update(next(steps))
                self._after(phase.name)
        if trainer.progress.best is not None:
            trainer.load(read(self._best(), trainer.device)[1])

    def _restore(self) -> None:
        checkpoint = self.work / "checkpoint.safetensors"
        self.trainer.restore(checkpoint)
        if self.trainer.progress.best is not None:
            require_best(self._best(), checkpoint, f"delete {self.work} to begin anew")
        log = self.work / "log.jsonl"
        kept = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.is_file() else []
        self.lines = [line for line in kept if line["step"] <= self.trainer.progress.step]
        _LOG.info("goes on after update %d", self.trainer.progress.step)

    def _after(self, phase: str) -> None:
        """Look at the dev sembank and save, where it is time to."""
        progress, recipe = self.trainer.progress, self.trainer.recipe
        look = progress.step % recipe.evaluate_every == 0 or progress.step == recipe.steps
        if look:
            self._look(phase)
        if look or progress.step % recipe.save_every == 0:
            self.trainer.save(self.work / "checkpoint.safetensors")
            for old in self.work.glob("best-*.safetensors"):
                if old != self._best():
                    old.unlink()

    def _look(self, phase: str) -> None:
        progress, recipe = self.trainer.progress, self.trainer.recipe
        self.trainer.module.eval()
        with self.trainer.autocast():
            scores = self.dev.score(self.student, recipe.dev_batch)
        smatch = sum(scores.values()) / len(scores)
        since = progress.step - (self.lines[-1]["step"] if self.lines else 0)
        line = {
            "step": progress.step, "phase": phase, "loss": round(progress.loss / since, 4),
            "smatch": round(smatch, 2), "by_language": {lang: round(f1, 2) for lang, f1 in scores.items()},
        }  # fmt: skip
        progress.loss = 0.0
        if progress.best is None or smatch > progress.best:
            progress.best, progress.best_step = smatch, progress.step
            write(self._best(), {f"model.{name}": p for name, p in self.trainer.parameters.items()}, {})
        self.lines.append(line)
        with atomic_path(self.work / "log.jsonl") as temporary:
            temporary.write_text("".join(json.dumps(row) + "\n" for row in self.lines), "utf-8")
        _LOG.info("%s", json.dumps(line))

    def _best(self) -> Path:
        return self.work / f"best-{self.trainer.progress.best_step}.safetensors"


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
    progress = trainer.progress
    _LOG.info("%s: Smatch %.2f on dev after update %d", out, progress.best, progress.best_step)
