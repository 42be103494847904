"""parser.score.exact: the maximum of all mappings, and its bounds."""

import itertools
import random

import penman
import pytest
import smatch as smatch_package
from hypothesis import given
from hypothesis import strategies as st

from parser.graphs.diff import compare
from parser.score import exact, smatch
from parser.score.exact import QUICK, THOROUGH, Effort, improve
from parser.score.net import Net, isomorphic, names, read_net
from parser.score.smatch import bounded_counts, match_pair, read_triples
from parser.training.corpora.sembanks import bamboo_pairs
from tests.support.random_graphs import graphs


def net(graph: penman.Graph | str) -> Net:
    return read_net(read_triples(graph).triples)


def best(one: penman.Graph, other: penman.Graph) -> int:
    """Try every mapping of the smaller graph into the larger one."""
    small, large = sorted((net(one), net(other)), key=lambda graph: len(graph.labels))
    relations = set(large.relations)
    return max(
        sum(len(set(labels) & set(large.labels[to])) for labels, to in zip(small.labels, chosen, strict=True))
        + sum((role, chosen[source], chosen[target]) in relations for role, source, target in small.relations)
        for chosen in itertools.permutations(range(len(large.labels)), len(small.labels))
    )


def renamed(graph: penman.Graph, generator: random.Random) -> penman.Graph:
    """The same graph with other variables and its triples in another order."""
    variables = sorted(graph.variables())
    names = dict(
        zip(
            variables, generator.sample([f"x{n}" for n in range(len(variables))], len(variables)), strict=True
        )
    )
    triples = [(names[s], role, names.get(t, t)) for s, role, t in graph.triples]
    generator.shuffle(triples)
    return penman.Graph(triples, top=names[graph.top])


@given(graphs(), graphs())
def test_no_mapping_shares_more_or_as_much_as_is_said(one, other):
    shared, predicted, gold, bound = bounded_counts([one], [other])[0]
    assert shared == bound == best(one, other) <= min(predicted, gold)
    assert compare(one, other).shared == shared


@given(graphs(), graphs(), st.sampled_from([0, 3]), st.sampled_from([0, 3]))
def test_bounds_hold_at_every_effort(one, other, relaxed, whole):
    effort = Effort(relaxed, whole, branches=1, seconds=1.0)
    shared, _, _, bound = bounded_counts([one], [other], restarts=0, effort=effort)[0]
    assert shared <= best(one, other) <= bound
    known = improve(net(one), net(other), 0, effort)  # without a mapping to begin with
    assert known.shared <= best(one, other) <= known.bound


@given(graphs(), st.integers(0, 2**32))
def test_a_renamed_graph_is_the_same(graph, seed):
    other = renamed(graph, random.Random(seed))
    assert isomorphic(net(graph), net(other))
    assert smatch.smatch(graph, other).f1 == 100


@given(graphs(), graphs())
def test_graphs_are_the_same_if_and_only_if_all_is_shared(one, other):
    sizes = {sum(map(len, read_triples(graph).triples)) for graph in (one, other)}
    assert isomorphic(net(one), net(other)) == (sizes == {best(one, other)})


def ring(*lengths: int) -> str:
    """Rings of equal nodes below one node: without a search, colours see only the number of nodes."""
    rings, first = [], 0
    for length in lengths:
        chain = f":ARG0 r{first}"
        for number in reversed(range(first + 1, first + length)):
            chain = f":ARG0 (r{number} / thing {chain} :ARG1 a)"
        rings.append(f":ARG1-of (r{first} / thing {chain})")
        first += length
    return f"(a / and {' '.join(rings)})"


def test_colours_that_agree_are_not_yet_the_same_graph():
    one, two, six = net(ring(3, 3)), net(ring(2, 4)), net(ring(6))
    assert names(one) == names(two) == names(six)
    assert isomorphic(one, one) and isomorphic(two, two) and isomorphic(six, six)
    assert not isomorphic(one, two)


