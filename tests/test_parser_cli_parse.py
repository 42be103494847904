"""amrx parse end to end with a parser that needs no weights: inputs, outputs, order, faults, kills."""

import io
import json
import os
import sys
from pathlib import Path

import penman
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amrx.cli import main
from amrx.records import read_graphs
from amrx.types import Sentence
from parser.run.stream import failed_parse, parse_stream
from tests.support.parse_command import FOUR, put, run
from tests.support.toy_parser import ToyParser


def test_detected_languages_are_told(toy, tmp_path, capsys):
    table = put(tmp_path / "s.tsv", "text\tlang\nDer Junge will gehen.\tde\nThe boy wants to go.\t\n")
    assert run(table, "-o", tmp_path / "graphs.amr") == 0
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith("the language of 1 of 2 texts is detected, as one of ar de en ")
    assert told.endswith("; give --lang for others")


def test_one_graph_a_line_in_order(toy, tmp_path, capsys):
    out = tmp_path / "graphs.amr"
    assert run(put(tmp_path / "s.txt", FOUR), "--lang", "de", "-o", out) == 0
    parses = list(read_graphs(out))
    assert [parse.id for parse in parses] == ["1", "2", "3", "4", "5"]
    assert [parse.status for parse in parses] == ["ok", "failed", "ok", "failed", "ok"]
    assert {parse.lang for parse in parses} == {"de"}
    assert {parse.parser for parse in parses} == {"split4:toy-1"}
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


def test_the_language_of_a_graphs_sentence_is_detected_if_its_header_has_none(toy, tmp_path):
    german = "# ::snt Der Junge möchte nach Hause gehen.\n{}(b / boy)\n"
    put(tmp_path / "old.amr", german.format("") + "\n" + german.format("# ::lang fr\n"))
    run(tmp_path / "old.amr", "-o", tmp_path / "new.amr")
    assert [parse.lang for parse in read_graphs(tmp_path / "new.amr")] == ["de", "fr"]


