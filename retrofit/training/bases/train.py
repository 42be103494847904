"""Train a base encoder from checked input to the written folder, by any method.

::

    check ──> build ──> run: one or several phases, each by `Session.fit` ──> folder
    input     encoder, first objective

"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from amrx.training import Schedule, alone, best_weights
from amrx.training import fit as fit_task
from amrx.training.checkpoint_file import read_header
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.feed import Columns, Feed, TextFeed
from retrofit.training.bases.folder import Origin, finish, is_done, prepare_folder, write_encoder
from retrofit.training.bases.mixture import Mixture, tatoeba_pairs
from retrofit.training.bases.objective import Objective
from retrofit.training.bases.recipe import Data, Run
from retrofit.training.bases.sources import Source
from retrofit.training.bases.task import ObjectiveTask, Place, find_place

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


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
