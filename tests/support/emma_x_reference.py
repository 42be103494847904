"""Emma-X's equations written out slowly, and drawn classifiers and vectors to try them on."""

from __future__ import annotations

import math

import numpy as np
import torch

from retrofit.training.bases.emma_x.ranks import Gaussians

N, WIDTH = 4, 3
TEMPERATURES = (0.3, 0.5, 0.9)


class Plain(torch.nn.Module):
    """Stands for an encoder: its vectors are given, and multiplied by its one weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(()))

    def get_embedding_dimension(self) -> int:
        return WIDTH

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": self.weight * features["vectors"]}


def unit(rows: int, seed: int) -> torch.Tensor:
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, WIDTH))
    return torch.tensor(values / np.linalg.norm(values, axis=1, keepdims=True))


def gaussians(seed: int = 0) -> Gaussians:
    """A mixture of drawn parameters, none of them where it starts."""
    module, random = Gaussians(N, WIDTH).double(), np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.tensor(random.normal(size=parameter.shape)))
    return module


def posterior_of_eq_5(module: Gaussians, gap: np.ndarray) -> list[float]:
    """Eq. 5 with products of densities, as it is printed."""
    prior = np.exp(module.prior.detach().numpy())
    prior /= prior.sum()
    joint = []
    for rank in range(N):
        density = 1.0
        for axis in range(WIDTH):
            deviation = math.exp(module.log_deviation[rank, axis].item())
            away = (gap[axis] - module.mean[rank, axis].item()) / deviation
            density *= math.exp(-0.5 * away**2) / (deviation * math.sqrt(2 * math.pi))
        joint.append(prior[rank] * density)
    return [value / sum(joint) for value in joint]


def ranking_of_eq_7(similarities: torch.Tensor, ranks: torch.Tensor) -> float:
    total = 0.0
    for i in range(len(similarities)):
        for rank, temperature in enumerate(TEMPERATURES, start=1):
            terms = [
                (int(ranks[i, j]), math.exp(similarities[i, j].item() / temperature))
                for j in range(similarities.shape[1])
            ]
            chosen = sum(value for found, value in terms if found == rank)
            if chosen:
                total -= math.log(chosen / sum(value for found, value in terms if found >= rank))
    return total / len(similarities)
