"""Train mSimCSE by one strategy or a mix of them, with the loss of sentence-transformers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import nn

from amrx.device import seeded
from amrx.errors import OptionError
from amrx.evaluation.metrics import METRICS
from amrx.vectors import cosine
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.feed import Batch
from retrofit.training.bases.folder import Origin
from retrofit.training.bases.msimcse.nli import ENGLISH, Drawer, join_nli, triplets_of
from retrofit.training.bases.msimcse.recipe import KINDS, Recipe
from retrofit.training.bases.objective import Group, Objective, Terms, trained
from retrofit.training.bases.sources import Source, count_all
from retrofit.training.bases.train import Method, Session
from retrofit.weight_fitting import stsb_dev

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense

NAME = "msimcse"
COLUMNS = ("anchor", "positive", "negative")


class ContrastObjective(Objective):
    """MultipleNegativesRankingLoss: other positives and all hard negatives of the batch are negatives.

    ``- 1/n Σ_i log( exp(cos(a_i, p_i) / τ) / Σ_j [ exp(cos(a_i, p_j) / τ) + exp(cos(a_i, n_j) / τ) ] )``

    With the recipe's ``head`` the loss compares ``tanh(W v + b)`` of the encoder's vectors v, otherwise v.
    The losses are sentence-transformers', with ``scale`` = 1/τ, cached or not.

    Each of ``processes`` compares with the sentences of all.
    """

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe, processes: int = 1) -> None:
        super().__init__(encoder)
        from sentence_transformers.sentence_transformer import losses

        self.head = build_head(encoder, recipe.seed) if recipe.head else None
        compared = encoder if self.head is None else _joined(encoder, self.head)
        same: dict[str, Any] = {"scale": 1 / recipe.temperature, "gather_across_devices": processes > 1}
        loss: nn.Module = losses.MultipleNegativesRankingLoss(compared, **same)
        if size := recipe.mini_batch:
            loss = losses.CachedMultipleNegativesRankingLoss(compared, mini_batch_size=size, **same)
        # not a submodule: it contains the encoder, whose weights would be in a checkpoint twice
        self._loss = (loss,)
        self.recipe = recipe

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``contrast`` of the columns ``anchor``, ``positive`` and, if present, ``negative``."""
        columns = [dict(batch[name]) for name in COLUMNS if name in batch]
        contrast = self._loss[0](columns, None)
        return {"contrast": contrast, "total": contrast}

    def groups(self) -> list[Group]:
        """Return the parameters of the encoder and the head."""
        return [Group(trained(self), self.recipe.encoder)]


def build_head(encoder: SentenceTransformer, seed: int) -> Dense:
    """Return SimCSE's MLP layer, ``tanh(W v + b)`` of the vector's width; as there W ~ N(0, 0.02²), b = 0."""
    from sentence_transformers.sentence_transformer.modules import Dense

    width = encoder.get_embedding_dimension() or 0
    with seeded(seed + 1):
        head = Dense(width, width, activation_function=nn.Tanh())
        nn.init.normal_(head.linear.weight, std=0.02)
    nn.init.zeros_(head.linear.bias)
    return head


def _joined(encoder: SentenceTransformer, head: Dense) -> SentenceTransformer:
    """Return a model of the encoder's modules followed by the head."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(modules=[*encoder, head], device=str(encoder.device))


def build(recipe: Recipe, origin: Origin, processes: int) -> ContrastObjective:
    """Build the objective, including the encoder."""
    return ContrastObjective(build_encoder(recipe.backbone, recipe.seed), recipe, processes)


def run(session: Session, objective: ContrastObjective, recipe: Recipe) -> None:
    """Train on the rows of all strategies together."""
    origin, joined = session.origin, _join(session)
    steps = recipe.steps or math.ceil(recipe.epochs * sum(origin.counts) / recipe.batch)
    feed = session.feed([*origin.rows("parallel", "text", "triplets"), *joined], recipe.batch, Drawer(recipe))
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


def _join(session: Session) -> list[tuple[Source, int]]:
    """Join the rows of NLI to triplets in ``training``, at every start."""
    joined = []
    for number, (source, count) in enumerate(session.origin.rows("nli")):
        file = session.out / "training" / f"triplets-{number}.tsv"
        with session.place.accelerator.main_process_first():
            if session.place.main:
                join_nli(source, file)
        joined.append((triplets_of(source, file), count))
    return joined


METHOD = Method(check, build, run)
