"""A run of a trainer from checked input to written folder, the same for every method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from amrx.training import alone
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.feed import Columns, Feed, TextFeed
from retrofit.training.bases.folder import (
    Origin,
    finish,
    is_done,
    prepare_folder,
    write_encoder,
)
from retrofit.training.bases.loop import Job, fit
from retrofit.training.bases.mixture import Mixture
from retrofit.training.bases.objective import Objective
from retrofit.training.bases.place import Place, find_place
from retrofit.training.bases.recipe import Data, Run
from retrofit.training.bases.sources import Source

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class Common(Protocol):
    """What every method's recipe has."""

    @property
    def seed(self) -> int:
        """Seed of everything random."""

    @property
    def data(self) -> Data:
        """How rows are drawn."""

    @property
    def run(self) -> Run:
        """How the loop goes."""


@dataclass(frozen=True, slots=True)
class Session:
    """An open run.

    Attributes:
        origin: Method, recipe and checked input.
        recipe: The recipe again, as what all methods share.
        place: Where it runs.
        encoder: What is trained.
        out: Folder to write.
    """

    origin: Origin
    recipe: Common
    place: Place
    encoder: SentenceTransformer
    out: Path

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

    def fit(self, name: str, objective: Objective, feed: Feed, steps: int) -> None:
        """Train a phase to its end; its log and checkpoint stand in ``training/NAME``."""
        folder = self.out / "training" / name
        job = Job(
            f"{self.origin.method} {name}", objective, feed, steps, self.recipe.seed, self.recipe.run,
            folder, self.origin.fingerprint, self.place,
        )  # fmt: skip
        fit(job)

    def keep(self, name: str, origin: Origin) -> None:
        """Write the encoder as it is between two phases, as a folder of its own, unless it is there."""
        folder = self.out / "training" / name
        if self.place.main and not is_done(folder, origin):
            prepare_folder(folder, fresh=True)
            write_encoder(folder, self.encoder, origin)

    def end(self) -> None:
        """Write the encoder's folder, draw the losses, drop the checkpoints."""
        if self.place.main:
            write_encoder(self.out, self.encoder, self.origin)
            finish(self.out / "training")
        self.place.accelerator.wait_for_everyone()


@contextmanager
def open_session(
    origin: Origin,
    recipe: Common,
    build: Callable[[], SentenceTransformer],
    out: Path,
    device: str | None,
    *,
    fresh: bool,
) -> Iterator[Session | None]:
    """Open a run; give ``None`` if ``out`` holds already what it would end with.

    Args:
        origin: Method, recipe and checked input.
        recipe: The recipe again.
        build: Makes the untrained encoder.
        out: Folder to write.
        device: ``cpu``, ``cuda``, …; chosen when ``None``.
        fresh: Begin anew, whatever is there.

    Raises:
        OptionError: The device is not on this machine.
        MissingResourceError: The model to start from is not on this machine; nothing was written.
        OutputError: ``out`` cannot be made, or another run is training into it.
    """
    place = find_place(device, recipe.run.precision)
    with alone(out) if place.main else nullcontext():
        if not fresh and is_done(out, origin):
            if place.main:
                finish(out / "training")
            yield None
            return
        encoder = build()
        if place.main:
            prepare_folder(out, fresh=fresh)
        place.accelerator.wait_for_everyone()
        yield Session(origin, recipe, place, encoder, out)
