"""Define the two phases, and the step between them, as objectives of the training loop.

The rank classifier reads the encoder's vectors without gradient, so each of the two losses of a phase trains
only one of them, and one backward pass performs both steps of the EM-like alternation.
"""

from __future__ import annotations

import copy
import math
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

    ``second`` is γ(y) and ``other`` γ(y⁻), ``(n, d)``; ``share`` is λ, ``(n,)``; ``count`` is N.

    Example:
        >>> share = torch.tensor([0.0, 0.2, 0.5, 0.9, 1.0])
        >>> mix(torch.zeros(5, 1), torch.ones(5, 1), share, 4)[1].tolist()
        [1, 2, 3, 4, 4]
    """
    part = share[:, None]
    ranks = torch.ceil((1 - share) + share * count).long().clamp(1, count)  # (n,)
    return (1 - part) * second + part * other, ranks


def rank_examples(first: Tensor, second: Tensor, share: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return both sides ``(3n, d)`` and the ranks ``(3n,)`` of the pairs of Eq. 4's three terms.

    Translations (x, y) have rank 1, unrelated sentences (x, y') rank N, mixtures (x, ỹ) that of Eq. 3.
    y' is the translation of the next row, which is also used in the mixture.
    """
    other = second.roll(-1, dims=0)
    mixed, mixed_ranks = mix(second, other, share.to(second.dtype), count)
    highest = torch.ones_like(mixed_ranks)
    ranks = torch.cat([highest, highest * count, mixed_ranks])
    return first.repeat(3, 1), torch.cat([second, other, mixed]), ranks


def rank_likelihood(posterior: Tensor, ranks: Tensor) -> Tensor:
    """Return ``- mean log P(r | x, y)`` over the pairs that have a rank; 0 if there are none (Eqs. 4, 6).

    ``posterior`` are log-probabilities ``(..., N)``; rank 0 ignores a pair.
    """
    chosen = posterior.gather(-1, (ranks - 1).clamp(min=0)[..., None])[..., 0]
    ranked = ranks > 0
    return -chosen[ranked].sum() / ranked.sum().clamp(min=1)


def ranking_info_nce(similarities: Tensor, ranks: Tensor, temperatures: Sequence[float]) -> Tensor:
    """Return the ranking InfoNCE of anchors and compared sentences (Eq. 7; Hoffmann et al. 2022).

    ``- 1/n Σ_i Σ_{r < N} log( Σ_{j: r_ij = r} exp(s_ij / τ_r) / Σ_{j: r_ij >= r} exp(s_ij / τ_r) )``

    A rank without sentences is skipped for an anchor, because it would be the logarithm of 0.

    Ranks ``(n, m)`` are 1 to N, or 0 for a sentence that is not compared with the anchor.
    """
    loss = similarities.new_zeros(())
    if similarities.numel() == 0:
        return loss + similarities.sum()  # keep the computation graph
    for rank, temperature in enumerate(temperatures, start=1):
        scaled = similarities / temperature
        chosen, rivals = ranks == rank, ranks >= rank  # (n, m)
        gap = _log_sum(scaled, rivals) - _log_sum(scaled, chosen)  # (n,)
        loss = loss + torch.where(chosen.any(dim=1), gap, 0.0).sum()
    return loss / len(similarities)


def _log_sum(values: Tensor, mask: Tensor) -> Tensor:
    """Return log Σ exp over the masked values; value and gradient are finite even for an empty mask."""
    return values.masked_fill(~mask, torch.finfo(values.dtype).min).logsumexp(dim=1)


class PairsObjective(Objective):
    """Phase 1: InfoNCE for the encoder, likelihood of pairs of known rank for the classifier."""

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
        """Return the losses for unit vectors ``(n, d)`` of translations, mixed with λ = ``share``.

        ``ranks`` is the mean over the 3n pairs of Eq. 4.
        """
        rivals = gather_own_first(second)  # (n · processes, d)
        contrast = ranking_loss(first, rivals, temperature=self.recipe.temperature)
        one, other, labels = rank_examples(first.detach(), second.detach(), share, self.count)
        ranks = rank_likelihood(self.ranks.aligned(one, other), labels)
        return {"contrast": contrast, "ranks": ranks, "total": contrast + ranks}

    def groups(self) -> list[Group]:
        """Return the parameters of encoder and classifier."""
        rates = self.recipe
        return [Group(trained(self.encoder), rates.encoder), Group(trained(self.ranks), rates.classifier)]


