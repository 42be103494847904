"""mSimCSE's loss, sentence-transformers' own, as an objective of the training loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from retrofit.training.bases.feed import Batch
from retrofit.training.bases.msimcse.recipe import Recipe
from retrofit.training.bases.objective import Group, Objective, Terms, trained

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

COLUMNS = ("anchor", "positive", "negative")


class ContrastObjective(Objective):
    """MultipleNegativesRankingLoss: every other positive and every hard negative of the batch is a negative.

    ``- 1/n Σ_i log( exp(cos(a_i, p_i) / τ) / Σ_j [ exp(cos(a_i, p_j) / τ) + exp(cos(a_i, n_j) / τ) ] )``

    The losses are sentence-transformers', with ``scale`` = 1/τ, cached or not; its trainer is not used, see
    `retrofit.training.bases.loop`.

    Args:
        encoder: What is trained.
        recipe: Temperature, mini-batch and rate.
        processes: How many share a batch; each meets the sentences of all.
    """

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe, processes: int = 1) -> None:
        super().__init__(encoder)
        from sentence_transformers.sentence_transformer import losses

        scale, gather = 1 / recipe.temperature, processes > 1
        loss: nn.Module
        if recipe.mini_batch:
            loss = losses.CachedMultipleNegativesRankingLoss(
                encoder, scale=scale, mini_batch_size=recipe.mini_batch, gather_across_devices=gather
            )
        else:
            loss = losses.MultipleNegativesRankingLoss(encoder, scale=scale, gather_across_devices=gather)
        # not as a submodule: it holds the encoder, whose weights a checkpoint would then name twice
        self._loss = (loss,)
        self.recipe = recipe

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``contrast`` of the columns ``anchor``, ``positive`` and, if it is there, ``negative``."""
        columns = [dict(batch[name]) for name in COLUMNS if name in batch]
        contrast = self._loss[0](columns, None)
        return {"contrast": contrast, "total": contrast}

    def groups(self) -> list[Group]:
        """Return the encoder."""
        return [Group(trained(self.encoder), self.recipe.encoder)]
