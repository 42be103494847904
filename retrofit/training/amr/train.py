"""Train the AMR encoder: one plain loop for one CPU or one GPU.

::

    corpus -> prepare (tokenise once) -> teacher vectors (once) -> steps -> best on dev -> encoder folder
                                                                     |
                                                   OUT/training/: checkpoint, best, log

Everything random in step k follows from (seed, k), so a run that was killed and resumed gives, on a CPU,
the same bits as one that was not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from amrx.device import repeatable_sums
from amrx.records import atomic_path
from amrx.training import alone, check_finite, require_best
from retrofit.amr.encoder import pick_precision, save_encoder
from retrofit.amr.forward import embed_rows
from retrofit.amr.model import AmrModel
from retrofit.amr.pieces import Rows, distinct
from retrofit.training.amr.checkpoint import Progress, load_checkpoint, save_checkpoint
from retrofit.training.amr.corpus import LABELS
from retrofit.training.amr.dev import DevScore, DevSet, dev_rows, score_dev
from retrofit.training.amr.gradients import gradients
from retrofit.training.amr.optimizer import optimizer_of, rate
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.setup import Setup, set_up

if TYPE_CHECKING:
    from collections.abc import Mapping

Report = Callable[["Mapping[str, object]"], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run ended with: steps done, whether the schedule is finished, best score and its step."""

    steps: int
    finished: bool
    best: float | None
    best_step: int


class Trainee(torch.nn.Module):
    """The encoder and what is trained along with it, but not shipped.

    That is a linear map into the teacher's width where that differs, and the classifier of ``inference``,
    which begins at 0: at first it sees nothing in any difference.
    """

    def __init__(self, encoder: AmrModel, teacher_width: int | None, *, judged: bool = False) -> None:
        super().__init__()
        self.encoder = encoder
        width: int = encoder.backbone.config.hidden_size
        differs = teacher_width is not None and teacher_width != width
        self.bridge = torch.nn.Linear(width, teacher_width or width) if differs else torch.nn.Identity()
        self.judge = _judge(width) if judged else torch.nn.Identity()


def _judge(width: int) -> torch.nn.Linear:
    judge = torch.nn.Linear(width, len(LABELS))
    for parameter in judge.parameters():
        torch.nn.init.zeros_(parameter)
    return judge


def train(
    corpus: Path,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    resume: bool = True,
    time_limit: float | None = None,
    report: Report | None = None,
) -> Trained:
    """Train on a corpus folder and write the encoder folder.

    Args:
        corpus: Folder of JSON lines (see `retrofit.training.amr.corpus` and `retrofit.training.amr.dev`).
        out: Encoder folder to write; its subfolder ``training`` holds checkpoint and log.
        recipe: What to do.
        device: ``cpu``, ``cuda``…; chosen when ``None``.
        resume: Go on from ``out/training/checkpoint.safetensors`` if it is there.
        time_limit: Seconds of stepping after which the run stops, with a checkpoint, to be resumed.
        report: Gets every line of the log as it is written.

    Raises:
        InputError: A line of the corpus is wrong.
        OptionError: The recipe fits neither the corpus nor the checkpoint found.
        OutputError: ``out`` cannot be written, or another run is training into it.
        AmrxError: A loss is not finite.
    """
    with alone(out):
        ready = set_up(corpus, out, recipe, device)
        return _train(ready, recipe, resume=resume, time_limit=time_limit, report=report)


def _train(
    ready: Setup, recipe: Recipe, *, resume: bool, time_limit: float | None, report: Report | None
) -> Trained:
    recipe = recipe.counted(len(ready.corpus.triplets))
    recipe = replace(recipe, precision=pick_precision(recipe.precision, ready.device))
    torch.manual_seed(recipe.seed)
    width = None if ready.teacher is None else int(ready.teacher.shape[1])
    trainee = Trainee(ready.model, width, judged=recipe.inference.weight > 0)
    run = _Run(ready, trainee.to(ready.device), recipe, report)
    if resume:
        run.restore()
    with repeatable_sums(ready.device):
        finished = run.steps(time_limit)
    run.write_encoder()
    return Trained(run.state.step, finished, run.state.best, run.state.best_step)