class RanksObjective(Objective):
    """Between the phases: train only the rank classifier, on the encoder of phase 1 (Eq. 4).

    As in the released code, phase 2 starts from a classifier trained on a frozen encoder, and from means s_r
    over pairs of known rank.
    """

    loss: Tensor
    similarities: Tensor
    pairs: Tensor

    def __init__(self, encoder: SentenceTransformer, ranks: Gaussians | Network, settings: Ranks) -> None:
        super().__init__(encoder)
        self.ranks, self.settings = ranks, settings
        self.register_buffer("loss", torch.zeros(2, dtype=torch.float64))  # sum and steps
        self.register_buffer("similarities", torch.zeros(settings.count, dtype=torch.float64))
        self.register_buffer("pairs", torch.zeros(settings.count, dtype=torch.float64))

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``ranks`` (Eq. 4) of columns ``anchor`` and ``positive``."""
        with torch.no_grad():
            first, second = embed(self.encoder, batch["anchor"]), embed(self.encoder, batch["positive"])
        with full_precision(first.device):
            return self.terms(first, second, torch.rand(len(first), device=first.device), step)

    def terms(self, first: Tensor, second: Tensor, share: Tensor, step: int) -> Terms:
        """Return the loss of the pairs of Eq. 4; add up cosines by rank, and losses of the second half."""
        one, other, labels = rank_examples(first, second, share, self.settings.count)
        ranks = rank_likelihood(self.ranks.aligned(one, other), labels)
        cosines = torch.cosine_similarity(one, other).double()  # a mixture does not have length 1
        self.similarities += torch.zeros_like(self.similarities).index_add_(0, labels - 1, cosines)
        self.pairs += torch.bincount(labels - 1, minlength=self.settings.count)
        if step >= self.settings.steps // 2:
            self.loss += torch.stack([ranks.detach().double(), torch.ones_like(self.loss[1])])
        return {"ranks": ranks, "total": ranks}

    @property
    def means(self) -> Tensor:
        """Return the mean cosine of the pairs of each rank, ``(N,)``: the initial s_r of phase 2 (Eq. 10)."""
        return self.similarities / self.pairs

    def groups(self) -> list[Group]:
        """Return the parameters of the classifier."""
        return [Group(trained(self.ranks), self.settings.rate)]


def prior_nats(count: int) -> float:
    """Return the loss of Eq. 4 for a constant classifier that predicts the shares of the ranks.

    λ is uniform, so a mixture has each rank except the first with the same probability: for N = 4 the shares
    are 1/3, 1/9, 1/9, 4/9, and the ratio of paraphrases to unrelated pairs is 3 : 4.

    Example:
        >>> round(prior_nats(4), 4)
        1.2149
    """
    mixed = 1 / (3 * (count - 1))
    shares = [1 / 3, *[mixed] * (count - 2), 1 / 3 + mixed]
    return -sum(share * math.log(share) for share in shares)


class TextObjective(Objective):
    """Phase 2: encoder and rank classifier train each other on sentences that are not parallel.

    An anchor is compared with the momentum encoder's vectors of the other sentences of its batch, of all
    processes, and with those of earlier batches in the queue. As in the released code its own vector is
    masked out; the paper says only "a queue of random sentences". The means are updated from the pairs of the
    first process.

    Encoder and classifier are those after phase 1. Without ``means`` s_r starts at the paper's r/N.
    """

    queue: Tensor
    filled: Tensor

    def __init__(
        self,
        encoder: SentenceTransformer,
        ranks: Gaussians | Network,
        settings: Ranks,
        recipe: Text,
        means: Tensor | None = None,
    ) -> None:
        super().__init__(encoder)
        self.ranks, self.recipe = ranks.requires_grad_(recipe.ranks == "mutual"), recipe
        self.means = RankMeans(settings.count, settings.follow, means)
        self.momentum: nn.Module = copy.deepcopy(encoder).requires_grad_(False)
        width = encoder.get_embedding_dimension()
        self.register_buffer("queue", torch.zeros(recipe.queue, width or 0))
        self.register_buffer("filled", torch.zeros((), dtype=torch.long))

    def forward(self, batch: Batch, step: int) -> Terms:
        """Return ``ranking`` (Eq. 7) and ``ranks`` (Eq. 6) of the column ``text``; fill the queue."""
        anchors = embed(self.encoder, batch["text"])
        with torch.no_grad():
            self.follow()
            keys = gather_own_first(embed(self.momentum, batch["text"]))
        candidates = torch.cat([keys, self.queue[: int(self.filled)]])
        self.push(keys)
        with full_precision(anchors.device):
            return self.terms(anchors, candidates)

    def terms(self, anchors: Tensor, candidates: Tensor) -> Terms:
        """Return the losses of anchors ``(n, d)`` compared with vectors ``(m, d)``; update the means s_r.

        Row i of ``candidates`` is the vector of anchor i itself, which is ignored.
        """
        similarities = anchors @ candidates.T  # (n, m)
        own = torch.eye(*similarities.shape, dtype=torch.bool, device=candidates.device)
        if self.recipe.ranks == "none":
            alone = torch.where(own, 1, len(self.means.mean))
            ranking = ranking_info_nce(similarities, alone, self.recipe.temperatures)
            return {"ranking": ranking, "total": ranking}
        posterior = self.ranks.crossed(anchors.detach(), candidates)  # (n, m, N)
        by_classifier = (posterior.argmax(dim=-1) + 1).masked_fill(own, 0)  # Eq. 9
        by_encoder = self.means.nearest(similarities.detach()).masked_fill(own, 0)  # Eqs. 10, 11
        ranking = ranking_info_nce(similarities, by_classifier, self.recipe.temperatures)
        ranks = rank_likelihood(posterior, by_encoder)
        self.means.update(similarities.detach(), by_classifier)
        return {"ranking": ranking, "ranks": ranks, "total": ranking + ranks}

    @torch.no_grad()
    def follow(self) -> None:
        """Update the momentum encoder towards the encoder."""
        for slow, fast in zip(self.momentum.parameters(), self.encoder.parameters(), strict=True):
            slow.lerp_(fast, 1 - self.recipe.momentum)

    @torch.no_grad()
    def push(self, keys: Tensor) -> None:
        """Replace the oldest vectors of the queue."""
        held = torch.cat([self.queue[: int(self.filled)], keys])[-len(self.queue) :]
        self.queue[: len(held)] = held
        self.filled.fill_(len(held))

    def groups(self) -> list[Group]:
        """Return the parameters of the encoder and, unless it is fixed, of the classifier."""
        rates = self.recipe
        both = [Group(trained(self.encoder), rates.encoder), Group(trained(self.ranks), rates.classifier)]
        return both if rates.ranks == "mutual" else both[:1]
