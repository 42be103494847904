"""Train a parser in the loop `amrx.training.fit`: the base of the tasks of all three kinds.

::

    ParserTask      a stream of batches, one (or a group) per step
      FineTuning    a language model of transformers; its master weights may be the working weights

``OUT/training`` keeps checkpoint, log and recipe; the parser itself is written to ``OUT`` at the end.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast

import torch
from torch import Tensor

from amrx.errors import OptionError
from amrx.pretrained.hub import KEY, TRAINING, saving
from amrx.recipes import to_toml
from amrx.records import make_folder, write_text
from amrx.training import Outcome, Schedule, Task, fit
from amrx.training.guard import RECIPE

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_LOG = logging.getLogger(__name__)
_NOT_SHOWN = {"step", "loss", "seconds", "rates", "gradient", "steps_per_second"}
NO_TARGET = -100
"""The label that torch's cross-entropy ignores."""
Batch = TypeVar("Batch")


class ParserTask(Task, Generic[Batch]):
    """A task that learns from a stream of batches."""

    restart_hint = "delete the training folder"
    _stream: Iterator[Batch] | None = None

    @abstractmethod
    def batches(self, step: int) -> Iterator[Batch]:
        """Yield the batches of the run from a step on; they follow from seed and step alone."""

    @abstractmethod
    def learn(self, batch: Batch) -> float:
        """Add the gradients of a batch; return its loss."""

    def backward(self, step: int) -> Mapping[str, float]:
        """Learn from the next batch."""
        if self._stream is None:
            self._stream = self.batches(step)
        return {"loss": self.learn(next(self._stream))}

    def restore(self, state: Mapping[str, object]) -> None:
        """Restart the stream at the next step."""
        self._stream = None


class FineTuning(ParserTask[Batch]):
    """Fine-tune a language model of transformers to write graphs."""

    def __init__(
        self,
        name: str,
        model: PreTrainedModel,
        weights: Mapping[str, Tensor],
        optimizer: torch.optim.Optimizer,
    ) -> None:
        super().__init__(name, as_module(model), optimizer)
        self.model, self.weights = model, weights

    def clip(self, limit: float) -> float:
        """Clip the gradients of the master weights to the norm ``limit``; return the norm before."""
        return float(torch.nn.utils.clip_grad_norm_(list(self.weights.values()), limit))

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the master weights."""
        return self.weights

    def best(self) -> Mapping[str, Tensor]:
        """Return the master weights."""
        return self.weights

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore the master weights."""
        with torch.no_grad():
            for name, weight in self.weights.items():
                weight.copy_(tensors[name])


def as_module(model: PreTrainedModel) -> torch.nn.Module:
    """Return ``model`` with the type of a module, which the stubs of transformers hide."""
    return cast("torch.nn.Module", model)


def run_key(recipe: object, *parts: str) -> str:
    """Return a hash of the inputs of a run: recipe, base, corpus."""
    return hashlib.sha256(" ".join([repr(recipe), *parts]).encode()).hexdigest()[:16]


def claim(work: Path, run: str, recipe: object) -> None:
    """Create the folder of a run's state, or check that it belongs to this run; write the recipe there."""
    key = work / KEY
    make_folder(work)
    if not any(work.iterdir()):
        write_text(key, run)
    elif not key.is_file() or key.read_text("utf-8") != run:
        rule = "belongs to another recipe, model or data; name another folder, or delete it"
        raise OptionError(f"{work} {rule}")
    write_text(work / RECIPE, to_toml(recipe))


def run_task(
    task: Task,
    schedule: Schedule,
    work: Path,
    run: str,
    *,
    time_limit: float | None = None,
    start_line: Mapping[str, object] | None = None,
) -> Outcome:
    """Train a task, and log a line for each line of ``log.jsonl``; see `amrx.training.fit`.

    A run stopped by the time limit has a checkpoint; its parser is written when the run is finished.
    """

    def report(line: Mapping[str, object]) -> None:
        more = "".join(f", {_shown(name, value)}" for name, value in line.items() if name not in _NOT_SHOWN)
        loss = f"loss {line['loss']:.3f}, {line['seconds']:.0f} s" if "loss" in line else "start"
        _LOG.info("step %s of %s: %s%s", line["step"], schedule.steps, loss, more)

    outcome = fit(task, schedule, work, run, time_limit=time_limit, report=report, start_line=start_line)
    if not outcome.finished:
        _LOG.info(
            "%s: stopped by the time limit after step %d of %d; no parser yet, the same command resumes",
            work.parent, outcome.steps, schedule.steps,
        )  # fmt: skip
    return outcome


def _shown(name: str, value: object) -> str:
    """Return one value of a log line in readable form.

    Example:
        >>> _shown("smatch", 93.33333333), _shown("by_language", {"de": 86.67, "en": 100.0})
        ('smatch 93.33', 'de 86.67, en 100')
    """
    if isinstance(value, Mapping):
        return ", ".join(_shown(key, part) for key, part in value.items())
    return f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"


def write_parser(out: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """Write the folder; the configuration is last, so that a folder with a configuration is complete."""
    partial = out / TRAINING / "parser"
    shutil.rmtree(partial, ignore_errors=True)
    with saving(out), torch.no_grad():
        model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
    for file in sorted(partial.iterdir(), key=lambda file: file.name == "config.json"):
        file.replace(out / file.name)
    partial.rmdir()
