"""parser.smatch and parser.subscores: equal to the smatch package, and reproducible."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import penman
import pytest
import smatch as smatch_package
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError
from parser import smatch, subscores
from parser.smatch_text import read_triples, smatch_line

BOY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"


@pytest.fixture(scope="module")
def perturbed(data_dir):
    """The Little Prince's dev graphs, and the same with concepts and roles changed at random."""
    gold = penman.load(data_dir / "amr" / "lpp" / "dev.amr")[:80]
    generator = random.Random(1)
    spoilt = []
    for graph in gold:
        triples = []
        for source, role, target in graph.triples:
            if role == ":instance":
                triples.append((source, role, "thing" if generator.random() < 0.2 else target))
            else:
                triples.append((source, ":ARG3" if generator.random() < 0.1 else role, target))
        spoilt.append(penman.Graph(triples, top=graph.top))
    return gold, spoilt


def test_same_graph_under_other_names_scores_100():
    other = "(x1 / want-01 :ARG1 (x2 / go-02 :ARG0 (x3 / boy)) :ARG0 x3)"
    assert smatch.corpus_smatch([BOY], [other]) == smatch.Smatch(100.0, 100.0, 100.0, 1)


def test_a_known_difference():
    counts = smatch.pair_counts([BOY], ["(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"])
    assert counts.tolist() == [[6, 6, 7]]
    result = smatch.score(counts)
    assert (result.precision, result.recall) == (100.0, 100 * 6 / 7)


def test_equals_the_command_line_of_the_package(perturbed, tmp_path):
    gold, spoilt = perturbed
    for name, graphs in (("gold", gold), ("spoilt", spoilt)):
        penman.dump(graphs, tmp_path / f"{name}.amr")
    # the package draws its restarts from the clock: with its own 4 it misses triples now and then
    command = [sys.executable, "-m", "smatch", "-r", "40", "--pr", "--significant", "4", "-f"]
    run = subprocess.run(
        [*command, "spoilt.amr", "gold.amr"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    theirs = [100 * float(line.split()[-1]) for line in run.stdout.splitlines()]
    ours = smatch.corpus_smatch(gold, spoilt)
    assert [ours.precision, ours.recall, ours.f1] == pytest.approx(theirs, abs=0.02)


def test_reads_every_file_as_the_package_does(data_dir):
    """What `smatch_line` writes, the package reads as it reads the file's own text."""
    import amr

    for name in ("lpp/dev.amr", "bio/dev.amr", "bamboo/sick/src.dev.amr"):
        path = data_dir / "amr" / name
        count = 0
        with path.open(encoding="utf-8") as file:
            for graph in penman.load(path):
                raw = amr.AMR.parse_AMR_line(amr.AMR.get_amr_line(file))
                assert str(amr.AMR.parse_AMR_line(smatch_line(graph))) == str(raw), graph
                count += 1
        assert count >= 145


def test_counts_do_not_depend_on_order_or_processes(perturbed):
    gold, spoilt = ([*graphs, *graphs[:40]] for graphs in perturbed)
    alone = smatch.pair_counts(gold, spoilt)
    assert np.array_equal(alone, smatch.pair_counts(gold[::-1], spoilt[::-1])[::-1])
    assert np.array_equal(alone, smatch.pair_counts(gold, spoilt, processes=2))


def test_global_state_is_left_alone():
    random.seed(3)
    before = (random.getstate(), smatch_package.iteration_num)
    smatch.corpus_smatch([BOY], [BOY], restarts=9)
    assert (random.getstate(), smatch_package.iteration_num) == before
    assert smatch_package.random is random
    assert not smatch_package.match_triple_dict


@pytest.mark.parametrize("constant", ["12:30", "and/or", "(", 'a "b"', '"c\\"d"', "two words", "~5", '""'])
def test_any_constant_is_scored(constant):
    graph = penman.Graph([("t", ":instance", "time"), ("t", ":value", constant), ("t", ":mod", "u")])
    graph.triples.append(("u", ":instance", "and/or"))
    assert smatch.corpus_smatch([graph], [graph]).f1 == 100
    other = penman.Graph([("t", ":instance", "time"), ("t", ":value", "5"), *graph.triples[2:]])
    assert smatch.corpus_smatch([graph], [other]).f1 < 100


@given(st.text(min_size=1).filter(str.strip))
def test_any_concept_is_scored(concept):
    graph = penman.Graph([("t", ":instance", concept), ("t", ":op1", "u"), ("u", ":instance", concept)])
    instances, _, relations = read_triples(smatch_line(graph), "a")
    assert (len(instances), len(relations)) == (2, 1)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("(a / b", "predicted graph 2"),
        ("", "predicted graph 2"),
        (penman.Graph([("a", ":instance", "b"), ("c", ":instance", "d")], top="a"), "no connected AMR graph"),
        (penman.Graph([("a b", ":instance", "c")]), "no AMR variable: 'a b'"),
    ],
)
def test_a_graph_that_is_none_is_named(bad, told):
    with pytest.raises(InputError, match=told):
        smatch.corpus_smatch([BOY, BOY], [BOY, bad])


def test_unequal_lengths():
    with pytest.raises(InputError, match="2 gold graphs but 1 predicted"):
        smatch.pair_counts([BOY, BOY], [BOY])


def test_nothing_to_score():
    assert smatch.corpus_smatch([], []) == smatch.Smatch(0.0, 0.0, 0.0, 0)
    assert smatch.bootstrap(smatch.pair_counts([], [])) == (0.0, 0.0)


def test_bootstrap_holds_the_score_and_repeats():
    generator = np.random.default_rng(0)
    gold = generator.integers(5, 40, size=300)
    counts = np.stack([(gold * generator.uniform(0.3, 1, 300)).astype(int), gold, gold], axis=1)
    low, high = smatch.bootstrap(counts)
    assert low < smatch.score(counts).f1 < high
    assert (low, high) == smatch.bootstrap(counts)
    narrow = smatch.bootstrap(np.repeat(counts, 16, axis=0))
    assert (narrow[1] - narrow[0]) * 3 < high - low


def test_subscores_see_their_own_part():
    gold = '(w / want-01 :polarity - :ARG0 (c / city :name (n / name :op1 "Ulm")) :ARG1 (g / go-02 :ARG0 c))'
    predicted = gold.replace("want-01", "want-02").replace(":ARG1", ":ARG2").replace(":polarity -", ":mode -")
    parts = {name: part and part.f1 for name, part in subscores.report([gold], [predicted]).parts.items()}
    whole = smatch.corpus_smatch([gold], [predicted]).f1
    assert list(parts) == ["unlabelled", "no word sense", "negation", "named entities", "reentrancies", "SRL"]
    assert parts["negation"] == 0
    assert parts["named entities"] == 100
    assert whole < parts["unlabelled"] < 100
    assert whole < parts["no word sense"] < 100
    assert parts["SRL"] == pytest.approx(100 * 4 / 6)  # go-02 and city with one edge, of 3 nodes and 3 edges
    assert parts["reentrancies"] == pytest.approx(100 * 4 / 5)  # want-02 is lost, both edges into city stay


def test_modifiers_make_no_reentrancy():
    triples = read_triples("(w / want-01 :ARG0 (b / boy :mod (t / tall)))", "a")
    assert subscores.reentrancies(triples) == ([], [], [])


def test_every_part_of_a_graph_agrees_with_itself(perturbed):
    parts = subscores.report(perturbed[0][:20], perturbed[0][:20]).parts
    assert {name: part.f1 for name, part in parts.items()} == dict.fromkeys(parts, 100.0)
