"""Train Emma-X: phase 1 on parallel pairs, phase 2 on text."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from torch import Tensor, nn

from amrx.errors import AmrxError, OptionError
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.emma_x.objective import PairsObjective, RanksObjective, TextObjective, prior_nats
from retrofit.training.bases.emma_x.ranks import Gaussians, Network, build_ranks
from retrofit.training.bases.emma_x.recipe import Recipe
from retrofit.training.bases.feed import pairs
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.mixture import Row
from retrofit.training.bases.sources import Kind, Source, count_all
from retrofit.training.bases.train import Method, Session

NAME = "emma-x"

AFTER_PAIRS = "after-pairs"
"""Folder in ``training`` with the encoder after phase 1, if phase 2 follows."""


def build(recipe: Recipe, origin: Origin, processes: int) -> PairsObjective:
    """Build the objective of phase 1, including the encoder and the rank classifier."""
    encoder = build_encoder(recipe.backbone, recipe.seed)
    ranks = build_ranks(recipe.ranks, encoder.get_embedding_dimension() or 0, recipe.seed)
    return PairsObjective(encoder, ranks, recipe.ranks.count, recipe.pairs)


def run(session: Session, first: PairsObjective, recipe: Recipe) -> None:
    """Train both phases, and only the rank classifier between them."""
    origin, steps = session.origin, recipe.text.steps
    feed = session.feed(origin.rows("parallel"), recipe.pairs.batch, pairs)
    session.fit("pairs", first, feed, recipe.pairs.steps, fingerprint=_of_pairs(origin, recipe))
    if steps:
        session.keep(AFTER_PAIRS, replace(origin, recipe=replace(recipe, text=replace(recipe.text, steps=0))))
        means = fit_ranks(session, first.ranks, recipe)
        second = TextObjective(session.encoder, first.ranks, recipe.ranks, recipe.text, means)
        session.fit("text", second, session.feed(origin.rows("text"), recipe.text.batch, _texts), steps)


def fit_ranks(session: Session, ranks: Gaussians | Network, recipe: Recipe) -> Tensor | None:
    """Train the classifier on the frozen encoder until it beats the prior; return the new s_r, if any."""
    settings = recipe.ranks
    if not settings.steps or recipe.text.ranks == "none":
        return None
    nats, prior = float("nan"), prior_nats(settings.count)
    for number in range(1, settings.rounds + 1):
        with frozen(session.encoder):
            fitted = RanksObjective(session.encoder, ranks, settings)
            feed = session.feed(session.origin.rows("parallel"), recipe.pairs.batch, pairs)
            mark = _of_pairs(session.origin, recipe, settings.steps, settings.rate, settings.follow)
            session.fit(f"ranks-{number}", fitted, feed, settings.steps, fingerprint=mark, anew=True)
        total, count = session.place.accelerator.reduce(fitted.loss, reduction="sum").tolist()
        nats = total / count
        if nats < prior:
            return fitted.means
    raise AmrxError(
        f"the rank classifier's loss is {nats:.3f} after {number} x {settings.steps} steps, and that of the "
        f"shares of the ranks {prior:.3f}; raise 'ranks.steps', 'ranks.rounds' or 'ranks.rate': the same "
        f"command with them goes on after phase 1; or train longer in a new folder, 'pairs.steps'"
    )


def _of_pairs(origin: Origin, recipe: Recipe, *more: object) -> str:
    """Return the fingerprint of a phase on pairs, which does not depend on the settings of later phases."""
    ranks, shared = recipe.ranks, (recipe.seed, recipe.backbone, recipe.data, recipe.run, recipe.pairs)
    return origin.fingerprint_of((*shared, ranks.count, ranks.kind, *more), *origin.rows("parallel"))


@contextmanager
def frozen(module: nn.Module) -> Iterator[None]:
    """Disable the gradients of a module's parameters."""
    kept = [(parameter, parameter.requires_grad) for parameter in module.parameters()]
    module.requires_grad_(False)
    try:
        yield
    finally:
        for parameter, trained in kept:
            parameter.requires_grad_(trained)


def check(sources: Sequence[Source], recipe: Recipe) -> Origin:
    """Check and count parallel sources for phase 1, and text for phase 2 (none if ``text.steps`` is 0)."""
    batches: dict[Kind, int] = {"parallel": recipe.pairs.batch}
    if recipe.text.steps:
        batches["text"] = recipe.text.batch
    for source in sources:
        if source.kind not in batches:
            why = " when text.steps is 0" if source.kind == "text" else ""
            raise OptionError(f"{NAME} does not read --{source.kind}{why}")
    chosen: tuple[Source, ...] = ()
    counts: tuple[int, ...] = ()
    for kind, batch in batches.items():
        part = tuple(source for source in sources if source.kind == kind)
        chosen += part
        counts += count_all(part, batch=batch, what=f"--{kind} LANGUAGES:FILES")
    return Origin(NAME, recipe, chosen, counts)


def _texts(rows: Sequence[Row], random: np.random.Generator) -> dict[str, list[str]]:
    return {"text": [row.texts[0] for row in rows]}


METHOD = Method(check, build, run)
