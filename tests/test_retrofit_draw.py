import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrofit.training.amr.prepare import Drawer
from retrofit.training.shuffled import Shuffled

LANGUAGES = ("en", "de", "fr")
#            en de fr: rows of parses; texts are rows 100 + group
TABLE = np.array([[0, 1, 2], [3, -1, 4], [-1, -1, -1], [-1, 5, -1]], dtype=np.int32)
TEXTS = 100 + np.arange(4)
N = 100_000


def drawer(**weights: float) -> Drawer:
    return Drawer(TABLE, LANGUAGES, weights or dict.fromkeys(LANGUAGES, 1.0), TEXTS)


def shares(rows: np.ndarray) -> dict[int, float]:
    found, counts = np.unique(rows, return_counts=True)
    return {int(row): float(count) / len(rows) for row, count in zip(found, counts, strict=True)}


def frequencies(group: int, **weights: float) -> dict[int, float]:
    return shares(drawer(**weights).draw(np.full(N, group), np.random.default_rng(7)))


def test_algorithm_1_draws_each_language_alike_and_english_half_as_text():
    assert frequencies(0) == pytest.approx({0: 1 / 6, 100: 1 / 6, 1: 1 / 3, 2: 1 / 3}, abs=0.01)


def test_weights_set_the_share_of_a_language():
    expected = {0: 0.25, 100: 0.25, 1: 0.5}
    assert frequencies(0, en=2.0, de=2.0, fr=0.0) == pytest.approx(expected, abs=0.01)


def test_a_missing_language_is_drawn_again_among_those_there():
    assert frequencies(1) == pytest.approx({3: 0.25, 101: 0.25, 4: 0.5}, abs=0.01)


def test_a_failed_english_parse_gives_the_sentence():
    assert frequencies(2) == {102: 1.0}
    assert frequencies(3) == pytest.approx({103: 0.5, 5: 0.5}, abs=0.01)


def test_a_group_without_any_language_of_the_set_gives_english():
    assert frequencies(1, de=1.0) == pytest.approx({3: 0.5, 101: 0.5}, abs=0.01)


def test_the_three_sides_of_a_triplet_draw_independently():
    random = np.random.default_rng(3)
    sides = [drawer().draw(np.zeros(N, dtype=np.int64), random) for _ in range(3)]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        german = sides[second][sides[first] == 1] == 1
        assert german.mean() == pytest.approx(1 / 3, abs=0.015)


def test_two_draws_of_a_group_differ_in_language_where_they_can():
    first, second, differ = drawer().draw_two(np.zeros(2000, dtype=np.int64), np.random.default_rng(1))
    assert differ.all()
    english = np.isin(first, (0, 100)) & np.isin(second, (0, 100))
    assert not english.any()
    only_text, again, differ = drawer().draw_two(np.full(50, 2), np.random.default_rng(1))
    assert not differ.any() and (only_text == again).all()


@given(seed=st.integers(0, 2**31), groups=st.lists(st.integers(0, 3), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_draws_follow_from_the_seed_and_belong_to_the_group(seed: int, groups: list[int]):
    chosen = np.array(groups)
    once = drawer().draw(chosen, np.random.default_rng(seed))
    assert (once == drawer().draw(chosen, np.random.default_rng(seed))).all()
    for group, row in zip(groups, once.tolist(), strict=True):
        assert row in {*TABLE[group].tolist(), 100 + group} - {-1}


@given(count=st.integers(1, 40), size=st.integers(1, 60), step=st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_passes_are_complete_and_independent_of_what_came_before(count: int, size: int, step: int):
    walked = Shuffled(count, (5, 1))
    everything = np.concatenate([walked.take(k, size) for k in range(step + 1)])
    assert (Shuffled(count, (5, 1)).take(step, size) == everything[-size:]).all()
    for start in range(0, len(everything) - count + 1, count):
        assert sorted(everything[start : start + count]) == list(range(count))
