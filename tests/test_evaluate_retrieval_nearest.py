from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.evaluate.retrieval.nearest import nearest


def vectors(seed: int, count: int, width: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 12), st.integers(1, 14), st.integers(1, 60))
def test_agrees_with_a_double_loop_whatever_the_block(seed: int, n: int, m: int, k: int, cells: int) -> None:
    queries, base = vectors(seed, n), vectors(seed + 1, m) * 9
    found = nearest(queries, base, k, cells=cells)
    for row, query in enumerate(queries.astype(np.float64)):
        cosines = [float(query @ other / np.linalg.norm(query) / np.linalg.norm(other)) for other in base]
        order = sorted(range(m), key=lambda place: -cosines[place])[:k]
        assert found.places[row].tolist() == order
        assert found.cosines[row] == pytest.approx([cosines[place] for place in order], abs=1e-5)


def test_of_equal_rows_the_first_comes_first() -> None:
    base = np.array([[0, 1], [1, 0], [2, 0], [1, 0]], dtype=np.float32)
    query = np.array([[3, 0]], dtype=np.float32)
    assert nearest(query, base).places.tolist() == [[1]]
    assert nearest(query, base, 4).places.tolist() == [[1, 2, 3, 0]]


def test_a_zero_vector_has_cosine_0() -> None:
    found = nearest(np.zeros((1, 2), np.float32), np.array([[1, 0], [0, 1]], dtype=np.float32), 2)
    assert found.cosines.tolist() == [[0, 0]]
