"""Define the loss of mSimCSE, that of sentence-transformers, as an objective of the training loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import nn

from amrx.device import seeded
from retrofit.training.bases.feed import Batch
from retrofit.training.bases.msimcse.recipe import Recipe
from retrofit.training.bases.objective import Group, Objective, Terms, trained

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense

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
