"""amrx parse end to end with a parser that needs no weights: inputs, outputs, order, faults, kills."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import penman
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amrx.cli import main
from amrx.records import read_graphs
from amrx.types import Sentence
from parser.load import PARSERS, Kind
from parser.stream import failed_parse, parse_stream

SCRIPT = Path(__file__).with_name("toy_parser.py")
FOUR = 'Der Junge will gehen.\n\nHallo Welt\n   \nAdiós "amigo" (ya) :x / y\n'


def toy_module():
    spec = importlib.util.spec_from_file_location("toy_parser", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """The toy parser in the table of parsers, and a cache of its own for the user."""
    parser = toy_module().ToyParser()
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: parser, "toy", "for tests"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    monkeypatch.delenv("AMRX_CACHE", raising=False)
    return parser


def run(*arguments):
    return main(["parse", *map(str, arguments), "--parser", "toy"])


def put(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_one_graph_a_line_in_order(toy, tmp_path, capsys):
    out = tmp_path / "graphs.amr"
    assert run(put(tmp_path / "s.txt", FOUR), "--lang", "de", "-o", out) == 0
    parses = list(read_graphs(out))
    assert [parse.id for parse in parses] == ["1", "2", "3", "4", "5"]
    assert [parse.status for parse in parses] == ["ok", "failed", "ok", "failed", "ok"]
    assert {parse.lang for parse in parses} == {"de"}
    assert {parse.parser for parse in parses} == {"toy-1"}
    assert parses[0].text == "Der Junge will gehen."
    assert parses[0].alignments == {"s": (0, 3)}
    assert penman.encode(parses[1].graph, indent=None).endswith("(a / amr-empty)")
    assert parses[2].graph.attributes(role=":op2") == [("s", ":op2", '"Welt"')]
    assert parses[4].graph.attributes(role=":op4") == [("s", ":op4", '":x"')]
    assert capsys.readouterr().err == f"{out}: 5 graphs, 2 failed\n"
    assert [path.name for path in tmp_path.glob("*.amr")] == ["graphs.amr"]


def test_the_parser_sees_no_empty_sentence(toy, tmp_path):
    run(put(tmp_path / "s.txt", "\n \n\t\n\u3000\n"), "-o", tmp_path / "g.amr")
    assert toy.seen == []
    assert [parse.status for parse in read_graphs(tmp_path / "g.amr")] == ["failed"] * 4


def test_language_is_detected_given_or_in_a_column(toy, tmp_path):
    out = tmp_path / "g.jsonl"
    text = put(tmp_path / "s.txt", "Der Junge möchte nach Hause gehen.\nThe boy wants to go home.\n")
    run(text, "-o", out)
    assert [parse.lang for parse in read_graphs(out)] == ["de", "en"]
    run(text, "--lang", "fr", "-o", out)
    assert [parse.lang for parse in read_graphs(out)] == ["fr", "fr"]
    table = put(tmp_path / "s.csv", 'key,satz,sprache\nx1,"Hallo, Welt",de\nx2,Ciao,it\n')
    run(table, "--column", "satz", "--lang-column", "sprache", "--id-column", "key", "-o", out)
    found = [(parse.id, parse.text, parse.lang) for parse in read_graphs(out)]
    assert found == [("x1", "Hallo, Welt", "de"), ("x2", "Ciao", "it")]


def test_graphs_are_parsed_again_from_their_sentences(toy, tmp_path):
    put(tmp_path / "old.amr", "# ::id a7\n# ::snt Hallo Welt\n# ::lang de\n(x / y)\n")
    run(tmp_path / "old.amr", "-o", tmp_path / "new.amr")
    (parse,) = read_graphs(tmp_path / "new.amr")
    assert (parse.id, parse.text, parse.lang, parse.graph.top) == ("a7", "Hallo Welt", "de", "s")


def test_standard_input_and_output(toy, tmp_path, monkeypatch, capsys):
    for extra in ([], ["--format", "penman"], ["--format", "jsonl"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße\n\nan alle\n".encode())))
        assert run("-", "--lang", "de", "-o", "-", *extra) == 0
        told = capsys.readouterr()
        assert told.err.startswith("standard output: 3 graphs, 1 failed")
        suffix = "jsonl" if "jsonl" in extra else "amr"
        texts = [parse.text for parse in read_graphs(put(tmp_path / f"o.{suffix}", told.out))]
        assert texts == ["Grüße", "", "an alle"]


def test_long_sentences_are_flagged(toy, tmp_path):
    run(put(tmp_path / "s.txt", "a b c\n" + "w " * 40 + "\n"), "--lang", "en", "-o", tmp_path / "g.jsonl")
    short, long = read_graphs(tmp_path / "g.jsonl")
    assert (short.status, short.repairs) == ("ok", ())
    assert (long.status, long.repairs) == ("repaired", ("sentence cut at 9 words",))


def test_cache_changes_nothing_but_the_work(toy, tmp_path, capsys):
    source = put(tmp_path / "s.txt", FOUR + FOUR)
    outputs = []
    for name, extra in (("a", ["--no-cache"]), ("b", []), ("c", []), ("d", ["--batch-size", "1"])):
        toy.seen.clear()
        assert run(source, "-o", tmp_path / f"{name}.amr", *extra) == 0
        outputs.append((tmp_path / f"{name}.amr").read_bytes())
        told = capsys.readouterr().err
        assert len(toy.seen) == {"a": 6, "b": 3, "c": 0, "d": 0}[name]
        assert ("6 from the cache" in told) is (name in "cd")
    assert len(set(outputs)) == 1
    assert (tmp_path / "user-cache" / "amrx" / "parses.sqlite").is_file()


def test_a_cache_in_a_file_of_its_own(toy, tmp_path):
    source = put(tmp_path / "s.txt", "eins\nzwei\n")
    run(source, "--cache", tmp_path / "c" / "own.sqlite", "-o", tmp_path / "g.amr")
    assert (tmp_path / "c" / "own.sqlite").is_file()
    assert not (tmp_path / "user-cache").exists()


def test_no_place_for_the_user_cache(toy, tmp_path, monkeypatch, capsys):
    put(tmp_path / "file", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run(put(tmp_path / "s.txt", "eins\n"), "-o", tmp_path / "g.amr") == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("amrx: going on without a cache: ")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=30), min_size=1))
def test_any_unicode(toy, tmp_path, lines):
    source = tmp_path / "s.txt"
    source.write_bytes("".join(line + "\n" for line in lines).encode())
    for suffix in ("amr", "jsonl"):
        assert run(source, "--lang", "en", "-o", tmp_path / f"g.{suffix}") == 0
        parses = list(read_graphs(tmp_path / f"g.{suffix}"))
        assert len(parses) == len(lines)
        for parse, line in zip(parses, lines, strict=True):
            assert parse.status == ("failed" if not line.strip() else parse.status)
    lines[0] = lines[0].removeprefix("\ufeff")
    assert [parse.text for parse in parses] == [line.rstrip("\r") for line in lines]


BAD = {
    "not utf-8": (b"gut\ncaf\xe9\n", "s.txt", [], "s.txt:2: is not UTF-8 (byte 0xe9)"),
    "empty": (b"", "s.txt", [], "s.txt: is empty"),
    "no such file": (None, "s.txt", [], "s.txt: no such file"),
    "no such column": (b"text,lang\na,de\n", "s.csv", ["--column", "satz"], "no column 'satz'"),
    "no columns": (b"a\n", "s.txt", ["--column", "satz"], "has no columns"),
    "no language": (b"a\n", "s.txt", ["--lang", "german"], "language code 'german' is no ISO 639-1 code"),
    "no language in a row": (b"text,lang\na,de\nb,xx\n", "s.csv", [], "s.csv:3: field 'lang'"),
    "no json": (b'{"text": "a"}\n{"text"\n', "s.jsonl", [], "s.jsonl:2: is no JSON"),
    "no graph": (b"(a / b", "s.amr", [], "s.amr:1: is no AMR graph"),
    "disagreeing": (b"a\n", "s.txt", ["--format", "jsonl"], "--format jsonl and the name"),
    "two wishes": (b"a\n", "s.txt", ["--cache", "c", "--no-cache"], "contradict"),
    "no batch": (b"a\n", "s.txt", ["--batch-size", "0"], "--batch-size"),
    "no such option": (b"a\n", "s.txt", ["--langue", "de"], "--langue"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(toy, tmp_path, monkeypatch, capsys, case):
    content, name, extra, told = BAD[case]
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(name).write_bytes(content)
    before = sorted(os.listdir())
    assert run(name, "-o", "g.amr", *extra) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert "Traceback" not in error
    assert [entry for entry in sorted(os.listdir()) if entry != "user-cache"] == before
    assert toy.seen == []


def test_an_unknown_parser_names_those_there_are(tmp_path, capsys):
    source = put(tmp_path / "s.txt", "a\n")
    assert main(["parse", str(source), "-o", str(tmp_path / "g.amr"), "--no-cache", "--parser", "mimi"]) == 2
    assert capsys.readouterr().err == (
        "amrx: error: no parser 'mimi'; did you mean 'mini'? there are: mini or mini:DIR\n"
    )


@pytest.mark.parametrize("output", ["nowhere/g.amr", "folder", "file/g.amr"])
def test_an_output_that_cannot_be_written(toy, tmp_path, monkeypatch, capsys, output):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").touch()
    put(Path("s.txt"), "a\n")
    assert run("s.txt", "-o", output) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and output in error
    assert toy.seen == []


def test_the_database_of_another_program_is_left_alone(toy, tmp_path, capsys):
    other = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE letters (text TEXT)")
    before = other.read_bytes()
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--cache", other) == 2
    assert "is no parse cache (another program's database)" in capsys.readouterr().err
    assert other.read_bytes() == before


@pytest.mark.parametrize("content", [b"this is no database, but long enough to look at" * 40, b"x"])
def test_a_cache_that_is_none(toy, tmp_path, capsys, content):
    other = tmp_path / "other.sqlite"
    other.write_bytes(content)
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--cache", other) == 2
    error = capsys.readouterr().err
    assert f"{other}: is no parse cache" in error and error.count("\n") == 1
    assert other.read_bytes() == content
    assert not (tmp_path / "g.amr").exists()


def test_an_old_output_survives_a_fault(toy, tmp_path, monkeypatch, capsys):
    """A fault in the middle of the work leaves what stood there before."""
    out = put(tmp_path / "g.amr", "(old / graph)\n")

    def broken(sentences, *, batch_size=64, progress=False):
        raise KeyboardInterrupt

    monkeypatch.setattr(toy, "parse", broken)
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", out) == 130
    assert out.read_text() == "(old / graph)\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.amr", "s.txt", "user-cache"]


def test_standard_input_that_breaks_half_way(toy, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"gut\n\xff\n")))
    assert run("-", "-o", tmp_path / "g.amr", "--lang", "en") == 2
    assert capsys.readouterr().err == "amrx: error: standard input:2: is not UTF-8 (byte 0xff)\n"
    assert not (tmp_path / "g.amr").exists()


def process(arguments, folder, **environment):
    command = [sys.executable, str(SCRIPT), *map(str, arguments), "--parser", "toy"]
    return subprocess.Popen(
        command, cwd=folder, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    )


def test_killed_and_started_again(tmp_path, monkeypatch):
    """kill -9 in the middle: no output yet; the same command then parses only what was not done."""
    lines = [f"Satz {number}" for number in range(3000)]
    put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    log = tmp_path / "log"
    arguments = ["s.txt", "--lang", "de", "-o", "g.amr", "--cache", "c.sqlite"]
    first = process(arguments, tmp_path, TOY_LOG=str(log), TOY_PAUSE="0.0005")
    until = time.monotonic() + 120
    while time.monotonic() < until and not (log.exists() and log.read_text().count("\n") > 1100):
        time.sleep(0.02)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    assert not (tmp_path / "g.amr").exists()
    done = len(log.read_text().splitlines())
    assert 1100 < done < 3000
    log.unlink()
    second = process(arguments, tmp_path, TOY_LOG=str(log))
    told = second.communicate()[1]
    assert second.returncode == 0, told
    assert "1024 from the cache" in told or "2048 from the cache" in told
    assert len(log.read_text().splitlines()) == 3000 - int(told.split(", ")[1].split()[0])
    assert [parse.text for parse in read_graphs(tmp_path / "g.amr")] == lines


def test_several_processes_on_one_cache(tmp_path):
    """Four at once, on a cache that none has made yet: all right, all equal, every sentence kept once."""
    lines = [f"Satz {number % 700}" for number in range(1500)]
    put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    arguments = ["s.txt", "--lang", "de", "--cache", "c.sqlite", "-o"]
    runs = [process([*arguments, f"g{n}.amr"], tmp_path) for n in range(4)]
    told = [one.communicate()[1] for one in runs]
    assert [one.returncode for one in runs] == [0] * 4, told
    assert len({(tmp_path / f"g{n}.amr").read_bytes() for n in range(4)}) == 1
    assert [parse.text for parse in read_graphs(tmp_path / "g0.amr")] == lines
    from parser.cache import ParseCache

    with ParseCache(tmp_path / "c.sqlite") as cache:
        assert len(cache) == 700


def test_stream_takes_one_block_at_a_time():
    """Memory stays flat: no more sentences are taken than the block that is parsed."""
    taken = []

    def endless():
        for number in range(10**9):
            taken.append(number)
            yield Sentence(str(number), f"Satz {number}" if number % 3 else "", "de")

    parses = parse_stream(toy_module().ToyParser(), endless(), block=10)
    first = [next(parses) for _ in range(25)]
    assert [parse.id for parse in first] == [str(number) for number in range(25)]
    assert len(taken) == 30
    assert {parse.status for parse in first[::3]} == {"failed"}


def test_failed_parse_of_an_unknown_language():
    parse = failed_parse(Sentence("1", ""), "p")
    assert (parse.lang, parse.status, parse.parser) == ("en", "failed", "p")


def test_json_lines_hold_every_field(toy, tmp_path):
    run(put(tmp_path / "s.txt", "Hallo Welt\n"), "--lang", "de", "-o", tmp_path / "g.jsonl")
    assert json.loads((tmp_path / "g.jsonl").read_text()) == {
        "id": "1",
        "text": "Hallo Welt",
        "lang": "de",
        "graph": '(s / sentence :lang "de" :op1 "Hallo" :op2 "Welt")',
        "status": "ok",
        "repairs": [],
        "alignments": {"s": [0, 5]},
        "parser": "toy-1",
    }
