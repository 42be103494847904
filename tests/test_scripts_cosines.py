"""scripts/fit_cosines.py: d', precision, recall and F1 beside figures taken by hand."""

import numpy as np
import pytest

from parser.training.corpora.parallel import Pair
from tests.support.script_modules import load_script

COSINES, NEAR = np.array([0.9, 0.8, 0.7, 0.4, 0.1]), np.array([True, False, True, True, False])


@pytest.fixture(scope="module")
def script():
    return load_script("fit_cosines")


def test_separation_is_the_difference_of_means_by_the_mean_variance(script):
    near, other = [0.9, 0.7, 0.4], [0.8, 0.1]
    variances = [np.mean((np.array(one) - np.mean(one)) ** 2) for one in (near, other)]
    expected = (2.0 / 3 - 0.45) / np.sqrt(sum(variances) / 2)
    assert script.separation(COSINES, NEAR) == pytest.approx(expected)


def test_the_curve_has_precision_and_recall(script):
    points = {threshold: (precision, recall) for threshold, precision, recall in script.curve(COSINES, NEAR)}
    assert points[0.9] == pytest.approx((100, 100 / 3))
    assert points[0.75] == pytest.approx((50, 100 / 3))
    assert points[0.35] == pytest.approx((75, 100)) and 0.95 not in points


def test_the_best_f1_is_at_the_lowest_pair_it_takes(script):
    assert script.best_f1(COSINES, NEAR) == pytest.approx((100 * 2 * 0.75 / 1.75, 0.4))


def test_rows_to_try_are_none_of_those_fitted_on(script):
    pairs = [Pair(str(i), "", "de", "") for i in range(100)]
    fitted, tried = (script.spaced(pairs, 20, one) for one in (False, True))
    assert len({pair.english for pair in (*fitted, *tried)}) == 40
