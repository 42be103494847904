"""Saving a retrofitted encoder: from Python and by the command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import OptionError, OutputError
from retrofit import load
from retrofit.combine import RetrofittedEncoder


@pytest.fixture(scope="module")
def encoder() -> RetrofittedEncoder:
    return load("muse", "mini", "mini", 0.5)


def test_a_folder_in_use_is_left_alone(encoder: RetrofittedEncoder, tmp_path: Path) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "mine.txt").write_text("x")
    with pytest.raises(OutputError, match="used: exists already"):
        encoder.save(tmp_path / "used")
    with pytest.raises(OutputError, match="does not exist"):
        encoder.save(tmp_path / "none" / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["used"]


def test_a_save_that_fails_leaves_nothing_and_the_next_one_works(
    encoder: RetrofittedEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".model.partial").mkdir()  # what a killed run left
    with monkeypatch.context() as patch:
        patch.setattr("retrofit.saved_format.to_toml", lambda saved: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            encoder.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
    encoder.save(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_parts_put_together_by_hand_cannot_be_saved(encoder: RetrofittedEncoder, tmp_path: Path) -> None:
    bare = RetrofittedEncoder(encoder.base, encoder.parser, encoder.encoders)
    with pytest.raises(OptionError, match="no names to save; load by name"):
        bare.save(tmp_path / "model")


def test_the_command_saves_without_sentences(
    encoder: RetrofittedEncoder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys.modules["retrofit.load"], "load", lambda *names, **options: encoder)
    assert main(["retrofit", "--base", "muse", "--save", str(tmp_path / "model")]) == 0
    assert ": weight 0.5" in capsys.readouterr().err
    card = (tmp_path / "model" / "README.md").read_text("utf-8")
    assert "from retrofit.sentence_transformer import load" in card
    assert f"`--base {tmp_path / 'model'}` of `amrx retrofit`" in card


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to do: give SENTENCES and --output FILE, or --save DIR"),
        (["a.txt"], "missing --output FILE"),
        (["-o", "v.npy"], "missing SENTENCES"),
        (["a.txt", "--save", "model"], "missing --output FILE"),
        (["--save", "model", "--lang", "de"], "--lang needs sentences to read"),
        (["--save", "model", "--failed", "bad.tsv"], "--failed needs sentences to read"),
        (["--save", "none/model"], "the folder 'none' does not exist"),
    ],
)
def test_the_commands_errors(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["retrofit", *arguments]) == 2
    assert message in capsys.readouterr().err
