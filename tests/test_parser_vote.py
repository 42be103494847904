"""Votes of several readings: how they are counted, and which graph they elect."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st
from penman.models.amr import model as amr_model

from parser.ensemble.count_votes import Votes, count
from parser.ensemble.elect import SHARE, elect

PIVOT = "(c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball))"
OTHER = "(x / chase-01 :ARG0 (y / dog :mod (z / big)))"
BIG = (1, ":mod", "big")


def graphs(*texts: str) -> list[penman.Graph]:
    return [penman.decode(text) for text in texts]


def line(graph: penman.Graph) -> str:
    return penman.encode(graph, indent=None)


def winner(votes: Votes, share: float = SHARE) -> penman.Graph:
    """The elected graph, without its confidence."""
    return elect(votes, share)[0]


def test_votes_of_the_picture():
    votes = count(graphs(PIVOT, OTHER))
    assert votes.readings == 2
    assert votes.variables == ["c", "d", "b"]
    assert votes.concepts == {
        (0,): {"chase-01": 2}, (1,): {"dog": 2}, (2,): {"ball": 1}, BIG: {"big": 1},
    }  # fmt: skip
    assert votes.relations == {((0,), ":ARG0", (1,)): 2, ((0,), ":ARG1", (2,)): 1, ((1,), ":mod", BIG): 1}
    assert not votes.constants


def test_equal_readings_vote_each_and_their_order_does_not_matter():
    texts = [PIVOT, OTHER, OTHER, "(h / chase-01 :polarity - :ARG1 (q / ball :quant 2))", PIVOT]
    votes = count(graphs(*texts))
    assert votes.relations[(1,), ":mod", BIG] == 2
    assert votes.concepts[2,] == {"ball": 3}
    assert votes.constants == {((0,), ":polarity", "-"): 1, ((2,), ":quant", "2"): 1}
    turned = count(graphs(texts[0], *texts[:0:-1]))
    assert (turned.concepts, turned.relations, turned.constants) == (
        votes.concepts, votes.relations, votes.constants,
    )  # fmt: skip
    # the same electorate, whoever of its equals is the pivot
    assert count(graphs(*texts), 4).relations == votes.relations


def test_what_a_pivot_has_not_is_named_by_the_way_to_it():
    far = "(x / dog :mod (z / big :degree (v / very)) :ARG0-of (b / bark-01 :ARG1 (c / cat)))"
    votes = count(graphs("(d / dog)", far, far))
    bark = (0, ":ARG0-of", "bark-01")
    assert set(votes.concepts) == {
        (0,), (0, ":mod", "big"), (0, ":mod", "big", ":degree", "very"), bark, (*bark, ":ARG1", "cat"),
    }  # fmt: skip
    assert votes.relations[bark, ":ARG0", (0,)] == 2
    # two of one kind at one place have one name, and the second has none
    twice = count(graphs("(d / dog)", "(d / dog :mod (b / big) :mod (c / big))"))
    assert twice.concepts[0, ":mod", "big"] == {"big": 1}
    assert sum(twice.relations.values()) == 1


@pytest.mark.parametrize(
    ("share", "elected"),
    [
        (0.2, "(c / chase-01 :polarity - :ARG0 (d / dog :mod (b2 / big)) :ARG1 (b / ball))"),
        (0.4, "(c / chase-01 :ARG0 (d / dog :mod (b2 / big)) :ARG1 (b / ball))"),
        (0.6, "(c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball))"),
        (0.9, "(c / chase-01 :ARG0 (d / dog))"),
    ],
)
def test_what_is_likelier_than_the_threshold_is_said(share: float, elected: str):
    fourth = "(c / chase-01 :ARG0 (d / dog) :ARG1 (b / ball) :polarity -)"
    assert line(
        winner(count(graphs(PIVOT, OTHER, PIVOT.replace("dog", "dog :mod (g / big)"), fourth)), share)
    ) == (elected)


def test_concepts_and_roles_are_the_most_voted_of_equals_the_pivots():
    one, other = "(s / see-01 :ARG0 (b / boy))", "(s / look-01 :ARG1 (b / boy))"
    assert line(winner(count(graphs(one, other)))) == one
    assert line(winner(count(graphs(one, other, other)))) == other
    assert line(winner(count(graphs(one)))) == one


def test_a_numbered_role_has_one_filler_that_of_most_votes():
    pivot = "(s / see-01 :ARG0 (b / boy) :ARG1 (d / dog) :ARG1 (m / man))"
    more = pivot[:-1] + " :ARG0 (g / girl) :mod (o / only) :mod (n / new))"
    assert line(winner(count(graphs(pivot, more)))) == (
        "(s / see-01 :ARG0 (b / boy) :ARG1 (d / dog) :mod (o / only) :mod (n / new))"
    )
    man = "(s / see-01 :ARG0 (b / boy) :ARG1 (m / man))"
    assert line(winner(count(graphs(pivot, man, man)))) == man


def test_another_filler_of_a_role_goes_to_its_next_place():
    address = "(s / send-01 :ARG2 (a / address :location (c / city)))"
    city = "(s / send-01 :ARG2 (c / city) :ARG1 (a / address))"
    both = "(s / send-01 :ARG2 (a / address) :ARG2 (c / city))"
    assert line(winner(count(graphs(address, both, both, both, city)))) == address


def test_a_numbered_role_has_a_constant_or_a_node():
    constant, node = "(a / about :op1 100)", "(a / about :op1 (m / million))"
    both = "(a / about :op1 100 :op1 (m / million))"
    assert line(winner(count(graphs(constant, constant, node)))) == constant
    assert line(winner(count(graphs(both, constant)))) == constant
    assert line(winner(count(graphs(both, node)))) == node
    name = '(c / city :name (n / name :op1 "Paris"))'
    odd = '(c / city :name (n / name :op1 "Paris" :op1 (t / tree)))'
    assert line(winner(count(graphs(name, odd, odd)))) == name


def test_a_frame_has_no_operands_and_a_coordination_no_arguments():
    joined = "(a / and :op1 (s / sing-01) :op2 (d / dance-01))"
    said = "(s / say-01 :ARG0 (i / i) :ARG1 (d / dance-01))"
    for readings in ((joined, joined, said), (said, said, joined), (joined, said), (said, joined)):
        graph = winner(count(graphs(*readings)), 0.1)
        concepts = {source: str(target) for source, _, target in graph.instances()}
        for source, role, _ in graph.edges():
            assert not (role.startswith(":op") and concepts[source].endswith("-01")), line(graph)
            assert not (role.startswith(":ARG") and concepts[source] == "and"), line(graph)


def test_readings_with_one_operand_alone_count_for_the_coordination():
    both = "(s / sing-01 :ARG0 (a / and :op1 (m / man) :op2 (w / woman)))"
    alone = "(s / sing-01 :ARG0 (m / man))"
    other = "(s / sing-01 :ARG0 (a / boy))"
    elected = winner(count(graphs(both, both, both, both, *[alone] * 5)))
    assert line(elected) == both
    # those of another concept do not, and nothing but a coordination has its operands
    elected = winner(count(graphs(*[both] * 3, *[other] * 7)))
    assert line(elected) == "(s / sing-01 :ARG0 (a / boy))"


def test_an_operand_of_another_concept_stays():
    before = "(l / leave-11 :time (b / before :op1 (n / now) :op2 (w / war)))"
    joined = "(l / leave-11 :time (a / and :op1 (n / now) :op2 (w / war)))"
    assert line(winner(count(graphs(before, before, before, joined)))) == before


def test_a_coordination_keeps_two_operands():
    two, three = (
        "(a / and :op1 (b / boy) :op2 (d / dog))",
        "(a / and :op1 (b / boy) :op2 (d / dog) :op3 (c / cat))",
    )
    one, none = "(a / and :op1 (b / boy))", "(a / and)"
    assert line(winner(count(graphs(two, one, one, one, one)))) == two
    assert line(winner(count(graphs(three, one, one, one, two)))) == two
    assert line(winner(count(graphs(two, none, none, none, none)))) == two
    assert line(winner(count(graphs(one, none, none, none, none)))) == none  # says so of itself
    assert line(
        winner(count(graphs("(w / walk-01 :op1 (b / boy) :op2 (d / dog))", *["(w / walk-01)"] * 4)))
    ) == ("(w / walk-01)")


def test_a_second_mention_is_voted_on_and_closes_no_circle():
    plain = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
    again = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
    assert line(winner(count(graphs(plain, again, again)))) == again
    assert line(winner(count(graphs(plain, plain, plain, again)))) == plain
    circle = count(graphs(plain))
    circle.relations[(2,), ":ARG3", (1,)] = circle.relations[(1,), ":ARG4", (0,)] = 1
    graph = winner(circle)
    directed = nx.DiGraph((source, target) for source, _, target in graph.edges())
    assert nx.is_directed_acyclic_graph(directed)
    assert ("g", ":ARG3", "b") in graph.edges()


def test_a_modifier_is_said_of_two_only_where_the_same_readings_say_it_of_both():
    at_woman = "(t / talk-01 :ARG0 (m / man) :ARG2 (w / woman :mod (o / other)))"
    at_man = "(t / talk-01 :ARG0 (m / man :mod (o / other)) :ARG2 (w / woman))"
    at_both = "(t / talk-01 :ARG0 (m / man :mod (o / other)) :ARG2 (w / woman :mod o))"
    assert line(winner(count(graphs(at_man, at_man, at_woman)))) == at_man
    assert line(winner(count(graphs(at_man, at_woman, at_both)))) == at_both
    assert line(winner(count(graphs(at_man, at_man, at_woman, at_woman, at_both)))) == at_man
    # whichever of the two relations is the modifier's
    asks = "(p / possible-01 :polarity (a / amr-unknown) :ARG1 (h / help-01))"
    whom = "(p / possible-01 :ARG1 (h / help-01 :ARG1 (a / amr-unknown)))"
    assert line(winner(count(graphs(asks, asks, whom)))) == asks
    # who takes part may take part in both
    wants = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
    goes = "(w / want-01 :ARG1 (g / go-02 :ARG0 (b / boy)))"
    both = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
    assert line(winner(count(graphs(wants, goes)))) == both


def test_votes_for_two_places_of_one_node():
    votes = count(graphs("(a / and :op1 (b / boy) :op2 (g / go-02 :ARG0 b))"))
    assert votes.under_both == {(frozenset([(0,), (2,)]), (1,)): 1}


def random_votes(random: np.random.Generator, nodes: int, readings: int) -> Votes:
    votes = Votes(readings, [f"v{n}" for n in range(nodes)])
    for n in range(nodes):
        votes.concepts[n,] = Counter({f"c{n}": int(random.integers(1, readings + 1))})
        if n:
            parent = int(random.integers(n))
            votes.relations[(parent,), ":mod", (n,)] = int(random.integers(1, readings + 1))
        if random.random() < 0.5:
            votes.constants[(n,), ":quant", "2"] = int(random.integers(1, readings + 1))
    return votes


def worth(votes: Votes, kept: set[int], share: float) -> float:
    """Sum of s - θ over all that is said of the kept nodes, written out."""
    said = [votes.concepts[n,][f"c{n}"] for n in kept]
    said += [v for (s, _, t), v in votes.relations.items() if s[0] in kept and t[0] in kept]
    optional = [v for (s, _, _), v in votes.constants.items() if s[0] in kept]
    return sum(v / votes.readings - share for v in said) + sum(
        max(0.0, v / votes.readings - share) for v in optional
    )


def test_no_connected_graph_is_worth_more():
    random = np.random.default_rng(0)
    sizes = set()
    for _ in range(40):
        votes, share = random_votes(random, 8, 9), float(random.uniform(0.2, 0.8))
        tree = nx.Graph((s[0], t[0]) for s, _, t in votes.relations)
        every = [
            {0, *rest} for size in range(8) for rest in combinations(range(1, 8), size)
            if nx.is_connected(tree.subgraph({0, *rest}))
        ]  # fmt: skip
        best = max(worth(votes, kept, share) for kept in every)
        graph = winner(votes, share)
        kept = {int(variable[1:]) for variable in graph.variables()}
        sizes.add(len(kept))
        assert kept in every
        assert worth(votes, kept, share) == pytest.approx(best, abs=1e-12)
        constants = {(int(s[1:]), role) for s, role, _ in graph.attributes()}
        assert constants == {
            (s[0], role) for (s, role, _), v in votes.constants.items() if s[0] in kept and v > share * 9
        }
    assert len(sizes) > 4


def test_confidence_is_the_mean_f1_with_the_readings():
    """By hand, from the docstring's law: 2 sum of the graph's votes / (n |G| + all votes)."""
    same = "(c / chase-01 :quant 2 :ARG0 (d / dog))"
    graph, confidence = elect(count(graphs(same, same, same)))
    assert (line(graph), confidence) == (same, 1.0)
    # the graph: chase-01, dog, :ARG0, each of 2 votes, and the other reading: big, :mod, of one
    more = "(c / chase-01 :ARG0 (d / dog :mod (b / big)))"
    graph, confidence = elect(count(graphs("(c / chase-01 :ARG0 (d / dog))", more)), 0.6)
    assert line(graph) == "(c / chase-01 :ARG0 (d / dog))"
    assert confidence == pytest.approx(2 * 6 / (2 * 3 + 8))
    assert confidence == pytest.approx((1 + 2 * 3 / (3 + 5)) / 2, abs=0.02)  # of F1 of 1 and 3/4
    name = '(c / city :name (n / name :op1 "New" :op2 "York"))'
    assert elect(count(graphs(name, name)))[1] == 1.0


def test_operands_come_in_their_order():
    late = "(o / or :op2 (b / boy) :op1 (d / dog))"
    assert line(winner(count(graphs(late)))) == "(o / or :op1 (d / dog) :op2 (b / boy))"


def test_new_variables_are_free_ones():
    more = "(d / dog :mod (x / big) :mod (y / 狗) :mod (z / brown))"
    graph = winner(count(graphs("(b / dog)", more)))
    assert graph.top == "b"
    assert [variable for variable, _, _ in graph.instances()] == ["b", "b2", "x", "b3"]
    assert penman.decode(penman.encode(graph)).triples == graph.triples


def test_a_name_is_elected_whole():
    york, delhi = (
        '(c / city :name (n / name :op1 "New" :op2 "York"))',
        '(x / city :name (y / name :op1 "New" :op2 "Delhi"))',
    )
    votes = count(graphs(york, delhi, '(c / city :name (n / name :op1 "York"))'))
    assert votes.names == {(1,): {('"New"', '"York"'): 1, ('"New"', '"Delhi"'): 1, ('"York"',): 1}}
    assert not votes.constants
    assert line(winner(votes, 0.4)) == york  # each word of it has a third, the node all
    assert line(winner(count(graphs(york, delhi, delhi)), 0.4)) == delhi.replace("x /", "c /").replace(
        "y /", "n /"
    )
    # what is told of a name by too few goes with it
    assert line(winner(count(graphs(york, "(c / city)", "(c / city)")), 0.4)) == "(c / city)"


@st.composite
def any_graph(draw: st.DrawFn) -> penman.Graph:
    """Draw a connected graph of few concepts and roles, so that readings agree and contradict each other."""
    concepts = st.sampled_from(["and", "or", "name", "dog", "sleep-01", "person", "狗"])
    roles = st.sampled_from(
        [":ARG0", ":ARG1", ":op1", ":op2", ":mod", ":name", ":ARG0-of", ":op1-of", ":time"]
    )
    count = draw(st.integers(1, 6))
    triples = [(f"v{node}", ":instance", draw(concepts)) for node in range(count)]
    triples += [(f"v{draw(st.integers(0, node - 1))}", draw(roles), f"v{node}") for node in range(1, count)]
    node = st.integers(0, count - 1).map("v{}".format)
    triples += draw(st.lists(st.tuples(node, roles, node).filter(lambda t: t[0] != t[2]), max_size=4))
    constants = st.tuples(
        node, st.sampled_from([":quant", ":polarity", ":op1"]), st.sampled_from(["1", '"a"'])
    )
    triples += draw(st.lists(constants, max_size=3))
    return penman.Graph(list(dict.fromkeys(triples)), top="v0")


@given(st.lists(any_graph(), min_size=1, max_size=5))
def test_whatever_the_readings_the_graph_is_connected_and_no_numbered_role_has_two_nodes(readings):
    graph, confidence = elect(count(readings))
    assert 0 <= confidence <= 1
    variables = [variable for variable, _, _ in graph.instances()]
    assert len(variables) == len(set(variables))
    every = nx.Graph([(source, target) for source, _, target in graph.edges()])
    every.add_nodes_from(variables)
    assert nx.is_connected(every)
    numbered = [(s, role) for s, role, _ in graph.edges() if role.startswith((":ARG", ":op", ":name"))]
    assert len(numbered) == len(set(numbered))
    again = penman.decode(penman.encode(graph, model=amr_model), model=amr_model)
    assert (again.top, again.triples) == (graph.top, graph.triples)
