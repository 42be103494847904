"""amrx smatch: scores a language, JSON rows, and files that cannot be paired."""

import json
import re

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
    assert "1 of 2 pairs have different sentences in one language (# ::snt)" in capsys.readouterr().err
    assert main(["smatch", "gold.amr", "other.amr"]) == 0
    assert "different sentences" not in capsys.readouterr().err


def columns(text: str) -> dict[str, list[str]]:
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    return {name: values for name, *values in rows}


def test_proved_pairs_are_counted_and_others_bounded(files, capsys, monkeypatch):
    from parser.score import exact

    assert main(["smatch", "gold.amr", "other.amr"]) == 0
    shown = columns(capsys.readouterr().out)
    assert shown["proved"] == ["2", "1", "1"] and "F1 at most" not in shown
    (files / "bite.amr").write_text("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))")
    (files / "bitten.amr").write_text("(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))")
    monkeypatch.setattr(exact, "QUICK", exact.Effort(0, 0, 0, 1.0))  # the bound by assignment alone
    assert main(["smatch", "bite.amr", "bitten.amr", "--json", "s.json"]) == 0
    shown = columns(capsys.readouterr().out)
    assert (shown["proved"], shown["Smatch F1"], shown["F1 at most"]) == (["0"], ["66.7"], ["83.3"])
    row = json.loads((files / "s.json").read_text())[0]
    assert (row["proved"], row["n"], row["bound"]) == (0, 1, pytest.approx(100 * 5 / 6))


def test_exact_is_the_thorough_search(files, monkeypatch):
    from parser.score import exact, fine_grained

    efforts = []
    counted = fine_grained.bounded_counts
    monkeypatch.setattr(
        fine_grained, "bounded_counts", lambda *a, **k: efforts.append(k.get("effort")) or counted(*a, **k)
    )
    assert main(["smatch", "gold.amr", "other.amr", "--exact"]) == 0
    assert set(efforts) == {None, exact.THOROUGH}  # the sub-scores have their own limits


def test_each_pair_has_a_row(files):
    assert main(["smatch", "gold.amr", "other.amr", "--per-sentence", "pairs.tsv"]) == 0
    lines = [line.split("\t") for line in (files / "pairs.tsv").read_text().splitlines()]
    assert lines == [
        ["file", "id", "lang", "f1", "precision", "recall", "bound", "shared", "predicted", "gold"],
        ["other.amr", "1", "de", "85.71", "85.71", "85.71", "85.71", "6", "7", "7"],
        ["other.amr", "2", "en", "80.00", "80.00", "80.00", "80.00", "4", "5", "5"],
    ]


def test_two_parsers_are_compared_on_one_gold(files, capsys):
    block = "# ::id {0}\n# ::lang en\n(w / want-01 :ARG0 (b / boy :mod (o / old)) :ARG1 (g / {1}))\n"
    for name, concepts in (("many", ["go-02"] * 20), ("one", ["go-02", "see-01"] * 10), ("two", ["x"] * 20)):
        (files / f"{name}.amr").write_text("\n".join(block.format(*row) for row in enumerate(concepts)))
    arguments = ["many.amr", "two.amr", "one.amr", "--json", "s.json", "--per-sentence", "pairs.tsv"]
    assert main(["smatch", *arguments]) == 0
    first, second, difference = capsys.readouterr().out.split("\n\n")
    assert first.startswith("two.amr\n") and columns(first)["Smatch F1"] == ["87.5"]
    assert second.startswith("one.amr\n") and columns(second)["Smatch F1"] == ["93.8"]
    shown = columns(difference)
    assert shown["Smatch F1"] == ["+6.2"] and shown["p"] == ["< 0.001"]
    low, high = shown["95%"][0].split(" to ")
    assert 0 < float(low) < 6.2 < float(high)
    rows = json.loads((files / "s.json").read_text())
    assert {row.get("file") for row in rows[:-1]} == {"two.amr", "one.amr"}
    assert rows[-1]["metric"] == "f1 difference" and rows[-1]["value"] == pytest.approx(6.25)
    assert len((files / "pairs.tsv").read_text().splitlines()) == 41


def test_few_graphs_have_a_difference_without_an_interval(files, capsys):
    assert main(["smatch", "gold.amr", "other.amr", "same.amr"]) == 0
    shown = columns(capsys.readouterr().out.split("\n\n")[-1])
    assert shown["Smatch F1"] == ["+16.7", "+14.3", "+20.0"]
    assert shown["95%"] == shown["p"] == ["-", "-", "-"]


def test_a_page_of_the_pairs_that_differ(files):
    (files / "half.amr").write_text(GOLD.replace("see-01", "see-02<b>"))
    assert main(["smatch", "gold.amr", "half.amr", "--html", "page.html"]) == 0
    page = (files / "page.html").read_text()
    assert "1 of 2 pairs differ" in page and page.count("<svg") == 2
    assert "2: Smatch 80.0 (4 of 5 gold and 5 parsed triples)" in page
    assert "see-02&lt;b&gt;" in page and "<b>" not in page and "<script" not in page


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["other.amr", "same.amr", "--html", "page.html"], "--html shows one parser"),
        (["other.amr", "other.amr"], "other.amr is compared with itself"),
        (["other.amr", "--json", "x", "--per-sentence", "x"], "x is named for two outputs"),
        (["other.amr", "short.amr"], "short.amr: holds 1 graphs, but gold.amr holds 2"),
        (["other.amr", "--html", "other.amr"], "other.amr: is also an input"),
    ],
)
def test_faults_of_several_files_are_one_line(files, capsys, arguments, told):
    assert main(["smatch", "gold.amr", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