def test_graphs_that_only_look_the_same_to_colours_end():
    pairs = " ".join(f":op2 (p{n} / pair :mod (q{n} / big))" for n in range(12))
    one, two = (net(f"{rings[:-1]} {pairs})") for rings in (ring(3, 3), ring(2, 4)))
    assert isomorphic(one, one) and not isomorphic(one, two)


def test_many_equal_nodes_are_no_burden():
    leaves = [f":op1 (t{number} / thing)" for number in range(1000)]
    one, other = (f"(a / and {' '.join(some)})" for some in (leaves, leaves[::-1]))
    assert smatch.smatch(one, other).f1 == 100
    deep = [f":op1 (t{number} / thing :mod (b{number} / big))" for number in range(60)]
    one, other = (f"(a / and {' '.join(some)})" for some in (deep, deep[::-1]))
    assert smatch.smatch(one, other).f1 == 100


def ferries(order: list[int], rename: str) -> str:
    """A list of routes: many equal concepts, on which hill climbing ends in a local maximum."""
    ends = "Oslo Hamar Bergen Oslo Oslo Moss Tromso Bergen Bergen Tromso Moss Oslo Oslo Bergen Hamar Oslo"
    ends = ends.split()
    routes = [
        f":op{n} (f{rename}{n} / ferry :source (c{rename}{n} / city :name (n{rename}{n} / name :op1 "
        f'"{ends[2 * n]}")) :destination (d{rename}{n} / city :name (m{rename}{n} / name :op1 '
        f'"{ends[2 * n + 1]}")) :mod (g{rename}{n} / big) :quant {n % 3 + 1})'
        for n in order
    ]
    return f"(a / and {' '.join(routes)})"


def test_two_notations_of_one_list_score_100():
    one, other = ferries(list(range(8)), ""), ferries([3, 6, 1, 5, 7, 0, 4, 2], "9")
    both = read_triples(one), read_triples(other)
    with smatch._private_state("0", 4):
        climbed = smatch_package.get_best_match(*both[1].triples, *both[0].triples, "n", "n")[1]
    assert climbed < 122
    assert bounded_counts([one], [other]).tolist() == [[122, 122, 122, 122]]
    changed = other.replace('"Moss"', '"Voss"', 1)
    assert bounded_counts([one], [changed]).tolist() == [[121, 122, 122, 121]]


@pytest.mark.parametrize(
    ("gold", "predicted", "shared"),
    [
        ("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))", "(x / bite-01 :ARG0 (z / man) :ARG1 (y / dog))", 4),
        ("(a / b)", "(c / d)", 1),  # the mark of the top
        ("(a / b :ARG0 a)", "(c / b :ARG0 c)", 3),
        ("(a / b :ARG0 a)", "(c / b :ARG0 (d / b))", 2),
        ("(a / and :op1 (c / cat) :op2 (d / cat))", "(a / and :op1 (c / cat) :op2 c)", 4),
        ('(c / city :name (n / name :op1 "Ulm"))', '(c / city :name (n / name :op1 "Ulm" :op2 "Ulm"))', 5),
    ],
)
def test_literal_pairs(gold, predicted, shared):
    assert bounded_counts([gold], [predicted])[0, [0, 3]].tolist() == [shared, shared]


def test_real_pairs_share_no_less_than_the_package_finds(data_dir):
    pairs = random.Random(3).sample(list(bamboo_pairs(data_dir / "amr" / "bamboo" / "sts", "dev")), 30)
    for pair in pairs:
        both = read_triples(pair.source.graph), read_triples(pair.target.graph)
        shared, _, _, bound = match_pair(both, seed=0, restarts=4)
        climbed = [smatch._climb(both[0].triples, both[1].triples, str(seed), 20) for seed in range(2)]
        assert max(climbed) <= shared == bound


def test_a_size_beyond_the_limit_is_bounded_without_a_program(monkeypatch):
    monkeypatch.setattr(exact, "state", None)  # would fail
    one, other = net(ferries([0, 1, 2], "")), net(ferries([3, 4, 5], ""))
    shared, bound = improve(one, other, 5, Effort(10, 10, 1, 1.0))
    assert shared == 5 < bound


def test_quick_has_no_clock():
    assert QUICK.seconds == float("inf") > THOROUGH.seconds
