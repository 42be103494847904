import json
import re
from pathlib import Path

import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError, OptionError, OutputError
from amrx.records import read_graphs, write_graphs
from amrx.types import Parse

SUFFIXES = [".amr", ".penman", ".jsonl"]


def some(amrs: dict[str, penman.Graph]) -> list[Parse]:
    return [
        Parse(
            "1",
            "Der Junge will gehen.",
            "de",
            amrs["boy"],
            alignments={"w": (10, 14), "b": (4, 9)},
            confidence=0.71,
            parser="p",
        ),
        Parse(
            "x-2", "std ::string # (a / b)", "en", amrs["york"], "repaired", ("closed a bracket; twice", "ü")
        ),
        Parse("3", "", "zh", amrs["single"], "failed", ("nothing was parsed",)),
    ]


def same(found: list[Parse], given: list[Parse]) -> bool:
    fields = ("id", "text", "lang", "graph", "status", "repairs", "alignments", "parser", "confidence")
    return [[getattr(p, f) for f in fields] for p in found] == [
        [getattr(p, f) for f in fields] for p in given
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_written_reads_back_equal(tmp_path, amrs, suffix):
    path = tmp_path / f"graphs{suffix}"
    assert write_graphs(iter(some(amrs)), path) == 3
    assert same(list(read_graphs(path)), some(amrs))
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_literal_graph_comes_back(tmp_path, amr, suffix):
    path = tmp_path / f"graph{suffix}"
    write_graphs([Parse("1", "text", "en", amr)], path)
    assert next(read_graphs(path)).graph == amr


def test_line_breaks_do_not_break_the_header_and_spans_stay(tmp_path, amrs):
    text = "Der\r\nJunge\n(will / gehen"
    path = tmp_path / "a.amr"
    write_graphs([Parse("1", text, "de", amrs["boy"], alignments={"b": (5, 10)})], path)
    [found] = read_graphs(path)
    start, end = found.alignments["b"]
    assert found.text == "Der  Junge (will / gehen"
    assert found.text[start:end] == text[5:10] == "Junge"


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_and_repair_survives(scratch, text, repair):
    path = scratch / "a.amr"
    write_graphs([Parse("1", text, "en", penman.decode("(b / boy)"), repairs=(repair,))], path)
    [found] = read_graphs(path)
    assert found.text == re.sub("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", " ", text)
    assert found.repairs == (repair,)


def test_headers_of_other_tools_stay(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text(
        "# AMR release; (generated)\n\n"
        "# ::id lpp.1 ::date 2012-06-07 ::preferred\n# ::snt One .\n# ::snt_zh 一 ::x\n"
        "# ::alignments 0-1.1 2-3.1.2\n(c / chapter~e.0\n    :mod 1)\n\n\n"
        "# ::id lpp.2\n(d / dog)\n# ::id lpp.3\n(e / end)\n",
        encoding="utf-8",
    )
    first, second, third = read_graphs(path)
    assert (first.id, first.text, first.lang, first.status) == ("lpp.1", "One .", "en", "ok")
    assert first.graph.metadata["snt_zh"] == "一 ::x"
    assert first.graph.metadata["date"] == "2012-06-07"
    assert first.alignments == {}
    assert (second.id, second.text, third.id) == ("lpp.2", "", "lpp.3")
    write_graphs([first], tmp_path / "b.amr")
    again = (tmp_path / "b.amr").read_text(encoding="utf-8")
    assert "# ::snt_zh 一 ::x\n" in again
    assert "# ::alignments 0-1.1 2-3.1.2\n" in again


def test_several_graphs_without_an_empty_line_between(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text("(b / boy)\n(g / girl)\n")
    assert [(p.id, p.graph.top) for p in read_graphs(path, lang="de")] == [("1", "b"), ("2", "g")]


def test_indented_comment_inside_a_graph_is_no_graph_text(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text("(b / boy\n   # a note )\n   :mod (s / small))\n")
    assert len(next(read_graphs(path)).graph.triples) == 3


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("(b / boy", 5, "is not an AMR graph"),
        ("(b / boy))", 5, "')' without its '('"),
        ("(b / boy) and", 5, "'and' is outside the parentheses"),
        ("boy", 5, "'boy' is outside the parentheses"),
        ("(a / a :op1 " * 3000 + ")" * 3000, 5, "it nests too deep"),
        ("()", 5, "it has no node"),
        ("(b / boy\n  :ARG0 (g / girl)\n  :mod :mod)", 5, "b :mod points to nothing"),
        ("(b)", 5, "b has no concept"),
        ("(b / boy\n  :ARG0 (g / girl)\n  boy)", 7, "is not an AMR graph"),
    ],
)
def test_malformed_block_names_file_and_line(tmp_path, body, line, problem):
    path = tmp_path / "a.amr"
    path.write_text(f"# ::id 1\n(a / and)\n\n# ::id 2\n{body}\n")
    graphs = read_graphs(path)
    assert next(graphs).id == "1"
    with pytest.raises(InputError) as caught:
        next(graphs)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parentheses_in_strings_are_text(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text('(n / name :op1 "a) \\" (b" :op2 ")")\n')
    assert len(next(read_graphs(path)).graph.attributes()) == 2


def test_file_without_graphs_and_bad_language(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text("# only a header\n")
    with pytest.raises(InputError, match="holds no graph"):
        list(read_graphs(path))
    path.write_text("# ::lang german\n(b / boy)\n")
    with pytest.raises(InputError, match=r"a\.amr:2: field 'lang': language code 'german'"):
        list(read_graphs(path))
    with pytest.raises(OptionError):
        read_graphs(path, lang="german")


def test_a_status_is_known_or_an_error(tmp_path):
    blocks, lines = tmp_path / "a.amr", tmp_path / "a.jsonl"
    blocks.write_text("(b / boy)\n\n# ::status failed\n(b / boy)\n\n# ::status\n(b / boy)\n")
    lines.write_text('{"graph": "(b / boy)", "status": null}\n{"graph": "(b / boy)", "status": "failed"}\n')
    assert [parse.status for parse in read_graphs(blocks)] == ["ok", "failed", "ok"]
    assert [parse.status for parse in read_graphs(lines)] == ["ok", "failed"]
    blocks.write_text("# ::status Failed\n(b / boy)\n")
    lines.write_text('{"graph": "(b / boy)", "status": ["failed"]}\n')
    with pytest.raises(
        InputError, match=r"a\.amr:2: field 'status': must be one of ok, repaired, failed, got 'Failed'"
    ):
        list(read_graphs(blocks))
    with pytest.raises(InputError, match=r"a\.jsonl:1: field 'status': must be one of ok"):
        list(read_graphs(lines))


@pytest.mark.parametrize("value", ["much", "1.2", "-0.1", "nan"])
def test_a_confidence_is_a_number_from_0_to_1(tmp_path, value):
    block, record = tmp_path / "g.amr", tmp_path / "g.jsonl"
    block.write_text(f"# ::id 1\n# ::confidence {value}\n(d / dog)\n", "utf-8")
    record.write_text(json.dumps({"graph": "(d / dog)", "confidence": value}) + "\n", "utf-8")
    for path in (block, record):
        with pytest.raises(InputError, match="field confidence|confidence.*is not a number from 0 to 1"):
            list(read_graphs(path))


@pytest.mark.parametrize("repairs", ["[oops", '["a"', "[" * 200_000])
def test_repairs_that_are_no_list_name_the_line(tmp_path, repairs):
    path = tmp_path / "a.amr"
    path.write_text(f"# ::id 1\n# ::repairs {repairs}\n(b / boy)\n")
    with pytest.raises(InputError, match=r"a\.amr:3: field 'repairs': is not a JSON list: "):
        list(read_graphs(path))


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"graph": 5}, "field 'graph': must be a string, got 5"),
        ({"graph": "(b / boy"}, "is not an AMR graph"),
        ({"graph": "(b / boy)", "lang": "xx"}, "field 'lang'"),
        ({"graph": "(b / boy)", "alignments": [1]}, "is not a parse record"),
        ({"graph": "(b / boy)", "alignments": {"b": [1]}}, "is not a parse record"),
        ([], "is not a JSON object"),
    ],
)
def test_bad_json_lines(tmp_path, record, problem):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"graph": "(b / boy)"}) + "\n" + json.dumps(record) + "\n")
    with pytest.raises(InputError) as caught:
        list(read_graphs(path))
    assert str(caught.value).startswith(f"{path}:2: ")
    assert problem in str(caught.value)


