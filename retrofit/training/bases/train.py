"""Train a base encoder from checked input to the written folder, by any method.

::

    check ──> build ──> run: a phase or several, each of them `Session.fit` ──> folder
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
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.feed import Columns, Feed, TextFeed
from retrofit.training.bases.folder import Origin, finish, is_done, prepare_folder, write_encoder
from retrofit.training.bases.mixture import Mixture
from retrofit.training.bases.objective import Objective
from retrofit.training.bases.recipe import Data, Run
from retrofit.training.bases.sources import Source
from retrofit.training.bases.task import ObjectiveTask, Place, find_place

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class Common(Protocol):
    """Keys of every method's recipe."""

    @property
    def seed(self) -> int:
        """Seed of everything random."""

    @property
    def data(self) -> Data:
        """How rows are drawn."""

    @property
    def run(self) -> Run:
        """When a run logs and saves, and its optimizer."""


RecipeT = TypeVar("RecipeT", bound=Common)
ObjectiveT = TypeVar("ObjectiveT", bound=Objective)


@dataclass(frozen=True, slots=True)
class Method(Generic[RecipeT, ObjectiveT]):
    """Define a method of training."""

    # checks and counts the whole input before anything is loaded or written
    check: Callable[[Sequence[Source], RecipeT], Origin]
    # makes the first objective, with the encoder in it, for a number of processes
    build: Callable[[RecipeT, Origin, int], ObjectiveT]
    run: Callable[[Session, ObjectiveT, RecipeT], None]  # trains that objective, and others after it


@dataclass(frozen=True, slots=True)
class Session:
    """Give a method's run the input, the loop and the folder."""

    origin: Origin  # method, recipe and checked input
    recipe: Common  # the recipe's keys that all methods share
    place: Place  # device and process
    encoder: SentenceTransformer  # trained and written
    out: Path  # folder to write

    def feed(self, chosen: Sequence[tuple[Source, int]], batch: int, columns: Columns) -> TextFeed:
        """Return the batches of some sources, given with their rows."""
        tokens, share = partial(tokenize, self.encoder), self.place.share
        return TextFeed(self.mixture(chosen), batch, columns, tokens, seed=self.recipe.seed, share=share)

    def mixture(self, chosen: Sequence[tuple[Source, int]]) -> Mixture:
        """Return the rows of some sources, given with how many they have."""
        return Mixture(
            [source for source, _ in chosen], [count for _, count in chosen],
            temperature=self.recipe.data.temperature, seed=self.recipe.seed, block=self.recipe.data.shuffle,
        )  # fmt: skip

    def fit(
        self,
        name: str,
        objective: Objective,
        feed: Feed,
        steps: int,
        score: Callable[[], float] | None = None,
        score_every: int = 0,
    ) -> None:
        """Train a phase to its end; its log and checkpoint are in ``training/NAME``.

        Where ``score`` is given, the weights that are best by it, every so many steps, are kept.
        """
        run, title, folder = self.recipe.run, f"{self.origin.method} {name}", self.out / "training" / name
        task = ObjectiveTask(title, objective, feed, steps, run.optimizer, self.place, score)
        every = score_every if score else 0
        schedule = Schedule(steps, self.recipe.seed, run.clip, run.log_every, run.checkpoint_every, every)
        ended = fit_task(task, schedule, folder, self.origin.fingerprint)
        if best := best_weights(folder, ended):
            objective.load_state_dict(best)

    def keep(self, name: str, origin: Origin) -> None:
        """Write the encoder as it is between two phases, as a folder of its own, unless it is there."""
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
    """Train, or go on where an earlier run was stopped, and write the encoder's folder.

    Args:
        method: How to train.
        sources: Input of the kinds that the method reads.
        out: Folder to write; nothing is done if it holds the result already.
        recipe: The method's.
        device: ``cpu``, ``cuda``, …; chosen when ``None``.
        fresh: Begin anew even if there is a checkpoint or a result.

    Raises:
        OptionError: Input is missing or of a kind that is not read, or the checkpoint is another run's.
        InputError: A file of the input is faulty; nothing was written.
        MissingResourceError: The model to start from is not on this machine; nothing was written.
        OutputError: ``out`` cannot be written, or another run is using it.
        AmrxError: A loss is not finite.
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
