"""Train a base encoder from checked input to the written folder, by any method.

::

    check ──> build ──> run: one or several phases, each by `Session.fit` ──> folder
    input     encoder, first objective

`ObjectiveTask` makes an objective a task of `amrx.training`, on one device or, under ``accelerate launch``,
on several. accelerate exchanges gradients between devices and applies mixed precision; the objective is one
module, so each step is one forward pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

import torch

from amrx.device import pick_device
from amrx.training import Evaluation, Schedule, Task, alone, best_weights
from amrx.training import fit as fit_task
from amrx.training.checkpoint_file import read_header
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.feed import Batch, Columns, Feed, TextFeed
from retrofit.training.bases.folder import Origin, finish, is_done, prepare_folder, write_encoder
from retrofit.training.bases.mixture import Mixture, tatoeba_pairs
from retrofit.training.bases.objective import Group, Objective
from retrofit.training.bases.recipe import Data, Run
from retrofit.training.bases.sources import Source

if TYPE_CHECKING:
    from accelerate import Accelerator
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True, slots=True)
class Place:
    """Device and process."""

    accelerator: Accelerator  # runs the backward pass, clips, and joins processes
    device: torch.device  # device of this process

    @property
    def share(self) -> tuple[int, int]:
        """Index of this process, and the number of processes."""
        return self.accelerator.process_index, self.accelerator.num_processes

    @property
    def main(self) -> bool:
        """Whether this process writes files."""
        return bool(self.accelerator.is_main_process)


def find_place(device: str | None, precision: Literal["no", "bf16"]) -> Place:
    """Return the place of training: the named or best device; with several processes, the process's own."""
    from accelerate import Accelerator

    chosen = pick_device(device)
    accelerator = Accelerator(cpu=chosen.type == "cpu", mixed_precision=precision, device_placement=False)
    return Place(accelerator, accelerator.device if accelerator.num_processes > 1 else chosen)


