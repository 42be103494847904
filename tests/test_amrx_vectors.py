import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from amrx.vectors import cosine, cosine_matrix, normalise

matrices = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=5),
    elements=st.floats(-1e300, 1e300),
)


@given(matrices)
def test_rows_have_length_one_or_are_zero(x):
    length = np.linalg.norm(normalise(x), axis=1)
    zero = (x == 0).all(axis=1)
    np.testing.assert_array_equal(length[zero], 0.0)
    np.testing.assert_allclose(length[~zero], 1.0, atol=1e-12)


def test_what_is_no_number_does_not_become_zero():
    broken = np.array([[np.nan, 1.0], [3.0, 4.0], [0.0, 0.0]])
    np.testing.assert_allclose(normalise(broken), [[np.nan, np.nan], [0.6, 0.8], [0.0, 0.0]])
    assert np.isnan(cosine(broken, broken)[0])


@given(matrices, st.floats(1e-3, 1e3))
def test_scale_does_not_matter(x, scale):
    np.testing.assert_allclose(normalise(x * 1e-5 * scale), normalise(x * 1e-5), atol=1e-9)


def test_large_small_and_half_precision_neither_overflow_nor_vanish():
    x = np.array([[6e4, 6e4], [1e-7, 0.0]], dtype=np.float16)
    unit = normalise(x)
    assert unit.dtype == np.float16
    np.testing.assert_allclose(unit, [[0.7071, 0.7071], [1.0, 0.0]], atol=1e-3)
    np.testing.assert_allclose(normalise(np.array([[3e-200, 4e-200]])), [[0.6, 0.8]])


def test_axis():
    x = np.array([[3.0, 0.0], [4.0, 2.0]], dtype=np.float32)
    np.testing.assert_allclose(normalise(x, axis=0), [[0.6, 0.0], [0.8, 1.0]], atol=1e-7)


def test_float32_is_summed_in_float64():
    # in float32 the sum of these squares loses the small ones
    x = np.full((1, 2**20), 1e-4, dtype=np.float32)
    x[0, 0] = 1.0
    exact = 1.0 / np.sqrt(1.0 + (2**20 - 1) * np.float64(x[0, 1]) ** 2)
    assert abs(normalise(x)[0, 0] - exact) < 1e-7
    assert cosine(x, x)[0] == pytest.approx(1.0, abs=1e-12)


def test_cosine_of_known_angles():
    a = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], dtype=np.float32)
    b = np.array([[5.0, 0.0], [0.0, 2.0], [-3.0, 3.0], [1.0, 1.0]], dtype=np.float32)
    found = cosine(a, b)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, [1.0, 0.0, -np.sqrt(0.5), 0.0], atol=1e-7)


def test_cosine_of_equal_vectors_is_never_above_1():
    x = np.random.default_rng(0).normal(size=(1000, 3))
    assert np.einsum("nd,nd->n", normalise(x), normalise(x)).max() > 1  # so rounding has it
    assert cosine(x, x).max() == 1
    assert cosine(x, -x).min() == -1


@given(matrices)
def test_matrix_agrees_with_rows_and_stays_in_range(x):
    matrix = cosine_matrix(x, x[::-1])
    assert matrix.shape == (len(x), len(x))
    assert np.abs(matrix).max() <= 1.0
    np.testing.assert_allclose(np.diag(matrix), cosine(x, x[::-1]), atol=1e-12)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"must have the same shape, got \(2, 3\) and \(3, 3\)"):
        cosine(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(ValueError, match="same width, got 3 and 4"):
        cosine_matrix(np.zeros((2, 3)), np.zeros((2, 4)))


def test_no_rows():
    assert normalise(np.zeros((0, 4), np.float32)).shape == (0, 4)
    assert cosine(np.zeros((0, 4)), np.zeros((0, 4))).shape == (0,)
