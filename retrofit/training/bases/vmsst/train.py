"""Train VMSST, or one of its baselines Contrastive and BiTranslation, on parallel pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import OptionError
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.objective import Objective
from retrofit.training.bases.session import open_session
from retrofit.training.bases.sources import Source, count_all
from retrofit.training.bases.vmsst.feed import PairFeed, languages_of
from retrofit.training.bases.vmsst.network import build_semantic
from retrofit.training.bases.vmsst.objective import build_objective
from retrofit.training.bases.vmsst.recipe import Recipe

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = ["Recipe", "train"]


def train(
    sources: Sequence[Source], out: Path, recipe: Recipe, device: str | None = None, *, fresh: bool = False
) -> None:
    """Train, or go on where an earlier run was stopped, and write the encoder's folder.

    Args:
        sources: Parallel ones.
        out: Folder to write.
        recipe: What to do.
        device: ``cpu``, ``cuda``, …; chosen when ``None``.
        fresh: Begin anew even if there is a checkpoint.

    Raises:
        OptionError: Input is missing or of a kind that is not read here, or the checkpoint is another run's.
        InputError: A file of the input is faulty; nothing was written.
        MissingResourceError: The model to start from is not on this machine.
        OutputError: ``out`` cannot be written, or another run is training into it.
    """
    for source in sources:
        if source.kind != "parallel":
            raise OptionError(f"{recipe.method} does not read --{source.kind}")
    counts = count_all(sources, batch=recipe.batch, what="--parallel LANGUAGES:FILES")
    origin = Origin(recipe.method, recipe, tuple(sources), counts)
    languages = languages_of(sources)
    built: list[Objective] = []

    def build() -> SentenceTransformer:
        # the decoder as well, so that nothing is written where it does not fit
        built.append(build_objective(build_semantic(recipe), recipe, len(languages)))
        return built[0].encoder

    with open_session(origin, recipe, build, out, device, fresh=fresh) as session:
        if session is None:
            return
        mixture, tokens = session.mixture(origin.rows("parallel")), partial(tokenize, session.encoder)
        feed = PairFeed(mixture, recipe.batch, tokens, languages, session.place.share)
        session.fit("pairs", built[0], feed, recipe.steps)
        session.end()
