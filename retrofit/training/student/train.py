"""Train a student.

::

    DATA -> corpus (once) -> teacher's vectors (once) -> steps -> best on STS-B dev -> encoder folder
                                                           |
       OUT/training/: corpus.npz, teacher.npy, and checkpoint, best, log (`amrx.training.loop`)

`Planner` draws the rows of a step, and partners of similar meaning (`retrofit.training.neighbours`)::

    row -> its meaning -> some of its nearest -> one row of each, whatever its language: a group

Every draw depends only on (seed, step), so a killed and resumed run ends with the same weights.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from amrx.device import pick_device
from amrx.e5.model import load_model as load_e5
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import OptionError
from amrx.muse.model import MuseModel, fastest_dtype, load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.records import check_writable, make_folder
from amrx.training import (
    Evaluation,
    Outcome,
    Report,
    Schedule,
    Task,
    adamw,
    alone,
    best_weights,
    fit,
    read_log,
)
from amrx.types import Encoder
from retrofit.bases.muse import MuseBase
from retrofit.combine import Side
from retrofit.model_card import describe, recipe_block, scores_at, write_card
from retrofit.student.encoder import save_student
from retrofit.training.amr.losses import info_nce, regression_loss
from retrofit.training.neighbours import Near, near_loss, nearest, some_of
from retrofit.training.student.corpus import Corpus, Ints, language_weights, prepare
from retrofit.training.student.readers import E5Reader, Halves, PooledReader, Reader, goals_of
from retrofit.training.student.recipe import Recipe
from retrofit.weight_fitting import LANGUAGES, StsbDev, fit_weights, mean_spearman, stsb_dev


class Planner:
    """Draw the rows of every step."""

    def __init__(self, corpus: Corpus, recipe: Recipe, goals: npt.NDArray[np.floating]) -> None:
        self._corpus, self._recipe = corpus, recipe
        self._weights = language_weights(corpus, recipe)
        known = np.abs(goals).max(axis=1) > 0
        drawn = known[corpus.meaning] & (np.diff(corpus.ends, prepend=0) <= recipe.subwords)
        counts = np.bincount(corpus.lang[drawn], minlength=len(corpus.languages))
        share = self._weights / np.maximum(counts, 1)
        self._mass = np.cumsum(share[corpus.lang] * drawn)
        self._partners: Partners | None = None
        if recipe.near.weight:
            self._partners = Partners(corpus, goals, drawn, recipe.near, recipe.seed)

    def plan(self, step: int) -> Ints:
        """Draw the rows of one step.

        If the recipe compares similar meanings, the rows are followed by the first partner of each, then by
        the second one, and so on.
        """
        recipe = self._recipe
        random = np.random.default_rng((recipe.seed, step))
        group = recipe.near.group if self._partners else 1
        points = random.random(recipe.distill.batch // group) * self._mass[-1]
        rows: Ints = np.searchsorted(self._mass, points, side="right")
        if self._partners:
            rows = np.concatenate([rows, *self._partners.draw(rows, group - 1, random)])
        return rows


class Partners:
    """Draw partners for each row."""

    def __init__(
        self,
        corpus: Corpus,
        goals: npt.NDArray[np.floating],
        drawn: npt.NDArray[np.bool_],
        near: Near,
        seed: int,
    ) -> None:
        rows = np.flatnonzero(drawn)
        self._rows = rows[np.argsort(corpus.meaning[rows], kind="stable")]
        meanings, self._first, self._count = np.unique(
            corpus.meaning[self._rows], return_index=True, return_counts=True
        )
        self._number = np.full(len(corpus.english), -1, np.int64)
        self._number[meanings] = np.arange(len(meanings))
        self._meaning = corpus.meaning
        self._near = nearest(goals[meanings], near.count, near.block, seed)

    def draw(self, rows: Ints, partners: int, random: np.random.Generator) -> Ints:
        """Return ``partners`` rows of other, similar meanings for each of ``rows``.

        The rows ``(partners, n)`` of a column have different meanings.
        """
        near = some_of(self._near[self._number[self._meaning[rows]]], partners, random)
        within = (random.random(near.shape) * self._count[near]).astype(np.int64)
        drawn: Ints = self._rows[self._first[near] + within]
        return drawn


LOG_EVERY = 20


@dataclass(frozen=True, slots=True)
class DevScore:
    """Mean Spearman over the tracks, 0-100: with the base at the best weight, base alone, student alone."""

    score: float
    weight: float
    base: float
    alone: float

    def line(self) -> dict[str, float]:
        """Return the scores for the log."""
        return {
            "dev": round(self.score, 3), "weight": self.weight,
            "dev_base": round(self.base, 3), "dev_alone": round(self.alone, 3),
        }  # fmt: skip


class Dev:
    """Rows of STS-B dev, evenly spaced, 0 for all; the student is combined with ``base``."""

    def __init__(self, data: Path, rows: int, base: Encoder) -> None:
        self._dev: StsbDev = stsb_dev(data, LANGUAGES, limit=rows or None)
        self._base = self._sides(base, 64)

    def score(self, student: Encoder, rows: int) -> DevScore:
        """Score a student, with ``rows`` sentences per batch."""
        sides = self._sides(student, rows)
        fitted = fit_weights(self._dev.pairs(self._base, sides))
        alone = mean_spearman(self._dev.pairs(sides), ())
        return DevScore(fitted.score, fitted.weights[0], fitted.base_score, alone)

    def _sides(self, encoder: Encoder, rows: int) -> dict[str, Side]:
        return {
            code: Side.whole(encoder.encode(texts, lang=code, batch_size=rows))
            for code, texts in self._dev.texts.items()
        }


def losses(vectors: Tensor, goal: Tensor, recipe: Recipe) -> dict[str, Tensor]:
    """Return each objective's loss, unweighted."""
    part = recipe.distill
    losses = {"distill": regression_loss(vectors, goal)}
    if part.contrast > 0:
        losses["contrast"] = info_nce(
            vectors, goal, vectors[:0], temperature=part.temperature, same_above=part.same_above
        )
    if recipe.near.weight > 0:
        losses["near"] = near_loss(vectors, goal, recipe.near.group)
    return losses


