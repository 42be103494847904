"""Encode the information of a sentence that depends on its language, not its meaning."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, cast

from torch import Tensor, nn

from retrofit.training.bases.feed import Features
from retrofit.training.bases.vmsst.recipe import Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class LanguageEncoder(nn.Module):
    """q(z_lang | x): embeddings of piece plus language, transformer, mean, two linear maps.

    Args:
        model: Network of the semantic encoder; this one has the same kind and size.
        latent: Width of z_lang.
        languages: Number of languages.
        recipe: Sharing and initialisation of the encoders.
    """

    def __init__(self, model: PreTrainedModel, latent: int, languages: int, recipe: Recipe) -> None:
        super().__init__()
        width = int(model.config.hidden_size)
        self.own: nn.Module | None = None if recipe.latents.one_encoder else _sibling(model, recipe)
        self.language: nn.Embedding | None = None
        if recipe.latents.languages:
            self.language = nn.Embedding(languages, width)
            nn.init.normal_(self.language.weight, std=scale_of(model))
        self.mean, self.log_variance = nn.Linear(width, latent), nn.Linear(width, latent)

    def forward(self, model: PreTrainedModel, features: Features, language: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log-variance, ``(B, latent)`` each.

        Args:
            model: Network of the semantic encoder, with the embedding table; it may be shared.
            features: Ids and mask ``(B, T)``.
            language: Language indices ``(B,)``.
        """
        given = model.get_input_embeddings()(features["input_ids"])
        if self.language is not None:
            given = given + self.language(language)[:, None]
        network = model if self.own is None else self.own
        states = network(inputs_embeds=given, attention_mask=features["attention_mask"]).last_hidden_state
        mask = features["attention_mask"][..., None].to(states.dtype)  # (B, T, 1)
        pooled = (states * mask).sum(dim=1) / mask.sum(dim=1)
        return self.mean(pooled), self.log_variance(pooled)


def scale_of(model: PreTrainedModel) -> float:
    """Return the standard deviation of the embeddings of pieces."""
    return float(cast("Tensor", model.get_input_embeddings().weight).detach().std())


def _sibling(model: PreTrainedModel, recipe: Recipe) -> nn.Module:
    """Return a network of the same kind without embeddings of pieces, pretrained or random."""
    if recipe.backbone.start == "pretrained":
        other = copy.deepcopy(model)
    else:
        other = type(model)(copy.deepcopy(model.config))
        pooler = getattr(other, "pooler", None)
        if pooler is not None:  # unused, see `retrofit.training.bases.backbone`
            pooler.requires_grad_(False)
    other.set_input_embeddings(nn.Identity())  # the input is embeddings
    return other
