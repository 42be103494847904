import errno
import fcntl
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from amrx.errors import InputError, OutputError
from amrx.published_checkpoint import load_plain, new_folder, read_state
from amrx.records.locks import take_lock


@pytest.fixture(params=["old", "zip"])
def saved(request, tmp_path: Path) -> Path:
    """A file in torch's format of today, or in that of before 1.6."""
    import torch

    held = {"model": {"a.weight": torch.ones(2, 3), "module.b": torch.zeros(2)}, "step": 7}
    torch.save(held, tmp_path / "x.pt", _use_new_zipfile_serialization=request.param == "zip")
    return tmp_path / "x.pt"


def test_arrays_come_by_name_and_plain_values_stay(saved: Path) -> None:
    assert sorted(read_state(saved)) == ["a.weight", "b"]
    held = load_plain(saved)
    assert isinstance(held, dict) and held["step"] == 7


def test_a_damaged_file_is_told_in_one_line_whatever_byte_is_wrong(saved: Path) -> None:
    draw, whole, refused = random.Random(0), saved.read_bytes(), 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        saved.write_bytes(damaged[: draw.choice([len(damaged), draw.randrange(1, len(damaged))])])
        try:
            read_state(saved)
        except InputError as error:
            refused += 1
            assert str(error).startswith(f"{saved}: ")
            assert "\n" not in str(error)
    assert refused > 100


class Evil:
    def __reduce__(self):
        return (print, ("code of the file ran",))


def test_what_is_more_than_plain_is_named_without_advice_to_run_it(tmp_path: Path, capsys) -> None:
    import torch

    torch.save({"model": Evil()}, tmp_path / "x.pt")
    with pytest.raises(
        InputError, match=r"x\.pt: cannot be read as plain weights: it holds other objects .*print\)$"
    ):
        load_plain(tmp_path / "x.pt")
    assert "ran" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"hello world", "is damaged, or was not written by torch.save"),
        (b"{}", "is damaged, or was not written by torch.save"),
        (b"PK\x05\x06" + b"\0" * 18, "is damaged, or was not written by torch.save"),
        (None, "no such file"),
    ],
)
def test_other_files_are_told(tmp_path: Path, content: bytes | None, told: str) -> None:
    if content is not None:
        (tmp_path / "x.pt").write_bytes(content)
    with pytest.raises(InputError, match=rf"x\.pt: .*{told}$"):
        load_plain(tmp_path / "x.pt")
    with pytest.raises(InputError, match="is a folder, not a file"):
        load_plain(tmp_path)


def test_a_full_disk_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"out: No space left on device"), new_folder(tmp_path / "out"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


def test_two_runs_at_once_do_not_write_one_folder(tmp_path: Path) -> None:
    with new_folder(tmp_path / "out") as first:
        (first / "a").touch()
        with pytest.raises(OutputError, match="out: another run is writing it"), new_folder(tmp_path / "out"):
            pass
        (first / "b").touch()
    assert sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")) == [
        "out",
        "out/a",
        "out/b",
    ]
    with pytest.raises(OutputError, match="out: exists already"), new_folder(tmp_path / "out"):
        pass


def test_what_a_killed_run_left_goes(tmp_path: Path) -> None:
    killed = "import os, sys, pathlib, signal; from amrx.published_checkpoint import new_folder\n"
    killed += "with new_folder(pathlib.Path(sys.argv[1])) as folder:\n"
    killed += "    (folder / 'half').touch(); os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", killed, str(tmp_path / "out")], check=False)
    assert done.returncode == -signal.SIGKILL and any(tmp_path.rglob("half"))
    with new_folder(tmp_path / "out") as folder:
        (folder / "a").touch()
    assert sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")) == ["out", "out/a"]


def test_a_folder_made_while_the_lock_was_waited_for_is_left_alone(tmp_path, monkeypatch):
    def just_after_another(file: Path, path: Path) -> int:
        (path / "theirs").mkdir(parents=True)
        return take_lock(file, path)

    monkeypatch.setattr("amrx.published_checkpoint.take_lock", just_after_another)
    with pytest.raises(OutputError, match="out: exists already"), new_folder(tmp_path / "out"):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_that_went_with_its_file_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, replaced: bool
) -> None:
    lock, flock = tmp_path / "a.lock", fcntl.flock

    def late(descriptor: int, how: int) -> None:
        lock.unlink()
        if replaced:
            lock.touch()
        flock(descriptor, how)

    monkeypatch.setattr("fcntl.flock", late)
    with pytest.raises(OutputError, match="a: another run is writing it"):
        take_lock(lock, tmp_path / "a")
