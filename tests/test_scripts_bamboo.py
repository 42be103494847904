"""scripts/evaluate_bamboo.py over a small copy of BAMBOO's layout, beside figures taken by hand."""

import json

import numpy as np
import pytest

from amrx.errors import InputError
from tests.support.script_modules import load_script

SENTENCES = ("A dog.", "A cat.", "A man bites a dog.")
GRAPHS = ("(d / dog)", "(c / cat)", "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))")
SWAPPED = "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))"
COLUMNS = {"sts": 5, "sick": 1, "para": 3}


@pytest.fixture(scope="module")
def evaluate_bamboo():
    """The script as a module."""
    return load_script("evaluate_bamboo")


def blocks(graphs, sentences=SENTENCES):
    """One block a graph, and BAMBOO's filler behind them."""
    pairs = zip((*sentences, "Empty line"), (*graphs, "(l / line)"), strict=True)
    return "\n\n".join(f"# ::snt {snt}\n{graph}" for snt, graph in pairs) + "\n"


@pytest.fixture
def data(tmp_path):
    """Three pairs a corpus, of a sentence and the first one; two confused pairs, one has no effect."""
    for name, first in COLUMNS.items():
        folder = tmp_path / "amr" / "bamboo" / name
        for kind in ("", "reify", "syno"):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            (folder / kind / "src.dev.amr").write_text(blocks(GRAPHS), "utf-8")
            (folder / kind / "tgt.dev.amr").write_text(blocks([GRAPHS[0]] * 3, [SENTENCES[0]] * 3), "utf-8")
        rows = ["\t".join(["x"] * first + [snt, SENTENCES[0]]) for snt in SENTENCES]
        (folder / "orig.dev.txt").write_text("\n".join(rows) + "\n", "utf-8")
        (folder / "dev.y").write_text("1.0\n0.2\n0.4\n0.5\n", "utf-8")
        (folder / "role_confusion").mkdir()
        for side, graphs in (("src", (SWAPPED, GRAPHS[2], GRAPHS[2], GRAPHS[2])), ("tgt", [GRAPHS[2]] * 4)):
            text = "\n\n".join(f"# ::snt NA\n{graph}" for graph in graphs)
            (folder / "role_confusion" / f"{side}.dev.amr").write_text(text, "utf-8")
    return tmp_path


def test_rows_of_smatch_equal_what_is_counted_by_hand(data, evaluate_bamboo):
    rows = evaluate_bamboo.measure(data, "smatch", evaluate_bamboo.smatch)
    # one triple says which node is on top: all of 2 and 2 shared; the top of 2 and 2; one of 6 and 2
    smatch = [1.0, 2 * 1 / (2 + 2), 2 * 1 / (6 + 2)]
    expected = 100 * np.corrcoef(smatch, [1.0, 0.2, 0.4])[0, 1]
    assert [row["value"] for row in rows[:9]] == pytest.approx([expected] * 9, abs=0.01)
    # the swapped roles are seen; where nothing is swapped the tie counts against the measure
    assert [(row["value"], row["n"]) for row in rows[9:]] == [(50.0, 2)] * 3
    assert [row["language"] for row in rows[:3]] == list(COLUMNS)
    assert json.loads(json.dumps(rows)) == rows


def test_stressed_graphs_of_other_sentences_are_an_error(data, evaluate_bamboo):
    folder = data / "amr" / "bamboo" / "sick"
    assert [pair.score for pair in evaluate_bamboo.bamboo_stressed(folder, "reify")] == [1.0, 0.2, 0.4]
    (folder / "syno" / "src.dev.amr").write_text(blocks(GRAPHS, SENTENCES[::-1]), "utf-8")
    with pytest.raises(InputError, match=r"syno/src\.dev\.amr: 3 graphs are not of the sentences of dev\.y"):
        list(evaluate_bamboo.bamboo_stressed(folder, "syno"))


def test_confused_pairs_come_in_twos(data, evaluate_bamboo):
    folder = data / "amr" / "bamboo" / "sts"
    (confused, itself), (_, other) = evaluate_bamboo.bamboo_confused(folder)
    assert (confused.score, itself.score, other.score) == (0.0, 1.0, 1.0)
    assert confused.source.graph.triples != itself.source.graph.triples
    path = folder / "role_confusion" / "tgt.dev.amr"
    path.write_text(path.read_text("utf-8").rpartition("\n\n")[0], "utf-8")
    with pytest.raises(InputError, match="4 and 3 graphs"):
        list(evaluate_bamboo.bamboo_confused(folder))


def test_cosines_are_of_unit_vectors(evaluate_bamboo):
    class Fixed:
        def encode_graphs(self, graphs):
            return np.array([[3.0, 4.0] if graph == "a" else [4.0, 3.0] for graph in graphs])

    assert evaluate_bamboo.cosines(Fixed())(["a"], ["b"]) == pytest.approx([0.96])
