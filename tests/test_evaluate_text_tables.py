"""Results as Markdown, CSV and LaTeX; rows from Python; names; equal columns."""

import csv
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import OptionError, OutputError
from amrx.evaluation import run, save_rows
from amrx.evaluation.report.page_tables import Results
from amrx.evaluation.report.tables import table, write_report
from amrx.evaluation.results.bootstrap import Interval, paired_bootstrap
from amrx.evaluation.results.items import read_items, read_rows
from amrx.evaluation.results.rows import Row, Rows
from amrx.evaluation.tasks.catalogue import tasks_named
from tests.support.page_results import GOLD, NOISE, results, similarity
from tests.test_evaluate_retrieval_bucc import Angles
from tests.test_evaluate_run import printed

TWO = [
    similarity("muse", "en-en", NOISE[0] * 3),
    similarity("a_b|c & 5%", "en-en", NOISE[1] * 0.1),
    similarity("muse", "xx→en", NOISE[2]),
]


def written(path: Path, notes: tuple[str, ...] = ("sts17 ar-ar skipped",)) -> str:
    write_report(path, [results(*TWO)], notes)
    return path.read_text("utf-8")


@pytest.fixture
def expected() -> Interval:
    return paired_bootstrap(TWO[0].items, TWO[1].items, "spearman")


def test_markdown_has_a_line_an_encoder(tmp_path: Path, expected: Interval) -> None:
    lines = written(tmp_path / "t.md").splitlines()
    assert lines[0] == "### sts17, spearman"
    header = lines[2].strip("| ").split(" | ")
    assert header[-2:] == ["en-en", "xx→en"] and "monolingual mean (1 of 3)" in header
    assert set(lines[3].replace("-", "").replace(":", "")) == {"|", " "}
    (muse,) = [line for line in lines if line.startswith("| muse |")]
    assert muse.endswith(f"| {TWO[0].row.value:.2f} | {TWO[2].row.value:.2f} |")
    (other,) = [line for line in lines if line.startswith("| a_b\\|c & 5% |")]
    assert expected.significant
    assert other.endswith(f"| {TWO[1].row.value:.2f} ({expected.difference:+.2f}*) | – |")
    assert lines[-3].startswith("* 95 % interval") and lines[-1] == "sts17 ar-ar skipped"


def test_latex_is_escaped(tmp_path: Path, expected: Interval) -> None:
    text = written(tmp_path / "t.tex")
    assert text.startswith("% needs \\usepackage{booktabs}\n% sts17 ar-ar skipped\n\\begin{table}")
    assert r"a\_b\textbar{}c \& 5\% & " in text and r"xx$\rightarrow$en \\" in text
    assert f"{TWO[1].row.value:.2f} ({expected.difference:+.2f}*) & -- \\\\" in text
    (columns,) = [line for line in text.splitlines() if line.startswith(r"\begin{tabular}")]
    (muse,) = [line for line in text.splitlines() if line.startswith("muse &")]
    assert columns == r"\begin{tabular}{l" + "r" * muse.count("&") + "}"


def test_csv_has_a_line_a_value(tmp_path: Path, expected: Interval) -> None:
    with (tmp_path / "t.csv").open("x"):
        written(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    (other,) = [row for row in rows if row["encoder"] != "muse" and row["column"] == "en-en"]
    assert (other["task"], other["metric"], other["n"]) == ("sts17", "spearman", str(len(GOLD)))
    numbers = [float(other[name]) for name in ("value", "difference", "low", "high", "p")]
    assert numbers == pytest.approx([TWO[1].row.value, *expected])
    assert all(row["difference"] == row["p"] == "" for row in rows if row["encoder"] == "muse")


def test_the_command_chooses_by_the_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "a.json"
    save_rows(rows, TWO, ["a note"])
    assert main(["eval", "report", str(rows)]) == 0
    assert capsys.readouterr().out == written(tmp_path / "t.md", ("a note",))
    assert main(["eval", "report", str(rows), "-o", str(tmp_path / "t.tex")]) == 0
    assert (tmp_path / "t.tex").read_text("utf-8").count(r"\toprule") == 1
    assert main(["eval", "report", str(rows), "-o", str(tmp_path / "t.docx")]) == 2
    assert "t.docx: suffix must be .html, .md, .csv or .tex" in capsys.readouterr().err
    with pytest.raises(OutputError, match="suffix must be"):
        write_report(tmp_path / "t", [results(*TWO)])


def test_a_p_below_the_least_is_told_as_that(expected: Interval) -> None:
    assert expected.p == pytest.approx(2 / 2001) and expected.p_text == "< 0.001"
    assert [Interval(0, 0, 0, p).p_text for p in (0.0012, 0.05, 1)] == ["0.001", "0.050", "1.000"]


def test_equal_means_over_parts_are_one_column(tmp_path: Path) -> None:
    (xnli,) = tasks_named("xnli")
    rows = [Row("muse", "xnli", code, xnli.shown[0], 60.0 + len(code), 9) for code in ("en", "de")]
    write_report(tmp_path / "t.md", [Results("a.json", rows, {})])
    for text in (" ".join(printed(table(xnli, rows))), (tmp_path / "t.md").read_text("utf-8")):
        assert "mean, all (2 of 15)" in text and "mean, seen" not in text
    every = [Row("muse", "xnli", code, xnli.shown[0], 60.0 + n, 9) for n, code in enumerate(xnli.languages)]
    text = " ".join(printed(table(xnli, every)))
    assert "mean, seen" in text and "mean, all" in text


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "retrieval" / "tatoeba"
    folder.mkdir(parents=True)
    for side in ("tzl", "eng"):
        (folder / f"tatoeba.tzl-eng.{side}").write_text("".join(f"{n}\n" for n in range(0, 208, 2)), "utf-8")
    return tmp_path / "data"


class Loose:
    """An encoder of no name of ours."""

    def encode(self, sentences: list[str], **options: object) -> np.ndarray:
        return Angles().encode(sentences, lang=["en"] * len(sentences))


def test_rows_from_python_are_named_saved_and_compared(data, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    rows = run([Loose(), Loose()], tasks_named("tatoeba"), data, names=["first", "second"])
    assert isinstance(rows, Rows) and [row.encoder for row in rows] == ["first"] * 2 + ["second"] * 2
    save_rows(tmp_path / "a.json", rows)
    assert read_rows(tmp_path / "a.json") == rows
    assert len(read_items(tmp_path / "a.json")) == 4
    assert main(["eval", "compare", str(tmp_path / "a.json"), str(tmp_path / "a.json")]) == 0
    assert "first → second" in capsys.readouterr().out
    for names in (["one"], ["same", "same"]):
        with pytest.raises(OptionError, match="names must be 2 different ones, got "):
            run([Loose(), Loose()], tasks_named("tatoeba"), data, names=names)


def test_two_files_of_one_name_are_told_apart(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    for file, noise in zip(("one.json", "other.json"), NOISE, strict=False):
        save_rows(file, [similarity("st:model", "en-en", noise)])
    assert main(["eval", "compare", "one.json", "other.json"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "st:model" in line]
    assert len(lines) == 2 and all("st:model → st:model (other.json)" in line for line in lines)
