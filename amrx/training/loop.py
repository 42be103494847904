"""Train any task: seed, rate, clip, finite check, log, score, checkpoint, resume, lock.

::

    OUT/training/
      checkpoint.safetensors   tensors, moments and progress of the last save
      best-120.safetensors     weights of the best score, after step 120
      log.jsonl                one line per `Schedule.log_every` steps and per score

All randomness of step k follows from (seed, k), so a killed and resumed run gives, on a CPU, the same bits as
an uninterrupted one. transformers' trainer is not used: it resumes a stream by drawing everything again, and
has no second model, queue or running mean.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from amrx.device import progress, repeatable_sums
from amrx.errors import OptionError
from amrx.training.checkpoint_file import read_checkpoint, read_tensors, write_checkpoint, write_tensors
from amrx.training.guard import alone, check_finite
from amrx.training.log import Log
from amrx.training.task import Evaluation, Task

Report = Callable[[Mapping[str, object]], None]
"""Called with every line of the log."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps at which a run logs, scores, saves and ends."""

    steps: int  # steps of the whole run
    seed: int = 0  # seed of all randomness
    clip: float = 1.0  # maximum norm of the gradient
    log_every: int = 50  # steps averaged in one line of the log
    checkpoint_every: int = 1000  # steps between checkpoints
    evaluate_every: int = 0  # steps between scores; 0 never scores
    patience: int = 0  # number of consecutive scores without a new best that ends the run; 0 never does


