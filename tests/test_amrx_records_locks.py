import fcntl
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from amrx.errors import OutputError
from amrx.records import atomic_path
from amrx.records.locks import locked, take_lock


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_no_change_is_lost_that_several_make_under_a_lock(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("0")

    def count_up(_):
        with locked(path), atomic_path(path) as temporary:
            temporary.write_text(str(int(path.read_text()) + 1))

    with ThreadPoolExecutor(4) as pool:  # a lock is of an open file, so that threads wait as processes do
        list(pool.map(count_up, range(200)))
    assert path.read_text() == "200" and names(tmp_path) == ["a.txt"]


def test_what_another_holds_is_told_unless_it_is_waited_for(tmp_path):
    lock = tmp_path / "lock"
    held = take_lock(lock, tmp_path / "a")
    with pytest.raises(OutputError, match="a: another run is writing it"):
        take_lock(lock, tmp_path / "a")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(take_lock, lock, tmp_path / "a", wait=True)
        lock.unlink()  # as who held it does: the one who waits must not hold a lock on a file that is gone
        os.close(held)
        found = waiting.result()
    assert os.path.samestat(os.fstat(found), lock.stat())
    os.close(found)


def test_a_disk_that_knows_no_locks_is_told_and_not_waited_for(tmp_path, monkeypatch):
    def refuse(descriptor, kind):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OutputError, match="cannot be locked: Operation not supported"):
        take_lock(tmp_path / "lock", tmp_path / "a", wait=True)
