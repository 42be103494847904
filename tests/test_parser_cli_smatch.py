"""amrx smatch: scores a language, JSON rows, and files that cannot be paired."""

from __future__ import annotations

import json

import pytest

from amrx.cli import main

GOLD = """\
# ::id 1
# ::lang de
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id 2
# ::lang en
(s / see-01 :polarity - :ARG0 (i / i))
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.amr").write_text(GOLD)
    (tmp_path / "same.amr").write_text(GOLD)
    (tmp_path / "other.amr").write_text(GOLD.replace(":ARG0 b)", ":ARG1 b)").replace("see-01", "see-02"))
    (tmp_path / "english.amr").write_text(GOLD.replace("# ::lang de\n", "").replace("# ::lang en\n", ""))
    (tmp_path / "short.amr").write_text(GOLD.split("\n\n")[0])
    (tmp_path / "turned.amr").write_text("\n\n".join(reversed(GOLD.strip().split("\n\n"))) + "\n")
    return tmp_path


def test_a_table_with_a_column_for_each_language(files, capsys):
    assert main(["smatch", "gold.amr", "other.amr", "--json", "scores.json"]) == 0
    lines = {line[:15].strip(): line[15:].split() for line in capsys.readouterr().out.splitlines()}
    assert lines[""] == ["all", "de", "en"]
    assert lines["graphs"] == ["2", "1", "1"]
    assert lines["Smatch F1"] == ["83.3", "85.7", "80.0"]
    assert lines["no word sense"] == ["91.7", "85.7", "100.0"]
    assert lines["negation"] == ["0.0", "-", "0.0"]
    assert lines["named entities"] == ["-", "-", "-"]
    rows = json.loads((files / "scores.json").read_text())
    f1 = {row["language"]: row for row in rows if row["metric"] == "f1"}
    assert f1["en"]["value"] == pytest.approx(80)
    assert f1["all"]["low"] <= f1["all"]["value"] <= f1["all"]["high"]
    assert f1["all"]["n"] == 2
    assert {row["metric"] for row in rows} >= {"precision", "recall", "f1 unlabelled", "f1 SRL"}
    assert {row["task"] for row in rows} == {"smatch"}


def test_no_number_is_cut_however_many_languages_there_are(files, capsys):
    codes = "ar bg de el en es fi fr hi hu it ja nl tr vi zh".split()
    block = "# ::id {0}\n# ::lang {0}\n(w / want-01 :ARG0 (b / boy))\n"
    (files / "many.amr").write_text("\n".join(block.format(code) for code in codes))
    assert main(["smatch", "many.amr", "many.amr"]) == 0
    lines = {line[:15].strip(): line[15:].split() for line in capsys.readouterr().out.splitlines()}
    assert lines[""] == ["all", *codes]
    assert lines["95%"] == ["100.0-100.0", *["-"] * 16]  # one graph has no interval


def test_one_language_is_one_column(files, capsys):
    assert main(["smatch", "gold.amr", "english.amr"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["en"]
    assert "100.0" in out


def test_the_same_file_scores_100(files):
    assert main(["smatch", "gold.amr", "same.amr", "--json", "s.json", "--processes", "2"]) == 0
    rows = json.loads((files / "s.json").read_text())
    parts = [row for row in rows if row["language"] == "all"]
    assert [row["metric"] for row in parts if row["value"] != 100] == []
    assert "f1 named entities" not in {row["metric"] for row in parts}  # there is no name in these graphs
    assert len(parts) == 9


def test_wiki_counts_unless_it_is_left_out(files, capsys):
    city = '# ::snt Ulm\n(c / city :wiki "{}" :name (n / name :op1 "Ulm"))\n'
    (files / "u.amr").write_text(city.format("Ulm"))
    (files / "v.amr").write_text(city.format("Ulm,_Montana").replace(' :name (n / name :op1 "Ulm")', ""))
    (files / "w.amr").write_text(city.format("Ulm").replace(' :name (n / name :op1 "Ulm")', ""))
    lines = {}
    for option in ("--wiki", "--no-wiki"):
        assert main(["smatch", "v.amr", "w.amr", option]) == 0
        lines[option] = {row[:15].strip(): row[15:].split() for row in capsys.readouterr().out.splitlines()}
    assert lines["--wiki"]["Smatch F1"] == ["66.7"]  # city, top and :wiki, which differs
    assert lines["--wiki"]["wikification"] == ["0.0"]
    assert lines["--no-wiki"]["Smatch F1"] == ["100.0"]
    assert lines["--no-wiki"]["wikification"] == ["-"]
    assert main(["smatch", "u.amr", "u.amr", "--no-wiki", "--json", "s.json"]) == 0
    assert "f1 wikification" not in {row["metric"] for row in json.loads((files / "s.json").read_text())}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["gold.amr", "short.amr"], "short.amr: holds 1 graphs, but gold.amr holds 2"),
        (["gold.amr", "turned.amr"], "turned.amr has the ids of gold.amr in another order"),
        (["gold.amr", "none.amr"], "none.amr: no such file"),
        (["gold.amr", "same.amr", "--json", "no/s.json"], "no/s.json"),
        (["gold.amr", "same.amr", "--restarts", "-1"], "--restarts"),
        (["gold.amr", "same.amr", "--seed", "-1"], "--seed"),
        (["gold.amr", "same.amr", "--json", "same.amr"], "same.amr: is also an input"),
        (["-", "-"], "only one of the files can be standard input"),
    ],
)
def test_faults_are_one_line(files, capsys, arguments, told):
    assert main(["smatch", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert not list(files.glob("*.json"))
    assert (files / "same.amr").read_text() == GOLD


def test_graphs_of_other_sentences_are_noted(files, capsys):
    block = "# ::id {0}\n# ::snt {1}\n(b / boy)\n"
    (files / "a.amr").write_text("\n".join(block.format(i, text) for i, text in enumerate(["A boy .", "He"])))
    (files / "b.amr").write_text("\n".join(block.format(i, text) for i, text in enumerate(["A boy.", "She"])))
    assert main(["smatch", "a.amr", "b.amr"]) == 0
    assert "1 of 2 pairs have different sentences (# ::snt)" in capsys.readouterr().err
    assert main(["smatch", "gold.amr", "other.amr"]) == 0
    assert "different sentences" not in capsys.readouterr().err
