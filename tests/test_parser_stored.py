"""The parser ``graphs:FILE``: the graphs of a file in place of parsing."""

import json
from pathlib import Path

import numpy as np
import penman
import pytest

import parser as parsers
from amrx.cli import main
from amrx.errors import InputError, OptionError
from amrx.records import write_graphs
from amrx.records.graphs import holds_graphs
from amrx.types import Parse, Sentence

BLOCKS = """\
# ::id a
# ::snt The dog bites the man.
# ::lang en
(h / hug-01 :ARG0 (d / dog) :ARG1 (m / man))

# ::id b
# ::snt Der Mann schläft. Der Hund bellt.
# ::lang de
(m / multi-sentence :snt1 (s / sleep-01 :ARG0 (m2 / man)) :snt2 (b / bark-01 :ARG0 (d / dog)))
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.amr"
    path.write_text(BLOCKS, encoding="utf-8")
    return path


def shown(parse: Parse) -> str:
    return penman.encode(penman.Graph(parse.graph.triples), indent=None)


def test_each_sentence_has_its_graph_in_any_order(file: Path) -> None:
    texts = ["Der Mann schläft. Der Hund bellt.", " The dog bites the man. "]
    parses = parsers.parse(texts, lang=["de", "en"], parser=f"graphs:{file}")
    assert [parse.graph.top for parse in parses] == ["m", "h"]  # a text of two sentences is not split
    assert shown(parses[1]) == "(h / hug-01 :ARG0 (d / dog) :ARG1 (m / man))"
    assert [parse.text for parse in parses] == texts and [parse.id for parse in parses] == ["1", "2"]
    assert [parse.lang for parse in parses] == ["de", "en"]


def test_the_language_decides_between_equal_sentences(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    graphs = [penman.decode(text) for text in ("(g / gift)", "(p / poison)")]
    write_graphs(
        [Parse(lang, "Gift", lang, graph) for lang, graph in zip(("en", "de"), graphs, strict=True)], path
    )
    parser = parsers.load(f"graphs:{path}")
    found = parser.parse(
        [Sentence("1", "Gift", "de"), Sentence("2", "Gift", "en"), Sentence("3", "Gift", "sv")]
    )
    assert [parse.graph.triples[0][2] for parse in found] == ["poison", "gift", "gift"]


def test_what_is_missing_or_contradicts_itself_is_an_error(file: Path) -> None:
    with pytest.raises(InputError, match=r"mine\.amr: no graph of the sentence 'The cat sleeps\.'"):
        parsers.parse("The cat sleeps.", lang="en", parser=f"graphs:{file}")
    with pytest.raises(OptionError, match="graphs:FILE"):
        parsers.load("graphs")
    with pytest.raises(InputError, match="no such file"):
        parsers.load(f"graphs:{file}.not")
    file.write_text(BLOCKS + BLOCKS.replace("hug", "bite").replace("::id a", "::id c"), encoding="utf-8")
    with pytest.raises(InputError, match="graphs 'a' and 'c' of the same sentence differ"):
        parsers.load(f"graphs:{file}")
    file.write_text("(d / dog)\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no sentence"):
        parsers.load(f"graphs:{file}")


def test_the_fingerprint_is_that_of_the_content(file: Path, tmp_path: Path) -> None:
    same, other = tmp_path / "same.amr", tmp_path / "other.amr"
    same.write_text(BLOCKS, encoding="utf-8")
    other.write_text(BLOCKS.replace("hug", "bite"), encoding="utf-8")
    first, second, third = (parsers.load(f"graphs:{path}").fingerprint for path in (file, same, other))
    assert first == second != third


def test_retrofit_encodes_the_graphs_and_says_when_it_does_not(file, tmp_path, capsys):
    other = tmp_path / "other.amr"
    other.write_text(BLOCKS.replace("hug-01", "flee-01"), encoding="utf-8")
    vectors = []
    for path in (file, other):
        out = tmp_path / f"{path.stem}.npy"
        taken = ["--parser", f"graphs:{path}", "--no-cache", "-o", str(out)]
        assert main(["retrofit", str(path), *taken]) == 0
        vectors.append(np.load(out))
        assert "only its sentences" not in capsys.readouterr().err
    assert np.abs(vectors[0][0] - vectors[1][0]).max() > 0.01  # hug and flee
    assert np.array_equal(vectors[0][1], vectors[1][1])
    out = tmp_path / "parsed.npy"
    assert main(["retrofit", str(file), "--preset", "fast", "--no-cache", "-o", str(out)]) == 0
    assert (
        f"{file}: only its sentences are read; --preset graph --parser graphs:{file}"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("field", ["graph", "amr"])
@pytest.mark.parametrize("many", [False, True])
def test_graphs_of_json_lines_are_taken_or_said_to_be_left(field, many, tmp_path, capsys):
    lines = tmp_path / "in" / "tickets.jsonl"
    lines.parent.mkdir()
    record = {"id": "t1", "text": "The printer hums.", "lang": "en", field: "(p / print-01)"}
    lines.write_text(json.dumps(record) + "\n", encoding="utf-8")
    taken = parsers.load(f"graphs:{lines}").parse(["The printer hums."], lang="en")
    assert taken[0].graph.triples == [("p", ":instance", "print-01")]
    given = [
        str(lines.parent if many else lines),
        "--no-cache",
        "-o",
        str(tmp_path / ("out" if many else "v.npy")),
    ]
    assert main(["retrofit", *given, "--encoder", "student-text"]) == 0
    note = f"{lines}: only its sentences are read; --preset graph --parser graphs:{lines} takes its graphs"
    assert capsys.readouterr().err.count(note) == 1


def test_json_lines_without_graphs_get_no_note(tmp_path: Path) -> None:
    lines = tmp_path / "t.jsonl"
    for value in ("", "bar chart", "(see the figure)", "# 3", None, 3):
        lines.write_text(json.dumps({"text": "A chart.", "graph": value}) + "\n", encoding="utf-8")
        assert not holds_graphs(lines)
    assert holds_graphs("absent.amr") and not holds_graphs("-")


def test_explain_compares_stored_graphs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = file.with_name("pairs.tsv")
    second.write_text("The dog bites the man.\tDer Mann schläft. Der Hund bellt.\n", encoding="utf-8")
    texts = ["The dog bites the man.", "Der Mann schläft. Der Hund bellt."]
    assert main(["explain", *texts, "--lang-a", "en", "--lang-b", "de", "--parser", f"graphs:{file}"]) == 0
    assert "hug-01" in capsys.readouterr().out


def test_a_parser_that_no_channel_uses_is_said_to_be_left(file, tmp_path, capsys):
    out, taken = str(tmp_path / "v.npy"), f"graphs:{file}"
    assert main(["retrofit", str(file), "--preset", "fast", "--parser", taken, "--no-cache", "-o", out]) == 0
    note = f"--parser {taken} is not used: student-text reads sentences, not graphs\n"
    assert capsys.readouterr().err.count(note) == 1
    assert main(["retrofit", str(file), "--preset", "graph", "--parser", taken, "--no-cache", "-o", out]) == 0
    assert "is not used" not in capsys.readouterr().err


def test_an_invalid_graph_is_a_failed_parse(file: Path) -> None:
    file.write_text(BLOCKS.replace("(m / man))", "(m / man)"), encoding="utf-8")
    good, bad = (
        parsers.load(f"graphs:{file}").parse([Sentence("1", text)])[0]
        for text in ("Der Mann schläft. Der Hund bellt.", "The dog bites the man.")
    )
    assert (good.status, bad.status) == ("ok", "failed")
    assert f"{file}:4: is not an AMR graph" in bad.repairs[0]
    assert main(["parse", str(file), "--parser", f"graphs:{file}", "-o", str(file.with_name("o.amr"))]) == 0
