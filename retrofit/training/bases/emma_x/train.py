"""Train Emma-X: phase 1 on parallel pairs, phase 2 on text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from amrx.errors import OptionError
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.emma_x.phases import PairsObjective, TextObjective
from retrofit.training.bases.emma_x.ranks import build_ranks
from retrofit.training.bases.emma_x.recipe import Recipe
from retrofit.training.bases.feed import pairs
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.mixture import Row
from retrofit.training.bases.session import Session, open_session
from retrofit.training.bases.sources import Kind, Source, count_all

__all__ = ["AFTER_PAIRS", "METHOD", "Recipe", "train"]

METHOD = "emma-x"

AFTER_PAIRS = "after-pairs"
"""Folder in ``training`` with the encoder that phase 1 ends with, if phase 2 follows."""


def train(
    sources: Sequence[Source], out: Path, recipe: Recipe, device: str | None = None, *, fresh: bool = False
) -> None:
    """Train, or go on where an earlier run was stopped, and write the encoder's folder.

    Args:
        sources: Parallel ones for phase 1, text for phase 2 (none if ``text.steps`` is 0).
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
            _phases(session, recipe)


def _phases(session: Session, recipe: Recipe) -> None:
    origin = session.origin
    encoder, steps = session.encoder, recipe.text.steps
    ranks = build_ranks(recipe.ranks, encoder.get_embedding_dimension() or 0, recipe.seed)
    first = PairsObjective(encoder, ranks, recipe.ranks.count, recipe.pairs)
    feed = session.feed(origin.rows("parallel"), recipe.pairs.batch, pairs)
    session.fit("pairs", first, feed, recipe.pairs.steps)
    if steps:
        session.keep(AFTER_PAIRS, replace(origin, recipe=replace(recipe, text=replace(recipe.text, steps=0))))
        second = TextObjective(encoder, ranks, recipe.ranks, recipe.text)
        session.fit("text", second, session.feed(origin.rows("text"), recipe.text.batch, _texts), steps)
    session.end()


def _check(sources: Sequence[Source], recipe: Recipe) -> Origin:
    """Look at the whole input before anything is loaded or written."""
    batches: dict[Kind, int] = {"parallel": recipe.pairs.batch}
    if recipe.text.steps:
        batches["text"] = recipe.text.batch
    for source in sources:
        if source.kind not in batches:
            why = " when text.steps is 0" if source.kind == "text" else ""
            raise OptionError(f"{METHOD} does not read --{source.kind}{why}")
    ours: tuple[Source, ...] = ()
    counts: tuple[int, ...] = ()
    for kind, batch in batches.items():
        part = tuple(source for source in sources if source.kind == kind)
        ours += part
        counts += count_all(part, batch=batch, what=f"--{kind} LANGUAGES:FILES")
    return Origin(METHOD, recipe, ours, counts)


def _texts(rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
    """Return the sentences of rows of text."""
    return {"text": [row.texts[0] for row in rows]}
