import penman
import pytest
from hypothesis import given

from parser.graphs.diff import compare
from parser.score.smatch import pair_counts
from tests.support.random_graphs import graphs

BITE = "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))"


def told(one: str, other: str) -> tuple[list[str], list[str]]:
    found = compare(penman.decode(one), penman.decode(other))
    return [fact.words for fact in found.agree], [fact.words for fact in found.differ]


def test_a_role_swap_agrees_on_concepts_and_differs_in_roles() -> None:
    agree, differ = told(BITE, "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))")
    assert agree == ["concept: bite-01", "concept: dog", "concept: man", "top of the graph: bite-01"]
    assert differ == [":ARG0 of bite-01: dog | man", ":ARG1 of bite-01: man | dog"]


def test_a_negation_differs_in_polarity_alone() -> None:
    found = compare(penman.decode(BITE), penman.decode(BITE.replace("bite-01", "bite-01 :polarity -")))
    assert [(fact.facet, fact.words) for fact in found.differ] == [
        ("polarity", ":polarity of bite-01: (none) | -")
    ]


def test_another_filler_of_one_place_is_told_in_its_place() -> None:
    agree, differ = told(BITE, "(x / bite-01 :ARG0 (y / cat) :ARG1 (z / man))")
    assert differ == [":ARG0 of bite-01: dog | cat"]
    assert ":ARG1 of bite-01: man" in agree


def test_names_are_compared_whole_and_without_case() -> None:
    one = (
        '(v / visit-01 :ARG0 (p / person :name (n / name :op1 "Ann" :op2 "Lee"))'
        ' :ARG1 (c / city :name (m / name :op1 "York")))'
    )
    other = one.replace("Lee", "Roy").replace("York", "YORK")
    agree, differ = told(one, other)
    assert differ == [':name of person: "Ann Lee" | "Ann Roy"']
    assert ':name of city: "York"' in agree
    assert ":ARG0 of visit-01: person" in agree


def test_quantities_are_their_own_kind() -> None:
    found = compare(
        penman.decode("(d / dog :quant 3 :mod (o / old))"), penman.decode("(d / dog :quant 4 :mod (o / old))")
    )
    assert [(fact.facet, fact.left, fact.right) for fact in found.differ] == [("quantity", "3", "4")]


@pytest.mark.parametrize(
    ("role", "filler", "facet"),
    [
        (":time", "(t / tomorrow)", "time"),
        (":time", '"16:30"', "time"),
        (":month", "7", "time"),
        (":dayperiod", "(m / morning)", "time"),
        (":time-of", "(s / sleep-01)", "time"),
        (":ord", "(o / ordinal-entity)", "quantity"),
        (":op1", "90", "quantity"),
        (":value", '"https://example.org"', "role"),
        (":value", "12", "quantity"),
        (":li", "2", "role"),
        (":location", "(h / here)", "role"),
    ],
)
def test_a_role_of_one_graph_is_of_its_kind(role: str, filler: str, facet: str) -> None:
    found = compare(penman.decode(f"(d / dog {role} {filler})"), penman.decode("(d / dog)"))
    assert [fact.facet for fact in found.differ if fact.role] == [facet]


def test_a_number_and_a_node_in_one_place_stand_side_by_side() -> None:
    assert told("(d / dog :quant 3)", "(d / dog :quant (s / several))")[1] == [
        "concept: (none) | several",
        ":quant of dog: 3 | several",
    ]


def test_namesakes_are_told_apart_by_their_variables() -> None:
    one = "(h / hit-01 :ARG0 (p / person :mod (t / tall)) :ARG1 (p2 / person))"
    other = "(h / hit-01 :ARG0 (p2 / person) :ARG1 (p / person :mod (t / tall)))"
    assert told(one, other)[1] == [":mod of person (p): tall | (none)", ":mod of person (p): (none) | tall"]


def test_everything_of_a_strange_graph_differs() -> None:
    agree, differ = told(BITE, "(s / sleep-01 :ARG2 (c / cat))")
    assert agree == []
    assert "top of the graph: bite-01 | sleep-01" in differ
    assert "concept: (none) | cat" in differ


def test_equal_graphs_differ_in_nothing(amr: penman.Graph) -> None:
    found = compare(amr, amr)
    assert found.differ == () and found.smatch == 100 and found.odd == (frozenset(), frozenset())


@given(graphs(), graphs())
def test_counts_are_those_of_the_odd_triples(one: penman.Graph, other: penman.Graph) -> None:
    found = compare(one, other)
    assert [size - len(odd) for size, odd in zip(found.sizes, found.odd, strict=True)] == [found.shared] * 2
    assert (found.shared == found.sizes[0] == found.sizes[1]) == (found.differ == ())


@given(graphs(), graphs())
def test_no_less_is_shared_than_smatch_says(one: penman.Graph, other: penman.Graph) -> None:
    assert compare(one, other).shared >= pair_counts([one], [other])[0, 0]


@pytest.mark.parametrize("role", [":polarity -", ":mode imperative", ":op1 3"])
def test_a_constant_of_one_graph_alone_is_odd(role: str) -> None:
    found = compare(penman.decode(f"(g / go-02 {role})"), penman.decode("(g / go-02)"))
    assert found.odd == (frozenset({("g", *role.split())}), frozenset())
