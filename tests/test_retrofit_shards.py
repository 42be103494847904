"""amrx retrofit of many files: one shard each; what is finished, locked or damaged."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from amrx.cli import main
from amrx.errors import InputError, OptionError, OutputError
from amrx.records import read_sentences
from amrx.records.locks import LockedError, lock_beside, take_lock
from retrofit.shards import inputs_of, is_many, mark_of, subfolders_warning, targets_of, write_shards
from tests.support.vector_files import read_vectors

TEXTS = {"a": ["A dog barks.", "Hunde bellen."], "b": ["Two cats."], "c": ["He sings.", "Er singt.", ""]}
FAST = ["--preset", "fast", "--lang", "en", "--no-cache", "--threads", "1"]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    rows = {
        name: [{"id": f"{name}{i}", "text": text} for i, text in enumerate(texts)]
        for name, texts in TEXTS.items()
    }
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows["a"]), "utf-8")
    with gzip.open(folder / "b.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows["b"])
    pq.write_table(pa.Table.from_pylist([{**row, "other": 1.5} for row in rows["c"]]), folder / "c.parquet")
    (folder / ".hidden").write_text("x", "utf-8")
    return folder


def test_every_file_has_a_shard_as_if_it_were_alone(inputs: Path, tmp_path: Path, capsys):
    assert main(["retrofit", str(inputs), "-o", str(tmp_path / "out"), *FAST]) == 0
    assert "3 shards, 0 of them from earlier runs" in capsys.readouterr().err
    for name, texts in TEXTS.items():
        ids, vectors = read_vectors(tmp_path / "out" / f"{name}.parquet")
        assert ids == [f"{name}{i}" for i in range(len(texts))]
        (source,) = inputs.glob(f"{name}.*")
        assert main(["retrofit", str(source), "-o", str(tmp_path / "one.npy"), *FAST]) == 0
        assert np.array_equal(vectors, np.load(tmp_path / "one.npy"))
    assert not list((tmp_path / "out").glob("*.partial*"))


def test_a_second_run_writes_what_is_missing_or_other(inputs: Path, tmp_path: Path, capsys):
    out = tmp_path / "out"
    command = ["retrofit", str(inputs / "*.jsonl*"), "-o", str(out), *FAST]
    assert main(command) == 0
    assert sorted(path.name for path in out.glob("[!.]*")) == ["a.parquet", "b.parquet"]
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("*.parquet")}
    (out / "b.parquet").write_bytes(b"cut")
    capsys.readouterr()
    assert main(command) == 0
    said = capsys.readouterr().err
    assert "2 shards, 1 of them from earlier runs" in said
    assert "shard 2 of 2" in said and "shard 1" not in said
    assert (out / "a.parquet").stat().st_mtime_ns == times["a.parquet"]
    assert len(read_vectors(out / "b.parquet")[0]) == 1
    (inputs / "a.jsonl").write_text('{"id": "new", "text": "Other."}\n', "utf-8")
    assert main(command) == 0
    assert read_vectors(out / "a.parquet")[0] == ["new"]
    assert main([*command, "--dtype", "float16"]) == 0
    assert "2 shards, 0 of them" in capsys.readouterr().err.splitlines()[-1]


def test_a_shard_of_another_run_is_left_to_it(inputs: Path, tmp_path: Path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    listing = out / "a.parquet.failed.tsv"
    lock = take_lock(lock_beside(listing), listing)
    command = ["retrofit", str(inputs), "-o", str(out), *FAST]
    assert main(command) == 2
    assert "1 of 3 shards are being written by other runs" in capsys.readouterr().err
    assert not (out / "a.parquet").exists() and (out / "c.parquet").is_file()
    os.close(lock)
    assert main(command) == 0


def test_a_damaged_input_is_named_and_the_others_stay(inputs: Path, tmp_path: Path, capsys):
    (inputs / "b.jsonl.gz").write_bytes(b"\x1f\x8b no gzip")
    assert main(["retrofit", str(inputs), "-o", str(tmp_path / "out"), *FAST]) == 2
    assert "b.jsonl.gz: is not a complete gzip file" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "out").glob("*.parquet")) == ["a.parquet"]


def test_names_are_checked_first(inputs: Path, tmp_path: Path):
    assert is_many(str(inputs)) and is_many(str(inputs / "*.gz")) and not is_many(str(inputs / "a.jsonl"))
    assert [path.name for path in inputs_of(str(inputs))] == ["a.jsonl", "b.jsonl.gz", "c.parquet"]
    with pytest.raises(InputError, match="no file of this pattern"):
        inputs_of(str(inputs / "*.csv"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file in it"):
        inputs_of(str(tmp_path / "empty"))
    with pytest.raises(OutputError, match=r"is the shard of both .*a\.csv and .*a\.jsonl"):
        targets_of([Path("x/a.csv"), Path("x/a.jsonl")], tmp_path / "out", "npy")
    with pytest.raises(OutputError, match="holds the inputs"):
        targets_of([inputs / "a.jsonl"], tmp_path / "out" / ".." / "in", "npy")
    with pytest.raises(OutputError, match="is a file"):
        targets_of([Path("a.csv")], inputs / "a.jsonl", "npy")
    (inputs / "d.pdf").write_bytes(b"%PDF")
    with pytest.raises(OptionError, match=r"d\.pdf: cannot read '\.pdf'"):
        inputs_of(str(inputs))


def test_the_summary_names_shards_without_input_and_subfolders(inputs: Path, tmp_path: Path, capsys):
    out = tmp_path / "out"
    command = ["retrofit", str(inputs), "-o", str(out), *FAST]
    assert main(command) == 0
    assert "warning" not in capsys.readouterr().err
    (inputs / "a.jsonl").unlink()
    (inputs / "b.jsonl.gz").rename(inputs / "d.jsonl.gz")
    for name in ("sub", "more", ".hidden-folder"):
        (inputs / name).mkdir()
    (out / "mine.parquet").write_bytes(b"no shard")
    for _ in range(2):
        assert main(command) == 0
        assert capsys.readouterr().err.splitlines()[-2:] == [
            f"warning: {out}/*.parquet includes 2 shards whose input is not one of this run: "
            "a.parquet, b.parquet",
            f"warning: {inputs}: 2 subfolders not read: more, sub; a pattern with ** reads them",
        ]
    assert {path.name for path in out.glob("*.parquet")} == {f"{name}.parquet" for name in "abcd"} | {
        "mine.parquet"
    }
    (out / "a.parquet").unlink()
    (out / "b.parquet").unlink()
    assert main(command) == 0
    assert "not one of this run" not in capsys.readouterr().err


def test_shards_of_another_format_are_not_named(tmp_path: Path, capsys):
    def write(path: Path, target: Path) -> None:
        target.write_bytes(b"1")

    for name in ("a[1].npy", "a.parquet", "b.npy"):
        write_shards([tmp_path / "x.txt"], [tmp_path / name], lambda path: "key", write)
        told = capsys.readouterr().err.splitlines()
    assert (
        told[-1] == f"warning: {tmp_path}/*.npy includes 1 shard whose input is not one of this run: a[1].npy"
    )


def test_folders_among_the_inputs_are_named_unless_the_pattern_reads_them(inputs: Path, tmp_path: Path):
    assert subfolders_warning(str(inputs)) == ""
    for number in range(21):
        (inputs / f"s{number:02}").mkdir()
    (inputs / "s00" / "d.jsonl").write_text('{"text": "x"}\n')
    assert subfolders_warning(str(inputs / "s0[01]")).endswith(
        ": 2 subfolders not read: s00, s01; a pattern with ** reads them\n"
    )
    assert "21 subfolders not read: s00, s01, " in subfolders_warning(str(inputs))
    assert ", s19 and 1 other; " in subfolders_warning(str(inputs))
    assert subfolders_warning(str(inputs / "*.jsonl")) == subfolders_warning(str(inputs / "**" / "*")) == ""
    assert [path.name for path in inputs_of(str(inputs / "**" / "*"))] == [
        "a.jsonl",
        "b.jsonl.gz",
        "c.parquet",
        "d.jsonl",
    ]
    (tmp_path / "deep" / "sub").mkdir(parents=True)
    with pytest.raises(InputError, match=r"no file in it, only subfolders; a pattern with \*\* reads"):
        inputs_of(str(tmp_path / "deep"))


def test_one_table_of_failures_does_not_serve_many(inputs: Path, tmp_path: Path, capsys):
    command = [
        "retrofit",
        str(inputs),
        "-o",
        str(tmp_path / "out"),
        "--failed",
        str(tmp_path / "f.tsv"),
        *FAST,
    ]
    assert main(command) == 2
    assert "--failed needs a single input" in capsys.readouterr().err


def test_a_mark_without_its_shard_is_no_shard(tmp_path: Path):
    target, source = tmp_path / "a.npy", tmp_path / "a.txt"
    mark_of(target).write_text("not json", "utf-8")
    written: list[Path] = []

    def write(path: Path, target: Path) -> None:
        written.append(path)
        target.write_bytes(b"123")

    for _ in range(2):
        write_shards([source], [target], lambda path: "key", write)
    assert written == [source]
    target.unlink()
    write_shards([source], [target], lambda path: "key", write)
    assert written == [source, source]


def test_a_kill_under_other_options_leaves_no_mark_of_the_old_ones(tmp_path: Path):
    target, source = tmp_path / "a.npy", tmp_path / "a.txt"

    def write(path: Path, target: Path) -> None:
        target.write_bytes(b"old")

    def killed(path: Path, target: Path) -> None:
        target.write_bytes(b"new")  # of the same size
        raise KeyboardInterrupt

    write_shards([source], [target], lambda path: "old", write)
    with pytest.raises(KeyboardInterrupt):
        write_shards([source], [target], lambda path: "new", killed)
    write_shards([source], [target], lambda path: "old", write)
    assert target.read_bytes() == b"old"


def test_a_shard_that_another_run_makes_anew_is_not_finished(tmp_path: Path):
    target, source = tmp_path / "a.npy", tmp_path / "a.txt"
    write_shards([source], [target], lambda path: "old", lambda path, target: target.write_bytes(b"1"))
    mark = mark_of(target).read_bytes()

    def locked(path: Path, target: Path) -> None:
        mark_of(target).write_bytes(mark)  # the other run has not come to its own mark yet
        raise LockedError("another run is writing it")

    with pytest.raises(OutputError, match="1 of 1 shards are being written by other runs: .*a.npy"):
        write_shards([source], [target], lambda path: "new", locked)


def test_packed_text_and_parquet_are_read(tmp_path: Path):
    with pa.output_stream(str(tmp_path / "a.txt.zst"), compression="zstd") as file:
        file.write(b"Ein Hund.\nZwei.\n")
    assert [one.text for one in read_sentences(tmp_path / "a.txt.zst")] == ["Ein Hund.", "Zwei."]
    data = (tmp_path / "a.txt.zst").read_bytes()
    (tmp_path / "a.txt.zst").write_bytes(data[:-4])
    with pytest.raises(InputError, match=r"a\.txt\.zst: cannot be read"):
        list(read_sentences(tmp_path / "a.txt.zst"))
    table = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence": ["Un perro.", None], "lang": ["es", "es"]}), table)
    rows = read_sentences(table)
    first = next(rows)
    assert (first.id, first.text, first.lang) == ("1", "Un perro.", "es")
    with pytest.raises(InputError, match=r"t\.parquet:2: field 'sentence': must be a string, got None"):
        next(rows)
    with pytest.raises(InputError, match="no column 'body'; the columns are: sentence, lang"):
        list(read_sentences(table, column="body"))
    table.write_bytes(b"PAR1 cut")
    with pytest.raises(InputError, match="is not a complete Parquet file"):
        list(read_sentences(table))


def test_names_that_are_not_utf8_are_refused_before_any_work(inputs: Path, tmp_path: Path, capsys):
    (inputs / os.fsdecode(b"z\xff.jsonl")).write_text('{"text": "x"}\n')
    assert main(["retrofit", str(inputs), "-o", str(tmp_path / "out"), *FAST]) == 2
    told = capsys.readouterr().err
    assert r"z\xff.jsonl' is not UTF-8; rename the file" in told and told.count("\n") == 1
    assert not (tmp_path / "out").exists()
