"""parser.training.corpora.propbank: example sentences; scripts/clean_labels.py: graphs that say them."""

import gzip

import penman
import pytest

from amrx.types import Parse
from parser.training.corpora.propbank import Predicate, predicates
from tests.support.script_modules import load_script

clean_labels = load_script("clean_labels")
TEXT = "A third bridge is traversed now."
CROSSED = "(c / cross-02 :ARG1 (b / bridge :ord (o / ordinal-entity :value 3)) :time (n / now))"
SPANS = {"c": (18, 27), "b": (8, 14), "o": (2, 7), "n": (28, 31)}


def mended(graph: str, example: Predicate, spans: dict[str, tuple[int, int]] = SPANS) -> str | None:
    parse = Parse("1", example.text, "en", penman.decode(graph), alignments=spans)
    one = clean_labels.with_predicate(parse, example)
    return None if one is None else penman.encode(one, indent=None)


def traversed(*roles: str) -> Predicate:
    return Predicate("traverse-01", TEXT, "traversed", frozenset(roles))


def test_examples_are_sentences_with_frames_that_amr_has(tmp_path):
    (tmp_path / "amr").mkdir()
    rows = (
        'traverse.01\tShe did n\'t traverse `` it \'\' .\ttraverse\t[["ARG0", "She"], ["ARGM-NEG", "n\'t"]]',
        'act_up.04\tThey act up .\tact up\t[["ARG0", "They"]]',
        "nonsense.77\tNonsense .\tNonsense\t[]",
        'crumb.01\tThis is easier than *PRO* crumbing fish .\tcrumbing\t[["ARG1", "fish"]]',
    )
    with gzip.open(tmp_path / "amr" / "propbank-examples.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")
    assert list(predicates(tmp_path)) == [
        Predicate("traverse-01", 'She didn\'t traverse "it".', "traverse", frozenset([":ARG0"])),
        Predicate("act-up-04", "They act up.", "act up", frozenset([":ARG0"])),
    ]


def test_a_near_frame_with_the_same_roles_gives_way():
    assert mended(CROSSED, traversed(":ARG1")) == CROSSED.replace("cross-02", "traverse-01")
    assert mended(CROSSED, traversed(":ARG0", ":ARG1")) == CROSSED.replace("cross-02", "traverse-01")


@pytest.mark.parametrize("roles", [(), (":ARG0",)])
def test_other_roles_are_another_predicate(roles: tuple[str, ...]):
    assert mended(CROSSED, traversed(*roles)) is None


def test_a_graph_that_says_it_stays_and_another_sense_of_the_word_is_mended():
    says = CROSSED.replace("cross-02", "traverse-01")
    assert mended(says, traversed(":ARG0")) == says
    assert mended(CROSSED.replace("cross-02", "traverse-97"), traversed()) == says
    assert mended(CROSSED, traversed(":ARG1"), {}) is None  # aligned to nothing


def test_the_narrowest_node_is_the_predicate():
    graph = "(p / possible-01 :ARG1 (c / cross-02 :ARG1 (b / bridge)))"
    spans = {"p": (0, 31), "c": (18, 27), "b": (8, 14)}
    assert mended(graph, traversed(":ARG1"), spans) == graph.replace("cross-02", "traverse-01")