class ObjectiveTask(Task):
    """Train an objective on the batches of a feed.

    ``adafactor`` is that of T5. ``score`` scores the encoder on dev data.
    """

    def __init__(
        self,
        name: str,
        objective: Objective,
        feed: Feed,
        steps: int,
        optimizer: Literal["adamw", "adafactor"],
        place: Place,
        score: Callable[[], float] | None = None,
    ) -> None:
        objective.to(place.device)
        self.groups = objective.groups()
        super().__init__(name, objective, _optimizer(self.groups, optimizer))
        self.feed, self.steps, self.accelerator, self.score = feed, steps, place.accelerator, score
        self.main, (self.rank, _) = place.main, place.share
        self.joined, self.stepper = self.accelerator.prepare(objective, self.optimizer)

    def rates(self, step: int) -> Sequence[float]:
        """Return the rate of each group."""
        return [group.rate.at(step, self.steps) for group in self.groups]

    def backward(self, step: int) -> Mapping[str, float]:
        """Add the gradients of the term ``total`` of one batch."""
        terms = self.joined(_moved(self.feed.take(step), self.device), step)
        self.accelerator.backward(terms["total"])
        return {name: float(term.detach()) for name, term in terms.items()}

    def clip(self, limit: float) -> float:
        """Clip the gradients of each group separately; return the total norm before."""
        clip = self.accelerator.clip_grad_norm_
        return math.hypot(*(float(clip(group.parameters, limit)) for group in self.groups))

    def update(self, step: int) -> None:
        """Update the parameters, equally in all processes."""
        self.stepper.step()
        self.stepper.zero_grad()

    def evaluate(self) -> Evaluation | None:
        """Score the encoder if there are dev data."""
        if self.score is None:
            return None
        score = self.score()
        return Evaluation(score, {"dev": round(score, 3)})

    def state(self) -> Mapping[str, Any]:
        """Return the position in the input."""
        return self.feed.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore that position."""
        self.feed.restore(state)

    def wait(self) -> None:
        """Wait for the other processes."""
        self.accelerator.wait_for_everyone()


def _optimizer(groups: Sequence[Group], name: Literal["adamw", "adafactor"]) -> torch.optim.Optimizer:
    parts = [{"params": group.parameters, "weight_decay": group.rate.decay} for group in groups]
    if name == "adamw":
        return torch.optim.AdamW(parts)
    from transformers import Adafactor

    return Adafactor(parts, lr=1e-3, scale_parameter=False, relative_step=False)


def _moved(batch: Batch, device: torch.device) -> Batch:
    return {
        name: {key: tensor.to(device) for key, tensor in column.items()} for name, column in batch.items()
    }


class Common(Protocol):
    """Keys of the recipes of all methods."""

    @property
    def seed(self) -> int:
        """Seed of everything random."""

    @property
    def data(self) -> Data:
        """Settings of drawing rows."""

    @property
    def run(self) -> Run:
        """Settings of the training loop."""


RecipeT = TypeVar("RecipeT", bound=Common)
ObjectiveT = TypeVar("ObjectiveT", bound=Objective)


@dataclass(frozen=True, slots=True)
class Method(Generic[RecipeT, ObjectiveT]):
    """Define a method of training."""

    # checks and counts the whole input before anything is loaded or written
    check: Callable[[Sequence[Source], RecipeT], Origin]
    # builds the first objective, including the encoder, for a number of processes
    build: Callable[[RecipeT, Origin, int], ObjectiveT]
    run: Callable[[Session, ObjectiveT, RecipeT], None]  # trains that objective, and further ones


@dataclass(frozen=True, slots=True)
class Session:
    """Provide the input, the loop and the folder to a method's run."""

    origin: Origin  # method, recipe and checked input
    recipe: Common  # keys of the recipe that all methods share
    place: Place  # device and process
    encoder: SentenceTransformer  # the encoder to train and save
    out: Path  # folder to write

    def feed(self, chosen: Sequence[tuple[Source, int]], batch: int, columns: Columns) -> TextFeed:
        """Return the batches of some sources, given with their numbers of rows."""
        tokens, share = partial(tokenize, self.encoder), self.place.share
        return TextFeed(self.mixture(chosen), batch, columns, tokens, seed=self.recipe.seed, share=share)

    def mixture(self, chosen: Sequence[tuple[Source, int]]) -> Mixture:
        """Return the rows of some sources, given with their numbers of rows."""
        return Mixture(
            [source for source, _ in chosen], [count for _, count in chosen],
            temperature=self.recipe.data.temperature, seed=self.recipe.seed, block=self.recipe.data.shuffle,
            reserved=tatoeba_pairs(self.recipe.data.keep_out),
        )  # fmt: skip

    def fit(
        self,
        name: str,
        objective: Objective,
        feed: Feed,
        steps: int,
        score: Callable[[], float] | None = None,
        score_every: int = 0,
        *,
        fingerprint: str | None = None,
        anew: bool = False,
    ) -> None:
        """Train a phase to its end; its log and checkpoint are in ``training/NAME``.

        Where ``score`` is given, the weights that are best by it, every so many steps, are kept. The phase
        is resumed if ``fingerprint``, by default that of the whole run, is that of its checkpoint; if not,
        that is an error, or with ``anew`` the phase starts again.
        """
        run, title, folder = self.recipe.run, f"{self.origin.method} {name}", self.out / "training" / name
        task = ObjectiveTask(title, objective, feed, steps, run.optimizer, self.place, score)
        every = score_every if score else 0
        schedule = Schedule(steps, self.recipe.seed, run.clip, run.log_every, run.checkpoint_every, every)
        fingerprint = fingerprint or self.origin.fingerprint
        checkpoint = folder / "checkpoint.safetensors"
        other = anew and checkpoint.is_file() and read_header(checkpoint)["progress"]["run"] != fingerprint
        ended = fit_task(task, schedule, folder, fingerprint, resume=not other)
        if best := best_weights(folder, ended):
            objective.load_state_dict(best)

    def keep(self, name: str, origin: Origin) -> None:
        """Write the encoder between two phases to its own folder, unless that exists."""
        folder = self.out / "training" / name
        if self.place.main and not is_done(folder, origin):
            prepare_folder(folder, fresh=True)
            write_encoder(folder, self.encoder, origin)


def train(
    method: Method[RecipeT, ObjectiveT],
    sources: Sequence[Source],
    out: Path,
    recipe: RecipeT,
    device: str | None = None,
    *,
    fresh: bool = False,
) -> None:
    """Train, or resume a stopped run, and write the encoder's folder.

    Nothing is done if ``out`` holds the result already, unless ``fresh``; nothing is written before the whole
    input is checked.
    """
    origin = method.check(sources, recipe)
    place = find_place(device, recipe.run.precision)
    if not fresh and is_done(out, origin):
        if place.main:
            finish(out / "training")
        return
    objective = method.build(recipe, origin, place.share[1])
    with alone(out) if place.main else nullcontext():
        if place.main:
            prepare_folder(out, fresh=fresh)
        place.accelerator.wait_for_everyone()
        session = Session(origin, recipe, place, objective.encoder, out)
        method.run(session, objective, recipe)
        if place.main:
            write_encoder(out, session.encoder, origin)
            finish(out / "training")
        place.accelerator.wait_for_everyone()
