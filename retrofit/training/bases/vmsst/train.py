"""Train VMSST, or one of its baselines Contrastive and BiTranslation, on parallel pairs."""

import sys
from collections.abc import Sequence
from functools import partial

from amrx.errors import OptionError
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.feed import PairFeed
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.mixture import count_reserved, tatoeba_pairs
from retrofit.training.bases.objective import Objective
from retrofit.training.bases.sources import Source, count_all
from retrofit.training.bases.train import Method, Session
from retrofit.training.bases.vmsst.network import build_semantic
from retrofit.training.bases.vmsst.objective import build_objective
from retrofit.training.bases.vmsst.recipe import Recipe


def check(sources: Sequence[Source], recipe: Recipe) -> Origin:
    """Check and count parallel sources."""
    for source in sources:
        if source.kind != "parallel":
            raise OptionError(f"{recipe.method} does not read --{source.kind}")
    counts = count_all(sources, batch=recipe.batch, what="--parallel LANGUAGES:FILES")
    if reserved := tatoeba_pairs(recipe.data.keep_out):
        for source in sources:
            if left_out := count_reserved(source, reserved):
                sys.stderr.write(f"{source.name}: {left_out} test pairs of Tatoeba are left out\n")
    return Origin(recipe.method, recipe, tuple(sources), counts)


def languages_of(sources: Sequence[Source]) -> list[str]:
    """Return the languages of some sources, sorted by code."""
    return sorted({code for source in sources for code in source.languages})


def build(recipe: Recipe, origin: Origin, processes: int) -> Objective:
    """Build the objective, including encoder and decoder."""
    return build_objective(build_semantic(recipe), recipe, len(languages_of(origin.sources)))


def run(session: Session, objective: Objective, recipe: Recipe) -> None:
    """Train on all pairs."""
    origin, tokens = session.origin, partial(tokenize, session.encoder)
    mixture, languages = session.mixture(origin.rows("parallel")), languages_of(origin.sources)
    feed = PairFeed(mixture, recipe.batch, tokens, languages, session.place.share)
    session.fit("pairs", objective, feed, recipe.steps)


METHOD = Method(check, build, run)
