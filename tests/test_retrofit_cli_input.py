"""amrx retrofit, parse and translate on an input that changes while it is read."""

import os
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.records.rereading import Steady
from amrx.translate.files import translate_file
from amrx.translate.pairs import Translation
from amrx.types import Parse, Sentence
from tests.support import parse_command
from tests.support.changing_input import changing
from tests.support.fake_command import german, parser, run
from tests.support.fake_translator import Fake

__all__ = ["german", "parser"]

CHANGES: dict[str, Callable[[Path, str], object]] = {
    "longer": lambda file, text: file.write_text(text + "und noch einer\n"),
    "shorter": lambda file, text: file.write_text(text[: text.index("\n") + 1]),
    "of the same size": lambda file, text: file.write_text(text.replace("Satz", "Wort")),
    "lines joined": lambda file, text: file.write_text(text.replace("\n", " ", 3)),
    "empty": lambda file, text: file.write_text(""),
    "gone": lambda file, text: file.unlink(),
    "another file": lambda file, text: (file.with_suffix(".new").write_text("neu\n" * 10), file.with_suffix(
        ".new").replace(file)),
    "no UTF-8": lambda file, text: file.write_bytes(b"\xff\n" * 10),
    "touched": lambda file, text: os.utime(file, (1, 1)),
}  # fmt: skip
SUFFIXES = ("npy", "parquet", "jsonl")
# each change in the first block or in the last one, under one suffix; each suffix with both
ROWS = list(zip(CHANGES, cycle(SUFFIXES), cycle((0, 4)), strict=False))


@pytest.mark.parametrize(("change", "suffix", "call"), ROWS)
def test_an_input_that_changes_gives_no_vectors(parser, german, tmp_path, suffix, change, call, capsys):
    text, out = german.read_text(), tmp_path / f"v.{suffix}"
    with changing(parser, lambda: CHANGES[change](german, text), call):
        assert run(german, "--lang", "de", "-o", out, "--block", 2) == 2
    assert "in.txt: changed while it was read" in capsys.readouterr().err
    final = {out.name, f"{out.name}.ids", f"{out.name}.failed.tsv"}
    assert not final & {file.name for file in tmp_path.iterdir()}
    german.write_text(text)
    assert run(german, "--lang", "de", "-o", out, "--block", 2) == 0
    assert run(german, "--lang", "de", "-o", tmp_path / f"w.{suffix}") == 0
    assert out.read_bytes() == (tmp_path / f"w.{suffix}").read_bytes()


@pytest.mark.parametrize(("change", "suffix", "_"), [row for row in ROWS if row[0] != "touched"])
def test_a_change_before_the_identifiers_are_read_spares_an_older_output(
    parser, german, tmp_path, suffix, change, _, monkeypatch
):
    text, out = german.read_text(), tmp_path / f"v.{suffix}"
    out.write_text("older")
    real = Steady.check
    looks = []

    def check(self: Steady) -> None:
        real(self)
        looks.append(self)
        if len(looks) == 3:  # after the fingerprint, after the block, and at the end of the sentences
            CHANGES[change](german, text)

    monkeypatch.setattr(Steady, "check", check)
    assert run(german, "--lang", "de", "-o", out) == 2
    assert out.read_text() == "older"
    assert not (tmp_path / "v.npy.ids").exists() and not (tmp_path / f"{out.name}.failed.tsv").exists()


@pytest.mark.parametrize("change", [name for name in CHANGES if name not in ("gone", "another file")])
def test_an_input_that_changes_while_it_is_parsed_gives_no_graphs(toy, tmp_path, change, capsys, monkeypatch):
    text = "".join(f"Satz {number}\n" for number in range(3000))
    file = parse_command.put(tmp_path / "s.txt", text)
    real = toy.parse

    def parse(sentences: list[Sentence], **options: object) -> list[Parse]:
        if not toy.seen:
            CHANGES[change](file, text)
        return real(sentences)

    monkeypatch.setattr(toy, "parse", parse)
    assert parse_command.run(file, "--lang", "de", "-o", tmp_path / "g.amr") == 2
    assert "s.txt: " in capsys.readouterr().err and len(toy.seen) < 3000
    assert not (tmp_path / "g.amr").exists()


def test_a_record_that_is_damaged_by_the_change_is_told_as_a_change(toy, tmp_path, capsys, monkeypatch):
    text = "".join(f'{{"text": "Satz {number} von vielen"}}\n' for number in range(3000))
    file = parse_command.put(tmp_path / "s.jsonl", text)
    real = toy.parse

    def parse(sentences: list[Sentence], **options: object) -> list[Parse]:
        if not toy.seen:
            file.write_text(text.replace("text", "word"))
        return real(sentences)

    monkeypatch.setattr(toy, "parse", parse)
    assert parse_command.run(file, "--lang", "de", "-o", tmp_path / "g.amr") == 2
    assert "s.jsonl: changed while it was read" in capsys.readouterr().err


def test_a_change_in_the_same_tick_of_the_clock_is_waited_out(tmp_path: Path):
    file = tmp_path / "a.txt"
    for number in range(20):
        file.write_text(f"{number:03d}")
        steady = Steady(file)
        file.write_text(f"{number:03d}"[::-1] if number % 10 else "xyz")
        with pytest.raises(InputError, match="changed"):
            steady.check()


def test_translate_sees_that_its_file_changes(tmp_path: Path):
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\nthree\nfour\n")

    class Changing(Fake):
        def translate(self, texts: list[str], *, batch_size: int, show: bool | None) -> list[Translation]:
            if "one" in texts:
                file.write_text("one\nTWO\nthree\nfour\nfive\n")
            return super().translate(texts, batch_size=batch_size, show=show)

    with pytest.raises(InputError, match=r"a\.txt: changed while it was read"):
        list(translate_file(file, tmp_path / "out", ["de"], Changing(), shard_size=2))
    assert [shard.name for shard in (tmp_path / "out" / "de").glob("*.jsonl")] == ["00000.jsonl"]
