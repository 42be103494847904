"""What VMSST and its baselines have in common: a batch read by the semantic encoder, and InfoNCE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from retrofit.amr.losses import ranking_loss
from retrofit.bases.training.feed import Batch, Features
from retrofit.bases.training.objective import Group, Objective, gather_own_first, trained
from retrofit.bases.vmsst.feed import COLUMN, LANGUAGE
from retrofit.bases.vmsst.recipe import Recipe

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True, slots=True)
class Read:
    """A batch as the semantic encoder reads it; rows r and r + n are translations.

    Attributes:
        features: Ids and mask ``(2n, T)``.
        language: Numbers ``(2n,)``.
        pooled: Means of the token states ``(2n, d)``.
        mean: μ_sem ``(2n, k)``.
    """

    features: Features
    language: Tensor
    pooled: Tensor
    mean: Tensor


class PairsObjective(Objective):
    """What all methods have in common.

    Args:
        encoder: The semantic encoder, a linear map last.
        recipe: What to do.
    """

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe) -> None:
        super().__init__(encoder)
        self.recipe = recipe

    def groups(self) -> list[Group]:
        """Return all that is trained."""
        return [Group(trained(self), self.recipe.rate)]

    def read(self, batch: Batch) -> Read:
        """Run the semantic encoder."""
        features = dict(batch[COLUMN])
        language = features.pop(LANGUAGE)
        *body, mean = list(self.encoder)
        found = dict(features)
        for module in body:
            found = module(found)
        pooled = found["sentence_embedding"]
        return Read(features, language, pooled, wide(mean(found)["sentence_embedding"]))

    def contrast(self, mean: Tensor) -> Tensor:
        """Return InfoNCE of both directions, ``(L(x_i, x_j) + L(x_j, x_i)) / 2``, of vectors ``(2n, k)``.

        ``L(x, y) = - 1/n Σ_r log( exp(cos(x_r, y_r) / τ) / Σ_s exp(cos(x_r, y_s) / τ) )``
        """
        first, second = mean.chunk(2)
        both = (
            ranking_loss(one, gather_own_first(other), temperature=self.recipe.temperature)
            for one, other in ((first, second), (second, first))
        )
        return sum(both, mean.new_zeros(())) / 2


def wide(values: Tensor) -> Tensor:
    """Return float32 or wider, whatever the network computes in."""
    return values if values.dtype == torch.float64 else values.float()
