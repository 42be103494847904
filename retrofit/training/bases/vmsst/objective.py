"""Define VMSST, BiTranslation and Contrastive as objectives of the training loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from amrx.device import seeded
from retrofit.training.amr.losses import ranking_loss
from retrofit.training.bases.feed import LANGUAGE, PAIRS, Batch, Features
from retrofit.training.bases.objective import (
    Group,
    Objective,
    Terms,
    full_precision,
    gather_own_first,
    trained,
)
from retrofit.training.bases.vmsst.network import build_decoder, build_language, states_of
from retrofit.training.bases.vmsst.recipe import Recipe

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True, slots=True)
class Read:
    """A batch and its encoding by the semantic encoder; rows r and r + n are translations."""

    features: Features  # ids and mask ``(2n, T)``
    language: Tensor  # language indices ``(2n,)``
    pooled: Tensor  # means of the token states ``(2n, d)``
    mean: Tensor  # μ_sem ``(2n, k)``


class PairsObjective(Objective):
    """Common part of all methods; the semantic encoder ends with a linear map."""

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe) -> None:
        super().__init__(encoder)
        self.recipe = recipe

    def groups(self) -> list[Group]:
        """Return all trained parameters."""
        return [Group(trained(self), self.recipe.rate)]

    def read(self, batch: Batch) -> Read:
        """Run the semantic encoder."""
        features = dict(batch[PAIRS])
        language = features.pop(LANGUAGE)
        *body, mean = list(self.encoder)
        states = dict(features)
        for module in body:
            states = module(states)
        pooled = states["sentence_embedding"]
        return Read(features, language, pooled, wide(mean(states)["sentence_embedding"]))

    def contrast(self, mean: Tensor) -> Tensor:
        """Return InfoNCE of both directions, ``(L(x_i, x_j) + L(x_j, x_i)) / 2``, of vectors ``(2n, k)``.

        ``L(x, y) = - 1/n Σ_r log( exp(sim(x_r, y_r) / τ) / Σ_s exp(sim(x_r, y_s) / τ) )``, where sim is the
        plain dot product (section 6.3), or the cosine, by the recipe.
        """
        first, second = mean.chunk(2)
        rank = ranking_loss if self.recipe.similarity == "cosine" else dot_ranking_loss
        both = (
            rank(one, gather_own_first(other), temperature=self.recipe.temperature)
            for one, other in ((first, second), (second, first))
        )
        return sum(both, mean.new_zeros(())) / 2


def dot_ranking_loss(anchors: Tensor, candidates: Tensor, *, temperature: float) -> Tensor:
    """Return `ranking_loss` with dot products in place of cosines.

    Example:
        >>> x = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
        >>> round(dot_ranking_loss(x, x, temperature=1.0).item(), 4)  # log(1 + exp(-4))
        0.0181
    """
    scores = anchors @ candidates.T / temperature  # (n, m)
    return functional.cross_entropy(scores, torch.arange(len(anchors), device=anchors.device))


def wide(values: Tensor) -> Tensor:
    """Return the tensor in at least float32."""
    return values if values.dtype == torch.float64 else values.float()


class ContrastObjective(PairsObjective):
    """Contrastive: translations are more similar than other pairs of the batch."""

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``contrast``."""
        read = self.read(batch)
        with full_precision(read.mean.device):
            contrast = self.contrast(read.mean)
        return {"contrast": contrast, "total": contrast}


