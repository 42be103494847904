"""Files of graphs that every reader of lines reads alike, sentences without a graph, and what to quote."""

import json

import penman
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from amrx.cli import main
from amrx.errors import InputError
from amrx.records import read_graphs, read_sentences, write_graphs
from amrx.records.blocks import NO_GRAPH
from amrx.types import Parse

TEXT = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(' :"#\\\n\r\t\u2028\x85\x0b\x1cab1')),
    max_size=9,
)
BREAKS = ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
LACKING = """# ::id 1
# ::snt A dog barks.
(b / bark-01 :ARG0 (d / dog))

# ::id 2
# ::snt Nothing here.


# ::id 3
# ::snt A cat.
(c / cat)
"""


@given(TEXT, TEXT)
@example("7 ::status failed", "a ::lang de")
@example(" lead ", "")
@example("a\n# ::snt b", "p")
@example('"lpp 1"', '"7 \\\\u003a:x"')
@example('"7 \\\\u003a:status failed"', "p")
def test_any_id_and_parser_come_back_from_penman(scratch, identifier, parser):
    path = scratch / "a.amr"
    write_graphs([Parse(identifier, "x", "en", penman.decode("(b / boy)"), parser=parser)], path)
    [found] = read_graphs(path)
    assert (found.id, found.parser, found.text, found.status) == (identifier, parser, "x", "ok")
    assert [graph.metadata["snt"] for graph in penman.load(path)] == ["x"]


def test_ordinary_ids_are_written_as_they_are(tmp_path):
    for identifier in ("1", "lpp_1943.1", "a b", 'say "x"', '"quoted"', "a::b", "ü/7"):
        write_graphs([Parse(identifier, "x", "en", penman.decode("(b / boy)"))], tmp_path / "a.amr")
        assert (tmp_path / "a.amr").read_text(encoding="utf-8").startswith(f"# ::id {identifier}\n")


@pytest.mark.parametrize("sign", BREAKS)
def test_every_reader_of_lines_sees_the_same_lines(tmp_path, sign):
    graph = penman.Graph([("n", ":instance", "name"), ("n", ":op1", f'"a{sign}b"')])
    texts = f"i{sign}d", f"one{sign}two", "en"
    parse = Parse(*texts, graph, "repaired", (f"r{sign}s",), {"n": (4, 7)}, f"p{sign}q")
    for path in (tmp_path / "a.amr", tmp_path / "a.jsonl"):
        write_graphs([parse, parse], path)
        whole = path.read_bytes().decode("utf-8")
        assert whole.splitlines() == whole.removesuffix("\n").split("\n")
        for found in read_graphs(path):
            assert (found.id, found.parser, found.repairs) == (parse.id, parse.parser, parse.repairs)
            assert found.text[4:7] == "two"
            assert found.graph.attributes()[0].target == '"a b"'
    assert [graph.metadata["snt"] for graph in penman.load(tmp_path / "a.amr")] == ["one two"] * 2


def test_a_sentence_without_a_graph_is_a_failed_parse(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text(LACKING)
    one, two, three = read_graphs(path)
    assert (one.status, three.status, one.graph.top, three.graph.top) == ("ok", "ok", "b", "c")
    assert (two.id, two.text, two.status, two.repairs) == ("2", "Nothing here.", "failed", (NO_GRAPH,))
    assert two.graph.triples == [("a", ":instance", "amr-empty")]
    assert [sentence.text for sentence in read_sentences(path)] == ["A dog barks.", "Nothing here.", "A cat."]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("# ::id 1\n# ::snt a\n# ::id 2\n# ::snt b\n(b / boy)\n", [("1", "a"), ("2", "b")]),
        ("# ::snt a\n# ::snt b\n(b / boy)\n", [("1", "a"), ("2", "b")]),
        ("(b / boy)\n# ::id 2\n", [("1", ""), ("2", "")]),
        ("# ::id 1\n# ::snt a\n\n\n(b / boy)\n", [("1", "a")]),
        ("# AMR release; (generated)\n\n# ::id 1\n(b / boy)\n", [("1", "")]),
        ("# ::release 3\n\n# ::snt a\n(b / boy)\n# the end\n", [("1", "a")]),
        ("# ::id 1 ::snt\n# ::snt a\n(b / boy)\n", [("1", "a")]),
        ("# ::snt\n\n(b / boy)\n", [("1", "")]),
        ("# ::id 1\n\n# ::id 2\n\n# ::id 3\n(b / boy)", [("1", ""), ("2", ""), ("3", "")]),
        ("# ::snt a\n# ::tok a\n\n# ::snt b\n(b / boy)\n(g / girl)", [("1", "a"), ("2", "b"), ("3", "")]),
    ],
)
def test_which_headers_are_sentences(tmp_path, text, read):
    (tmp_path / "a.amr").write_text(text)
    assert [(parse.id, parse.text) for parse in read_graphs(tmp_path / "a.amr")] == read


