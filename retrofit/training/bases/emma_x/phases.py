"""The two phases as objectives of the training loop.

The rank classifier reads the encoder's vectors without sending a gradient back, so each of the two losses of
a phase trains its own half, and one backward pass takes both steps of the EM-like alternation.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from retrofit.training.amr.losses import ranking_loss
from retrofit.training.bases.emma_x.ranks import Gaussians, Network, RankMeans
from retrofit.training.bases.emma_x.recipe import Pairs, Ranks, Text
from retrofit.training.bases.feed import Batch
from retrofit.training.bases.objective import (
    Group,
    Objective,
    Terms,
    embed,
    full_precision,
    gather_own_first,
    trained,
)

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def mix(second: Tensor, other: Tensor, share: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return mixtures of a translation and an unrelated sentence, and their ranks (Eqs. 3, 4).

    ``ỹ = (1 - λ) γ(y) + λ γ(y⁻)`` and ``r = ⌈(1 - λ) · 1 + λ · N⌉``

    Args:
        second: γ(y), ``(n, d)``.
        other: γ(y⁻), ``(n, d)``.
        share: λ of every row, in 0..1, ``(n,)``.
        count: N.

    Example:
        >>> share = torch.tensor([0.0, 0.2, 0.5, 0.9, 1.0])
        >>> mix(torch.zeros(5, 1), torch.ones(5, 1), share, 4)[1].tolist()
        [1, 2, 3, 4, 4]
    """
    part = share[:, None]
    ranks = torch.ceil((1 - share) + share * count).long().clamp(1, count)  # (n,)
    return (1 - part) * second + part * other, ranks


def rank_likelihood(posterior: Tensor, ranks: Tensor) -> Tensor:
    """Return ``- mean log P(r | x, y)``; 0 where there is no pair (Eqs. 3, 6).

    Args:
        posterior: Log-probabilities ``(..., N)``.
        ranks: 1 to N, ``(...)``.
    """
    chosen = posterior.gather(-1, (ranks - 1)[..., None])
    return -chosen.sum() / max(1, chosen.numel())


def ranking_info_nce(similarities: Tensor, ranks: Tensor, temperatures: Sequence[float]) -> Tensor:
    """Return the ranking InfoNCE of anchors against the sentences they meet (Eq. 7; Hoffmann et al. 2022).

    ``- 1/n Σ_i Σ_{r < N} log( Σ_{j: r_ij = r} exp(s_ij / τ_r) / Σ_{j: r_ij >= r} exp(s_ij / τ_r) )``

    A rank that no sentence has for an anchor contributes nothing to it.

    Args:
        similarities: s, ``(n, m)``.
        ranks: 1 to N, ``(n, m)``.
        temperatures: τ_1 to τ_{N-1}.
    """
    loss = similarities.new_zeros(())
    if similarities.numel() == 0:
        return loss + similarities.sum()  # keeps the graph
    for rank, temperature in enumerate(temperatures, start=1):
        scaled = similarities / temperature
        chosen, rivals = ranks == rank, ranks >= rank  # (n, m)
        gap = _log_sum(scaled, rivals) - _log_sum(scaled, chosen)  # (n,)
        loss = loss + torch.where(chosen.any(dim=1), gap, 0.0).sum()
    return loss / len(similarities)


def _log_sum(values: Tensor, mask: Tensor) -> Tensor:
    """Return log Σ exp over what the mask keeps; it and its gradient are finite even over nothing."""
    return values.masked_fill(~mask, torch.finfo(values.dtype).min).logsumexp(dim=1)


