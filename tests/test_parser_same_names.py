"""One node per named entity (AMR guidelines 1.2.6, named entities and coreference)."""

import penman
import pytest

from parser.mini.rules.same_names import with_one_node_per_name


def one(text: str) -> str:
    graph, _ = with_one_node_per_name(penman.decode(text))
    return penman.encode(graph, indent=None)


@pytest.mark.parametrize(("two", "one_node"), [
    ('(l / live-01 :ARG0 (w / woman :location (c / city :name (n / name :op1 "Dublin")))'
     ' :location (c2 / city :name (n2 / name :op1 "Dublin") :mod (b / big)))',
     '(l / live-01 :ARG0 (w / woman :location (c / city :name (n / name :op1 "Dublin") :mod (b / big)))'
     " :location c)"),
    # a second relation of the same two nodes goes where one is a numbered argument
    ('(v / visit-01 :location (c / city :name (n / name :op1 "Bonn")) :ARG1 (c2 / city :name (n2 / name'
     ' :op1 "Bonn")))',
     '(v / visit-01 :ARG1 (c / city :name (n / name :op1 "Bonn")))'),
    # three nodes, and letters of another size
    ('(a / and :op1 (p / person :name (n / name :op1 "Tom")) :op2 (s / see-01 :ARG0 (p2 / person :name'
     ' (n2 / name :op1 "TOM")) :ARG1 (p3 / person :name (n3 / name :op1 "Tom"))))',
     '(a / and :op1 (p / person :name (n / name :op1 "Tom")) :op2 (s / see-01 :ARG0 p :ARG1 p))'),
])  # fmt: skip
def test_nodes_of_one_name_become_one(two, one_node):
    merged = penman.decode(one(two))
    assert set(merged.triples) == set(penman.decode(one_node).triples)
    assert merged.top == penman.decode(one_node).top


@pytest.mark.parametrize("text", [
    '(m / meet-03 :ARG0 (p / person :name (n / name :op1 "Tom")) :ARG1 (p2 / person :name (n2 / name'
    ' :op1 "Ann")))',
    # a city and a state; a city in a part of itself
    '(a / and :op1 (c / city :name (n / name :op1 "York")) :op2 (s / state :name (n2 / name :op1 "York")))',
    '(c / city :name (n / name :op1 "Rome") :part (c2 / city :name (n2 / name :op1 "Rome")))',
    # a name that has relations of its own: without it the way would hang on nothing
    '(b / border-01 :ARG1 (c / country :name (n / name :op1 "Chad")) :ARG2 (c2 / country :name (n2 / name'
    ' :op1 "Chad" :ARG2 (w / way))))',
    '(b / border-01 :ARG1 (c / country :name (n / name :op1 "Chad")) :ARG2 (c2 / country :name (n2 / name'
    ' :op1 "Chad" :name-of (r / road))))',
    # two cities that share a name node
    '(a / and :op1 (c / city :name (n / name :op1 "Rome")) :op2 (c2 / city :name n))',
    "(b / bark-01 :ARG0 (d / dog))",
])  # fmt: skip
def test_other_graphs_stay(text):
    graph = penman.decode(text)
    same, gone = with_one_node_per_name(graph)
    assert same is graph and not gone


def test_variables_that_went_are_told_and_the_top_moves():
    graph = penman.decode(
        '(c / city :name (n / name :op1 "Rome") :ARG1-of (l / like-01 :ARG0 (i / i :location'
        ' (c2 / city :name (n2 / name :op1 "Rome")))))'
    )
    merged, gone = with_one_node_per_name(graph)
    assert gone == {"c2", "n2"} and merged.top == "c"
    assert ("i", ":location", "c") in merged.triples


def test_node_with_two_names_is_merged_by_one_of_them():
    graph = penman.decode(
        '(a / and :op1 (c / city :name (n / name :op1 "Rome")) :op2 (c2 / city :name (n2 / name :op1 "Rome")'
        ' :name (n3 / name :op1 "Paris")) :op3 (c3 / city :name (n4 / name :op1 "Paris")))'
    )
    merged, gone = with_one_node_per_name(graph)
    assert gone == {"c2", "n2"}
    assert penman.encode(merged, indent=None) == (
        '(a / and :op1 (c / city :name (n / name :op1 "Rome") :name (n3 / name :op1 "Paris")) :op2 c'
        ' :op3 (c3 / city :name (n4 / name :op1 "Paris")))'
    )
