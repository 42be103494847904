"""Train mSimCSE by one strategy or a mix of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from amrx.errors import OptionError
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.msimcse.nli import ENGLISH, Drawer, join_nli, triplets_of
from retrofit.training.bases.msimcse.objective import ContrastObjective
from retrofit.training.bases.msimcse.recipe import KINDS, Recipe
from retrofit.training.bases.session import Session, open_session
from retrofit.training.bases.sources import Source, count_all

__all__ = ["METHOD", "Recipe", "train"]

METHOD = "msimcse"


def train(
    sources: Sequence[Source], out: Path, recipe: Recipe, device: str | None = None, *, fresh: bool = False
) -> None:
    """Train, or go on where an earlier run was stopped, and write the encoder's folder.

    Args:
        sources: What the strategies of the recipe read.
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
    origin = _check(sources, recipe)
    build = partial(build_encoder, recipe.backbone, recipe.seed)
    with open_session(origin, recipe, build, out, device, fresh=fresh) as session:
        if session is not None:
            _contrast(session, recipe)


def _contrast(session: Session, recipe: Recipe) -> None:
    origin, joined = session.origin, _join(session)
    steps = recipe.steps or math.ceil(recipe.epochs * sum(origin.counts) / recipe.batch)
    objective = ContrastObjective(session.encoder, recipe, session.place.share[1])
    feed = session.feed([*origin.rows("parallel", "text", "triplets"), *joined], recipe.batch, Drawer(recipe))
    session.fit("contrast", objective, feed, steps)
    session.end()
    if session.place.main:
        for source, _ in joined:
            source.files[0].unlink()


def _check(sources: Sequence[Source], recipe: Recipe) -> Origin:
    """Look at the whole input before anything is loaded or written."""
    read = {kind for strategy in recipe.mix for kind in KINDS[strategy]}
    for source in sources:
        if source.kind not in read:
            raise OptionError(f"{METHOD} with mix {list(recipe.mix)} does not read --{source.kind}")
        if source.kind in ("triplets", "nli"):
            _check_languages(source, recipe)
    ours: tuple[Source, ...] = ()
    counts: tuple[int, ...] = ()
    for strategy in recipe.mix:
        kinds = KINDS[strategy]
        part = tuple(source for source in sources if source.kind in kinds)
        wanted = " or ".join(f"--{kind} LANGUAGES:FILES" for kind in kinds)
        ours += part
        counts += count_all(part, batch=1, what=wanted)
    if sum(counts) < recipe.batch:
        raise OptionError(f"{sum(counts)} rows in all are less than one batch of {recipe.batch}")
    return Origin(METHOD, recipe, ours, counts)


def _check_languages(source: Source, recipe: Recipe) -> None:
    if "english-nli" in recipe.mix and ENGLISH not in source.languages:
        raise OptionError(f"--{source.kind} {source.name} is not in English, which english-nli reads")
    if "cross-lingual-nli" in recipe.mix and len(source.languages) == 1:
        raise OptionError(
            f"--{source.kind} {source.name} is in one language; cross-lingual-nli draws among several, "
            "as in en-de:FILE.en,FILE.de"
        )


def _join(session: Session) -> list[tuple[Source, int]]:
    """Join the rows of NLI to triplets in ``training``; every start joins them anew."""
    joined = []
    for number, (source, count) in enumerate(session.origin.rows("nli")):
        file = session.out / "training" / f"triplets-{number}.tsv"
        with session.place.accelerator.main_process_first():
            if session.place.main:
                join_nli(source, file)
        joined.append((triplets_of(source, file), count))
    return joined
