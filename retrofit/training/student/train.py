"""Train a student: one plain loop for one CPU or one GPU.

::

    DATA -> corpus (once) -> teacher's vectors (once) -> steps -> best on STS-B dev -> encoder folder
                                                           |
                             OUT/training/: corpus.npz, teacher.npy, checkpoint, best, log.jsonl

Everything random in step k follows from (seed, k), so a run that was killed and resumed gives, on a CPU, the
same bits as one that was not.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch

from amrx.device import pick_device, repeatable_sums
from amrx.device import progress as bar
from amrx.errors import OptionError
from amrx.muse.model import MuseModel, fastest_dtype, load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.records import atomic_path, check_writable
from amrx.training import alone, check_finite, require_best
from retrofit.amr.weights import load_state, read_weights, write_weights
from retrofit.model_card import write_card
from retrofit.student.encoder import save_student
from retrofit.student.model import StudentNetwork
from retrofit.student.network import Network, make_network
from retrofit.student.recipe import Recipe
from retrofit.training.amr.train import Report, Trained
from retrofit.training.checkpoint import load_run, read_header, save_run
from retrofit.training.student.card import describe
from retrofit.training.student.corpus import Corpus, Ints, prepare
from retrofit.training.student.dev import Dev
from retrofit.training.student.plan import Planner
from retrofit.training.student.setup import features_of, goals_of, optimizer_of, rate, take_initial
from retrofit.training.student.step import encode_pooled, encode_rows, losses, total
from retrofit.training.student.teacher import Halves
from retrofit.training.student.thin import thin

LOG_EVERY = 20


@dataclass(slots=True)
class State:
    """Where a run stands, kept in the header of its checkpoint.

    ``run`` is what must not change, ``steps`` what may until the learning rate decays.
    """

    step: int = 0
    best: float | None = None
    best_step: int = 0
    run: str = ""
    steps: int = 0


def train(
    data: Path,
    out: Path,
    recipe: Recipe,
    device: str | None = None,
    *,
    resume: bool = True,
    time_limit: float | None = None,
    report: Report | None = None,
    muse: tuple[MuseModel, MuseTokenizer] | None = None,
) -> Trained:
    """Train on the open data and write the encoder folder.

    Args:
        data: Folder of the open data.
        out: Encoder folder to write; its subfolder ``training`` holds what a resumed run needs.
        recipe: What to do.
        device: ``cpu``, ``cuda``…; chosen when ``None``.
        resume: Go on from the checkpoint in ``out/training`` if there is one.
        time_limit: Seconds of stepping after which the run stops, with a checkpoint, to be resumed.
        report: Gets every line of the log.
        muse: Multilingual USE on the device, where it is loaded already.

    Raises:
        InputError: A data file is missing or malformed, or the checkpoint is damaged.
        OptionError: The recipe does not fit the data, the initial weights or the checkpoint found.
        OutputError: ``out`` cannot be written, or another run is training into it.
        MissingResourceError: A model or a test set is not on this machine.
        AmrxError: A loss is not finite.
    """
    with alone(out):
        return _train(data, out, recipe, device, muse, resume=resume, time_limit=time_limit, report=report)


def _train(
    data: Path,
    out: Path,
    recipe: Recipe,
    device: str | None,
    muse: tuple[MuseModel, MuseTokenizer] | None,
    *,
    resume: bool,
    time_limit: float | None,
    report: Report | None,
) -> Trained:
    place = pick_device(device)
    folder = out / "training"
    folder.mkdir(exist_ok=True)
    check_writable(out / "model.safetensors")
    model, tokenizer = muse or (load_model(None, fastest_dtype(place)).to(place), MuseTokenizer(None))
    corpus = prepare(data, folder / "corpus.npz", recipe.amounts, recipe.seed, tokenizer)
    run = Run(folder, thin(corpus, recipe), recipe, model, report or (lambda line: None))
    run.dev = Dev(data, recipe.dev_rows, tokenizer)
    if resume:
        run.restore()
    with repeatable_sums(run.device):
        finished = run.steps(time_limit)
    save_student(out, run.best_network(), recipe.teacher)
    write_card(out, describe(recipe, run.lines, run.state.best_step))
    return Trained(run.state.step, finished, run.state.best, run.state.best_step)


class Run:
    """The loop's state: network, optimiser, counters, log."""

    def __init__(self, folder: Path, corpus: Corpus, recipe: Recipe, muse: MuseModel, report: Report) -> None:
        self.folder, self.corpus, self.recipe, self.muse = folder, corpus, recipe, muse
        self.device, self.report = muse.table.device, report
        self.checkpoint = folder / "checkpoint.safetensors"
        self.dev: Dev | None = None
        self.goals, name = goals_of(corpus, recipe, folder, self.device)
        known = np.abs(self.goals).max(axis=1) > 0
        self.planner = Planner(corpus, recipe, self.goals)
        torch.manual_seed(recipe.seed)
        self.network = make_network(recipe.shape).to(self.device)
        if recipe.initial:
            take_initial(self.network, recipe.initial)
        self.optimizer = optimizer_of(self.network, recipe)
        self.lengths = torch.from_numpy(np.diff(corpus.ends, prepend=0))
        self.features: Halves | None = None
        if recipe.shape.kind == "pooled":
            self.features = features_of(corpus, muse, folder, recipe.rows)
        settings = json.dumps({**asdict(recipe), "steps": None}, sort_keys=True)
        run = hashlib.sha256(f"{settings}|{name}".encode()).hexdigest()[:16]
        self.state = State(run=run, steps=recipe.steps)
        start = {"rows": len(corpus.meaning), "meanings": len(corpus.english), "taught": int(known.sum())}
        self.lines: list[dict[str, object]] = [{"step": 0, **start, "teacher": name}]
        self.report(self.lines[0])

    def restore(self) -> None:
        """Go back to the last checkpoint, if there is one, and drop log lines that came after it.

        Raises:
            OptionError: The checkpoint belongs to another recipe or teacher.
            InputError: The checkpoint is damaged.
        """
        if not self.checkpoint.is_file():
            return
        found = State(**read_header(self.checkpoint))
        if found.run != self.state.run:
            raise OptionError(
                f"{self.checkpoint} is of another recipe or teacher; name another folder, or give --fresh"
            )
        steps = min(found.steps, self.recipe.steps)
        if found.steps != self.recipe.steps and found.step > (1 - self.recipe.decay) * steps:
            raise OptionError(
                f"{self.checkpoint}: {found.step} of {found.steps} steps are done and the learning rate "
                f"decays; it is too late for recipe key 'steps' to be {self.recipe.steps}"
            )
        load_run(self.checkpoint, self.network, self.optimizer, self.device)
        self.state = replace(found, steps=self.recipe.steps)
        if found.best is not None:
            require_best(self._best(), self.checkpoint)
        kept = (json.loads(line) for line in (self.folder / "log.jsonl").read_text("utf-8").splitlines())
        self.lines = [line for line in kept if line["step"] <= found.step]

    def steps(self, time_limit: float | None) -> bool:
        """Step to the end of the schedule or of the time; tell whether the schedule is done."""
        began, first = time.monotonic(), self.state.step
        self.network.train()
        note = {"speed": ""}
        for step in bar(range(first, self.recipe.steps), description="student", note=lambda: note["speed"]):
            made = self.one_step(step)
            self.state.step = step + 1
            look = self.state.step % self.recipe.evaluate_every == 0 or self.state.step == self.recipe.steps
            if look or self.state.step % LOG_EVERY == 0:
                speed = (self.state.step - first) / (time.monotonic() - began)
                note["speed"] = f"loss {made['distill']:.3f}, {speed:.2f} steps/s"
                self._log(made, speed, look=look)
            if time_limit is not None and time.monotonic() - began > time_limit:
                break  # after a step, so that every call gets on
            if self.state.step % self.recipe.checkpoint_every == 0:
                self.save()
        self.save()
        return self.state.step >= self.recipe.steps

    def one_step(self, step: int) -> dict[str, float]:
        """Update the weights once; return each objective's loss and the norm of the gradient."""
        torch.manual_seed(self.recipe.seed * 1_000_003 + step)
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate * rate(step, self.recipe)
        plan = self.planner.plan(step)
        vectors, base = self._encode(plan.rows)
        meanings = self.corpus.meaning[plan.rows[: plan.sizes[0]]]
        goal = torch.from_numpy(self.goals[meanings].astype(np.float32)).to(self.device)
        made = losses(plan, vectors, base, goal, self.recipe)
        self.optimizer.zero_grad(set_to_none=True)
        total(made, self.recipe).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.recipe.clip)
        values = {**{name: float(value.detach()) for name, value in made.items()}, "gradient": float(norm)}
        check_finite(values, f"step {step}")
        self.optimizer.step()
        return values

    def _encode(self, rows: Ints) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the student's vectors and the base's of rows of the corpus."""
        ids = [self.corpus.row(int(row)) for row in rows]
        if isinstance(self.network, StudentNetwork):
            return encode_rows(self.muse, self.network, ids, self.recipe.rows, self.device)
        assert self.features is not None
        pooled = torch.from_numpy(self.features[rows].astype(np.float32)).to(self.device)
        return encode_pooled(self.muse, self.network, pooled, self.lengths[rows].to(self.device), ids)

    def save(self) -> None:
        """Write log and checkpoint, then drop best weights that the checkpoint does not name any more."""
        with atomic_path(self.folder / "log.jsonl") as temporary:
            temporary.write_text("".join(json.dumps(line) + "\n" for line in self.lines), "utf-8")
        save_run(self.checkpoint, self.network, self.optimizer, asdict(self.state))
        for old in self.folder.glob("best-*.safetensors"):
            if old != self._best():
                old.unlink()

    def best_network(self) -> Network:
        """Return the network with the best weights, the last ones where nothing was scored yet."""
        network = make_network(self.recipe.shape)
        if self.state.best is None:
            network.load_state_dict(self.network.state_dict())
        else:
            load_state(network, read_weights(self._best()), self._best())
        return network.eval()

    def _log(self, made: Mapping[str, float], speed: float, *, look: bool) -> None:
        line: dict[str, object] = {name: round(value, 5) for name, value in made.items()}
        line = {"step": self.state.step, **line, "steps_per_second": round(speed, 3)}
        if look and self.dev is not None:
            found = self.dev.score(self.muse, self.network, self.recipe.rows)
            line |= found.line()
            if self.state.best is None or found.score > self.state.best:
                self.state.best, self.state.best_step = found.score, self.state.step
                write_weights(self._best(), self.network.state_dict())
        self.lines.append(line)
        self.report(line)

    def _best(self) -> Path:
        return self.folder / f"best-{self.state.best_step}.safetensors"