class TranslationObjective(PairsObjective):
    """BiTranslation: each sentence is decoded from the vector of its translation.

    Terms are sums over a batch, in nats, divided by the number of pieces of its sentences, so that their
    ratios are as in the sums printed in the paper.

    ``others`` is the width of the decoder's latents besides z_sem.
    """

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe, languages: int, others: int = 0) -> None:
        super().__init__(encoder, recipe)
        self.latent = encoder.get_embedding_dimension() or 0
        self.others = others
        self.skip = int(encoder.tokenizer.cls_token_id is not None)  # the decoder need not write that token
        self.decoder = build_decoder(states_of(encoder), self.latent + others, languages, recipe)

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``translation``."""
        translation = self.translation(self.read(batch))
        return {"translation": translation, "total": translation}

    def translation(self, read: Read) -> Tensor:
        """Return ``- log p(x_i | μ_sem(x_j)) - log p(x_j | μ_sem(x_i))``; z_lang is 0, its prior mean."""
        other = read.mean.roll(len(read.mean) // 2, dims=0)  # row r has the vector of its translation
        return self.written(read, torch.cat([other, other.new_zeros(len(other), self.others)], dim=1))

    def written(self, read: Read, z: Tensor) -> Tensor:
        """Return ``- log p(x | z)`` of all sentences, latents ``(2n, k + others)``, per piece."""
        target, mask = (read.features[key][:, self.skip :] for key in ("input_ids", "attention_mask"))
        table = states_of(self.encoder).get_input_embeddings()
        total: Tensor = self.decoder(table, target, mask.bool(), read.language, z)
        return total / self.pieces(read)

    def pieces(self, read: Read) -> Tensor:
        """Return the number of pieces that the decoder writes for a batch."""
        return read.features["attention_mask"][:, self.skip :].sum()


class VariationalObjective(TranslationObjective):
    """VMSST; see the package for the terms."""

    def __init__(self, encoder: SentenceTransformer, recipe: Recipe, languages: int) -> None:
        super().__init__(encoder, recipe, languages, others=encoder.get_embedding_dimension() or 0)
        model = states_of(encoder)
        self.language = build_language(model, self.latent, languages, recipe)
        with seeded(recipe.seed + 3):
            self.log_variance = nn.Linear(int(model.config.hidden_size), self.latent)

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``translation``, ``reconstruction``, ``kl`` and, if it has a weight, ``contrast``."""
        read = self.read(batch)
        n = len(read.mean) // 2
        semantic = torch.randn(n, self.latent, device=read.mean.device, dtype=read.mean.dtype)
        language = torch.randn(2 * n, self.latent, device=read.mean.device, dtype=read.mean.dtype)
        return self.terms(read, semantic, language, self.recipe.latents.kl_weight(step))

    def terms(self, read: Read, semantic: Tensor, language: Tensor, kl_weight: float) -> Terms:
        """Return the losses for drawn standard normal noise of z_sem ``(n, k)`` and z_lang ``(2n, k)``.

        In every other pair z_sem is inferred from the second side.
        """
        n, model = len(semantic), states_of(self.encoder)
        row = torch.arange(n, device=semantic.device)
        source = row + n * (row % 2)
        of_semantic = read.mean[source], self.log_variance(read.pooled[source])  # (n, k) each
        # (2n, k) each
        of_language: tuple[Tensor, Tensor] = self.language(model, read.features, read.language)
        z_semantic, z_language = draw(*of_semantic, semantic), draw(*of_language, language)
        reconstruction = self.written(read, torch.cat([z_semantic.repeat(2, 1), z_language], dim=1))
        translation = self.translation(read)
        with full_precision(semantic.device):
            divergence = kl(*map(wide, of_semantic)) + kl(*map(wide, of_language))
            divergence = divergence / self.pieces(read)
            terms = {"translation": translation, "reconstruction": reconstruction, "kl": divergence}
            bound = reconstruction + kl_weight * divergence
            terms["total"] = self.recipe.vmsst * (translation + self.recipe.elbo * bound)
            if self.recipe.contrast:
                terms["contrast"] = self.contrast(read.mean)
                terms["total"] = terms["total"] + self.recipe.contrast * terms["contrast"]
        return terms


def draw(mean: Tensor, log_variance: Tensor, noise: Tensor) -> Tensor:
    """Return ``μ + σ ε``."""
    return mean + torch.exp(0.5 * log_variance) * noise


def kl(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Return ``KL(N(μ, σ²) || N(0, 1)) = ½ Σ (μ² + σ² - 1 - log σ²)``, summed over all rows.

    Example:
        >>> kl(torch.tensor([[1.0, 0.0]]), torch.zeros(1, 2)).item()
        0.5
    """
    return 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum()


def build_objective(
    encoder: SentenceTransformer, recipe: Recipe, languages: int
) -> ContrastObjective | TranslationObjective | VariationalObjective:
    """Return the objective of the recipe's method."""
    if recipe.method == "contrastive":
        return ContrastObjective(encoder, recipe)
    if recipe.method == "bitranslation":
        return TranslationObjective(encoder, recipe, languages)
    return VariationalObjective(encoder, recipe, languages)
