"""Eq. 1 four times in float64: by its formula, ours, sentence-transformers', and its cached form."""

import math

import pytest
import torch
from torch import nn

from retrofit.training.amr.losses import ranking_loss

TRIPLETS, WIDTH, TEMPERATURE = 7, 5, 0.05


class Linear(nn.Module):
    """Stands for a SentenceTransformer: a matrix over given features."""

    def __init__(self) -> None:
        super().__init__()
        made = torch.Generator().manual_seed(9)
        self.matrix = nn.Parameter(torch.randn(WIDTH, 4, generator=made, dtype=torch.float64))

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": features["input_ids"] @ self.matrix}


def sides() -> list[torch.Tensor]:
    """Premises, entailments near them, contradictions."""
    made = torch.Generator().manual_seed(1)
    premise, noise, other = torch.randn(3, TRIPLETS, WIDTH, generator=made, dtype=torch.float64)
    return [premise, premise + 0.3 * noise, other]


def by_formula(model: Linear) -> float:
    """Eq. 1 with loops: every entailment and every contradiction of the batch in the denominator."""
    a, p, n = (model({"input_ids": side})["sentence_embedding"].detach().tolist() for side in sides())

    def similarity(one: list[float], other: list[float]) -> float:
        dot = sum(x * y for x, y in zip(one, other, strict=True))
        return dot / math.sqrt(sum(x * x for x in one)) / math.sqrt(sum(y * y for y in other))

    total = 0.0
    for i in range(TRIPLETS):
        top = math.exp(similarity(a[i], p[i]) / TEMPERATURE)
        below = sum(
            math.exp(similarity(a[i], p[j]) / TEMPERATURE) + math.exp(similarity(a[i], n[j]) / TEMPERATURE)
            for j in range(TRIPLETS)
        )
        total -= math.log(top / below)
    return total / TRIPLETS


def value_and_gradient(name: str) -> tuple[float, torch.Tensor]:
    from sentence_transformers.sentence_transformer.losses import (
        CachedMultipleNegativesRankingLoss,
        MultipleNegativesRankingLoss,
    )

    matrix = Linear()
    model = nn.Sequential(matrix)  # theirs look at the first module
    features = [{"input_ids": side} for side in sides()]
    if name == "ours":
        premise, entailed, contradicted = (model(own)["sentence_embedding"] for own in features)
        candidates = torch.cat([entailed, contradicted])
        loss = ranking_loss(premise, candidates, temperature=TEMPERATURE)
    elif name == "theirs":
        loss = MultipleNegativesRankingLoss(model, scale=1 / TEMPERATURE)(features, torch.tensor([]))
    else:
        cached = CachedMultipleNegativesRankingLoss(model, scale=1 / TEMPERATURE, mini_batch_size=3)
        loss = cached(features, torch.tensor([]))
    loss.backward()
    assert matrix.matrix.grad is not None
    return float(loss.detach()), matrix.matrix.grad


@pytest.mark.parametrize("name", ["ours", "theirs", "cached"])
def test_value(name: str) -> None:
    assert value_and_gradient(name)[0] == pytest.approx(by_formula(Linear()), abs=1e-10)


@pytest.mark.parametrize("name", ["theirs", "cached"])
def test_gradient(name: str) -> None:
    assert torch.allclose(value_and_gradient("ours")[1], value_and_gradient(name)[1], atol=1e-9, rtol=0)
