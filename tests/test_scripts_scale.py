"""scripts/bench_scale.py: memory of all processes, distinct sentences, failures."""

from __future__ import annotations

import gzip
import subprocess
import sys

import pytest

from tests.support.script_modules import load_script


@pytest.fixture(scope="module")
def script():
    return load_script("bench_scale")


def test_memory_counts_all_processes(script):
    held = "bytearray(b'x' * 60_000_000)"
    child = f"one = {held}; print('ready', flush=True); input()"
    parent = f"import subprocess, sys; two = {held}; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    command = [sys.executable, "-c", parent, child]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout.readline() == b"ready\n"
        memory = script.memory_of(started.pid)
        started.communicate(b"\n")
    assert 120_000_000 < memory < 240_000_000
    assert script.memory_of(started.pid) == 0  # it has ended


def test_sentences_are_distinct_and_in_turn(script, tmp_path):
    folder = tmp_path / "parallel" / "tatoeba"
    folder.mkdir(parents=True)
    for lang in script.LANGS:
        with gzip.open(folder / f"en-{lang}.tsv.gz", "wt", encoding="utf-8") as file:
            file.writelines(f"english {row // 2}\t{lang} {row}\n" for row in range(4))
    found = script.sentences(tmp_path, 14)
    assert len(dict(found)) == 14 and found[:3] == [("ar 0", "ar"), ("english 0", "en"), ("de 0", "de")]
    with pytest.raises(SystemExit, match="has 18 sentences, not 19"):
        script.sentences(tmp_path, 19)


def test_a_run_is_looked_at_and_its_failure_is_told(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "EVERY", 0.05)
    (tmp_path / "texts.txt").write_text("x\n", "utf-8")
    with pytest.raises(SystemExit, match="amrx search nothing ended with 2"):
        script.run("search nothing", tmp_path)
    looks = [script.Look(1.0, 50.0, 3.0), script.Look(2.0, 40.0, 9.0), script.Look(2.5, 0.0, 0.0)]
    values = {row["metric"]: row["value"] for row in script.rows_of("fast", looks, 2 * script.MB, 10)}
    assert values == {"seconds": 2.5, "memory, MB": 50.0, "output, MB": 2.0, "disk at most, MB": 9.0}
