"""amrx retrofit: tables of failed parses, links, and files whose names clash."""

import os
from itertools import cycle
from pathlib import Path

import pytest

from tests.support.changing_input import changing
from tests.support.fake_command import FakeParser, german, parser, run
from tests.support.kill_points import contents
from tests.support.vector_files import read_vectors

__all__ = ["german", "parser"]


def test_resuming_with_another_table_lists_the_rows_that_failed_before(parser, german, tmp_path):
    parser.dies_at = 4
    arguments = [german, "--lang", "de", "-o", tmp_path / "v.npy", "--block", 2]
    assert run(*arguments, "--failed", tmp_path / "one.tsv") == 130
    parser.dies_at = 0
    assert run(*arguments, "--failed", tmp_path / "two.tsv") == 0
    rows = [line.split("\t")[0] for line in (tmp_path / "two.tsv").read_text().splitlines()]
    assert rows == ["row", "4", "8"]
    assert sorted(contents(tmp_path)) == ["in.txt", "two.tsv", "v.npy", "v.npy.ids"]


def test_two_runs_do_not_share_a_table(parser, german, tmp_path, capsys):
    states = []

    def other() -> None:
        states.append(run(german, "--lang", "de", "-o", tmp_path / "w.npy", "--failed", tmp_path / "f.tsv"))

    with changing(parser, other, 0):
        assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--failed", tmp_path / "f.tsv") == 0
    assert states == [2] and "f.tsv: another run is writing it" in capsys.readouterr().err
    assert sorted(contents(tmp_path)) == ["f.tsv", "in.txt", "v.npy", "v.npy.ids"]
    assert len((tmp_path / "f.tsv").read_text().splitlines()) == 3


def test_an_older_table_goes_when_nothing_failed_and_a_device_stays(parser, german, tmp_path):
    german.write_text("gut\n")
    link, table = tmp_path / "link.tsv", tmp_path / "f.tsv"
    link.symlink_to(table)
    table.write_text("older")
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--failed", link) == 0
    assert link.is_symlink() and not table.exists()
    fifo = tmp_path / "fifo"  # like /dev/null, which this would remove if it could
    os.mkfifo(fifo)
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--failed", fifo) == 0
    assert fifo.is_fifo()


NAMES = {
    "v.npy": ["v.npy", "v.npy.ids", "v.npy.partial", "v.npy.partial.json", "v.npy.partial.notes"],
    "q.parquet": ["q.parquet", "q.parquet.work.npy", "q.parquet.work.npy.partial",
                  "q.parquet.work.npy.partial.json", "q.parquet.work.npy.partial.notes"],
}  # fmt: skip


HOW = cycle(("itself", "a link", "a hard link"))


@pytest.mark.parametrize(
    ("out", "name", "how"), [(out, name, next(HOW)) for out, found in NAMES.items() for name in found]
)
def test_no_working_name_is_read_or_given_to_the_table(parser, german, tmp_path, out, name, how):
    working = tmp_path / name
    german.rename(working)
    given = working if how == "itself" else tmp_path / "given"
    if how == "a link":
        given.symlink_to(working)
    elif how == "a hard link":
        os.link(working, given)
    before = contents(tmp_path)
    assert run(given, "--lang", "de", "-o", tmp_path / out) == 2
    if how == "itself":
        (tmp_path / "other.txt").write_text("gut\n")
        before = contents(tmp_path)
        assert run(tmp_path / "other.txt", "--lang", "de", "-o", tmp_path / out, "--failed", given) == 2
    assert contents(tmp_path) == before and parser.seen == []


def test_the_table_is_not_a_working_name_that_is_not_there_yet(parser, german, tmp_path, capsys):
    for name in NAMES["v.npy"]:
        assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--failed", tmp_path / name) == 2
        assert f"{name}: is a name of {tmp_path / 'v.npy'}, or of its working" in capsys.readouterr().err
    assert sorted(contents(tmp_path)) == ["in.txt"] and parser.seen == []


def test_vectors_go_where_a_link_leads(parser: FakeParser, german: Path, tmp_path: Path):
    (tmp_path / "far").mkdir()
    for suffix in ("npy", "parquet", "jsonl"):
        link, far = tmp_path / f"l.{suffix}", tmp_path / "far" / f"t.{suffix}"
        far.write_text("older")
        link.symlink_to(far)
        assert run(german, "--lang", "de", "-o", link) == 0
        assert link.is_symlink() and not far.is_symlink()
        for name in (link, far):
            ids, vectors = read_vectors(name)
            assert len(ids) == len(vectors) == 10
    assert not list(tmp_path.rglob("*partial*")) + list(tmp_path.rglob("*work*"))
