"""What writers leave and refuse: temporary names, working names, long names, links, full disks."""

import errno
import os
import re
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import OutputError
from amrx.records import ResumableVectors, atomic_path, check_writable, write_ids
from amrx.records.locks import lock_beside, locked
from amrx.records.writing import standard_output, temporary_beside
from tests.support.vector_files import read_vectors


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def killed(work: Callable[[], object]) -> None:
    """Do the work in a process that kills itself at the end of it."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def half(path: Path) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("name", ["o.amr", "no suffix", ".hidden", "a.jsonl.gz", "x" * 250 + ".txt"])
def test_the_next_writer_of_a_name_removes_what_a_killed_one_left(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for _ in range(2):
        killed(lambda: half(path))
        assert len(names(tmp_path)) == 1 and not path.exists()
    with atomic_path(tmp_path / "other.amr") as temporary:
        temporary.write_text("other")
    assert len(names(tmp_path)) == 2  # that of another name is not touched
    with atomic_path(path) as temporary:
        temporary.write_text("whole")
    assert names(tmp_path) == sorted([name, "other.amr"])
    assert path.read_text() == "whole"


def test_a_writer_that_lives_keeps_its_file(tmp_path: Path) -> None:
    path = tmp_path / "o.amr"
    with atomic_path(path) as first:
        first.write_text("first")
        with atomic_path(path) as second:
            second.write_text("second")
            assert first.name != second.name
        assert path.read_text() == "second" and first.read_text() == "first"
    assert path.read_text() == "first" and names(tmp_path) == ["o.amr"]


def test_files_that_only_look_like_temporary_ones_stay(tmp_path: Path) -> None:
    kept = [
        ".o.partial.amr",
        ".o.123.partial.amr",
        ".o.0123456789ag.partial.amr",
        "o.0123456789ab.partial.amr",
    ]
    for name in kept:
        (tmp_path / name).write_text("mine")
    (tmp_path / ".o.0123456789ab.partial.amr").mkdir()
    with atomic_path(tmp_path / "o.amr") as temporary:
        temporary.write_text("")
    assert names(tmp_path) == sorted([*kept, ".o.0123456789ab.partial.amr", "o.amr"])


def test_a_temporary_name_does_not_depend_on_the_process_only(tmp_path: Path) -> None:
    """Two containers that share a folder both have a process 1."""
    with temporary_beside(tmp_path / "a.txt") as one, temporary_beside(tmp_path / "a.txt") as two:
        assert one.name != two.name
        digits = [re.fullmatch(r"\.a\.([0-9a-f]{12})\.partial\.txt", file.name) for file in (one, two)]
        assert all(digits)


@given(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=260))
def test_a_name_that_the_system_takes_is_written_and_another_is_refused(scratch: Path, name: str) -> None:
    if name in (".", ".."):
        return
    folder = Path(tempfile.mkdtemp(dir=scratch))
    path = folder / name
    if len(os.fsencode(name)) > 255:
        with pytest.raises(OutputError, match="the name is too long"):
            check_writable(path)
        return
    with atomic_path(path) as temporary:
        temporary.write_text("a")
    assert path.read_text() == "a"
    path.unlink()
    assert names(folder) == []


def test_a_working_name_must_be_free_short_and_not_read(tmp_path: Path) -> None:
    out, working = tmp_path / "v.npy", tmp_path / "v.npy.partial"
    with pytest.raises(OutputError, match=r"v\.npy: the name is too long for the working name x+"):
        check_writable(out, working=[tmp_path / ("x" * 256)])
    working.write_text("mine")
    (tmp_path / "link").symlink_to(working)
    os.link(working, tmp_path / "hard")
    for read in (working, tmp_path / "link", tmp_path / "hard"):
        with pytest.raises(OutputError, match=r"would be overwritten by a working file of .*v\.npy"):
            check_writable(out, read, working=[working])
    working.unlink()
    working.mkdir()
    with pytest.raises(OutputError, match=r"its working name .*v\.npy\.partial is a folder"):
        check_writable(out, working=[working])


def test_a_dangling_link_names_the_folder_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "d.amr").symlink_to(tmp_path / "gone" / "d.amr")
    with pytest.raises(OutputError, match=r"d\.amr: the folder '.*/gone' does not exist"):
        check_writable(tmp_path / "d.amr")


@pytest.mark.parametrize("name", ["g.amr.gz", "g.jsonl.GZ", "g.zst"])
def test_the_suffix_of_a_packed_file_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(OutputError, match=rf"{name}: output is not packed; write {path.stem} and pack it"):
        check_writable(path)
    path.symlink_to("/dev/null")  # a device passes under any name
    check_writable(path)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_disk_without_room_names_the_file(tmp_path: Path, number: int) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(OutputError, match=rf"a\.txt: {os.strerror(number)}"), atomic_path(path):
        raise OSError(number, os.strerror(number))
    with pytest.raises(OutputError, match="standard output: "), standard_output():
        raise OSError(number, os.strerror(number))
    with pytest.raises(OSError, match="b.txt"), atomic_path(path):  # it names another one itself
        raise OSError(number, os.strerror(number), "b.txt")
    assert names(tmp_path) == []


def test_vectors_follow_a_link_and_both_names_have_the_identifiers(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, far = tmp_path / "l.npy", tmp_path / "far" / "t.npy"
    link.symlink_to(far)
    with ResumableVectors(link, (2, 1), fingerprint="a") as out:
        out.append(np.ones((1, 1)))
        assert names(tmp_path) == ["far", "l.npy"]  # the array is built where there is room for it
        out.append(np.ones((1, 1)))
    assert link.is_symlink() and np.load(far).tolist() == [[1.0], [1.0]]
    write_ids(link, ["x", "y"])
    for name in (link, far):
        ids, vectors = read_vectors(name)
        assert ids == ["x", "y"] and vectors.all()


def test_a_link_has_the_lock_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "l").symlink_to("t")
    with (
        locked(tmp_path / "l"),
        pytest.raises(OutputError, match="mine: another run is writing it"),
        locked(tmp_path / "t", wait=False, name="mine"),
    ):
        pass
    with locked("/dev/null", wait=False):
        pass
    assert len(os.fsencode(lock_beside(tmp_path / ("ü" * 127)).name)) < 255
