"""Kills of ``amrx retrofit`` and ``amrx parse`` at every change: the rerun ends as an undisturbed run."""

from pathlib import Path

import pyarrow.parquet  # noqa: F401  # before the fork, which then need not
import pytest

from tests.support import parse_command
from tests.support.fake_command import FakeParser, german, parser, run
from tests.support.kill_points import kill_everywhere

__all__ = ["german", "parser"]


@pytest.mark.parametrize(("suffix", "step"), [("npy", 1), ("parquet", 3), ("jsonl", 4)])
def test_a_retrofit_killed_anywhere_and_run_again_leaves_the_same_files_and_no_other(
    parser: FakeParser, german: Path, tmp_path: Path, suffix: str, step: int
):
    def work(folder: Path) -> None:
        assert run(german, "--lang", "de", "-o", folder / f"v.{suffix}", "--block", 3) == 0

    assert kill_everywhere(tmp_path, work, step) * step > 30


def test_a_parse_killed_anywhere_and_run_again_leaves_the_same_file_and_no_other(toy, tmp_path):
    text = parse_command.put(tmp_path / "s.txt", parse_command.FOUR)

    def work(folder: Path) -> None:
        assert parse_command.run(text, "--lang", "de", "-o", folder / "g.amr") == 0

    assert kill_everywhere(tmp_path, work, 1) >= 3