def test_standard_output(capsys, amrs):
    write_graphs(some(amrs)[:1], "-")
    assert capsys.readouterr().out.startswith("# ::id 1\n# ::snt Der Junge will gehen.\n# ::lang de\n")


def test_place_is_checked_before_the_first_parse(tmp_path):
    def never():
        raise AssertionError("the parser ran")
        yield

    with pytest.raises(OutputError, match="does not exist"):
        write_graphs(never(), tmp_path / "missing" / "a.amr")


def test_error_in_the_middle_leaves_the_old_file(tmp_path, amrs):
    path = tmp_path / "a.amr"
    path.write_text("old")

    def breaks():
        yield some(amrs)[0]
        raise InputError("broken")

    with pytest.raises(InputError, match="broken"):
        write_graphs(breaks(), path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.amr"]


def test_graph_in_two_pieces_cannot_be_written(tmp_path):
    graph = penman.Graph([("a", ":instance", "x"), ("b", ":instance", "y")], top="a")
    with pytest.raises(InputError, match="the graph of sentence '9' cannot be written"):
        write_graphs([Parse("9", "", "en", graph)], tmp_path / "a.amr")


@pytest.mark.parametrize("name", ["lpp/dev.amr", "bio/dev.amr", "bamboo/para/reify/src.dev.amr"])
def test_sembanks_read_and_come_back(tmp_path, data_dir: Path, name):
    parses = list(read_graphs(data_dir / "amr" / name))
    assert len(parses) == {"lpp/dev.amr": 145, "bio/dev.amr": 500}.get(name, 502)
    assert all(parse.text for parse in parses)
    path = tmp_path / "again.jsonl"
    write_graphs(parses, path)
    assert same(list(read_graphs(path)), [p for p in parses])