class _Run:
    """The loop's state: trainee, optimiser, counters, log."""

    def __init__(self, ready: Setup, trainee: Trainee, recipe: Recipe, report: Report | None) -> None:
        self.ready, self.trainee, self.recipe = ready, trainee, recipe
        self.report = report or (lambda line: None)
        self.optimizer = optimizer_of(trainee, recipe, fused=ready.device.type == "cuda")
        self.state = Progress(run=ready.fingerprint)
        self.lines: list[dict[str, object]] = [_start_line(ready)]
        self.report(self.lines[0])
        self.dev: tuple[DevSet, Rows] | None = None
        if ready.dev is not None:
            self.dev = ready.dev, dev_rows(ready.dev, ready.prepared.tokenizer, recipe.model.max_tokens)

    def restore(self) -> None:
        """Go back to the last checkpoint, if there is one, and drop log lines that came after it."""
        path = self.ready.folder / "checkpoint.safetensors"
        if path.is_file():
            self.state = load_checkpoint(
                path, self.trainee, self.optimizer, self.ready.fingerprint, self.ready.device
            )
            if self.state.best is not None:
                require_best(self._best(), path)
            log = self.ready.folder / "log.jsonl"
            kept = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.is_file() else []
            self.lines = [line for line in kept if line["step"] <= self.state.step]

    def steps(self, time_limit: float | None) -> bool:
        """Step to the end of the schedule, or until time or patience ends; tell whether it is done."""
        began, done = time.monotonic(), self.state.step
        self.trainee.train()
        while self.state.step < self.recipe.steps and not self._out_of_patience():
            self._one_step(self.state.step)
            self.state.step += 1
            if self.state.step % self.recipe.evaluate_every == 0 or self.state.step == self.recipe.steps:
                self._look((self.state.step - done) / (time.monotonic() - began))
            if time_limit is not None and time.monotonic() - began > time_limit:
                break  # after a step, so that every call gets on
            if self.state.step % self.recipe.checkpoint_every == 0:
                self.save()
        self.save()
        return self.state.step >= self.recipe.steps or self._out_of_patience()

    def save(self) -> None:
        """Write log and checkpoint, then drop best weights that the checkpoint does not name any more."""
        with atomic_path(self.ready.folder / "log.jsonl") as temporary:
            temporary.write_text("".join(json.dumps(line) + "\n" for line in self.lines), "utf-8")
        save_checkpoint(
            self.ready.folder / "checkpoint.safetensors", self.trainee, self.optimizer, self.state
        )
        for old in self.ready.folder.glob("best-*.safetensors"):
            if old != self._best():
                old.unlink()

    def write_encoder(self) -> None:
        """Write the encoder folder from the best weights (the last ones where nothing was measured)."""
        from retrofit.amr.weights import load_state, read_weights

        best = self._best()
        if self.state.best is not None:
            load_state(self.trainee.encoder, read_weights(best), best)
        self.trainee.eval()
        save_encoder(
            self.ready.out, self.trainee.encoder, self.ready.prepared.tokenizer, self.recipe, self.lines
        )

    def _one_step(self, step: int) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate * rate(step, self.recipe)
        objectives, rows = self.ready.objectives, self.ready.prepared.rows
        self.optimizer.zero_grad(set_to_none=True)
        terms = gradients(self.trainee, objectives, objectives.plan(step), rows, self.recipe, step)
        norm = float(torch.nn.utils.clip_grad_norm_(self.trainee.parameters(), self.recipe.clip))
        losses = {name: float(value) for name, value in terms.items()}
        check_finite({**losses, "gradient": norm}, f"step {step}")
        self.optimizer.step()
        if (step + 1) % self.recipe.evaluate_every == 0 or step + 1 == self.recipe.steps:
            line: dict[str, object] = {"step": step + 1, "gradient": round(norm, 4)}
            self.lines.append(line | {name: round(value, 5) for name, value in losses.items()})

    def _look(self, speed: float) -> None:
        """Score the dev pairs, keep the best weights, and log."""
        line = self.lines[-1]
        line["steps_per_second"] = round(speed, 3)
        if self.dev is not None:
            score = self._score(*self.dev)
            line |= {
                "selection": round(score.selection, 3), "alone": round(score.alone, 3),
                "weight": score.weight, "by_language": score.by_language,
            }  # fmt: skip
            self.state.waited += 1
            if self.state.best is None or score.selection > self.state.best:
                self.state.best, self.state.best_step, self.state.waited = score.selection, self.state.step, 0
                self._keep_best()
        self.report(line)

    def _score(self, dev: DevSet, rows: Rows) -> DevScore:
        precision = self.recipe.precision if self.ready.device.type == "cuda" else "fp32"
        once, place = distinct(rows)
        vectors = embed_rows(self.trainee.encoder, once, device=self.ready.device, precision=precision)
        return score_dev(dev, vectors[place])

    def _keep_best(self) -> None:
        from retrofit.amr.weights import write_weights

        write_weights(self._best(), self.trainee.encoder.state_dict())

    def _best(self) -> Path:
        return self.ready.folder / f"best-{self.state.best_step}.safetensors"

    def _out_of_patience(self) -> bool:
        return 0 < self.recipe.patience <= self.state.waited


def _parses(ready: Setup) -> list[int]:
    """Return the number of usable parses of each language."""
    return [int(count) for count in (ready.corpus.table >= 0).sum(axis=0)]


def _start_line(ready: Setup) -> dict[str, object]:
    """Say what the run trains on, and what of the corpus was left out or cut."""
    return {
        "step": 0,
        "objectives": list(ready.objectives.names),
        "groups": len(ready.corpus.texts),
        "parses": len(ready.corpus.parses),
        "languages": dict(zip(ready.corpus.languages, _parses(ready), strict=True)),
        "dev_pairs": 0 if ready.dev is None else len(ready.dev.pairs),
        "failed": ready.corpus.failed,
        "repeated": ready.corpus.repeated,
        "cut": ready.prepared.cut,
        "vocabulary": ready.prepared.tokenizer.get_vocab_size(),
    }
