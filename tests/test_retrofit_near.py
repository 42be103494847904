"""Near meanings: which are found, against all cosines written out."""

import numpy as np
import pytest
import torch

from amrx.errors import OptionError
from retrofit.training.neighbours import near_loss, nearest, some_of

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
    with pytest.raises(OptionError, match=r"near\.weight.*needs at least 2 meanings"):
        nearest(unit(1), 3, 10, 0)


def test_some_of_the_nearest_are_drawn_and_each_of_them_sometimes():
    near = np.arange(12).reshape(3, 4)
    seen = np.stack([some_of(near, 2, np.random.default_rng(seed)) for seed in range(60)])  # (60, 2, 3)
    assert (seen[:, 0] != seen[:, 1]).all()
    for place, row in enumerate(near):
        assert set(seen[:, :, place].ravel()) == set(row)
    with pytest.raises(OptionError, match=r"near\.group.*must be at most 5, got 6"):
        some_of(near, 5, np.random.default_rng(0))


def test_the_loss_is_the_squared_difference_of_cosines():
    ours, theirs = np.random.default_rng(1).normal(size=(6, 5)), np.random.default_rng(2).normal(size=(6, 7))

    def cos(x: np.ndarray, i: int, j: int) -> float:
        return x[i] @ x[j] / np.linalg.norm(x[i]) / np.linalg.norm(x[j])

    pairs = [(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (3, 5)]  # groups are 0, 2, 4 and 1, 3, 5
    wanted = np.mean([(cos(ours, i, j) - cos(theirs, i, j)) ** 2 for i, j in pairs])
    assert float(near_loss(torch.from_numpy(ours), torch.from_numpy(theirs), 3)) == pytest.approx(wanted)
