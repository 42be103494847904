import os
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import OutputError
from amrx.evaluation.results.files import check_outputs


def test_files_of_their_own_are_taken_and_nothing_is_left(tmp_path: Path) -> None:
    check_outputs(tmp_path / "out.json", tmp_path / "out.html")
    check_outputs(None, None)
    check_outputs(Path(os.devnull), Path(os.devnull))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("rows", "page", "told"),
    [
        ("out", "out", "would be written twice"),
        ("out.json", "out.json.items.npz", "would be written twice"),
        ("out.json", "./out.json.notes.txt", "would be written twice"),
        ("-", None, "- is not a file"),
        (None, "-", "- is not a file"),
        ("none/out.json", None, "the folder 'none' does not exist"),
        ("taken", None, "taken.notes.txt: is a folder"),
    ],
)
def test_what_cannot_be_written_is_told_before_any_work(tmp_path, monkeypatch, rows, page, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.notes.txt").mkdir()
    with pytest.raises(OutputError, match=told):
        check_outputs(rows and Path(rows), page and Path(page))


def test_a_report_replaces_nothing_that_it_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, items = tmp_path / "a.json", tmp_path / "a.json.items.npz"
    rows.write_text("[]", "utf-8")
    items.write_bytes(b"items")
    assert main(["eval", "report", str(rows), "-o", str(items)]) == 2
    assert "a.json.items.npz: is also an input" in capsys.readouterr().err
    assert items.read_bytes() == b"items"
