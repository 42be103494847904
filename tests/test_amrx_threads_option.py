"""The option --threads of every command that runs a model; `tests.test_amrx_threads` has what it does."""

import os
import subprocess
import sys

import pytest

from amrx.cli import main

COMMANDS = [
    "parse", "retrofit", "search", "pairs", "eval", "eval papers", "explain", "translate", "gather",
    "gather-nli", "train-parser", "train-encoder", "train-student", "train-base", "fine-tune",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_it_and_refuses_none(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--threads", "0"]) == 2
    assert "Invalid value for '--threads'" in capsys.readouterr().err


ARGUMENTS = {
    "parse": ["no.txt", "-o", "out.amr"],
    "retrofit": ["no.txt", "-o", "out.npy"],
    "search": ["no.txt", "no.txt"],
    "pairs": ["no.txt"],
    "eval": ["--tasks", "none"],
    "eval papers": ["-o", "out.md", "--only", "none"],
    "explain": ["", ""],
    "translate": ["no.txt", "-o", "out", "--to", "de"],
    "gather": ["no", "-o", "out"],
    "gather-nli": ["no.tsv", "-o", "out"],
    "train-parser": [".", "-o", "out", "--config", "no.toml"],
    "train-encoder": ["no", "-o", "out", "--recipe", "none"],
    "train-student": ["no", "-o", "out", "--recipe", "none"],
    "train-base": ["none", "-o", "out"],
    "fine-tune": ["none", "--model", "m", "--data", ".", "-o", "out"],
}
"""What each command refuses, after it has read its options."""


@pytest.mark.parametrize("command", COMMANDS)
def test_it_holds_for_what_the_command_starts(command: str, tmp_path, monkeypatch, capsys) -> None:
    """As the variable of the environment, which libraries and other processes read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "")
    monkeypatch.delenv("AMRX_DATA", raising=False)
    monkeypatch.setenv("AMRX_DATA_CACHE", str(tmp_path / "none"))
    assert main([*command.split(), *ARGUMENTS[command], "--threads", "1"]) == 2
    assert os.environ["OMP_NUM_THREADS"] == "1"
    code = "import os; print(os.environ['OMP_NUM_THREADS'])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "1\n"
