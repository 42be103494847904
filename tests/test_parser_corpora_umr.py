import gzip
from pathlib import Path

import penman
import pytest

from linearize.packed import pack_graph
from parser.training.corpora.umr import to_amr, umr


@pytest.mark.parametrize(
    ("sentence", "graph", "wanted"),
    [
        (
            "She reads in the garden.",
            "(r / read-01 :ARG0 (p / person :refer-person 3rd :refer-number singular)"
            " :place (g / garden :refer-number singular) :aspect activity)",
            "(r / read-01 :ARG0 (p / she) :location (g / garden))",
        ),
        (
            "It may rain.",
            "(r / rain-01 :aspect state :modal-strength neutral-affirmative)",
            "(rm / possible-01 :ARG1 (r / rain-01))",
        ),
        (
            "I hope that we can win.",
            "(h / hope-01 :ARG0 (i / person :refer-person 1st :refer-number singular)"
            " :ARG1 (w / win-01 :ARG0 (p / person :refer-person 1st :refer-number plural)"
            " :modal-strength neutral-affirmative))",
            "(h / hope-01 :ARG0 (i / i) :ARG1 (wm / possible-01 :ARG1 (w / win-01 :ARG0 (p / we))))",
        ),
        (
            "He is the president of France.",
            "(h / have-org-role-92 :ARG1 (p / person :refer-person 3rd :refer-number singular)"
            ' :ARG2 (c / country :wiki "France" :name (n / name :op1 "France")) :ARG3 (p2 / president))',
            '(h / have-org-role-91 :ARG0 (p / he) :ARG1 (c / country :name (n / name :op1 "France"))'
            " :ARG2 (p2 / president))",
        ),
        (
            "Why not?",
            "(c / contrast-91 :ARG1 (s / say-91) :ARG2 (x / thing :domain-of (y / umr-unknown)))",
            "(c / contrast-01 :ARG1 (s / say-01) :ARG2 (x / thing :domain-of (y / amr-unknown)))",
        ),
    ],
)
def test_umr_is_said_in_amr(sentence, graph, wanted):
    made = to_amr(penman.decode(graph), sentence)
    assert made is not None
    assert sorted(made.triples) == sorted(penman.decode(wanted).triples)
    assert made.top == penman.decode(wanted).top


@pytest.mark.parametrize(
    "graph",
    [
        "(g / go-02 :modal-strength partial-affirmative)",
        "(g / go-02 :undergoer (d / dog))",
        "(h / have-mod-91 :ARG1 (d / dog) :ARG2 (b / big))",
        "(g / go-02 :ARG0 (d / dog :modal-strength neutral-affirmative) :ARG1 d)",
        "(g / go-02 :ARG0 d)",
    ],
)
def test_what_amr_does_not_have_is_left_out(graph):
    assert to_amr(penman.decode(graph), "The dog goes.") is None


def test_a_file_is_read_block_by_block(tmp_path: Path, caplog):
    blocks = """# ::umr # meta-info :: sent_id = a
# :: snt1
Index: 1  2
Words: We    go

# sentence level graph:
(s1g / go-02
   :ARG0 (s1p / person
      :refer-person 1st
      :refer-number plural))

# alignment:
s1g: 2-2

# document level annotation:
(s1s0 / sentence)

# ::umr # meta-info :: sent_id = b
Words: A slip .

# sentence level graph:
(s2s / slip-01

# alignment:
"""
    (tmp_path / "amr").mkdir()
    with gzip.open(tmp_path / "amr" / "umr-english.txt.gz", "wt", encoding="utf-8") as file:
        file.write(blocks)
    with caplog.at_level("INFO"):
        entries = list(umr(tmp_path))
    assert [(e.snt, penman.encode(e.graph, indent=None)) for e in entries] == [
        ("We go", "(s1g / go-02 :ARG0 (s1p / we))")
    ]
    assert "umr-english.txt.gz:22: left out" in caplog.text


def test_most_of_the_release_can_be_said_and_packed(data_dir):
    entries = list(umr(Path(data_dir)))
    assert len(entries) == 2106  # of the model card
    assert sum(pack_graph(entry.graph) is not None for entry in entries) > 0.98 * len(entries)
    roles = {role for entry in entries for _, role, _ in entry.graph.triples}
    assert not roles & {":aspect", ":temporal", ":refer-person", ":wiki", ":modal-strength"}
