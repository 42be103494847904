import math

import numpy as np
import pytest
import torch
from torch import nn

from retrofit.training.amr.losses import cosent_loss, foil_loss, info_nce, ranking_loss, regression_loss


def vectors(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def unit(x: torch.Tensor) -> np.ndarray:
    return (x / x.norm(dim=1, keepdim=True)).numpy()


class Given(nn.Module):
    """Stands for a SentenceTransformer: its vectors are given."""

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return features


def test_eq_1_evaluated_directly_in_float64():
    anchors, candidates = vectors(5, 8), vectors(10, 8, seed=1)
    a, c = unit(anchors), unit(candidates)
    terms = []
    for i in range(5):
        scores = [math.exp(float(a[i] @ c[j]) / 0.05) for j in range(10)]
        terms.append(-math.log(scores[i] / sum(scores)))
    assert float(ranking_loss(anchors, candidates)) == pytest.approx(sum(terms) / 5, abs=1e-12)


def test_ranking_equals_multiple_negatives_ranking_loss_with_hard_negatives():
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    sides = [vectors(6, 8, seed=seed) for seed in range(3)]
    theirs = MultipleNegativesRankingLoss(Given(), scale=1 / 0.05)
    expected = theirs([{"sentence_embedding": side} for side in sides], torch.tensor([]))
    ours = ranking_loss(sides[0], torch.cat(sides[1:]), temperature=0.05)
    assert float(ours) == pytest.approx(float(expected), abs=1e-10)


def test_cosent_equals_sentence_transformers():
    from sentence_transformers.sentence_transformer.losses import CoSENTLoss

    first, second = vectors(7, 8), vectors(7, 8, seed=1)
    scores = torch.tensor([0.1, 0.9, 0.5, 0.5, 0.0, 1.0, 0.3], dtype=torch.float64)
    expected = CoSENTLoss(Given(), scale=20.0)(
        [{"sentence_embedding": first}, {"sentence_embedding": second}], scores
    )
    assert float(cosent_loss(first, second, scores)) == pytest.approx(float(expected), abs=1e-8)


def test_regression_is_zero_for_equal_directions_and_half_the_squared_distance():
    student, teacher = vectors(4, 8), vectors(4, 8, seed=1)
    assert float(regression_loss(student, 3 * student)) == pytest.approx(0, abs=1e-12)
    one, other = (side / side.norm(dim=1, keepdim=True) for side in (student, teacher))
    distances = (one - other).square().sum(dim=1)
    assert float(regression_loss(student, teacher)) == pytest.approx(float(distances.mean()) / 2, abs=1e-12)


def test_info_nce_without_foils_is_the_mean_of_both_rankings():
    student, teacher = vectors(5, 8), vectors(5, 8, seed=1)
    both = (ranking_loss(student, teacher) + ranking_loss(teacher, student)) / 2
    assert float(info_nce(student, teacher, vectors(0, 8))) == pytest.approx(float(both), abs=1e-12)


def test_a_foil_near_its_meaning_costs_and_a_same_meaning_does_not():
    student = vectors(4, 8)
    teacher = student.clone()
    plain = float(info_nce(student, teacher, vectors(0, 8)))
    assert float(info_nce(student, teacher, student[:1])) > plain + 0.01
    twice_student, twice_teacher = torch.cat([student, student]), torch.cat([teacher, teacher])
    punished = float(info_nce(twice_student, twice_teacher, vectors(0, 8)))
    spared = float(info_nce(twice_student, twice_teacher, vectors(0, 8), same_above=0.99))
    assert punished > math.log(2) * 0.9
    assert spared == pytest.approx(2 * plain, rel=0.01)  # only the three other meanings, each twice


def test_a_foil_may_come_as_near_as_the_ceiling():
    originals = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]], dtype=torch.float64)
    spoiled = torch.tensor([[0.6, 0.8], [5.0, 0.0], [3.0, 4.0]], dtype=torch.float64)  # cosines 0.6, 0, 1
    assert float(foil_loss(originals, spoiled, ceiling=0.5)) == pytest.approx((0.1 + 0 + 0.5) / 3)
    assert float(foil_loss(originals, spoiled, ceiling=1.0)) == 0
