"""Fewer dimensions and smaller numbers: cosines stay near, and by which law."""

import json
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import OptionError
from amrx.types import Sentence
from amrx.validation import as_dtype
from amrx.vectors import cosine_matrix
from retrofit import load, reduce
from retrofit.combine import RetrofittedEncoder, combine
from tests.support.fake_command import german, parser, run
from tests.support.fakes import FakeBase, FakeGraphs, FakeParser
from tests.support.vector_files import read_vectors

__all__ = ["german", "parser"]


class Part:
    def __init__(self, name: str, dimension: int, fingerprint: str = "x:0:float32") -> None:
        self.name, self.dimension, self.fingerprint = name, dimension, fingerprint


@pytest.fixture
def vectors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[np.ndarray]:
    """Unit vectors of a base of 6 and a channel of 4 numbers, which lie near a subspace; their moments."""
    random = np.random.default_rng(0)
    meaning = random.normal(size=(300, 3))
    made = []
    for width in (6, 4):
        one = meaning @ random.normal(size=(3, width)) + 0.05 * random.normal(size=(300, width))
        made.append((one / np.linalg.norm(one, axis=1, keepdims=True)).astype(np.float32))
    monkeypatch.setattr(reduce, "FOLDER", tmp_path / "moments")
    reduce.write_moments([Part("base", 6), Part("amr", 4)], made)
    return made


def test_the_columns_are_the_largest_directions_of_the_weighed_vectors(vectors: list[np.ndarray]) -> None:
    """Pearson 1901: no other 3 directions leave less of the squared length out."""
    x = np.hstack([vectors[0], 0.5 * vectors[1]]).astype(np.float64)
    v = reduce.projection([Part("base", 6), Part("amr", 4)], [1, 0.5], 3)
    assert v.shape == (10, 3) and v.dtype == np.float32
    assert v.T @ v == pytest.approx(np.eye(3), abs=1e-5)
    singular = np.linalg.svd(x, compute_uv=False)
    assert np.sum((x - x @ v @ v.T) ** 2) == pytest.approx(np.sum(singular[3:] ** 2), rel=1e-2)
    y = combine(*vectors, weight=0.5) @ v
    assert np.abs(cosine_matrix(y, y) - cosine_matrix(x, x)).max() < 0.1
    assert (np.take_along_axis(v, np.abs(v).argmax(axis=0)[None], 0) > 0).all()


def test_a_channel_that_is_not_there_takes_no_rows(vectors: list[np.ndarray]) -> None:
    alone = reduce.projection([Part("amr", 4)], [1], 2)
    largest = np.linalg.eigh(vectors[1].T.astype(np.float64) @ vectors[1]).eigenvectors[:, ::-1][:, :2]
    assert np.abs(np.sum(alone * largest, axis=0)) == pytest.approx([1, 1], abs=1e-3)


def test_what_was_not_fitted_is_refused(vectors: list[np.ndarray]) -> None:
    with pytest.raises(OptionError, match="dimensions must be a whole number from 1 to 9, got 10"):
        reduce.projection([Part("base", 6), Part("amr", 4)], [1, 1], 10)
    for wrong in (2.0, "2", True):
        with pytest.raises(OptionError, match=f"must be a whole number from 1 to 9, got {wrong!r}"):
            reduce.projection([Part("base", 6), Part("amr", 4)], [1, 1], wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="not fitted for labse, only for base, amr"):
        reduce.projection([Part("labse", 6)], [1], 2)
    with pytest.raises(OptionError, match=r"of base; leave dimensions out, or run scripts/fit_moments\.py"):
        reduce.projection([Part("base", 6, "x:1:float32")], [1], 2)
    assert reduce.projection([Part("base", 6, "x:0:bfloat16")], [1], 2).shape == (6, 2)  # another machine


def test_an_encoder_gives_what_the_projection_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    v = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 2)))[0].astype(np.float32)
    asked = []
    monkeypatch.setattr(reduce, "projection", lambda *given: asked.append(given) or v)
    monkeypatch.setattr(reduce, "digest", lambda: "0123")
    made = [
        RetrofittedEncoder(FakeBase(), FakeParser(), FakeGraphs(), weight=0.5, dimensions=n)
        for n in (None, 2)
    ]
    texts = ["a man and a dog", "is it?"]
    whole, reduced = (one.encode(texts, lang="en") for one in made)
    assert reduced == pytest.approx(whole @ v, abs=1e-6) and made[1].dimension == 2
    assert [given[1:] for given in asked] == [([1.0, 0.5], 2)]
    assert made[1].fingerprint.endswith("|0.5|2:0123")
    added = RetrofittedEncoder(FakeBase(), None, FakeBase(), integration="add", dimensions=2)
    with pytest.raises(OptionError, match="dimensions needs integration norm-concat, got 'add'"):
        added.encode(texts, lang="en")


def test_int8_keeps_cosines() -> None:
    vectors = np.random.default_rng(2).normal(size=(50, 64)).astype(np.float32)
    vectors[3] = 0
    small = as_dtype(vectors, "int8", [Sentence("", "")] * 50)
    assert (
        small.dtype == np.int8 and (np.abs(small.astype(int)).max(axis=1) == 127 * (np.arange(50) != 3)).all()
    )
    assert np.abs(cosine_matrix(small, small) - cosine_matrix(vectors, vectors)).max() < 0.01
    assert small[0].tolist() == np.rint(vectors[0] * (127 / np.abs(vectors[0]).max())).tolist()


@pytest.mark.parametrize("suffix", ["npy", "parquet", "jsonl"])
def test_the_command_writes_int8_rows(suffix: str, german: Path, parser: object, tmp_path: Path) -> None:
    out = tmp_path / f"v.{suffix}"
    assert run(german, "--lang", "de", "-o", out, "--dtype", "int8") == 0
    rows = np.asarray(read_vectors(out)[1])
    assert rows.shape == (10, 5) and np.abs(rows.astype(int)).max() == 127
    assert rows.dtype == (np.float32 if suffix == "jsonl" else np.int8)
    if suffix == "jsonl":
        values = json.loads(out.read_text().splitlines()[0])["vector"]
        assert all(type(value) is int for value in values)
    assert run(german, "--lang", "de", "-o", out, "--dtype", "int4") == 2


def test_the_command_refuses_dimensions_that_were_not_fitted(german, parser, tmp_path, capsys):
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--dimensions", 2) == 2
    assert "fewer dimensions were not fitted for base" in capsys.readouterr().err
    assert not (tmp_path / "v.npy").exists()


def test_the_shipped_moments_serve_a_preset_and_a_saved_folder(tmp_path: Path) -> None:
    texts, langs = (
        ["Der Junge will gehen.", "The boy wants to go.", "男孩想走。", "It rains."],
        ["de", "en", "zh", "en"],
    )
    encoder = load("muse", preset="fast", dimensions=200)
    vectors = encoder.encode(texts, lang=langs)
    assert vectors.shape == (4, 200)
    whole = load("muse", preset="fast").encode(texts, lang=langs)
    assert np.abs(cosine_matrix(vectors, vectors) - cosine_matrix(whole, whole)).max() < 0.15
    encoder.save(tmp_path / "saved")
    again = load(tmp_path / "saved")
    assert again.fingerprint == encoder.fingerprint
    assert np.array_equal(again.encode(texts, lang=langs), vectors)
    with pytest.raises(OptionError, match="load it alone"):
        load(tmp_path / "saved", dimensions=100)
