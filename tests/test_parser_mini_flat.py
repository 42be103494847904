"""parser.mini.flat: graphs as nodes and edges, and back."""

from __future__ import annotations

import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linearize.packed import pack_graph
from parser.mini.flat import Flat, flatten, unflatten
from parser.score.smatch import corpus_smatch


def flat_of(text: str) -> Flat:
    packed = pack_graph(penman.decode(text))
    assert packed is not None
    return flatten(packed)


def test_literal_graphs_come_back(amr):
    packed = pack_graph(penman.Graph([t for t in amr.triples if t[1] != ":wiki"], top=amr.top))
    graph, _ = unflatten(flatten(packed))
    again = penman.decode(penman.encode(graph))
    gold = penman.Graph([t for t in amr.triples if t[1] != ":wiki"], top=amr.top)
    assert corpus_smatch([gold], [again]).f1 == 100.0


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("(b / boy :ARG0-of (g / go-02))", ("boy", "go-02"), ((1, ":ARG0", 0),)),
        ("(t / team :consist-of (b / boy))", ("team", "boy"), ((0, ":consist-of", 1),)),
        (
            '(c / city :name (n / name :op1 "New" :op2 "York"))', ("city", '"New"', '"York"'),
            ((0, ":name1", 1), (0, ":name2", 2)),
        ),
        # a name that says more than words, and a name that two nodes have, stay nodes
        ('(c / city :name (n / name :op1 "Ulm" :mod (o / old)))', ("city", "name", '"Ulm"', "old"),
         ((0, ":name", 1), (1, ":op1", 2), (1, ":mod", 3))),
    ],
)  # fmt: skip
def test_inverse_roles_are_turned_and_names_are_folded(text, nodes, edges):
    assert flat_of(text) == Flat(nodes, edges)


def test_variables_belong_to_the_nodes():
    graph, variables = unflatten(
        flat_of('(s / see-01 :ARG0 (p / person :name (n / name :op1 "Al")) :ARG1 (s2 / sea))')
    )
    concepts = {variable: concept for variable, _, concept in graph.instances()}
    assert {node: concepts[variable] for node, variable in variables.items()} == {
        0: "see-01",
        1: "person",
        3: "sea",
    }


def test_a_constant_stands_once_by_a_role():
    graph, _ = unflatten(Flat(("room", "5", "5", "7"), ((0, ":mod", 1), (0, ":mod", 2), (0, ":mod", 3))))
    assert graph.attributes() == [("r", ":mod", "5"), ("r", ":mod", "7")]


@st.composite
def flats(draw):
    """Connected graphs: every node but the first has an edge from or to an earlier one."""
    count = draw(st.integers(1, 7))
    nodes = tuple(draw(st.sampled_from(["dog", "want-01", "city", "name", "and"])) for _ in range(count))
    edges = []
    for node in range(1, count):
        other, role = (
            draw(st.integers(0, node - 1)),
            draw(st.sampled_from([":ARG0", ":mod", ":op1", ":name2"])),
        )
        edges.append((other, role, node) if draw(st.booleans()) else (node, role, other))
    return Flat(nodes, tuple(edges))


@given(flats())
def test_every_connected_graph_is_valid_penman(flat):
    graph, variables = unflatten(flat)
    again = penman.decode(penman.encode(graph))
    assert again.top == variables[0]
    assert sorted(map(str, again.instances())) == sorted(map(str, graph.instances()))
    assert len(again.edges()) == len(graph.edges())
