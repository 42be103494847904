"""amrx.evaluation.results.compare: the rows of two files that are compared, and the items they must have."""

from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError
from amrx.evaluation.report.page_tables import read_results
from amrx.evaluation.report.tables import table, terminal, write_json
from amrx.evaluation.results.compare import compare_files
from amrx.evaluation.results.items import read_rows
from amrx.evaluation.results.rows import Row
from amrx.evaluation.tasks.sts import STS17
from tests.support.scored_rows import hits, scored, two, write

__all__ = ["two"]

RESULTS = Path(__file__).resolve().parents[1] / "results"


def test_rows_that_are_not_compared_are_counted_and_named(two: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = two
    assert compare_files(*two).left_out == [
        f"not compared: 1 of the rows of {second}, without a counterpart in {first}: new task zh accuracy",
        f"not compared: 1 of the rows of {second}, without items there or in {first}: new task it accuracy",
    ]
    assert compare_files(first, first).left_out == [
        f"not compared: 3 of the rows of {first}, without a counterpart in {first}: "
        "muse task fr accuracy, muse task it accuracy, muse task en-de pearson"
    ]
    codes = ("de", "af", "am", "ang", "ar", "arq")
    wide = write(tmp_path / "w.json", *(scored("new", code, hits(90)) for code in codes))
    [line, _] = compare_files(first, wide).left_out
    assert line.startswith("not compared: 5 of ") and line.endswith("new task ang accuracy and 2 more")
    same = write(tmp_path / "s.json", scored("new", "de", hits(90)))
    assert compare_files(same, write(tmp_path / "t.json", scored("x", "de", hits(91)))).left_out == []


@pytest.mark.parametrize("name", ["x[/foo]", "[red]x[/red]", "labse:cat:x"])
def test_a_name_is_printed_as_it_is(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "140")
    first = write(tmp_path / "a.json", scored("muse", "de", hits(100)))
    second = write(tmp_path / "b.json", scored(name, "de", hits(140)))
    assert main(["eval", "compare", str(first), str(second)]) == 0
    assert f"muse → {name} " in capsys.readouterr().out
    rows = [Row(encoder, "sts17", "en-en", "spearman", 80.0, 9) for encoder in ("muse", name)]
    for width in (0, 140):
        terminal().print(table(STS17, rows, width=width))
        assert f" {name} " in capsys.readouterr().out


def test_items_of_another_run_are_refused(two: tuple[Path, Path]) -> None:
    later = [
        row._replace(value=row.value + 0.02) if row.language == "fr" else row for row in read_rows(two[1])
    ]
    write_json(two[1], later)
    message = (
        r"b\.json: row 2, new task fr accuracy: is 50\.52, but its items in b\.json\.items\.npz give 50\.50"
    )
    with pytest.raises(InputError, match=message):
        compare_files(*two)
    with pytest.raises(InputError, match=message):
        read_results(two[1])
    rounded = [row._replace(value=row.value - 0.015) if row.language == "fr" else row for row in later]
    write_json(two[1], rounded)
    assert {row.language for row in compare_files(*two).rows} == {"de", "fr", "en-de"}


@pytest.mark.parametrize("file", sorted(RESULTS.rglob("*.items.npz")), ids=lambda file: file.name)
def test_the_items_of_the_committed_results_are_theirs(file: Path) -> None:
    rows = file.with_name(file.name.removesuffix(".items.npz"))
    assert read_results(rows).items
