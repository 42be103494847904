"""The cache behind amrx parse: work saved, kills survived, other programs' files left alone."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from amrx.records import read_graphs
from parser.run.cache import BLOCK
from tests.support.parse_command import FOUR, put, run

SCRIPT = Path(__file__).parent / "support" / "toy_parser.py"


def test_cache_changes_nothing_but_the_work(toy, tmp_path, capsys):
    source = put(tmp_path / "s.txt", FOUR + FOUR)
    outputs = []
    for name, extra in (("a", ["--no-cache"]), ("b", []), ("c", []), ("d", ["--batch-size", "1"])):
        toy.seen.clear()
        assert run(source, "-o", tmp_path / f"{name}.amr", *extra) == 0
        outputs.append((tmp_path / f"{name}.amr").read_bytes())
        told = capsys.readouterr().err
        assert len(toy.seen) == {"a": 6, "b": 3, "c": 0, "d": 0}[name]
        assert ("6 from the cache" in told) is (name in "cd")
    assert len(set(outputs)) == 1
    assert (tmp_path / "user-cache" / "amrx" / "parses.sqlite").is_file()


def test_a_cache_in_a_file_of_its_own(toy, tmp_path):
    source = put(tmp_path / "s.txt", "eins\nzwei\n")
    run(source, "--cache", tmp_path / "c" / "own.sqlite", "-o", tmp_path / "g.amr")
    assert (tmp_path / "c" / "own.sqlite").is_file()
    assert not (tmp_path / "user-cache").exists()


def test_no_place_for_the_user_cache(toy, tmp_path, monkeypatch, capsys):
    put(tmp_path / "file", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run(put(tmp_path / "s.txt", "eins\n"), "--lang", "de", "-o", tmp_path / "g.amr") == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("amrx: continuing without a cache: ")


def test_the_database_of_another_program_is_left_alone(toy, tmp_path, capsys):
    other = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE letters (text TEXT)")
    before = other.read_bytes()
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--cache", other) == 2
    assert "is no parse cache (another program's database)" in capsys.readouterr().err
    assert other.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database, but long enough to look at" * 40, b"x"])
def test_a_cache_that_is_none(toy, tmp_path, capsys, content):
    other = tmp_path / "other.sqlite"
    other.write_bytes(content)
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--cache", other) == 2
    error = capsys.readouterr().err
    assert f"{other}: is no parse cache" in error and error.count("\n") == 1
    assert other.read_bytes() == content
    assert not (tmp_path / "g.amr").exists()


def process(arguments, folder, **environment):
    command = [sys.executable, str(SCRIPT), *map(str, arguments), "--parser", "toy"]
    return subprocess.Popen(
        command, cwd=folder, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    )


def test_killed_and_started_again(tmp_path, monkeypatch):
    """kill -9 in the middle: no output yet; the same command then parses only what was not done."""
    lines = [f"Satz {number}" for number in range(3000)]
    put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    log = tmp_path / "log"
    arguments = ["s.txt", "--lang", "de", "-o", "g.amr", "--cache", "c.sqlite"]
    first = process(arguments, tmp_path, TOY_LOG=str(log), TOY_PAUSE="0.0005")
    until = time.monotonic() + 120
    while time.monotonic() < until and not (log.exists() and log.read_text().count("\n") > 1100):
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    assert not (tmp_path / "g.amr").exists()
    done = len(log.read_text().splitlines())
    assert 1100 < done < 3000
    log.unlink()
    second = process(arguments, tmp_path, TOY_LOG=str(log))
    told = second.communicate()[1]
    assert second.returncode == 0, told
    found = re.search(r"(\d+) from the cache", told)
    assert found is not None, told
    kept = int(found[1])
    assert kept % BLOCK == 0 and done - BLOCK <= kept <= done  # no more than a block is lost
    assert len(log.read_text().splitlines()) == 3000 - int(told.split(", ")[1].split()[0])
    assert [parse.text for parse in read_graphs(tmp_path / "g.amr")] == lines


def test_several_processes_on_one_cache(tmp_path):
    """Four at once, on a cache that none has made yet: all right, all equal, every sentence kept once."""
    lines = [f"Satz {number % 700}" for number in range(1500)]
    put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    arguments = ["s.txt", "--lang", "de", "--cache", "c.sqlite", "-o"]
    runs = [process([*arguments, f"g{n}.amr"], tmp_path) for n in range(4)]
    told = [one.communicate()[1] for one in runs]
    assert [one.returncode for one in runs] == [0] * 4, told
    assert len({(tmp_path / f"g{n}.amr").read_bytes() for n in range(4)}) == 1
    assert [parse.text for parse in read_graphs(tmp_path / "g0.amr")] == lines
    from parser.run.cache import ParseCache

    with ParseCache(tmp_path / "c.sqlite") as cache:
        assert len(cache) == 700


def test_an_ordinary_kill_leaves_no_half_file(tmp_path):
    put(tmp_path / "s.txt", "".join(f"Satz {number}\n" for number in range(3000)))
    stopped = process(["s.txt", "--lang", "de", "-o", "g.amr", "--no-cache"], tmp_path, TOY_PAUSE="0.003")
    until = time.monotonic() + 120
    while time.monotonic() < until and not list(tmp_path.glob(".g.*.partial.amr")):
        time.sleep(0.02)
    os.kill(stopped.pid, signal.SIGTERM)
    assert "interrupted" in stopped.communicate()[1]
    assert stopped.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["s.txt"]
