"""Encoders of the whole protocol whose answers are not what the protocol says."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.errors import AmrxError
from amrx.evaluation import run
from amrx.evaluation.neighbours.pool import Entry, PoolSearch
from amrx.validation import as_vectors
from amrx.vector_cache import CachedEncoder, VectorCache
from tests.support.angles import SMALL, Angles, data

__all__ = ["data"]


class Changed(Angles):
    """The right answer, changed."""

    def __init__(self, change: Callable[[np.ndarray], object]) -> None:
        super().__init__()
        self.change = change

    def encode(self, sentences, **options):
        return self.change(super().encode(sentences, **options))


WRONG = [
    (lambda made: made[:-1], "must return one row per sentence"),
    (lambda made: np.vstack([made, made[:1]]), "must return one row per sentence"),
    (lambda made: made[:, :, None], "must return one row per sentence"),
    (lambda made: made[:, :1], "must return 2 numbers per sentence, got 1"),
    (lambda made: np.hstack([made, made]), "must return 2 numbers per sentence, got 4"),
    (lambda made: made.astype(str), "must return rows of numbers"),
    (lambda made: made * np.nan, "vectors are not finite"),
    (lambda made: made.astype(np.float64) * 1e300, "vectors are not finite"),
]


@pytest.mark.parametrize(("change", "told"), WRONG)
def test_a_wrong_answer_is_told_and_kept_nowhere(data, tmp_path, change, told):
    with pytest.raises(AmrxError, match=f"encoder angles: .*{told}"):
        run([Changed(change)], [SMALL], data)
    with VectorCache(tmp_path / "vectors.sqlite") as cache:
        with pytest.raises(AmrxError, match=f"encoder angles: .*{told}"):
            CachedEncoder(Changed(change), cache).encode(["1", "2"], lang=["en", "en"])
        assert len(cache) == 0


@pytest.mark.parametrize(("change", "told"), WRONG)
def test_a_wrong_answer_is_in_no_pool(tmp_path, change, told):
    pytest.importorskip("faiss", reason="pools need the extra index")
    entries = [Entry(str(angle), "en", "n") for angle in range(5)]
    search = PoolSearch(Changed(change), tmp_path / "pool")
    with pytest.raises(AmrxError, match=f"encoder angles: .*{told}"):
        search(entries, np.ones((1, 2), dtype=np.float32), 1)
    assert not list((tmp_path / "pool").iterdir())


@pytest.mark.parametrize("change", [torch.from_numpy, np.ndarray.tolist, np.float64])
def test_tensors_and_lists_are_taken(data: Path, change: Callable[[np.ndarray], object]) -> None:
    rows, known = run([Changed(change)], [SMALL], data), run([Angles()], [SMALL], data)
    assert [row.value for row in rows] == [row.value for row in known]


def test_half_precision_becomes_float32() -> None:
    made = as_vectors(torch.ones((1, 2), dtype=torch.bfloat16), ["a"], "x")
    assert made.dtype == np.float32
    assert made.tolist() == [[1, 1]]


def test_one_that_takes_no_language_is_not_told_it(data: Path) -> None:
    class Deaf:
        name, dimension, fingerprint = "deaf", 2, "deaf:0"

        def encode(self, sentences):
            return Angles().encode(sentences, lang=["en"] * len(sentences))

    rows, known = run([Deaf()], [SMALL], data), run([Angles()], [SMALL], data)
    assert {row.encoder for row in rows} == {"deaf"}
    assert [row.value for row in rows] == [row.value for row in known]