def test_headers_alone_are_no_graphs(tmp_path):
    (tmp_path / "a.amr").write_text("# ::id 1\n# ::snt a\n")
    with pytest.raises(InputError, match="holds no graph"):
        list(read_graphs(tmp_path / "a.amr"))


def test_commands_say_how_many_sentences_have_no_graph(tmp_path, capsys):
    path, full = tmp_path / "a.amr", tmp_path / "b.amr"
    path.write_text(LACKING)
    full.write_text(LACKING.replace("Nothing here.\n", "Nothing here.\n(n / nothing)"))
    assert main(["linearize", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "( amr-empty )"
    assert len(out.splitlines()) == 3
    assert err == f"{path}: 1 of 3 sentences have no valid graph; written as amr-empty\n"
    assert main(["smatch", str(full), str(path)]) == 0
    assert f"{path}: 1 of 3 sentences have no valid graph; scored as amr-empty\n" in capsys.readouterr().err
    assert main(["show", str(path)]) == 0
    assert "1 of 3 sentences have no valid graph" in capsys.readouterr().err
    assert main(["vocabulary", str(path), "--min-count", "1", "-o", str(tmp_path / "v.json")]) == 0
    assert capsys.readouterr().err == "1 sentences have no graph; left out\n"
    assert "amr-empty" not in json.dumps(json.loads((tmp_path / "v.json").read_text()))
    assert main(["linearize", str(full)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("body", "line", "hint"),
    [
        ("(d / date-entity\n   :month 2\n   :time 16:30)", 1, 'quote it: "16:30"'),
        ("(a / answer-01 :ARG0 (w / we)\n  :ARG1 24/7)", 2, 'quote it: "24/7"'),
        ("(a / and/or :op1 (b / boy))", 1, 'quote it: "and/or"'),
        ("(t / thing :wiki http://x.org/y :op1 1)", 1, 'quote it: "http://x.org/y"'),
    ],
)
def test_a_constant_that_needs_quotes_is_shown_with_them(tmp_path, body, line, hint):
    (tmp_path / "a.amr").write_text(body + "\n")
    with pytest.raises(InputError) as caught:
        list(read_graphs(tmp_path / "a.amr"))
    assert str(caught.value).startswith(f"{tmp_path / 'a.amr'}:{line}: is not an AMR graph: ")
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("body", ['(b / boy :time "16:30" :mod)', "(b/boy :ARG0 (g/girl) :mod)", "(b / boy"])
def test_nothing_else_is_to_be_quoted(tmp_path, body):
    (tmp_path / "a.amr").write_text(body + "\n")
    with pytest.raises(InputError) as caught:
        list(read_graphs(tmp_path / "a.amr"))
    assert "quote it" not in str(caught.value)


def test_all_invalid_graphs_are_named_or_allowed(tmp_path, capsys):
    blocks = [
        f"# ::id {n}\n# ::snt Sentence {n}.\n(b / boy{'' if n % 2 else ' :ARG0'})\n" for n in range(1, 6)
    ]
    path, gold, rows = tmp_path / "a.amr", tmp_path / "gold.amr", tmp_path / "a.jsonl"
    path.write_text("\n".join(blocks).replace("(b / boy :ARG0)", "(b / boy", 1))
    gold.write_text("\n".join(blocks).replace(" :ARG0", ""))
    graphs = ["(b / boy)", "(b / boy", None]
    rows.write_text("".join(json.dumps({"text": "x", "graph": one}) + "\n" for one in graphs))
    for file, lines in ((path, (7, 15)), (rows, (2, 3))):
        assert main(["linearize", str(file)]) == 2
        error = capsys.readouterr().err
        assert f"{file}:{lines[0]}: is not an AMR graph" in error
        assert error.endswith(f"; 1 more invalid: line {lines[1]}\n")
    assert main(["linearize", str(path), "--allow-invalid"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["( boy )", "( amr-empty )"] * 2 + ["( boy )"]
    assert err == f"{path}: 2 of 5 sentences have no valid graph; written as amr-empty\n"
    assert main(["smatch", str(gold), str(path)]) == 2
    assert main(["smatch", str(path), str(gold), "--allow-invalid"]) == 2  # a gold graph must be valid
    capsys.readouterr()
    assert main(["smatch", str(gold), str(path), "--allow-invalid"]) == 0
    err = capsys.readouterr().err
    assert "2 of 5 sentences have no valid graph; scored as amr-empty" in err
    assert err.endswith("95%: - means no interval, which needs 10 graphs\n")
    path.write_text("(b / boy")
    assert main(["linearize", str(path), "--allow-invalid"]) == 2
