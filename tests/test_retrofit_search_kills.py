"""Kills of ``amrx search``, ``pairs`` and ``explain`` at every change: the rerun ends as a first run."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from amrx.cli import main
from parser.run.cache import CachedParser, ParseCache
from retrofit.combine import RetrofittedEncoder
from tests.support.kill_points import kill_everywhere
from tests.support.search_toys import GRAPHS, Graphs, Lengths, Told


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands load fakes, and search without faiss, whose threads do not survive a fork."""
    monkeypatch.setitem(sys.modules, "faiss", None)

    def load(*_names: object, cache: ParseCache | None, **_options: object) -> RetrofittedEncoder:
        parser = Told()
        return RetrofittedEncoder(
            Lengths(), parser if cache is None else CachedParser(parser, cache), Graphs()
        )

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Queries, corpus and pairs at once."""
    file = tmp_path / "t.tsv"
    rows = [f"{text}\t{text} again\ten\n" for text in [*GRAPHS, "?"]]
    file.write_text("text_a\ttext_b\tlang\n" + "".join(rows))
    return file


def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> Callable[[Path], None]:
    """Return a run of a command, with its output and temporary files in a folder and its caches beside it."""

    def work(folder: Path) -> None:
        caches = tmp_path / f"caches-{folder.name}"
        caches.mkdir(exist_ok=True)
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        options = ["--cache", caches / "parses.sqlite"]
        if words[0] != "explain":
            options += ["--vector-cache", caches / "vectors.sqlite", "-o", folder / "out.tsv"]
        assert main([str(word).replace("OUT", str(folder)) for word in (*words, *options)]) == 0

    return work


@pytest.mark.parametrize(
    "words",
    [
        ("search", "TABLE", "TABLE", "-k", "2", "--why"),
        ("search", "TABLE", "TABLE", "--rerank", "6", "--threshold", "0.5"),
        ("pairs", "TABLE", "--why", "--contradictions", "mark"),
        ("pairs", "TABLE", "TABLE", "--margin", "--contradictions", "drop"),
    ],
    ids=" ".join,
)
def test_a_search_killed_anywhere_and_run_again_leaves_the_same_file_and_no_other(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
):
    columns = ("--column", "text_a")
    work = runs(tmp_path, monkeypatch, *(str(table) if one == "TABLE" else one for one in words), *columns)
    assert kill_everywhere(tmp_path, work, 1) >= 5
    assert (tmp_path / "whole" / "out.tsv").read_text().count("\n") > 3


def test_an_explanation_killed_anywhere_and_run_again_leaves_the_same_files_and_no_other(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    work = runs(
        tmp_path, monkeypatch,
        "explain", "--pairs", table, "--json", "OUT/e.json", "--html", "OUT/e.html", "-o", "OUT/e.txt",
    )  # fmt: skip
    assert kill_everywhere(tmp_path, work, 1) >= 9
    assert {file.name for file in (tmp_path / "whole").iterdir()} == {"e.json", "e.html", "e.txt"}
