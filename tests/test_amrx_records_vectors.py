import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from amrx.errors import OutputError
from amrx.records import ResumableVectors, fingerprint, write_ids, write_vectors
from tests.support.vector_files import read_vectors

SUFFIXES = [".parquet", ".jsonl"]
IDS = ["ä", "2", 'a "b", c']


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_vectors_and_ids_come_back_exactly(tmp_path, suffix):
    path = tmp_path / f"v{suffix}"
    vectors = np.random.default_rng(1).standard_normal((3, 5)).astype(np.float32)
    vectors[0, 0] = np.float32(1e-38)
    write_vectors(path, vectors, IDS)
    ids, found = read_vectors(path)
    assert ids == IDS
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, vectors)


def test_ids_are_written_as_they_come_and_whole_or_not_at_all(tmp_path):
    path = tmp_path / "v.npy"
    write_ids(path, iter(IDS))
    written = (tmp_path / "v.npy.ids").read_bytes()
    assert written == "".join(f"{name}\n" for name in IDS).encode()
    with pytest.raises(OutputError, match="'a.r' has a line break"):
        write_ids(path, iter(["b", "a\r"]))
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("v.npy.ids", written)]


@given(
    arrays.arrays(
        np.float32,
        arrays.array_shapes(min_dims=2, max_dims=2, max_side=4),
        elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
    )
)
def test_every_float_survives_json(scratch, vectors):
    path = scratch / "v.jsonl"
    write_vectors(path, vectors, [str(row) for row in range(len(vectors))])
    np.testing.assert_array_equal(read_vectors(path)[1], vectors)


def test_wrong_places_names_and_counts(tmp_path):
    vectors = np.zeros((2, 3), np.float32)
    with pytest.raises(OutputError, match="suffix must be .npy, .parquet or .jsonl, got 'txt'"):
        write_vectors(tmp_path / "v.txt", vectors, ["a", "b"])
    with pytest.raises(OutputError, match="does not exist"):
        write_vectors(tmp_path / "missing" / "v.jsonl", vectors, ["a", "b"])
    with pytest.raises(ValueError, match="1 ids for 2 vectors"):
        write_vectors(tmp_path / "v.jsonl", vectors, ["a"])


def test_half_precision_is_numpys_own(tmp_path):
    rows = np.random.default_rng(3).standard_normal((6, 3)).astype(np.float32)
    with ResumableVectors(tmp_path / "v.npy", (6, 3), fingerprint="a", dtype="float16") as out:
        out.append(rows[:4])
        out.append(rows[4:])
    np.save(tmp_path / "w.npy", rows.astype(np.float16))
    assert (tmp_path / "v.npy").read_bytes() == (tmp_path / "w.npy").read_bytes()


def test_no_rows_at_all(tmp_path):
    with ResumableVectors(tmp_path / "v.npy", (0, 3), fingerprint="a"):
        pass
    assert np.load(tmp_path / "v.npy").shape == (0, 3)


def test_blocks_that_do_not_fit(tmp_path):
    out = ResumableVectors(tmp_path / "v.npy", (3, 2), fingerprint="a")
    for block in (np.ones((4, 2)), np.ones((1, 3)), np.ones(2)):
        with pytest.raises(ValueError, match="does not fit"):
            out.append(block)
    assert out.done == 0
    out.close()
    with pytest.raises(ValueError, match="does not fit"):
        out.append(np.ones((1, 2)))


def test_place_that_cannot_be_written_and_a_full_disk(tmp_path, monkeypatch):
    with pytest.raises(OutputError, match="does not exist"):
        ResumableVectors(tmp_path / "missing" / "v.npy", (3, 2), fingerprint="a")

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with pytest.raises(OutputError, match="no room for .* No space left"):
        ResumableVectors(tmp_path / "v.npy", (3, 2), fingerprint="a")
    assert list(tmp_path.iterdir()) == []


def test_fingerprint_follows_settings_and_bytes(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one")
    first = fingerprint({"a": 1, "b": 2}, [path])
    assert fingerprint({"b": 2, "a": 1}, [path]) == first
    assert fingerprint({"a": 1, "b": 3}, [path]) != first
    path.write_text("two")
    assert fingerprint({"a": 1, "b": 2}, [path]) != first
