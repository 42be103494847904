"""amrx.vector_cache: vectors come back bit for bit, under keys that hold all they depend on."""

import multiprocessing
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx import vector_cache as module
from amrx.errors import OptionError, OutputError
from amrx.types import Encoder, Vectors
from amrx.vector_cache import VECTORS, CachedEncoder, VectorCache
from parser.run.cache import ParseCache


class Hashed:
    """A vector that text and language alone decide; remembers the calls, may die in one of them."""

    name, dimension = "hashed", 3

    def __init__(self, fingerprint: str = "hashed:1", dies_at: int = 0) -> None:
        self.fingerprint, self.dies_at = fingerprint, dies_at
        self.calls: list[list[tuple[str, str | None]]] = []

    def encode(
        self,
        sentences: Sequence[str],
        *,
        lang: str | Sequence[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> Vectors:
        codes = [lang] * len(sentences) if lang is None or isinstance(lang, str) else list(lang)
        self.calls.append(list(zip(sentences, codes, strict=True)))
        if len(self.calls) == self.dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        rows = [
            np.random.default_rng([len(text), *text.encode(), len(code or "")]).normal(size=3)
            for text, code in self.calls[-1]
        ]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)


@pytest.fixture
def cache(tmp_path: Path):
    with VectorCache(tmp_path / "v.sqlite") as opened:
        yield opened


TEXTS = ["eins", "zwei", "eins", "", "drei"]


def test_what_comes_back_is_what_the_encoder_gave(cache: VectorCache) -> None:
    inner = Hashed()
    encoder = CachedEncoder(inner, cache)
    assert isinstance(encoder, Encoder)
    assert (encoder.name, encoder.dimension, encoder.fingerprint) == ("hashed", 3, "hashed:1")
    for lang in ("de", ["de", "de", "en", "de", "de"], None):
        expected = Hashed().encode(TEXTS, lang=lang)
        inner.calls.clear()
        for _ in range(2):
            found = encoder.encode(TEXTS, lang=lang)
            assert found.dtype == np.float32
            assert found.tobytes() == expected.tobytes()
        assert len(inner.calls) == 1
    assert encoder.encode([], lang="de").shape == (0, 3)


def test_only_what_is_new_is_encoded_and_each_once(cache: VectorCache) -> None:
    inner = Hashed()
    encoder = CachedEncoder(inner, cache)
    encoder.encode(TEXTS, lang="de")
    encoder.encode(["vier", "zwei", "vier"], lang=["de", "de", "de"])
    encoder.encode(["zwei"], lang="en")
    assert inner.calls == [
        [("eins", "de"), ("zwei", "de"), ("", "de"), ("drei", "de")],
        [("vier", "de")],
        [("zwei", "en")],
    ]
    assert encoder.hits == 1
    other = Hashed("hashed:2")
    CachedEncoder(other, cache).encode(["zwei"], lang="de")
    assert len(other.calls) == 1


PARTS = st.tuples(st.text(), st.sampled_from([None, "de", "en"]), st.text())


@given(st.lists(PARTS, min_size=2, unique=True))
def test_keys_differ_when_anything_differs(parts) -> None:
    assert len({VECTORS.key(*part) for part in parts}) == len(parts)


def test_blocks_bound_what_is_held_and_what_a_kill_loses(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 4)
    texts = [f"Satz {number}" for number in range(10)]

    def killed() -> None:
        with VectorCache(tmp_path / "v") as cache:
            CachedEncoder(Hashed(dies_at=3), cache).encode(texts, lang="de")

    process = multiprocessing.get_context("fork").Process(target=killed)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    inner = Hashed()
    with VectorCache(tmp_path / "v") as cache:
        encoder = CachedEncoder(inner, cache)
        assert encoder.encode(texts, lang="de").tobytes() == Hashed().encode(texts, lang="de").tobytes()
        assert encoder.hits == 8
    assert [len(call) for call in inner.calls] == [2]


def test_two_processes_at_once(tmp_path: Path) -> None:
    """Neither has made the file yet; both give the same, and each vector is kept once."""
    texts = [f"Satz {number}" for number in range(300)]

    def encode() -> None:
        with VectorCache(tmp_path / "v") as cache:
            found = CachedEncoder(Hashed(), cache).encode(texts, lang="de")
            assert found.tobytes() == Hashed().encode(texts, lang="de").tobytes()

    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=encode) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    with VectorCache(tmp_path / "v") as cache:
        assert len(cache) == 300


def test_wrong_files_widths_and_codes_are_said_in_a_line(tmp_path: Path, cache: VectorCache) -> None:
    encoder = CachedEncoder(Hashed(), cache)
    with pytest.raises(OptionError, match="1 language codes for 2 sentences"):
        encoder.encode(["a", "b"], lang=["de"])
    cache.put({VECTORS.key("kurz", "de", "hashed:1"): b"1234"})
    with pytest.raises(OutputError, match=r"v\.sqlite: .* a vector of 4 bytes, not 12"):
        encoder.encode(["kurz"], lang="de")
    ParseCache(tmp_path / "parses").close()
    with pytest.raises(OutputError, match="is no vector cache .*--vector-cache"):
        VectorCache(tmp_path / "parses")


def test_a_cached_vector_that_is_not_finite_names_the_file(cache: VectorCache) -> None:
    encoder = CachedEncoder(Hashed(), cache)
    cache.put({VECTORS.key("eins", "de", "hashed:1"): np.array([1, np.nan, 0], "<f4").tobytes()})
    with pytest.raises(OutputError, match=r"v\.sqlite: .* a vector that is not finite; remove it"):
        encoder.encode(TEXTS, lang="de")


def test_the_option_goes_before_the_variable_and_none_before_both(tmp_path, own_caches, monkeypatch):
    for named, expected in ((tmp_path / "named", tmp_path / "named"), (None, own_caches / "vectors.sqlite")):
        cache = VectorCache.chosen(named)
        assert cache is not None
        assert cache.path == expected
        cache.close()
    assert VectorCache.chosen(off=True) is None
    with pytest.raises(OptionError, match="--vector-cache and --no-cache"):
        VectorCache.chosen(tmp_path / "named", off=True)
    monkeypatch.delenv("AMRX_VECTOR_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    cache = VectorCache.chosen()
    assert cache is not None
    assert cache.path == tmp_path / "user" / "amrx" / "vectors.sqlite"
    cache.close()
