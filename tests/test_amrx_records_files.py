import os
import zipfile

import pytest
from safetensors import SafetensorError

from amrx.errors import InputError, OutputError
from amrx.records import atomic_path, check_writable
from amrx.records.files import kind_of, read_lines, reading

READ_ONLY = "/proc"
"""A folder in which even the superuser cannot make a file."""


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_name_appears_only_at_the_end_and_keeps_the_suffix(tmp_path):
    path = tmp_path / "a.npy"
    with atomic_path(path) as temporary:
        temporary.write_bytes(b"new")
        assert temporary.suffix == ".npy"
        assert temporary.parent == tmp_path
        assert not path.exists()
    assert names(tmp_path) == ["a.npy"]
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_error_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_path(path) as temporary:
        temporary.write_text("half")
        raise error
    assert names(tmp_path) == ["a.txt"]
    assert path.read_text() == "old"


def test_missing_folder_folder_in_place_and_read_only(tmp_path):
    with pytest.raises(OutputError, match=r"missing/a\.txt: the folder '.*missing' does not exist"):
        check_writable(tmp_path / "missing" / "a.txt")
    with pytest.raises(OutputError, match="is a folder; name a file in it"):
        check_writable(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="does not exist"):
        check_writable(tmp_path / "file" / "a.txt")
    assert names(tmp_path) == ["file"]


def test_a_file_that_is_read_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text("a")
    (tmp_path / "link.txt").symlink_to("in.txt")
    for output in ("in.txt", "./in.txt", tmp_path / "in.txt", "link.txt"):
        with pytest.raises(OutputError, match=r"(in|link)\.txt: is also an input"):
            check_writable(output, "-", "none.txt", "in.txt")
    check_writable("out.txt", "in.txt", "none.txt")
    check_writable("-", "-")


@pytest.mark.skipif(not os.path.isdir(READ_ONLY), reason="only Linux has a folder that refuses everybody")
def test_folder_that_refuses_new_files():
    with pytest.raises(OutputError, match="the folder cannot be written"):
        check_writable(f"{READ_ONLY}/a.txt")


def test_folder_without_write_permission(tmp_path, monkeypatch):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    if os.geteuid() == 0:  # no permission stops the superuser, so the refusal is made

        def refuse(*_args, **_options):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("amrx.records.writing.tempfile.TemporaryFile", refuse)
    with pytest.raises(OutputError, match="cannot be written: Permission denied"):
        check_writable(folder / "a.txt")


def test_standard_output_is_always_writable_and_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").mkdir()  # a file of that name could not be written
    check_writable("-")
    assert names(tmp_path) == ["-"]


@pytest.mark.parametrize(
    ("name", "kind"), [("a.csv", "csv"), ("b/a.Tsv.gz", "tsv"), ("-", ""), ("a", ""), (".gz", "")]
)
def test_kind(name, kind):
    assert kind_of(name) == kind


def test_link_is_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "a.txt").symlink_to(tmp_path / "far" / "b.txt")
    with atomic_path(tmp_path / "a.txt") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "a.txt").is_symlink()
    assert (tmp_path / "far" / "b.txt").read_text() == "new"
    (tmp_path / "c.txt").symlink_to(tmp_path / "missing" / "c.txt")
    with pytest.raises(OutputError, match="does not exist"):
        check_writable(tmp_path / "c.txt")


def test_pipe_is_written_and_read_as_it_is(tmp_path):
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    kept = os.open(path, os.O_RDWR)  # so that neither side waits for the other
    with atomic_path(path) as temporary:
        assert temporary == path
        temporary.write_text("one\ntwo\n")
    os.set_blocking(kept, False)
    assert os.read(kept, 100) == b"one\ntwo\n"
    os.write(kept, b"three\nfour\n")
    lines = read_lines(path)
    assert [next(lines), next(lines)] == ["three\n", "four\n"]
    lines.close()
    os.close(kept)
    assert names(tmp_path) == ["pipe.txt"]


@pytest.mark.parametrize(
    "error", [KeyError("a"), zipfile.BadZipFile("a"), SafetensorError("a"), Exception("a")]
)
def test_what_readers_raise_names_the_file(error):
    with pytest.raises(InputError, match="x.npz:3: field 'f': is none: '?a'?$"):
        with reading("x.npz", "is none", line=3, field="f"):
            raise error


@pytest.mark.parametrize("error", [OutputError("a"), ImportError("a"), KeyboardInterrupt()])
def test_other_errors_are_not_the_files(error):
    with pytest.raises(type(error)), reading("x.npz", "is none"):
        raise error
