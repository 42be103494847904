"""Emma-X's losses and ranks against slow float64 references written from the equations."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from retrofit.training.bases.emma_x.objective import (
    PairsObjective,
    RanksObjective,
    TextObjective,
    mix,
    prior_nats,
    rank_examples,
    rank_likelihood,
    ranking_info_nce,
)
from retrofit.training.bases.emma_x.ranks import Gaussians, Network, RankMeans
from retrofit.training.bases.emma_x.recipe import Pairs, Ranks, Text
from tests.support.emma_x_reference import (
    TEMPERATURES,
    WIDTH,
    N,
    Plain,
    gaussians,
    posterior_of_eq_5,
    ranking_of_eq_7,
    unit,
)


def numeric_gradient(function, value: torch.Tensor, step: float = 1e-6) -> torch.Tensor:
    """Central differences of a scalar function of one tensor."""
    gradient = torch.zeros_like(value)
    for place in np.ndindex(tuple(value.shape)):
        up, down = value.clone(), value.clone()
        up[place] += step
        down[place] -= step
        gradient[place] = (function(up) - function(down)) / (2 * step)
    return gradient


def test_gaussians_are_eq_5_aligned_and_crossed():
    module, first, second = gaussians(), unit(5, 1), unit(4, 2)
    crossed = module.crossed(first, second).exp()
    aligned = module.aligned(first[:4], second).exp()
    for i in range(5):
        for j in range(4):
            want = posterior_of_eq_5(module, (first[i] - second[j]).numpy())
            assert crossed[i, j].tolist() == pytest.approx(want, rel=1e-10)
            if i == j:
                assert aligned[i].tolist() == pytest.approx(want, rel=1e-10)


def test_gaussians_stay_finite_where_densities_underflow():
    module, far = Gaussians(N, 1024), torch.zeros(2, 1024)
    far[0, 0] = 50.0
    found = module.crossed(far, torch.zeros(1, 1024))
    found.sum().backward()
    assert bool(found.isfinite().all())
    assert all(bool(parameter.grad.isfinite().all()) for parameter in module.parameters())


def test_gaussians_start_with_the_ranks_in_order():
    module = Gaussians(N, 64)
    pairs = torch.zeros(4, 64)
    pairs[:, 0] = 1.0
    cosines = torch.tensor([0.97, 0.62, 0.38, 0.0])
    others = torch.zeros(4, 64)
    others[:, 0], others[:, 1] = cosines, (1 - cosines**2).sqrt()
    assert (module.aligned(pairs, others).argmax(dim=1) + 1).tolist() == [1, 2, 3, 4]


def test_the_network_sees_both_sentences_alike_in_both_forms():
    torch.manual_seed(0)
    module, first, second = Network(N, WIDTH).double(), unit(5, 1), unit(5, 2)
    crossed, aligned = module.crossed(first, second), module.aligned(first, second)
    assert torch.allclose(crossed.diagonal().T, aligned)
    hidden = torch.cat([module.first.weight, module.second.weight], dim=1)
    both = torch.cat([first, second], dim=1)
    want = module.out(torch.tanh(both @ hidden.T + module.first.bias)).log_softmax(dim=1)
    assert torch.allclose(aligned, want)


@pytest.mark.parametrize("parameter", ["prior", "mean", "log_deviation"])
def test_the_likelihood_and_its_gradients_are_those_of_eq_6(parameter: str):
    module, first, second = gaussians(), unit(3, 1), unit(2, 2)
    ranks = torch.tensor([[1, 4], [2, 3], [3, 3]])

    def reference(value: torch.Tensor) -> float:
        other = gaussians()
        with torch.no_grad():
            getattr(other, parameter).copy_(value)
        logs = [
            math.log(posterior_of_eq_5(other, (first[i] - second[j]).numpy())[int(ranks[i, j]) - 1])
            for i in range(3)
            for j in range(2)
        ]
        return -sum(logs) / len(logs)

    loss = rank_likelihood(module.crossed(first, second), ranks)
    assert loss.item() == pytest.approx(reference(getattr(module, parameter).detach()), rel=1e-10)
    loss.backward()
    wanted = numeric_gradient(reference, getattr(module, parameter).detach())
    assert torch.allclose(getattr(module, parameter).grad, wanted, atol=1e-7)


def test_ranking_info_nce_and_its_gradient_are_those_of_eq_7():
    random = np.random.default_rng(5)
    similarities = torch.tensor(random.uniform(-1, 1, size=(6, 7)))
    ranks = torch.tensor(random.integers(1, N + 1, size=(6, 7)))
    ranks[0] = 4  # ranks 1 to 3 are empty
    ranks[1] = 2  # nothing stands below rank 2
    ours = similarities.clone().requires_grad_()
    loss = ranking_info_nce(ours, ranks, TEMPERATURES)
    assert loss.item() == pytest.approx(ranking_of_eq_7(similarities, ranks), rel=1e-12)
    loss.backward()
    wanted = numeric_gradient(lambda value: ranking_of_eq_7(value, ranks), similarities)
    assert torch.allclose(ours.grad, wanted, atol=1e-8)
    assert ours.grad[:2].abs().max() == 0


@pytest.mark.parametrize("met", [0, 3])
def test_empty_ranks_contribute_nothing(met: int):
    similarities = torch.full((2, met), 0.5, requires_grad=True)
    loss = ranking_info_nce(similarities, torch.full((2, met), 4), TEMPERATURES)
    loss.backward()
    assert loss.item() == 0 and bool((similarities.grad == 0).all())
    assert rank_likelihood(torch.zeros(2, 0, N), torch.zeros(2, 0, dtype=torch.long)).item() == 0


def test_mixtures_are_eq_4():
    second, other = unit(5, 1), unit(5, 2)
    share = torch.tensor([0.0, 0.1, 0.4, 0.7, 1.0], dtype=torch.float64)
    mixed, ranks = mix(second, other, share, N)
    for i, part in enumerate(share.tolist()):
        want = (1 - part) * second[i] + part * other[i]
        assert torch.allclose(mixed[i], want)
        assert ranks[i].item() == math.ceil((1 - part) * 1 + part * N)


def test_means_start_with_the_paraphrase_highest_and_follow_the_ranks():
    means = RankMeans(N, follow=0.9).double()
    assert means.mean.tolist() == [1.0, 0.75, 0.5, 0.25]
    assert means.nearest(torch.tensor([0.95, 0.7, 0.45, -0.3])).tolist() == [1, 2, 3, 4]
    means.update(torch.tensor([0.6, 0.8, 0.1], dtype=torch.float64), torch.tensor([1, 1, 4]))
    assert means.mean.tolist() == pytest.approx([0.9 * 1 + 0.1 * 0.7, 0.75, 0.5, 0.9 * 0.25 + 0.1 * 0.1])


def eq_4(module: Gaussians, first: torch.Tensor, second: torch.Tensor, share: torch.Tensor) -> float:
    """Eq. 4 as printed, a mean over its three terms of every row; y' is the next row's translation."""
    logs = []
    for i, part in enumerate(share.double().tolist()):
        other = second[(i + 1) % len(second)]
        mixed = (1 - part) * second[i] + part * other
        rank = math.ceil((1 - part) + part * N)
        logs += [
            math.log(posterior_of_eq_5(module, (first[i] - second[i]).numpy())[0]),
            math.log(posterior_of_eq_5(module, (first[i] - other).numpy())[N - 1]),
            math.log(posterior_of_eq_5(module, (first[i] - mixed).numpy())[rank - 1]),
        ]
    return -float(np.mean(logs))


def test_phase_1_is_eqs_2_to_4():
    first, second, share = unit(4, 1), unit(4, 2), torch.tensor([0.2, 0.5, 0.9, 0.4])
    module = gaussians()
    objective = PairsObjective(Plain(), module, N, Pairs(temperature=0.5))
    terms = objective.terms(first, second, share)
    scores = np.exp(first.numpy() @ second.numpy().T / 0.5)
    contrast = -np.mean(np.log(np.diag(scores) / scores.sum(axis=1)))
    assert terms["contrast"].item() == pytest.approx(contrast, rel=1e-10)
    wanted = eq_4(module, first, second, share)
    assert terms["ranks"].item() == pytest.approx(wanted, rel=1e-6)  # shares are float32
    assert terms["total"].item() == pytest.approx((terms["contrast"] + terms["ranks"]).item())


def test_paraphrases_are_to_unrelated_sentences_as_3_to_4():
    share = (torch.arange(3000) + 0.5) / 3000
    _, _, ranks = rank_examples(unit(3000, 1), unit(3000, 2), share, N)
    counts = torch.bincount(ranks, minlength=N + 1)[1:].tolist()
    assert counts == [3000, 1000, 1000, 4000]
    shares = [3 / 9, 1 / 9, 1 / 9, 4 / 9]
    assert prior_nats(N) == pytest.approx(-sum(share * math.log(share) for share in shares))


def test_between_the_phases_only_the_classifier_learns_and_the_means_are_calibrated():
    first, second, module = unit(4, 1), unit(4, 2), gaussians()
    objective = RanksObjective(Plain(), module, Ranks(steps=2))
    shares = [torch.tensor([0.2, 0.5, 0.9, 0.4]), torch.tensor([0.1, 0.6, 0.7, 0.3])]
    cosines: dict[int, list[float]] = {rank: [] for rank in range(1, N + 1)}
    for step, share in enumerate(shares):
        terms = objective.terms(first, second, share, step)
        for i, part in enumerate(share.double().tolist()):
            other = second[(i + 1) % 4]
            mixed = (1 - part) * second[i] + part * other
            for rank, vector in ((1, second[i]), (N, other), (math.ceil(1 - part + part * N), mixed)):
                cosines[rank].append(float(first[i] @ vector / vector.norm()))
    wanted = [np.mean(cosines[rank]) for rank in cosines]
    assert objective.means.tolist() == pytest.approx(wanted, rel=1e-6)
    assert RankMeans(N, 0.9, objective.means).mean.tolist() == pytest.approx(wanted, rel=1e-6)
    last = eq_4(module, first, second, shares[1])  # of 2 steps, the second half is one
    assert objective.loss.tolist() == pytest.approx([last, 1], rel=1e-6)
    assert terms["total"].item() == pytest.approx(last, rel=1e-6)
    [group] = objective.groups()
    assert {id(one) for one in group.parameters} == {id(one) for one in module.parameters()}


def text_objective(queue: int = 6, ranks: str = "mutual") -> TextObjective:
    recipe = Text(queue=queue, temperatures=TEMPERATURES, momentum=0.75, ranks=ranks)
    return TextObjective(Plain(), gaussians(), Ranks(follow=0.9), recipe).double()


def test_phase_2_lets_each_half_teach_the_other():
    objective, anchors, met = text_objective(), unit(4, 1).requires_grad_(), unit(6, 2)
    similarities = (anchors @ met.T).detach()
    by_encoder = objective.means.nearest(similarities)
    by_classifier = objective.ranks.crossed(anchors.detach(), met).argmax(dim=-1) + 1
    for i in range(4):
        by_classifier[i, i] = 0  # an anchor does not meet itself
    terms = objective.terms(anchors, met)
    assert terms["ranking"].item() == pytest.approx(ranking_of_eq_7(similarities, by_classifier))
    logs = [
        math.log(
            posterior_of_eq_5(objective.ranks, (anchors[i] - met[j]).detach().numpy())[by_encoder[i, j] - 1]
        )
        for i in range(4)
        for j in range(6)
        if i != j
    ]
    assert terms["ranks"].item() == pytest.approx(-np.mean(logs))
    (to_encoder,) = torch.autograd.grad(terms["ranks"], anchors, retain_graph=True, allow_unused=True)
    assert to_encoder is None  # the classifier's loss trains the classifier alone
    (to_means,) = torch.autograd.grad(
        terms["ranking"], objective.ranks.mean, retain_graph=True, allow_unused=True
    )
    assert to_means is None
    assert terms["total"].item() == pytest.approx((terms["ranking"] + terms["ranks"]).item())


def test_the_queue_keeps_the_newest_and_the_momentum_encoder_follows():
    objective = text_objective(queue=5)
    keys = torch.arange(24, dtype=torch.float64).reshape(8, 3)
    objective.push(keys[:3])
    assert int(objective.filled) == 3 and torch.equal(objective.queue[:3], keys[:3])
    objective.push(keys[3:7])
    assert torch.equal(objective.queue, keys[2:7])
    objective.push(torch.cat([keys, keys]))
    assert torch.equal(objective.queue, keys[3:])
    with torch.no_grad():
        objective.encoder.weight.fill_(5.0)
    objective.follow()
    assert objective.momentum.weight.item() == pytest.approx(0.75 * 1 + 0.25 * 5)
    assert not objective.momentum.weight.requires_grad


def test_an_anchor_meets_the_others_of_its_batch_and_the_queue_even_of_a_batch_larger_than_it():
    objective, batches = text_objective(queue=3), [unit(4, seed) for seed in (1, 2)]
    met: list[torch.Tensor] = []
    terms = objective.terms
    objective.terms = lambda anchors, queue: met.append(queue) or terms(anchors, queue)
    for vectors in batches:
        found = objective({"text": {"vectors": vectors}}, step=0)
        assert torch.isfinite(found["total"])
    assert torch.equal(met[0], batches[0])
    assert torch.equal(met[1], torch.cat([batches[1], batches[0][1:]]))  # the oldest has left


def test_table_5s_fixed_gmm_and_the_control_without_ranks():
    anchors, met = unit(4, 1).requires_grad_(), unit(6, 2)
    fixed = text_objective(ranks="fixed")
    assert len(fixed.groups()) == 1
    assert not any(parameter.requires_grad for parameter in fixed.ranks.parameters())
    mutual = text_objective().terms(anchors, met)
    terms = fixed.terms(anchors, met)
    assert terms["ranking"].item() == pytest.approx(mutual["ranking"].item())
    terms["total"].backward()
    control = text_objective(ranks="none").terms(anchors, met)
    similarities, ranks = (anchors @ met.T).detach(), torch.full((4, 6), N)
    ranks.fill_diagonal_(1)
    assert control["total"].item() == pytest.approx(ranking_of_eq_7(similarities, ranks))
