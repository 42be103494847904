"""Bad input of ``amrx retrofit``: one line, exit status 2, nothing written."""

import os
from pathlib import Path

import pytest

from tests.support.fake_command import german, parser, run

__all__ = ["german", "parser"]

BAD = {
    "missing": ("missing.txt", [], "missing.txt: no such file"),
    "missing folder": ("missing", ["-o", "shards"], "missing: no such file"),
    "packed": ("in.txt", ["--failed", "f.tsv.gz"], "f.tsv.gz: output is not packed; write f.tsv and pack it"),
    "empty": ("empty.txt", [], "empty.txt: is empty"),
    "not utf-8": ("latin.txt", [], "latin.txt:2: is not UTF-8"),
    "no column": ("in.csv", ["--column", "satz"], "no column 'satz'; the columns are: text, lang"),
    "no language": ("in.txt", ["--lang", "german"], "language code 'german'"),
    "no language in a row": ("in.csv", [], "in.csv:3: field 'lang': language code 'xx'"),
    "no output folder": ("in.txt", ["-o", "none/v.npy"], "the folder 'none' does not exist"),
    "output in a file": ("in.txt", ["-o", "in.csv/v.npy"], "the folder 'in.csv' does not exist"),
    "output is a folder": ("in.txt", ["-o", "folder.npy"], "folder.npy: is a folder"),
    "standard output": ("in.txt", ["-o", "-", "--format", "jsonl"], "-: vectors are written to a file"),
    "no such format": ("in.txt", ["-o", "v.csv"], "v.csv: suffix must be .npy, .parquet or .jsonl"),
    "formats disagree": ("in.txt", ["--format", "jsonl"], "--format jsonl and the suffix of v.npy disagree"),
    "no such dtype": ("in.txt", ["--dtype", "int4"], "--dtype 'int4'"),
    "no such integration": ("in.txt", ["--integration", "sum"], "unknown integration 'sum'; choose"),
    "unequal widths": ("in.txt", ["--integration", "add"], "adds vectors of one width"),
    "negative weight": ("in.txt", ["--weight", "-1"], "weight must be a finite float32 >= 0, got -1.0"),
    "weight and fit": ("in.txt", ["--weight", "1", "--fit-weight", "--data", "."], "takes no --weight"),
    "failures over the input": ("in.txt", ["--failed", "in.txt"], "in.txt: is also an input"),
    "failures have no folder": ("in.txt", ["--failed", "none/f.tsv"], "the folder 'none' does not exist"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(parser, tmp_path, case, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("eins\n", "utf-8")
    Path("empty.txt").touch()
    Path("latin.txt").write_bytes("eins\nfünf\n".encode("latin-1"))
    Path("in.csv").write_text("text,lang\neins,de\nzwei,xx\n", "utf-8")
    Path("folder.npy").mkdir()
    before = sorted(Path().iterdir())
    name, options, message = BAD[case]
    defaults = [] if "-o" in options else ["-o", "v.npy"]
    lang = [] if "--lang" in options or name == "in.csv" else ["--lang", "de"]
    assert run(name, *defaults, *lang, *options) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error
    assert sorted(Path().iterdir()) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_without_write_permission(parser, german, tmp_path, capsys):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert run(german, "--lang", "de", "-o", locked / "v.npy") == 2
    assert "cannot be written" in capsys.readouterr().err
