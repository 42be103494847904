"""parser.ensemble.voted_parser: the graph that several readings agree most on."""

from __future__ import annotations

import numpy as np
import penman
import pytest

from amrx.types import Parse
from parser.ensemble.voted_parser import agreement, bag, consensus


def graph(text: str) -> penman.Graph:
    return penman.decode(text)


def parse(text: str, status="ok", **more) -> Parse:
    return Parse("1", "x", "en", graph(text), status, **more)


def test_agreement_is_f1_of_concepts_relations_and_top():
    one = bag(graph("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"))
    other = bag(graph("(w / want-01 :ARG0 (g / girl) :ARG1 (o / go-02 :ARG0 g) :polarity -)"))
    # want-01, go-02, want-01 :ARG1 go-02 and the top are in both; 7 and 8 are said
    assert agreement(one, other) == agreement(other, one) == 2 * 4 / (7 + 8)
    assert agreement(one, one) == 1
    # variables do not matter, how often something is said does
    assert bag(graph("(x / and :op1 (a / cat) :op2 (b / cat))")) == bag(
        graph("(y / and :op2 (c / cat) :op1 (d / cat))")
    )
    twice = bag(graph("(a / cat :mod (c / cat))"))
    assert twice["cat",] == 2


def test_the_choice_is_that_of_the_sums_written_out():
    random = np.random.default_rng(0)
    roles, concepts = [":ARG0", ":ARG1", ":mod"], ["cat", "dog", "see-01", "old"]
    for _ in range(50):
        graphs = [
            graph(
                f"(a / {random.choice(concepts)} {random.choice(roles)} (b / {random.choice(concepts)}) "
                f"{random.choice(roles)} (c / {random.choice(concepts)}))"
            )
            for _ in range(5)
        ]
        sums = [sum(agreement(bag(one), bag(other)) for other in graphs) for one in graphs]
        assert sums[consensus(graphs)] == pytest.approx(max(sums), abs=1e-12)
    assert consensus([graph("(a / cat)"), graph("(a / dog)")]) == 0  # of equals the search's


def test_equal_graphs_are_equally_good_in_whatever_order_their_sums_are_added():
    texts = "(a / cat)", "(b / cat)", "(d / dog :mod (c / cat))", "(e / cat)"
    graphs = [graph(text) for text in texts]
    bags = [bag(one) for one in graphs]
    third = agreement(bags[0], bags[2])
    assert 1 + third + 1 != 1 + 1 + third  # the rounding that would prefer the last to the first
    assert consensus(graphs) == 0


def test_of_equal_graphs_the_first_is_taken_whatever_rounding_makes_of_their_sums():
    random = np.random.default_rng(1)
    texts = [
        f"(a / {one} :ARG0 (b / {two}) :mod (c / {three}))"
        for one in ("cat", "dog") for two in ("old", "cat") for three in ("red", "see-01")
    ]  # fmt: skip
    for _ in range(300):
        graphs = [graph(text) for text in random.choice(texts, 7)]
        triples = [one.triples for one in graphs]
        assert triples.index(triples[consensus(graphs)]) == consensus(graphs)
