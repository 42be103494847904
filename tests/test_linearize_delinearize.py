"""amrx delinearize: graphs from lines of tokens, and the lock of outputs."""

import gzip
import io
import os
import sys
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import penman
import pytest

from amrx.cli import main
from amrx.records import read_graphs, write_graphs
from amrx.records.locks import lock_beside, take_lock
from amrx.types import Parse
from linearize.commands.delinearize_file import NO_POINTERS
from tests.support.canonical import canonical_triples

LINE = "( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )"
GRAPH = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"


def put(file: Path, text: str) -> Path:
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("sembank", ["lpp", "bio"])
def test_gold_graphs_come_back(sembank: str, data_dir: Path, tmp_path: Path) -> None:
    gold = list(islice(read_graphs(data_dir / "amr" / sembank / "dev.amr"), 40))
    graphs, tokens, restored = tmp_path / "gold.amr", tmp_path / "tokens.txt", tmp_path / "restored.amr"
    write_graphs(gold, graphs)
    assert main(["linearize", str(graphs), "--form", "pointer", "--keep-wiki", "-o", str(tokens)]) == 0
    assert main(["delinearize", str(tokens), "-o", str(restored)]) == 0
    again = list(read_graphs(restored))
    assert [parse.id for parse in again] == [str(number) for number in range(1, 41)]
    for before, after in zip(gold, again, strict=True):
        assert canonical_triples(after.graph) == canonical_triples(before.graph)
        assert (after.status, after.repairs) == (before.status, before.repairs)


def test_repairs_are_noted_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tokens = put(tmp_path / "t.txt", f"{LINE}\n\n( <0> boy :mod\n( boy )\n( <0> amr-empty )\n")
    out = tmp_path / "g.jsonl"
    assert main(["delinearize", str(tokens), "-o", str(out)]) == 0
    parses = list(read_graphs(out))
    assert [parse.status for parse in parses] == ["ok", "failed", "repaired", "repaired", "failed"]
    assert penman.encode(parses[0].graph, indent=None) == GRAPH
    assert parses[1].repairs == ("nothing usable",) and parses[1].graph.top == "a"
    assert parses[2].repairs == ("dropped dangling role :mod", "closed 1 bracket")
    assert parses[3].repairs == (NO_POINTERS,)
    told = capsys.readouterr().err
    assert told.startswith(f"{out}: 5 graphs, 2 repaired, 2 failed, 1 with no pointers") and "\n" == told[-1]


def test_json_lines_keep_ids_sentences_and_repairs(tmp_path: Path) -> None:
    graphs = [penman.decode(GRAPH), penman.decode("(a / amr-empty)"), penman.decode("(b / bark-01)")]
    before = [
        Parse("x 1", "Der Junge\u2028will gehen.", "de", graphs[0], "ok"),
        Parse("2", "...", "en", graphs[1], "failed"),
        Parse("3", "Barking.", "en", graphs[2], "repaired", ("closed 1 bracket",)),
    ]
    write_graphs(before, tmp_path / "g.jsonl")
    tokens, out = tmp_path / "t.jsonl", tmp_path / "again.jsonl"
    assert main(["linearize", str(tmp_path / "g.jsonl"), "--form", "pointer", "-o", str(tokens)]) == 0
    assert main(["delinearize", str(tokens), "-o", str(out)]) == 0
    for one, other in zip(before, read_graphs(out), strict=True):
        assert penman.encode(other.graph) == penman.encode(one.graph)
        kept = ("id", "text", "lang", "status", "repairs")
        assert [getattr(other, key) for key in kept] == [getattr(one, key) for key in kept]


def test_packed_and_standard_input(tmp_path, monkeypatch, capsys):
    packed = tmp_path / "t.txt.gz"
    packed.write_bytes(gzip.compress(f"{LINE}\n".encode()))
    assert main(["delinearize", str(packed)]) == 0
    written = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(f"\ufeff{LINE}\r\n".encode())))
    assert main(["delinearize", "-", "-o", "-"]) == 0
    assert capsys.readouterr().out == written
    assert written.startswith("# ::id 1\n") and "# ::status ok\n(w / want-01\n" in written


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "t.txt",
            f"{LINE}\nThe boy wants to go.\n".encode(),
            "t.txt:2: field 'tokens': 'The boy wants to go.' ",
        ),
        ("t.txt", b"( <0> boy )\n( <0> caf\xe9 )\n", "t.txt:2: is not UTF-8 (byte 0xe9)"),
        ("t.txt", b"", "t.txt: is empty"),
        ("t.txt.gz", gzip.compress(b"( <0> boy )\n" * 999, mtime=0)[:-9], "is not a complete gzip file"),
        ("t.jsonl", b'{"tokens": "( <0> boy )"}\n{"id": 7}\n', "t.jsonl:2: field 'tokens': is missing"),
        ("t.jsonl", b'{"tokens": "( <0> boy )", "id": true}\n', "field 'id': must be a string or an integer"),
        ("t.jsonl", b'{"tokens": "( <0> boy )", "lang": "xx"}\n', "t.jsonl:1: field 'lang': "),
        ("t.jsonl", b'{"tokens": "boy"}\n', "t.jsonl:1: field 'tokens': 'boy' is not a line of tokens\n"),
        (
            "t.txt",
            b'{"tokens": "( <0> boy )"}\n',
            "is not a line of tokens; name a file of JSON lines .jsonl",
        ),
        ("t.amr", f"{GRAPH}\n".encode(), "t.amr: tokens are plain text or JSON lines, not .amr"),
        ("t.txt", f"{GRAPH}\n".encode(), "t.txt:1: field 'tokens': '(w / want-01"),
    ],
)
def test_errors_leave_the_output_alone(name, data, message, tmp_path, capsys):
    (tmp_path / name).write_bytes(data)
    out = put(tmp_path / "out.amr", "before")
    assert main(["delinearize", str(tmp_path / name), "-o", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert out.read_text() == "before"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([name, "out.amr"])


def test_other_suffixes_and_the_input_are_no_output(tmp_path, capsys):
    tokens = put(tmp_path / "t.txt", f"{LINE}\n")
    for out, message in (("t.txt", "is also an input"), ("g.tsv", "name an .amr, .txt")):
        assert main(["delinearize", str(tokens), "-o", str(tmp_path / out)]) == 2
        assert message in capsys.readouterr().err
    assert tokens.read_text() == f"{LINE}\n"


@pytest.mark.parametrize("command", ["parse", "linearize", "delinearize"])
def test_an_output_that_another_run_writes_is_refused(command, tmp_path, capsys):
    texts = {"parse": "The boy wants to go.\n", "linearize": f"{GRAPH}\n", "delinearize": f"{LINE}\n"}
    read = put(tmp_path / ("in.amr" if command == "linearize" else "in.txt"), texts[command])
    out = put(tmp_path / "out.txt", "before")
    held = take_lock(lock_beside(out), out)
    assert main([command, str(read), "-o", str(out)]) == 2
    assert f"{out}: another run is writing it" in capsys.readouterr().err
    assert out.read_text() == "before"
    os.close(held)  # as if the other run was killed
    if command != "parse":
        assert main([command, str(read), "-o", str(out)]) == 0
        assert out.read_text() != "before" and not lock_beside(out).exists()
