"""Near meanings: which are found, against all cosines written out; what the AMR encoder makes of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.errors import OptionError
from retrofit.training.amr.recipe import Distill, Recipe
from retrofit.training.amr.train import Setup, set_up, train
from retrofit.training.neighbours import Near, near_loss, nearest, some_of
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]

MEANINGS = 40


def unit(rows: int, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).normal(size=(rows, 6))
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def test_one_block_gives_the_nearest_of_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("retrofit.training.neighbours.ROWS", 7)
    goals = 5 * unit(MEANINGS)
    cosines = unit(MEANINGS) @ unit(MEANINGS).T
    np.fill_diagonal(cosines, -2)
    assert np.array_equal(nearest(goals, 3, 100, 0), np.argsort(-cosines, axis=1)[:, :3])


def test_blocks_part_the_meanings_and_each_finds_its_nearest_inside():
    found, cosines = nearest(unit(MEANINGS), 3, 10, 5), unit(MEANINGS) @ unit(MEANINGS).T
    blocks = np.array_split(np.random.default_rng(5).permutation(MEANINGS), 4)
    assert found.shape == (MEANINGS, 3)
    for block in blocks:
        for meaning in block:
            others = [other for other in block if other != meaning]
            assert found[meaning].tolist() == sorted(others, key=lambda other: -cosines[meaning, other])[:3]
    assert nearest(unit(5), 9, 2, 0).shape == (5, 1)  # blocks of 3 and 2
    with pytest.raises(OptionError, match=r"near\.weight.*no two meanings"):
        nearest(unit(1), 3, 10, 0)


def test_some_of_the_nearest_are_drawn_and_each_of_them_sometimes():
    near = np.arange(12).reshape(3, 4)
    seen = np.stack([some_of(near, 2, np.random.default_rng(seed)) for seed in range(60)])  # (60, 2, 3)
    assert (seen[:, 0] != seen[:, 1]).all()
    for place, row in enumerate(near):
        assert set(seen[:, :, place].ravel()) == set(row)
    with pytest.raises(OptionError, match=r"near\.group.*only 4"):
        some_of(near, 5, np.random.default_rng(0))


def test_the_loss_is_the_squared_difference_of_cosines():
    ours, theirs = np.random.default_rng(1).normal(size=(6, 5)), np.random.default_rng(2).normal(size=(6, 7))

    def cos(x: np.ndarray, i: int, j: int) -> float:
        return x[i] @ x[j] / np.linalg.norm(x[i]) / np.linalg.norm(x[j])

    pairs = [(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (3, 5)]  # groups are 0, 2, 4 and 1, 3, 5
    wanted = np.mean([(cos(ours, i, j) - cos(theirs, i, j)) ** 2 for i, j in pairs])
    assert float(near_loss(torch.from_numpy(ours), torch.from_numpy(theirs), 3)) == pytest.approx(wanted)


@pytest.fixture
def ready(corpus: Path, recipe: Recipe, tmp_path: Path) -> tuple[Setup, Recipe]:
    grouped = dataclasses.replace(recipe, near=Near(weight=3.0, group=4, count=5, block=100))
    return set_up(corpus, tmp_path / "out", grouped, "cpu"), grouped


def test_the_encoder_s_batch_stands_in_groups_of_near_meanings(ready: tuple[Setup, Recipe]):
    setup, grouped = ready
    assert setup.teacher is not None
    objectives = setup.objectives
    assert "near" in objectives.names
    near = nearest(setup.teacher.numpy(), 5, 100, grouped.seed)
    for step in range(4):
        plan = objectives.plan(step)
        first, *others = plan.groups.reshape(4, 2)
        for place, meaning in enumerate(first):
            beside = [row[place] for row in others]
            assert len(set(beside)) == 3 and set(beside) <= set(near[meaning])
        assert np.array_equal(plan.groups, objectives.plan(step).groups)


def test_the_encoder_s_loss_is_over_its_distilled_rows(ready: tuple[Setup, Recipe]):
    setup, grouped = ready
    assert setup.teacher is not None
    objectives = setup.objectives
    plan = objectives.plan(0)
    vectors = torch.randn(len(plan.all_rows()) + len(plan.foils), 16)
    drawn = vectors[slice(*plan.blocks["distill"])]
    wanted = near_loss(drawn, setup.teacher[plan.groups].float(), 4)
    found = objectives.losses(plan, vectors, vectors)["near"]
    assert float(found) == pytest.approx(float(wanted))


def test_a_run_searches_the_nearest_meanings_once(
    corpus: Path, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    searched: list[int] = []

    def counted(goals: np.ndarray, *given: int) -> np.ndarray:
        searched.append(len(goals))
        return nearest(goals, *given)

    monkeypatch.setattr("retrofit.training.amr.objectives.nearest", counted)
    train(corpus, tmp_path, dataclasses.replace(recipe, near=Near(weight=1.0), steps=1), "cpu")
    assert searched == [24]


def test_its_weight_brings_the_cosines_to_the_teacher_s(corpus: Path, recipe: Recipe, tmp_path: Path):
    def last(weight: float) -> float:
        lines: list[dict] = []
        grouped = dataclasses.replace(recipe, steps=60, near=Near(weight=weight))
        train(corpus, tmp_path / str(weight), grouped, "cpu", report=lines.append)
        return float(np.mean([line["near"] for line in lines[-5:]]))

    assert last(50.0) < 0.8 * last(1e-9)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"near": Near(weight=1)}, "'near.weight' needs distill.weight"),
        (
            {"near": Near(weight=1), "distill": Distill(1.0, 6)},
            "'distill.batch' must be a multiple of near.group",
        ),
        ({"near": Near(group=1), "distill": Distill(1.0)}, "'near.group' must be at least 2"),
    ],
)
def test_a_senseless_recipe_of_the_encoder_is_refused(settings, said):
    with pytest.raises(OptionError, match=said):
        Recipe(**settings)
