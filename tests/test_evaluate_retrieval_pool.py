from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import OutputError
from amrx.evaluation.neighbours.pool import Entry, PoolSearch, key_of
from amrx.vector_cache import CachedEncoder, VectorCache
from amrx.vectors import cosine_matrix
from tests.support.word_encoder import Words

pytest.importorskip("faiss", reason="pools need the extra index")

ENTRIES = [Entry(f"word{n} of {n % 7}", "en" if n % 3 else None, f"n{n}") for n in range(50)]


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 12))
def test_the_nearest_are_those_of_a_plain_search_over_everything(seed: int, shard: int, k: int) -> None:
    queries = np.random.default_rng(seed).normal(size=(4, Words.dimension)).astype(np.float32)
    found = PoolSearch(Words(), None, shard=shard)(iter(ENTRIES), queries, k)
    table = cosine_matrix(queries, Words().encode([entry.text for entry in ENTRIES]))
    expected = np.sort(table, axis=1)[:, ::-1][:, :k]
    assert found.cosines == pytest.approx(expected, abs=5e-4)  # what float16 takes away
    places = [[int(name[1:]) for name in row] for row in found.names]
    assert np.take_along_axis(table, np.array(places), axis=1) == pytest.approx(expected, abs=1e-3)


def test_each_language_is_told_and_the_others_are_not() -> None:
    words = Words()
    PoolSearch(words, None)(ENTRIES, np.ones((1, 512), dtype=np.float32), 1)
    assert dict(words.seen) == {entry.text: entry.language for entry in ENTRIES}


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    class Dies(Words):
        def encode(self, sentences, **options):
            if len(self.seen) >= 30:
                raise KeyboardInterrupt
            return super().encode(sentences, **options)

    query = np.ones((1, 512), dtype=np.float32)
    dying, again, third = Dies(), Words(), Words()
    with pytest.raises(KeyboardInterrupt):
        PoolSearch(dying, tmp_path, shard=10)(ENTRIES, query, 3)
    assert len(list(tmp_path.iterdir())) == 3
    assert all(file.suffix == ".faiss" for file in tmp_path.iterdir())
    found = PoolSearch(again, tmp_path, shard=10)(ENTRIES, query, 3)
    assert len(again.seen) == 20
    read = PoolSearch(third, tmp_path, shard=10)(ENTRIES, query, 3)
    assert third.seen == []
    whole = PoolSearch(Words(), None, shard=10)(ENTRIES, query, 3)
    for other in (found, read):
        assert np.array_equal(other.cosines, whole.cosines)
        assert np.array_equal(other.names, whole.names)


def test_another_encoder_text_or_language_is_another_shard() -> None:
    one = [Entry("a b", "en", "x"), Entry("c", None, "y")]
    keys = {
        key_of(one, "words:0"),
        key_of(one, "words:1"),
        key_of([Entry("a", "en", "x"), Entry("b c", None, "y")], "words:0"),
        key_of([Entry("a b", "de", "x"), Entry("c", None, "y")], "words:0"),
    }
    assert len(keys) == 4
    assert key_of([Entry("a b", "en", "other"), Entry("c", None, "y")], "words:0") == key_of(one, "words:0")


def test_a_file_that_is_no_shard_is_named(tmp_path: Path) -> None:
    query = np.ones((1, 512), dtype=np.float32)
    search = PoolSearch(Words(), tmp_path, shard=50)
    search(ENTRIES, query, 1)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    file.write_bytes(good[:100])
    with pytest.raises(OutputError, match="is not a faiss index; remove it"):
        search(ENTRIES, query, 1)
    PoolSearch(Words(), tmp_path, shard=10)(ENTRIES, query, 1)
    other = next(path for path in tmp_path.iterdir() if path != file)
    file.write_bytes(other.read_bytes())
    with pytest.raises(OutputError, match="must hold 50 vectors of 512 numbers, got 10 of 512; remove it"):
        search(ENTRIES, query, 1)


def test_the_cache_of_vectors_is_left_alone(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "vectors.sqlite") as cache:
        search = PoolSearch(CachedEncoder(Words(), cache), None)
        search(ENTRIES, np.ones((1, 512), dtype=np.float32), 1)
        assert len(cache) == 0
