"""Define the rank classifier: P(r | x, y) over the ranks 1..N of similarity, 1 being a paraphrase.

Every classifier returns log-probabilities, of rank r at index r - 1, in two forms: ``aligned`` for row i of
one side with row i of the other, ``crossed`` for every row of one side with every row of the other.
"""

import torch
from torch import Tensor, nn

from amrx.device import seeded
from retrofit.training.bases.emma_x.recipe import Ranks


class Gaussians(nn.Module):
    """A mixture of one Gaussian per rank over the difference of the vectors (Eq. 5).

    ``P(r | x, y) = π_r N(γ(x) - γ(y); μ_r, σ_r) / Σ_j π_j N(γ(x) - γ(y); μ_j, σ_j)``, σ_r diagonal. It is
    computed from ``log π_r - Σ log σ_r - |(δ - μ_r) / σ_r|² / 2`` (App. G); terms equal for all ranks
    cancel. Priors, means and log σ are trained.

    The initial values, which are our choice, assume cosines spread evenly over the ranks, rank 1 highest:
    unit vectors of cosine c have ``|x - y|² = 2 (1 - c)``, so μ_r = 0 and ``σ_r² = (2r - 1) / (N d)``.
    """

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        variances = torch.tensor([(2 * rank - 1) / (count * width) for rank in range(1, count + 1)])
        self.prior = nn.Parameter(torch.zeros(count))
        self.mean = nn.Parameter(torch.zeros(count, width))
        self.log_deviation = nn.Parameter(0.5 * variances.log()[:, None].repeat(1, width))

    def aligned(self, first: Tensor, second: Tensor) -> Tensor:
        """Return ``(n, N)`` for ``(n, d)`` and ``(n, d)``."""
        gaps = (first - second)[:, None] - self.mean  # (n, N, d)
        return self._posterior((gaps * torch.exp(-self.log_deviation)).square().sum(dim=-1))

    def crossed(self, first: Tensor, second: Tensor) -> Tensor:
        """Return ``(n, m, N)`` for ``(n, d)`` and ``(m, d)``, without an array of ``(n, m, d)``."""
        distances = []
        for mean, scale in zip(self.mean, torch.exp(-self.log_deviation), strict=True):
            exact = "donot_use_mm_for_euclid_dist"
            distances.append(torch.cdist(first * scale, (second + mean) * scale, compute_mode=exact).square())
        return self._posterior(torch.stack(distances, dim=-1))

    def _posterior(self, distance: Tensor) -> Tensor:
        """Return log-probabilities of squared distances in units of σ, ``(..., N)``."""
        density = -0.5 * distance - self.log_deviation.sum(dim=-1)
        return (self.prior.log_softmax(dim=0) + density).log_softmax(dim=-1)


class Network(nn.Module):
    """The ablation's fully connected classifier: one hidden layer over both vectors, concatenated."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, width, bias=False)  # the other half of one layer over [x; y]
        self.out = nn.Linear(width, count)

    def aligned(self, first: Tensor, second: Tensor) -> Tensor:
        """Return ``(n, N)`` for ``(n, d)`` and ``(n, d)``."""
        return self._posterior(self.first(first) + self.second(second))

    def crossed(self, first: Tensor, second: Tensor) -> Tensor:
        """Return ``(n, m, N)`` for ``(n, d)`` and ``(m, d)``."""
        return self._posterior(self.first(first)[:, None] + self.second(second)[None])

    def _posterior(self, hidden: Tensor) -> Tensor:
        scores: Tensor = self.out(torch.tanh(hidden))
        return scores.log_softmax(dim=-1)


def build_ranks(recipe: Ranks, width: int, seed: int) -> Gaussians | Network:
    """Return the untrained classifier."""
    if recipe.kind == "gaussian":
        return Gaussians(recipe.count, width)
    with seeded(seed):
        return Network(recipe.count, width)


class RankMeans(nn.Module):
    """The running mean similarity s_r of each rank, and the rank with the nearest mean (Eqs. 10, 11).

    The paper prints the initial value ``s_r = r / N``, with which rank 1 would be the least similar; but rank
    1 is the paraphrase, so it is ``s_r = (N + 1 - r) / N`` here: 1 for rank 1, 1 / N for rank N. The released
    code calibrates the means before phase 2; ``start`` takes such means.

    The means are updated with the similarities of the pairs that the *classifier* assigned to a rank, as in
    the published code; with their own ranks they would learn nothing from it.

    NaN in ``start`` ``(N,)`` gives the initial value above; ``follow`` is the share of the old mean that is
    kept.
    """

    mean: Tensor

    def __init__(self, count: int, follow: float, start: Tensor | None = None) -> None:
        super().__init__()
        mean = torch.tensor([(count + 1 - rank) / count for rank in range(1, count + 1)])
        if start is not None:
            mean = torch.where(start.isnan().cpu(), mean, start.cpu().float())
        self.register_buffer("mean", mean)
        self.follow = follow

    def nearest(self, similarities: Tensor) -> Tensor:
        """Return for each similarity the rank, from 1, with the nearest mean (Eq. 10)."""
        return (similarities[..., None] - self.mean).abs().argmin(dim=-1) + 1

    @torch.no_grad()
    def update(self, similarities: Tensor, ranks: Tensor) -> None:
        """Move each mean towards the mean similarity of its rank; an empty rank stays (Eq. 11)."""
        for index in range(len(self.mean)):
            chosen = similarities[ranks == index + 1]
            if chosen.numel():
                self.mean[index] = self.follow * self.mean[index] + (1 - self.follow) * chosen.mean()
