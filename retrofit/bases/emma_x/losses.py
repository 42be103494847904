"""The losses of Emma-X as functions of vectors and ranks; every one is a mean over anchors or pairs."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


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
