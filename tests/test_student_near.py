"""retrofit.training.student.train: which rows stand in a group, and the loss that is made of them."""

import dataclasses

import numpy as np
import pytest
import torch

from amrx.errors import OptionError
from retrofit.training.neighbours import Near, nearest
from retrofit.training.student.corpus import Corpus
from retrofit.training.student.recipe import Recipe
from retrofit.training.student.train import Partners, Planner, losses, total
from tests.support.student_toys import RECIPE

MEANINGS = 40
WITH = dataclasses.replace(
    RECIPE,
    near=Near(weight=3.0, group=3, count=2, block=50),
    distill=dataclasses.replace(RECIPE.distill, batch=300),
)


def unit(rows: int, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).normal(size=(rows, 6))
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def corpus() -> Corpus:
    """Meaning m has m % 3 + 1 rows of 3 subwords; the last row has 90."""
    meaning = np.repeat(np.arange(MEANINGS), np.arange(MEANINGS) % 3 + 1)
    lengths = np.full(len(meaning), 3)
    lengths[-1] = 90
    return Corpus(
        languages=("de", "en"), ids=np.zeros(lengths.sum(), np.int32), ends=np.cumsum(lengths),
        meaning=meaning, lang=np.arange(len(meaning)) % 2, english=tuple(map(str, range(MEANINGS))),
    )  # fmt: skip


def test_a_partner_has_a_near_meaning_and_any_of_its_rows():
    made, goals = corpus(), unit(MEANINGS)
    drawn = np.ones(len(made.meaning), np.bool_)
    drawn[made.meaning == 7] = False
    partners = Partners(made, goals, drawn, Near(count=3, block=100), 0)
    kept = np.delete(np.arange(MEANINGS), 7)
    near = {int(m): set(kept[row]) for m, row in zip(kept, nearest(goals[kept], 3, 100, 0), strict=True)}
    rows = np.flatnonzero(drawn)
    seen = [partners.draw(rows, 2, np.random.default_rng(seed)) for seed in range(60)]
    assert all(found.shape == (2, len(rows)) for found in seen)
    assert all((made.meaning[found[0]] != made.meaning[found[1]]).all() for found in seen)
    for row, *found in zip(rows, *np.concatenate(seen), strict=True):
        wanted = near[int(made.meaning[row])]
        assert set(found) == {place for place in rows if made.meaning[place] in wanted}
    assert np.array_equal(seen[0], partners.draw(rows, 2, np.random.default_rng(0)))
    with pytest.raises(OptionError, match=r"recipe key 'near\.group' must be at most 4, got 5"):
        partners.draw(rows, 4, np.random.default_rng(0))


def test_a_batch_stands_in_groups_of_near_meanings():
    made, goals = corpus(), unit(MEANINGS)
    goals[3] = 0  # the teacher has none
    recipe = dataclasses.replace(
        WITH, subwords=40,
        amounts=dataclasses.replace(WITH.amounts, langs={"de": 1.0}),
    )  # fmt: skip
    rows = Planner(made, recipe, goals).plan(0)[:300]
    groups = made.meaning[rows].reshape(3, 100).T
    assert 3 not in groups and len(made.meaning) - 1 not in rows
    known = np.delete(np.arange(MEANINGS), [3, MEANINGS - 1])  # the last one has no row that is short enough
    near = nearest(goals[known], 2, 50, recipe.seed)
    for one, *others in groups:
        assert set(others) == set(known[near[np.searchsorted(known, one)]])


def test_the_loss_is_the_squared_difference_of_cosines():
    vectors, goal = np.random.default_rng(1).normal(size=(2, 6, 5))
    given = [torch.from_numpy(x) for x in (vectors, goal)]
    made = losses(*given, WITH)

    def cos(x: np.ndarray, i: int, j: int) -> float:
        return x[i] @ x[j] / np.linalg.norm(x[i]) / np.linalg.norm(x[j])

    pairs = [(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (3, 5)]  # groups are 0, 2, 4 and 1, 3, 5
    wanted = np.mean([(cos(vectors, i, j) - cos(goal, i, j)) ** 2 for i, j in pairs])
    assert float(made["near"]) == pytest.approx(wanted)
    without = losses(*given, RECIPE)
    assert "near" not in without
    assert float(total(made, WITH)) == pytest.approx(float(total(without, RECIPE)) + 3 * float(made["near"]))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"near": Near(weight=-1)}, "'near.weight' must not be negative"),
        ({"near": Near(group=1)}, "'near.group' must be at least 2"),
        ({"near": Near(group=4, count=2)}, "'near.count' must be at least near.group - 1"),
        ({"near": Near(block=1)}, "'near.block' must be at least 2"),
        (
            {"near": Near(weight=1), "distill": dataclasses.replace(RECIPE.distill, batch=6)},
            "'distill.batch' must be a multiple of near.group",
        ),
    ],
)
def test_a_senseless_recipe_is_refused(settings, said):
    with pytest.raises(OptionError, match=said):
        Recipe(**settings)