def total(losses: dict[str, Tensor], recipe: Recipe) -> Tensor:
    """Return the weighted sum of the objectives."""
    weights = {"distill": 1.0, "contrast": recipe.distill.contrast, "near": recipe.near.weight}
    return torch.stack([weights[name] * value for name, value in losses.items()]).sum()


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
) -> Outcome:
    """Train on the open data and write the encoder folder."""
    with alone(out):
        chosen, folder = pick_device(device), out / "training"
        make_folder(folder)
        check_writable(out / "model.safetensors")
        model, tokenizer = muse or (load_model(None, fastest_dtype(chosen)).to(chosen), MuseTokenizer(None))
        on_e5 = recipe.update.rank > 0
        pieces = E5Tokenizer() if on_e5 else tokenizer
        corpus = prepare(data, folder / "corpus.npz", recipe.amounts, recipe.seed, pieces)
        goals, teacher = goals_of(corpus, folder, chosen)
        dev = Dev(data, recipe.dev_rows, MuseBase(model, tokenizer))
        torch.manual_seed(recipe.seed)
        reader: Reader
        if isinstance(pieces, E5Tokenizer):
            reader = E5Reader(recipe.update, corpus, load_e5(None).to(chosen), pieces, recipe.rows)
        else:
            reader = PooledReader(recipe.shape, corpus, (model, tokenizer), folder, recipe.rows)
        task = StudentTask(corpus, goals, teacher, recipe, reader, dev)
        schedule = Schedule(
            recipe.steps, recipe.seed, recipe.clip, log_every=LOG_EVERY,
            checkpoint_every=recipe.checkpoint_every, evaluate_every=recipe.evaluate_every,
        )  # fmt: skip
        outcome = fit(
            task, schedule, folder, task.fingerprint,
            resume=resume, time_limit=time_limit, report=report, start_line=task.start_line(),
        )  # fmt: skip
        if (weights := best_weights(folder, outcome)) is not None:
            reader.network.load_state_dict(weights)
        save_student(out, reader.network)
        best = scores_at(read_log(folder / "log.jsonl"), outcome.best_step, "dev")
        write_card(out, _card(recipe, best, outcome.best_step))
        return outcome


