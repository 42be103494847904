"""``amrx eval --pairs``: a user's own file of scored pairs."""

import json
from pathlib import Path

import pytest

from amrx.cli import main

ROWS = (
    "Ein Hund bellt.\tA dog barks.\t9\nEin Hund bellt.\tA cat sleeps.\t-3\nEin Hund bellt.\tA dog eats.\t2\n"
)


def test_own_pairs_are_scored_alone_or_beside_tasks(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(ROWS, "utf-8")
    (tmp_path / "data").mkdir()
    out = tmp_path / "out.json"
    taken = ["eval", "--pairs", f"de-en:{tmp_path}/mine.tsv", "--data", f"{tmp_path}/data", "--no-cache"]
    assert main([*taken, "--json", str(out)]) == 0
    rows = json.loads(out.read_text())
    assert [(row["task"], row["language"], row["metric"], row["n"]) for row in rows] == [
        ("mine", "de-en", "spearman", 3), ("mine", "de-en", "pearson", 3),
    ]  # fmt: skip
    assert rows[0]["value"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("named", "rule"),
    [
        ("mine.tsv", "--pairs takes en-de:FILE.tsv"),
        ("xx-en:mine.tsv", "language code 'xx'"),
        ("en:none.tsv", "none.tsv: no such file"),
        ("en:sts17.tsv", "must not have the name of another task, got 'sts17'"),
    ],
)
def test_wrong_files_are_told_in_one_line(named, rule, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "sts17"):
        Path(f"{name}.tsv").write_text(ROWS, "utf-8")
    assert main(["eval", "--pairs", named]) == 2
    error = capsys.readouterr().err
    assert rule in error and error.count("\n") == 1
