import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from amrx.evaluation.metrics import pearson, spearman

SCORES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30)


def test_pearson_by_hand() -> None:
    # deviations (-1, 0, 1) and (-2, 1, 1): 3 / sqrt(2 * 6)
    assert pearson(np.array([1.0, 2, 3]), np.array([0.0, 3, 3])) == pytest.approx(100 * 3 / np.sqrt(12))


def test_spearman_by_hand() -> None:
    # ranks 1 2 3 4 against 2 1 4 3: 1 - 6 * 4 / (4 * 15)
    assert spearman(np.array([0.1, 0.2, 0.3, 0.9]), np.array([2.0, 1, 4, 3])) == pytest.approx(60)
    # ties take the mean rank, 1.5 1.5 3 against 1 2 3: deviations (-.5, -.5, 1) and (-1, 0, 1)
    assert spearman(np.array([5.0, 5, 7]), np.array([1.0, 2, 3])) == pytest.approx(100 * 1.5 / np.sqrt(3))


def test_ranks_not_values_count() -> None:
    gold = np.array([0.0, 1, 2, 5])
    assert spearman(np.exp(gold * 9), gold) == pytest.approx(100)
    assert spearman(-gold, gold) == pytest.approx(-100)
    assert pearson(np.exp(gold * 9), gold) < 95


def test_a_constant_side_says_nothing() -> None:
    assert spearman(np.zeros(5), np.arange(5.0)) == 0
    assert pearson(np.arange(5.0), np.full(5, 3.0)) == 0


@given(SCORES)
def test_agrees_with_scipy_and_is_symmetric(rows: list[tuple[int, int]]) -> None:
    a, b = np.array(rows, dtype=np.float64).T
    if np.ptp(a) and np.ptp(b):
        assert spearman(a, b) == pytest.approx(100 * stats.spearmanr(a, b).statistic, abs=1e-9)
    assert spearman(a, b) == pytest.approx(spearman(b, a), abs=1e-9)
    assert spearman(3 * a + 1, b) == pytest.approx(spearman(a, b), abs=1e-9)