class StudentTask(Task):
    """Train a network towards the teacher's vectors.

    The teacher's vector of a meaning is zero if it has none.
    """

    def __init__(
        self, corpus: Corpus, goals: Halves, teacher: str, recipe: Recipe, reader: Reader, dev: Dev
    ) -> None:
        self.corpus, self.goals, self.teacher = corpus, goals, teacher
        self.recipe, self.reader, self.dev = recipe, reader, dev
        self.planner = Planner(corpus, recipe, goals)
        self.steps_done = 0
        parameters = reader.network.parameters()
        optimizer = adamw(parameters, recipe.learning_rate, recipe.weight_decay, betas=(0.9, 0.98))
        super().__init__("student", reader.network, optimizer)

    @property
    def fingerprint(self) -> str:
        """A hash of recipe and teacher, without ``steps``, which `restore` checks."""
        settings = json.dumps({**asdict(self.recipe), "steps": None}, sort_keys=True)
        return hashlib.sha256(f"{settings}|{self.teacher}".encode()).hexdigest()[:16]

    def start_line(self) -> dict[str, object]:
        """Return the teacher and the size of the corpus."""
        taught = int((np.abs(self.goals).max(axis=1) > 0).sum())
        counts = {"rows": len(self.corpus.meaning), "meanings": len(self.corpus.english), "taught": taught}
        return {**counts, "teacher": self.teacher}

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of a step, the same for matrices and biases."""
        return [self.recipe.learning_rate * rate_share(step, self.recipe)] * 2

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of one plan's rows."""
        rows = self.planner.plan(step)
        goal = torch.from_numpy(self.goals[self.corpus.meaning[rows]].astype(np.float32)).to(self.device)
        terms = losses(self.reader.vectors(rows), goal, self.recipe)
        torch.autograd.backward(total(terms, self.recipe))
        return {name: float(term.detach()) for name, term in terms.items()}

    def update(self, step: int) -> None:
        """Update the weights, and count the step."""
        super().update(step)
        self.steps_done = step + 1

    def evaluate(self) -> Evaluation:
        """Score STS-B dev."""
        score = self.dev.score(self.reader.student(), self.recipe.rows)
        return Evaluation(score.score, score.line())

    def state(self) -> Mapping[str, Any]:
        """Return the number of steps done and that of the schedule."""
        return {"done": self.steps_done, "steps": self.recipe.steps}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Resume; the number of steps may differ if the rates of the steps done do not depend on it."""
        done, steps, wanted = state["done"], state["steps"], self.recipe.steps
        if steps != wanted and done > (1 - self.recipe.decay) * min(steps, wanted):
            raise OptionError(
                f"{done} of {steps} steps are done and the learning rate decays; it is too late for recipe "
                f"key 'steps' to be {wanted}"
            )
        self.steps_done = done


def rate_share(step: int, recipe: Recipe) -> float:
    """Return the share of the peak learning rate at a step: linear warm-up, constant, linear decay to 0.

    Example:
        >>> [rate_share(step, Recipe(steps=10, warmup=2, decay=0.4)) for step in (0, 1, 6, 7, 9)]
        [0.5, 1.0, 1.0, 0.75, 0.25]
    """
    warm = min(1.0, (step + 1) / max(1, recipe.warmup))
    return warm * min(1.0, (recipe.steps - step) / max(1.0, recipe.decay * recipe.steps))


def _card(recipe: Recipe, best: Mapping[str, object], best_step: int) -> str:
    dev, base, alone, weight = (
        best.get(name, "not scored") for name in ("dev", "dev_base", "dev_alone", "weight")
    )
    rows = f"{recipe.dev_rows} rows" if recipe.dev_rows else "all rows"
    reads = "frozen features of multilingual USE"
    if recipe.update.rank:
        reads = "multilingual-e5-small, as low-rank updates of its matrices"
    use = (
        "Maps text of any language to the vector that all-MiniLM-L6-v2 gives for its English translation, "
        f"without a parser;\ntrained by `amrx train-student` on {reads}."
    )
    return describe("Student", use, {
        "Dev scores": f"Mean Spearman x 100 on STS-B dev ({rows}; en de es fr it zh, each alone and English "
        f"with each) at step {best_step},\nwhich was selected by this score: multilingual USE {base}, with "
        f"the student at weight {weight} {dev}, student alone\n{alone}.",
        "Recipe": recipe_block(recipe),
        "Data, licences, limits": "Name every source and its licence here before sharing the weights.",
    })  # fmt: skip
