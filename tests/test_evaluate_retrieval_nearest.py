import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import MissingResourceError
from amrx.evaluation.neighbours.nearest import (
    Neighbours,
    load_faiss,
    nearest,
    nearest_of_many,
    nearest_unit,
    unit_rows,
)

Search = Callable[[np.ndarray, np.ndarray, int], Neighbours]


@pytest.fixture(params=[nearest, nearest_of_many])
def search(request: pytest.FixtureRequest) -> Search:
    """Both searches keep one law."""
    if request.param is nearest_of_many:
        pytest.importorskip("faiss", reason="it is the extra index")
    return request.param


def vectors(seed: int, count: int, width: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, width)).astype(np.float32)


def agrees_with_a_double_loop(found: Neighbours, queries: np.ndarray, base: np.ndarray, k: int) -> None:
    for row, query in enumerate(queries.astype(np.float64)):
        cosines = [float(query @ other / np.linalg.norm(query) / np.linalg.norm(other)) for other in base]
        order = sorted(range(len(base)), key=lambda place: -cosines[place])[:k]
        places = found.places[row].tolist()
        assert len(set(places)) == len(places) == len(order)
        for place, right in zip(places, order, strict=True):  # float32 has no digits for smaller differences
            assert place == right or abs(cosines[place] - cosines[right]) < 1e-7
        assert found.cosines[row] == pytest.approx([cosines[place] for place in order], abs=1e-5)


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 12), st.integers(1, 14), st.integers(1, 60))
def test_agrees_with_a_double_loop_whatever_the_block(seed: int, n: int, m: int, k: int, cells: int) -> None:
    queries, base = vectors(seed, n), vectors(seed + 1, m) * 9
    found = nearest_unit(unit_rows(queries), unit_rows(base), k, cells=cells)
    agrees_with_a_double_loop(found, queries, base, k)


# faiss multiplies matrices from 20 queries on, and keeps the best otherwise from k = 100 on
@given(st.integers(0, 1000), st.sampled_from([1, 19, 20, 30]), st.sampled_from([1, 12, 150]), st.data())
def test_faiss_agrees_with_a_double_loop(seed: int, n: int, m: int, data: st.DataObject) -> None:
    pytest.importorskip("faiss", reason="it is the extra index")
    k = data.draw(st.sampled_from([1, 4, 20, 140]))
    queries, base = vectors(seed, n), vectors(seed + 1, m) * 9
    agrees_with_a_double_loop(nearest_of_many(queries, base, k), queries, base, k)


def test_of_equal_rows_the_first_comes_first(search: Search) -> None:
    base = np.array([[0, 1], [1, 0], [2, 0], [1, 0]], dtype=np.float32)
    query = np.array([[3, 0]], dtype=np.float32)
    assert search(query, base, 1).places.tolist() == [[1]]
    assert search(query, base, 4).places.tolist() == [[1, 2, 3, 0]]


def test_a_zero_vector_has_cosine_0(search: Search) -> None:
    found = search(np.zeros((1, 2), np.float32), np.array([[1, 0], [0, 1]], dtype=np.float32), 2)
    assert found.cosines.tolist() == [[0, 0]]


def test_nothing_that_is_given_is_changed(search: Search) -> None:
    queries, base = vectors(0, 30) * 3, vectors(1, 5000) * 9  # more rows than a block
    before = queries.copy(), base.copy()
    found, other = search(queries, base, 3), nearest(queries, base, 3)
    assert np.array_equal(found.places, other.places)
    assert found.cosines == pytest.approx(other.cosines, abs=1e-6)
    assert np.array_equal(queries, before[0])
    assert np.array_equal(base, before[1])


def test_without_faiss_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[index\]'"):
        load_faiss()
