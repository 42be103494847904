"""Train mSimCSE by one strategy or a mix of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.errors import OptionError
from amrx.evaluation.metrics import METRICS
from amrx.vectors import cosine
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.msimcse.nli import Drawer, join_nli, triplets_of, write_triplets
from retrofit.training.bases.msimcse.objective import ContrastObjective
from retrofit.training.bases.msimcse.recipe import KINDS, Recipe
from retrofit.training.bases.sources import ENGLISH, Source, count_all, is_published
from retrofit.training.bases.train import Method, Session
from retrofit.weight_fitting import stsb_dev

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NAME = "msimcse"


def build(recipe: Recipe, origin: Origin, processes: int) -> ContrastObjective:
    """Build the objective, including the encoder."""
    return ContrastObjective(build_encoder(recipe.backbone, recipe.seed), recipe, processes)


def run(session: Session, objective: ContrastObjective, recipe: Recipe) -> None:
    """Train on the rows of all strategies together."""
    origin, (plain, joined) = session.origin, _join(session)
    steps = recipe.steps or math.ceil(recipe.epochs * sum(origin.counts) / recipe.batch)
    feed = session.feed([*origin.rows("parallel", "text"), *plain, *joined], recipe.batch, Drawer(recipe))
    score = None if recipe.dev is None else stsb_score(session.encoder, Path(recipe.dev))
    session.fit("contrast", objective, feed, steps, score, recipe.dev_every)
    if session.place.main:
        for source, _ in joined:
            source.files[0].unlink()


def stsb_score(encoder: SentenceTransformer, data: Path) -> Callable[[], float]:
    """Return a function that scores an encoder on STS-B dev in English: Spearman of the cosines, 0-100."""
    dev = stsb_dev(data, ("en",))

    def score() -> float:
        first, second = np.split(encoder.encode(dev.texts["en"], show_progress_bar=False), 2)
        return METRICS["spearman"](cosine(first, second), dev.gold)

    return score


def check(sources: Sequence[Source], recipe: Recipe) -> Origin:
    """Check and count the sources of the strategies."""
    if recipe.dev is not None:
        stsb_dev(Path(recipe.dev), ("en",))
    read = {kind for strategy in recipe.mix for kind in KINDS[strategy]}
    for source in sources:
        if source.kind not in read:
            raise OptionError(f"{NAME} with mix {list(recipe.mix)} does not read --{source.kind}")
        if source.kind in ("triplets", "nli"):
            _check_languages(source, recipe)
    chosen: tuple[Source, ...] = ()
    counts: tuple[int, ...] = ()
    for strategy in recipe.mix:
        kinds = KINDS[strategy]
        part = tuple(source for source in sources if source.kind in kinds)
        wanted = " or ".join(f"--{kind} LANGUAGES:FILES" for kind in kinds)
        chosen += part
        counts += count_all(part, batch=1, what=wanted)
    if sum(counts) < recipe.batch:
        raise OptionError(f"{sum(counts)} rows in all are less than one batch of {recipe.batch}")
    return Origin(NAME, recipe, chosen, counts)


def _check_languages(source: Source, recipe: Recipe) -> None:
    if "english-nli" in recipe.mix and ENGLISH not in source.languages:
        raise OptionError(f"--{source.kind} {source.name} is not in English, which english-nli reads")
    if "cross-lingual-nli" in recipe.mix and len(source.languages) == 1:
        raise OptionError(
            f"--{source.kind} {source.name} is in one language; cross-lingual-nli draws among several, "
            "as in en-de:FILE.en,FILE.de"
        )


def _join(session: Session) -> tuple[list[tuple[Source, int]], list[tuple[Source, int]]]:
    """Return sources of plain triplets, and those written in ``training`` at every start.

    Rows of NLI are joined to triplets; published triplets become a table.
    """
    plain, joined = [], []
    for number, (source, count) in enumerate(session.origin.rows("triplets", "nli")):
        if source.kind == "triplets" and not any(is_published(source, file) for file in source.files):
            plain.append((source, count))
            continue
        file = session.out / "training" / f"triplets-{number}.tsv"
        with session.place.accelerator.main_process_first():
            if session.place.main:
                (join_nli if source.kind == "nli" else write_triplets)(source, file)
        joined.append((triplets_of(source, file), count))
    return plain, joined


METHOD = Method(check, build, run)
