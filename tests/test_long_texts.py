"""Texts that a channel cuts are counted, because their ends are in no vector."""

from pathlib import Path

import pytest

import amrx
from amrx.cli import main

LONG = "The courier left the box at the wrong door, and nobody answers the phone. "


def test_cut_texts_of_a_base_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.txt"
    file.write_text(f"{LONG * 50}\n{LONG}\n", "utf-8")
    note = "e5-small: 1 texts were longer than 512 word pieces and were cut\n"
    taken = ["--base", "e5-small", "--preset", "fast", "--lang", "en"]
    caches = ["--vector-cache", str(tmp_path / "cache")]
    assert main(["retrofit", str(file), *taken, *caches, "-o", str(tmp_path / "v.npy")]) == 0
    assert capsys.readouterr().err.count(note) == 1
    assert main(["pairs", str(file), *taken, "--no-cache", "-o", str(tmp_path / "p.tsv")]) == 0
    assert capsys.readouterr().err.count(note) == 1


@pytest.mark.parametrize(
    ("preset", "channel", "limit"), [("fast", "student-text", 128), ("text", "student-e5", 512)]
)
def test_cut_texts_are_counted(preset, channel, limit, tmp_path, capsys):
    file = tmp_path / "long.txt"
    file.write_text(f"{LONG * 50}\n{LONG}\n", "utf-8")
    note = f"{channel}: 1 texts were longer than {limit} word pieces and were cut\n"
    taken = ["--preset", preset, "--lang", "en", "--no-cache"]
    assert main(["retrofit", str(file), *taken, "-o", str(tmp_path / "v.npy")]) == 0
    assert capsys.readouterr().err.count(note) == 1
    assert main(["pairs", str(file), *taken, "-o", str(tmp_path / "p.tsv")]) == 0
    assert capsys.readouterr().err.count(note) == 1
    file.write_text(f"{LONG}\nTom sleeps.\n", "utf-8")
    assert main(["retrofit", str(file), *taken, "-o", str(tmp_path / "w.npy")]) == 0
    assert "were cut" not in capsys.readouterr().err


def test_the_end_of_a_long_text_is_in_no_vector_of_a_student() -> None:
    encoder = amrx.load(preset="fast")
    [student] = encoder.encoders
    first, second = student.encode([LONG * 50, LONG * 50 + "My cat is ill."])
    assert student.cut.count == 2
    assert (first == second).all()