class PairsObjective(Objective):
    """Phase 1: InfoNCE for the encoder, likelihood of real and mixed-up pairs for the rank classifier.

    Args:
        encoder: γ, of unit vectors.
        ranks: The rank classifier.
        count: N.
        recipe: Temperature and rates.
    """

    def __init__(
        self, encoder: SentenceTransformer, ranks: Gaussians | Network, count: int, recipe: Pairs
    ) -> None:
        super().__init__(encoder)
        self.ranks, self.count, self.recipe = ranks, count, recipe

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``contrast`` (Eq. 2) and ``ranks`` (Eqs. 3, 4) of columns ``anchor`` and ``positive``."""
        first, second = embed(self.encoder, batch["anchor"]), embed(self.encoder, batch["positive"])
        with full_precision(first.device):
            return self.terms(first, second, torch.rand(len(first), device=first.device))

    def terms(self, first: Tensor, second: Tensor, share: Tensor) -> Terms:
        """Return the losses of unit vectors ``(n, d)`` of translations.

        Every translation is a pair of rank 1; mixed with the translation of the next row by λ = ``share`` it
        is a pair of the rank that Eq. 4 gives.
        """
        rivals = gather_own_first(second)  # (n · processes, d)
        contrast = ranking_loss(first, rivals, temperature=self.recipe.temperature)
        x, y = first.detach(), second.detach()
        mixed, mixed_ranks = mix(y, y.roll(-1, dims=0), share.to(y.dtype), self.count)
        posterior = self.ranks.aligned(torch.cat([x, x]), torch.cat([y, mixed]))
        ranks = rank_likelihood(posterior, torch.cat([torch.ones_like(mixed_ranks), mixed_ranks]))
        return {"contrast": contrast, "ranks": ranks, "total": contrast + ranks}

    def groups(self) -> list[Group]:
        """Return encoder and classifier."""
        rates = self.recipe
        return [Group(trained(self.encoder), rates.encoder), Group(trained(self.ranks), rates.classifier)]


class TextObjective(Objective):
    """Phase 2: encoder and rank classifier teach each other on sentences that are not parallel.

    The queue holds the momentum encoder's vectors of the last sentences, those of the batch among them: as in
    the published code an anchor meets itself too, the one paraphrase that is sure to be there. Where it does
    not, no pair keeps rank 1, all are pushed apart, and translations with them. A batch larger
    than the queue leaves its last sentences there. With several processes the queue holds the sentences of
    all of them, and the means follow those of the first.

    Args:
        encoder: γ, of unit vectors, after phase 1.
        ranks: The rank classifier, after phase 1.
        settings: Of the ranks.
        recipe: Queue, momentum, temperatures and rates.
    """

    queue: Tensor
    filled: Tensor

    def __init__(
        self, encoder: SentenceTransformer, ranks: Gaussians | Network, settings: Ranks, recipe: Text
    ) -> None:
        super().__init__(encoder)
        self.ranks, self.recipe = ranks, recipe
        self.means = RankMeans(settings.count, settings.follow)
        self.momentum: nn.Module = copy.deepcopy(encoder).requires_grad_(False)
        width = encoder.get_embedding_dimension()
        self.register_buffer("queue", torch.zeros(recipe.queue, width or 0))
        self.register_buffer("filled", torch.zeros((), dtype=torch.long))

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``ranking`` (Eq. 7) and ``ranks`` (Eq. 6) of the column ``text``; fill the queue."""
        anchors = embed(self.encoder, batch["text"])
        with torch.no_grad():
            self.follow()
            keys = embed(self.momentum, batch["text"])
        self.push(gather_own_first(keys).detach())
        with full_precision(anchors.device):
            return self.terms(anchors, self.queue[: int(self.filled)].clone())

    def terms(self, anchors: Tensor, met: Tensor) -> Terms:
        """Return the losses of anchors ``(n, d)`` that meet the vectors ``(m, d)``; move the means s_r."""
        similarities = anchors @ met.T  # (n, m)
        posterior = self.ranks.crossed(anchors.detach(), met)  # (n, m, N)
        by_classifier = posterior.argmax(dim=-1) + 1  # Eq. 9
        by_encoder = self.means.nearest(similarities.detach())  # Eqs. 10, 11
        ranking = ranking_info_nce(similarities, by_classifier, self.recipe.temperatures)
        ranks = rank_likelihood(posterior, by_encoder)
        self.means.update(similarities.detach(), by_classifier)
        return {"ranking": ranking, "ranks": ranks, "total": ranking + ranks}

    @torch.no_grad()
    def follow(self) -> None:
        """Move the momentum encoder towards the encoder."""
        for slow, fast in zip(self.momentum.parameters(), self.encoder.parameters(), strict=True):
            slow.lerp_(fast, 1 - self.recipe.momentum)

    @torch.no_grad()
    def push(self, keys: Tensor) -> None:
        """Put vectors into the queue in place of the oldest ones; they stand oldest first."""
        held = torch.cat([self.queue[: int(self.filled)], keys])[-len(self.queue) :]
        self.queue[: len(held)] = held
        self.filled.fill_(len(held))

    def groups(self) -> list[Group]:
        """Return encoder and classifier; the momentum encoder has no gradient."""
        rates = self.recipe
        return [Group(trained(self.encoder), rates.encoder), Group(trained(self.ranks), rates.classifier)]