def test_standard_input_and_output(toy, tmp_path, monkeypatch, capsys):
    for extra in ([], ["-o", "-"], ["--format", "penman"], ["-o", "-", "--format", "jsonl"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße\n\nan alle\n".encode())))
        assert run("-", "--lang", "de", *extra) == 0
        told = capsys.readouterr()
        assert told.err.startswith("standard output: 3 graphs, 1 failed")
        suffix = "jsonl" if "jsonl" in extra else "amr"
        texts = [parse.text for parse in read_graphs(put(tmp_path / f"o.{suffix}", told.out))]
        assert texts == ["Grüße", "", "an alle"]


def test_long_sentences_are_flagged(toy, tmp_path, capsys):
    source = put(tmp_path / "s.txt", "a b c\n" + "w " * 40 + "\n")
    run(source, "--lang", "en", "--no-split", "-o", tmp_path / "g.jsonl")
    short, long = read_graphs(tmp_path / "g.jsonl")
    assert (short.status, short.repairs) == ("ok", ())
    assert (long.status, long.repairs) == ("repaired", ("sentence cut at 9 words",))
    told = "2 graphs, 1 repaired, 1 without the end of a sentence that is too long"
    assert told in capsys.readouterr().err
    run(source, "--lang", "en", "-o", tmp_path / "s.jsonl")
    _, long = read_graphs(tmp_path / "s.jsonl")
    assert long.repairs[0] == "sentence 1: sentence cut at 9 words"  # of words too short to divide
    assert told in capsys.readouterr().err


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
    "no language": (b"a\n", "s.txt", ["--lang", "german"], "language code 'german' is not in ISO 639-1"),
    "no language in a row": (b"text,lang\na,de\nb,xx\n", "s.csv", [], "s.csv:3: field 'lang'"),
    "no json": (b'{"text": "a"}\n{"text"\n', "s.jsonl", [], "s.jsonl:2: field 'column 8': is not JSON"),
    "no graph": (b"(a / b", "s.amr", [], "s.amr:1: is not an AMR graph"),
    "disagreeing": (b"a\n", "s.txt", ["--format", "jsonl"], "--format jsonl contradicts the name"),
    "a table of graphs": (
        b"a\n",
        "s.txt",
        ["-o", "g.tsv"],
        "g.tsv: graphs are written as PENMAN or JSON lines",
    ),
    "a table of graphs, by all means": (
        b"a\n",
        "s.txt",
        ["-o", "g.csv", "--format", "penman"],
        "name an .amr, .txt or .jsonl file\n",
    ),
    "an unknown suffix": (
        b"a\n",
        "s.txt",
        ["-o", "g.foo"],
        "g.foo: graphs are written as PENMAN or JSON lines; name an .amr, .txt or .jsonl file, or give --f",
    ),
    "a packed output": (b"a\n", "s.txt", ["-o", "g.amr.gz"], "g.amr.gz: output is not packed; write g.amr"),
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


@pytest.mark.parametrize(
    ("name", "extra", "first"),
    [
        ("g.txt", [], "# ::id 1"),
        ("g.PENMAN", [], "# ::id 1"),
        ("g", [], "# ::id 1"),
        ("g.foo", ["--format", "penman"], "# ::id 1"),
        ("g.foo", ["--format", "jsonl"], '{"id": "1"'),
        ("g", ["--format", "jsonl"], '{"id": "1"'),
        ("g.json", [], '{"id": "1"'),
    ],
)
def test_the_suffix_or_the_option_gives_the_format(toy, tmp_path, name, extra, first):
    assert run(put(tmp_path / "s.txt", "Hallo\n"), "--lang", "de", "-o", tmp_path / name, *extra) == 0
    assert (tmp_path / name).read_text().startswith(first)


def test_an_unknown_parser_names_those_there_are(tmp_path, capsys):
    source = put(tmp_path / "s.txt", "a\n")
    assert main(["parse", str(source), "-o", str(tmp_path / "g.amr"), "--no-cache", "--parser", "mimi"]) == 2
    told = "amrx: error: unknown parser 'mimi'; did you mean 'mini'? choose from mini or mini:DIR, "
    assert capsys.readouterr().err.startswith(told)


def test_the_sentences_are_not_replaced_by_graphs(toy, tmp_path, capsys):
    source = put(tmp_path / "s.txt", "Hallo\n")
    assert run(source, "-o", source, "--lang", "de") == 2
    assert "s.txt: is also an input" in capsys.readouterr().err
    assert (source.read_text(), toy.seen) == ("Hallo\n", [])


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
    assert (
        capsys.readouterr().err
        == "amrx: error: standard input:2: is not UTF-8 (byte 0xff); convert it: iconv -f ENCODING -t UTF-8\n"
    )
    assert not (tmp_path / "g.amr").exists()


def test_stream_takes_one_block_at_a_time():
    """Memory stays flat: no more sentences are taken than the block that is parsed."""
    taken = []

    def endless():
        for number in range(10**9):
            taken.append(number)
            yield Sentence(str(number), f"Satz {number}" if number % 3 else "", "de")

    parses = parse_stream(ToyParser(), endless(), block=10)
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
        "confidence": None,
        "missing": [],
        "alignments": {"s": [0, 5]},
        "parser": "split4:toy-1",
    }


def test_a_long_text_is_named_before_parsing(toy, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("s.tsv").write_text("id\ttext\na\tTom sleeps.\nb\t" + "It rains. " * 1000 + "\n")
    assert run("s.tsv", "-o", "g.amr", "--lang", "en") == 0
    assert "s.tsv: text 'b' has 10,000 characters: about 100 sentences\n" in capsys.readouterr().err
    Path("s.tsv").write_text("id\ttext\na\tTom sleeps.\n")
    assert run("s.tsv", "-o", "h.amr", "--lang", "en") == 0
    assert "characters" not in capsys.readouterr().err
