"""The one loop that trains every base encoder.

Everything random in step k follows from (seed, k), and a checkpoint holds weights, moments, where the feed
stands and the losses not yet logged: a run that was killed and resumed gives, on a CPU, the same bits as one
that was not.

accelerate carries the gradients between devices and the mixed precision; the objective is one module, so what
it does in a step is one forward pass to it. sentence-transformers' trainer is not used: it resumes a stream
by drawing again all that was drawn before, and has no state for a momentum encoder or a queue.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from amrx.device import progress, repeatable_sums
from amrx.errors import OptionError
from amrx.training import check_finite
from retrofit.training.bases.feed import Batch, Feed
from retrofit.training.bases.log import Log
from retrofit.training.bases.objective import Group, Objective
from retrofit.training.bases.place import Place
from retrofit.training.bases.recipe import Run
from retrofit.training.checkpoint import load_run, read_header, save_run


@dataclass(frozen=True, slots=True)
class Job:
    """One run of the loop.

    Attributes:
        name: A word for the progress bar.
        objective: What is trained.
        feed: Where batches come from.
        steps: How many.
        seed: Of everything random.
        run: Log, checkpoints, clipping.
        folder: Where log and checkpoint stand.
        fingerprint: What must not change on resuming.
        place: Where it runs.
    """

    name: str
    objective: Objective
    feed: Feed
    steps: int
    seed: int
    run: Run
    folder: Path
    fingerprint: str
    place: Place

    @property
    def checkpoint(self) -> Path:
        """Where the run is kept."""
        return self.folder / "checkpoint.safetensors"


def fit(job: Job) -> None:
    """Train to the last step, from the checkpoint in the job's folder if there is one.

    Raises:
        OptionError: The checkpoint belongs to another recipe or other input.
        InputError: The checkpoint is damaged, or a file of the input has changed.
        AmrxError: A loss is not finite.
    """
    job.objective.to(job.place.device)
    with repeatable_sums(job.place.device):
        _Fit(job).steps()


@dataclass(slots=True)
class _Window:
    """Sums since the last line of the log; ``began`` is of this process alone and is not kept."""

    sums: dict[str, float] = field(default_factory=dict)
    count: int = 0
    sentences: int = 0
    began: float = field(default_factory=time.monotonic)

    def speed(self) -> float:
        return self.sentences / max(time.monotonic() - self.began, 1e-9)


class _Fit:
    """The loop's state: module, optimiser, step, sums not yet logged."""

    def __init__(self, job: Job) -> None:
        self.job, self.accelerator = job, job.place.accelerator
        self.groups = job.objective.groups()
        self.optimizer = _optimizer(self.groups, job.run)
        self.log, self.window, self.step = Log(job.folder / "log.jsonl"), _Window(), 0
        job.folder.mkdir(parents=True, exist_ok=True)
        self._restore()
        self.module, self.prepared = self.accelerator.prepare(job.objective, self.optimizer)

    def _restore(self) -> None:
        """Go back to the last checkpoint, if there is one, and drop what the log says of later steps."""
        path = self.job.checkpoint
        if path.is_file():
            header = read_header(path)
            if header["run"] != self.job.fingerprint:
                raise OptionError(f"{path} belongs to another recipe or other input; give --fresh to drop it")
            load_run(path, self.job.objective, self.optimizer, self.job.place.device)
            self.job.feed.restore(header["feed"])
            self.step, self.window = header["step"], _Window(header["sums"], header["count"])
        if self.job.place.main:
            self.log.cut(self.step)

    def steps(self) -> None:
        """Step to the end."""
        run, left = self.job.run, range(self.step, self.job.steps)
        self.module.train()
        for _ in progress(left, len(left), self.job.name, note=self._note):
            self._one_step()
            last = self.step == self.job.steps
            if self.step % run.log_every == 0 or last:
                self._write_line()
            if self.step % run.checkpoint_every == 0 or last:
                self._save()

    def _one_step(self) -> None:
        """Take a step; the random draws in it follow from seed, step and process."""
        rank, world = self.job.place.share
        for group, part in zip(self.groups, self.optimizer.param_groups, strict=True):
            part["lr"] = group.rate.at(self.step, self.job.steps)
        batch = _moved(self.job.feed.take(self.step), self.job.place.device)
        entropy = np.random.SeedSequence((self.job.seed, self.step, rank)).generate_state(1, np.uint64)
        torch.manual_seed(int(entropy[0]))
        terms = self.module(batch, self.step)
        self.accelerator.backward(terms["total"])
        norm = self.accelerator.clip_grad_norm_(self.module.parameters(), self.job.run.clip)
        values = {name: float(term.detach()) for name, term in terms.items()} | {"gradient": float(norm)}
        check_finite(values, f"step {self.step} of {self.job.name}")
        self.prepared.step()
        self.prepared.zero_grad()
        self.step += 1
        self.window.sums = {name: self.window.sums.get(name, 0.0) + values[name] for name in values}
        self.window.count += 1
        self.window.sentences += world * sum(len(column["input_ids"]) for column in batch.values())

    def _means(self) -> dict[str, float]:
        return {name: total / max(1, self.window.count) for name, total in self.window.sums.items()}

    def _note(self) -> str:
        """Say loss and throughput for the progress bar."""
        loss = self._means().get("total")
        told = "" if loss is None else f"loss {loss:.3f}  "
        return f"{told}{self.window.speed():,.0f} sentences/s"

    def _write_line(self) -> None:
        line: dict[str, object] = {"step": self.step, **self._means()}
        line["rates"] = [part["lr"] for part in self.optimizer.param_groups]
        line["sentences_per_second"] = round(self.window.speed(), 1)
        if self.job.place.main:
            self.log.write(line)
        self.window = _Window()

    def _save(self) -> None:
        header: Mapping[str, Any] = {
            "run": self.job.fingerprint, "step": self.step, "feed": self.job.feed.state(),
            "sums": self.window.sums, "count": self.window.count,
        }  # fmt: skip
        if self.job.place.main:
            save_run(self.job.checkpoint, self.job.objective, self.optimizer, header)
        self.accelerator.wait_for_everyone()


def _optimizer(groups: Sequence[Group], run: Run) -> torch.optim.Optimizer:
    """Return what takes the steps; the loop sets the rates."""
    given = [{"params": group.parameters, "weight_decay": group.rate.decay} for group in groups]
    if run.optimizer == "adamw":
        return torch.optim.AdamW(given)
    from transformers import Adafactor

    return Adafactor(given, lr=1e-3, scale_parameter=False, relative_step=False)


def _moved(batch: Batch, device: torch.device) -> Batch:
    """Return a batch on a device."""
    return {
        name: {key: tensor.to(device) for key, tensor in column.items()} for name, column in batch.items()
    }
