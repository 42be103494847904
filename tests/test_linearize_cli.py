import subprocess
import sys

import pytest

from amrx.cli import main, main_stage
from linearize import delinearize, split_tokens
from linearize.commands.linearize_file import linearize_file
from linearize.commands.vocabulary import vocabulary
from linearize.vocabulary import load
from tests.support.canonical import canonical_triples

BLOCKS = """\
# ::id 1
# ::snt The boy wants to go to New York.
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
      :ARG0 b
      :ARG4 (c / city :wiki "New_York_City" :name (n / name :op1 "New York"))))

# ::id 2
# ::snt Barking.
(b / bark-01)
"""
PAPER = (
    "( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) :ARG4 ( city :name ( name :op1 New York ) ) ) )\n"
    "( bark-01 )\n"
)


@pytest.fixture
def graphs(tmp_path):
    path = tmp_path / "graphs.amr"
    path.write_text(BLOCKS, encoding="utf-8")
    return path


def test_graphs_to_a_token_file(graphs, tmp_path):
    assert main(["linearize", str(graphs), "-o", str(tmp_path / "tokens.txt")]) == 0
    assert (tmp_path / "tokens.txt").read_text(encoding="utf-8") == PAPER


def test_the_stage_alone_takes_the_same_options(graphs, capsys):
    assert main_stage("linearize", [str(graphs), "--form", "pointer", "--keep-wiki"]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith("( <0> want-01 :ARG0 ( <1> boy )")
    assert ':wiki "New_York_City"' in line and ':op1 "New York"' in line


def test_the_function_is_the_command(graphs, tmp_path):
    from amrx.records import read_graphs

    output = tmp_path / "tokens.txt"
    assert linearize_file(str(graphs), form="pointer", keep_wiki=True, output=str(output)) == 2
    lines = output.read_text(encoding="utf-8").splitlines()
    for line, parse in zip(lines, read_graphs(graphs), strict=True):
        restored = delinearize(split_tokens(line))
        assert canonical_triples(restored.graph) == canonical_triples(parse.graph)


def test_python_dash_m(graphs):
    run = subprocess.run(
        [sys.executable, "-m", "linearize", str(graphs)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, PAPER, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# ::id 7\n(a / x :op1 (b / y) :op2 (b / z))\n", "graph '7': node 'b' has two concepts"),
        ("(a / x :ARG0 (b / y\n", "graphs.amr:1: "),
        ("", "graphs.amr: is empty"),
        ("# ::id 7\n", "graphs.amr"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(tmp_path, capsys, text, message):
    path = tmp_path / "graphs.amr"
    path.write_text(text, encoding="utf-8")
    assert main(["linearize", str(path), "-o", str(tmp_path / "tokens.txt")]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["graphs.amr"]


def test_graphs_are_not_replaced_by_tokens(graphs, capsys):
    before = graphs.read_text("utf-8")
    assert main(["linearize", str(graphs), "-o", str(graphs)]) == 2
    assert "is also an input" in capsys.readouterr().err
    assert graphs.read_text("utf-8") == before


@pytest.mark.parametrize("suffix", ["tsv", "CSV", "parquet", "npy", "amr", "penman"])
def test_tokens_have_no_name_of_another_format(graphs, tmp_path, capsys, suffix):
    output = tmp_path / f"l.{suffix}"
    assert main(["linearize", str(graphs), "-o", str(output)]) == 2
    told = f"{output}: tokens are plain text or JSON lines, not .{suffix.lower()}; name a .txt or .jsonl file"
    assert told in capsys.readouterr().err and not output.exists()


@pytest.mark.parametrize("name", ["l.tok", "l"])
def test_tokens_may_have_any_name_of_text(graphs, tmp_path, name):
    assert main(["linearize", str(graphs), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == PAPER


def test_an_unknown_form_is_a_user_error(graphs, capsys):
    assert main(["linearize", str(graphs), "--form", "tree"]) == 2
    assert "tree" in capsys.readouterr().err


def test_vocabulary_of_files(graphs, tmp_path):
    other = tmp_path / "more"
    other.mkdir()
    (other / "graphs.amr").write_text(BLOCKS, encoding="utf-8")
    output = tmp_path / "v.json"
    arguments = ["vocabulary", str(graphs), str(other / "graphs.amr"), "--min-count", "3", "--note", "ours"]
    assert main([*arguments, "-o", str(output)]) == 0
    found = load(output)
    assert found.sources == ("graphs.amr", "more/graphs.amr", "ours")
    assert found.graphs == 4 and found.relations == {":ARG0": 4, ":ARG0-of": 0}


def test_the_vocabulary_function_is_the_command(graphs, tmp_path):
    found = vocabulary([str(graphs)], min_count=1, note=None, output=str(tmp_path / "v.json"))
    assert found == load(tmp_path / "v.json")
    assert found.frames == {"want-01": 1, "go-02": 1, "bark-01": 1}


def test_a_vocabulary_needs_a_count_and_a_file(graphs, tmp_path, capsys):
    assert main(["vocabulary", str(graphs), "--min-count", "0", "-o", str(tmp_path / "v.json")]) == 2
    assert "--min-count must be at least 1, got 0" in capsys.readouterr().err
    assert main(["vocabulary", str(tmp_path / "none.amr"), "-o", str(tmp_path / "v.json")]) == 2
    assert "none.amr: no such file" in capsys.readouterr().err
    assert not (tmp_path / "v.json").exists()


def test_a_bad_graph_of_a_sembank_is_named(tmp_path, capsys):
    (tmp_path / "bad.amr").write_text("# ::id 7\n(a / x :op1 (b / y) :op2 (b / z))\n", encoding="utf-8")
    assert main(["vocabulary", str(tmp_path / "bad.amr"), "-o", str(tmp_path / "v.json")]) == 2
    assert "graph '7' of" in capsys.readouterr().err


def test_a_vocabulary_does_not_replace_its_sembank(graphs, tmp_path, capsys):
    before = graphs.read_bytes()
    assert main(["vocabulary", str(graphs), "-o", str(graphs)]) == 2
    assert "is also an input" in capsys.readouterr().err
    assert graphs.read_bytes() == before
    assert main(["vocabulary", str(graphs), "-o", str(tmp_path / "no" / "v.json")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_written_file_is_named_with_its_number_of_graphs(graphs, tmp_path, capsys):
    output = tmp_path / "t.txt"
    assert main(["linearize", str(graphs), "-o", str(output)]) == 0
    lines = len(output.read_text().splitlines())
    assert capsys.readouterr().err.endswith(f"{output}: {lines} graphs\n")
    assert main(["linearize", str(graphs)]) == 0
    assert "graphs\n" not in capsys.readouterr().err