@dataclass(slots=True)
class Progress:
    """Progress of a run; the header of its checkpoint."""

    run: str  # hash of everything that must not change on resuming
    step: int = 0  # number of steps done
    best: float | None = None  # best score, or ``None``
    best_step: int = 0  # number of steps done at the best score
    waited: int = 0  # number of scores since then
    seconds: float = 0.0  # time spent in steps, over all processes of the run
    sums: dict[str, float] = field(default_factory=dict)  # sums of the losses since the last line of the log
    count: int = 0  # number of steps since then


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of `fit`: steps done, whether the schedule is finished, best score and its step."""

    steps: int
    finished: bool
    best: float | None = None
    best_step: int = 0


def fit(
    task: Task,
    schedule: Schedule,
    folder: Path,
    fingerprint: str,
    *,
    resume: bool = True,
    stop: int | None = None,
    time_limit: float | None = None,
    report: Report | None = None,
    start_line: Mapping[str, object] | None = None,
) -> Outcome:
    """Train a task, from the checkpoint in ``folder`` if there is one.

    Args:
        task: The task to train.
        schedule: Steps at which it logs, scores, saves and ends.
        folder: Holds checkpoint, best weights and log; one run at a time may use it.
        fingerprint: Hash of everything that must not change on resuming.
        resume: Resume from a checkpoint; ``False`` starts over.
        stop: Number of steps after which this call saves and ends; default the schedule's end.
        time_limit: Seconds after which this call saves and ends, after at least one step.
        report: Called with every line of the log.
        start_line: Facts about the run, logged as step 0.
    """
    with alone(folder) if task.main else contextlib.nullcontext(), repeatable_sums(task.device):
        run = _Fit(task, schedule, folder, fingerprint, report or (lambda line: None))
        run.begin(start_line, resume=resume)
        return run.steps(schedule.steps if stop is None else min(stop, schedule.steps), time_limit)


def best_weights(folder: Path, outcome: Outcome) -> dict[str, torch.Tensor] | None:
    """Return the weights of the best score, or ``None`` if nothing was scored."""
    return None if outcome.best is None else read_tensors(_best_path(folder, outcome.best_step))


def step_seed(seed: int, *numbers: int) -> int:
    """Mix a seed with the numbers of a step, a process, or a part."""
    return int(np.random.SeedSequence((seed, *numbers)).generate_state(1, np.uint64)[0] >> 1)


class _Fit:
    """State of the loop."""

    def __init__(
        self, task: Task, schedule: Schedule, folder: Path, fingerprint: str, report: Report
    ) -> None:
        self.task, self.schedule, self.folder, self.report = task, schedule, folder, report
        self.state = Progress(fingerprint)
        self.checkpoint, self.log = folder / "checkpoint.safetensors", Log(folder / "log.jsonl")
        self.started, self.first_step, self.seconds_before = time.monotonic(), 0, 0.0

    def begin(self, start_line: Mapping[str, object] | None, *, resume: bool) -> None:
        """Restore the last checkpoint, if any, and drop later lines of the log."""
        if resume and self.checkpoint.is_file():
            self._restore()
            if self.task.main:
                self.log.cut(self.state.step)
        elif self.task.main:
            self.log.cut(-1)
            if start_line is not None:
                line = {"step": 0, **start_line}
                self.log.write(line)
                self.report(line)

    def _restore(self) -> None:
        checkpoint = read_checkpoint(self.checkpoint, self.task.device)
        if checkpoint.header["progress"]["run"] != self.state.run:
            raise OptionError(
                f"{self.checkpoint} belongs to another recipe, start or input; "
                f"name another folder, or {self.task.restart_hint}"
            )
        self.state = Progress(**checkpoint.header["progress"])
        best = _best_path(self.folder, self.state.best_step)
        if self.state.best is not None and not best.is_file():
            raise OptionError(
                f"{best} is missing, but {self.checkpoint.name} needs it; "
                f"{self.task.restart_hint} to start over"
            )
        self.task.load_tensors(checkpoint.tensors)
        checkpoint.restore_optimizer(self.task.optimizer)
        self.task.restore(checkpoint.header["task"])

    def steps(self, stop: int, time_limit: float | None) -> Outcome:
        """Step until ``stop``, or until time or patience runs out."""
        self.started, self.first_step = time.monotonic(), self.state.step
        self.seconds_before = self.state.seconds
        self.task.module.train()
        remaining = self._remaining(stop)
        for _ in progress(remaining, stop - self.first_step, self.task.name, note=self._note):
            self._one_step()
            self._after_step(stop)
            if time_limit is not None and time.monotonic() - self.started > time_limit:
                break  # after a step, so that every call makes progress
            if self.state.step % self.schedule.checkpoint_every == 0:
                self._save()
        self._save()
        finished = self.state.step >= self.schedule.steps or self._out_of_patience()
        return Outcome(self.state.step, finished, self.state.best, self.state.best_step)

    def _remaining(self, stop: int) -> Iterator[int]:
        while self.state.step < stop and not self._out_of_patience():
            yield self.state.step

    def _one_step(self) -> None:
        task, step = self.task, self.state.step
        for group, rate in zip(task.optimizer.param_groups, task.rates(step), strict=True):
            group["lr"] = rate
        torch.manual_seed(step_seed(self.schedule.seed, step, task.rank))
        losses = task.backward(step)
        values = {**losses, "gradient": task.clip(self.schedule.clip)}
        check_finite(values, f"step {step} of {task.name}")
        task.update(step)
        self.state.step += 1
        self.state.seconds = self.seconds_before + time.monotonic() - self.started
        self.state.count += 1
        for name, value in values.items():
            self.state.sums[name] = self.state.sums.get(name, 0.0) + value

    def _after_step(self, stop: int) -> None:
        """Score and log if it is due."""
        schedule, step = self.schedule, self.state.step
        last = step == schedule.steps
        scored = schedule.evaluate_every > 0 and (step % schedule.evaluate_every == 0 or last)
        evaluation = self._evaluate() if scored else None
        if scored or step % schedule.log_every == 0 or step == stop:
            self._write_line({} if evaluation is None else evaluation.line)

    def _evaluate(self) -> Evaluation | None:
        self.task.module.eval()
        evaluation = self.task.evaluate()
        self.task.module.train()
        if evaluation is None:
            return None
        self.state.waited += 1
        if self.state.best is None or evaluation.score > self.state.best:
            self.state.best, self.state.best_step, self.state.waited = evaluation.score, self.state.step, 0
            if self.task.main:
                write_tensors(_best_path(self.folder, self.state.best_step), self.task.best())
        return evaluation

    def _means(self) -> dict[str, float]:
        return {name: total / max(1, self.state.count) for name, total in self.state.sums.items()}

    def _speed(self) -> float:
        return (self.state.step - self.first_step) / max(time.monotonic() - self.started, 1e-9)

    def _note(self) -> str:
        """Return mean losses and speed for the progress bar."""
        losses = (f"{name} {value:.3f}" for name, value in self._means().items() if name != "gradient")
        return f"{', '.join(losses)}, {self._speed():.2f} steps/s"

    def _write_line(self, more: Mapping[str, object]) -> None:
        means = {name: round(value, 5) for name, value in self._means().items()}
        line: dict[str, object] = {"step": self.state.step, **means}
        line["rates"] = list(self.task.rates(self.state.step - 1))
        line |= {"steps_per_second": round(self._speed(), 3), "seconds": round(self.state.seconds, 1), **more}
        self.state.sums, self.state.count = {}, 0
        if self.task.main:
            self.log.write(line)
            self.report(line)

    def _save(self) -> None:
        """Write a checkpoint, then remove superseded best weights."""
        header: dict[str, Any] = {"progress": asdict(self.state), "task": dict(self.task.state())}
        if self.task.main:
            write_checkpoint(self.checkpoint, self.task.tensors(), self.task.optimizer, header)
            for old in self.folder.glob("best-*.safetensors"):
                if old != _best_path(self.folder, self.state.best_step):
                    old.unlink()
        self.task.wait()

    def _out_of_patience(self) -> bool:
        return 0 < self.schedule.patience <= self.state.waited


def _best_path(folder: Path, step: int) -> Path:
    return folder / f"best-{step}.safetensors"
