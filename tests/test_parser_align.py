import itertools
import random

import penman
import pytest
from hypothesis import given

from amrx.errors import InputError
from parser.graphs.matching import Parts, align, read_parts
from parser.graphs.triples import directed, plain
from parser.score.smatch import match_pair, read_triples
from tests.support.random_graphs import graphs


def shared(one: Parts, other: Parts, mapping: dict[str, str]) -> int:
    """Count the triples that a mapping lets two graphs share, as Smatch does."""
    concepts = sum(plain(one.concepts[a]) == plain(other.concepts[b]) for a, b in mapping.items())
    constants = {(s, plain(r), plain(v)) for s, r, v in other.constants}
    relations = {directed(triple) for triple in other.relations}
    concepts += sum((mapping.get(s), plain(r), plain(v)) in constants for s, r, v in one.constants)
    return concepts + sum(
        (mapping.get(s), r, mapping.get(t)) in relations for s, r, t in map(directed, one.relations)
    )


def best(one: Parts, other: Parts) -> int:
    """Try every mapping."""
    small, large = sorted((one, other), key=lambda parts: len(parts.variables))
    return max(
        shared(small, large, dict(zip(small.variables, chosen, strict=True)))
        for chosen in itertools.permutations(large.variables, len(small.variables))
    )


@given(graphs(), graphs())
def test_no_other_mapping_shares_more(one: penman.Graph, other: penman.Graph) -> None:
    left, right = read_parts(one), read_parts(other)
    mapping = align(left, right)
    assert len(set(mapping.values())) == len(mapping)
    assert shared(left, right, mapping) == best(left, right)


def test_real_graphs_share_what_smatch_counts(data_dir) -> None:
    found = penman.load(data_dir / "amr" / "lpp" / "dev.amr")[1:12]
    generator = random.Random(2)
    for graph in found:
        triples = [(s, r, "thing" if generator.random() < 0.1 else t) for s, r, t in graph.triples]
        spoilt = penman.Graph(
            [t if t[1] == ":instance" else old for t, old in zip(triples, graph.triples, strict=True)],
            top=graph.top,
        )
        left, right = read_parts(graph), read_parts(spoilt)
        both = read_triples(graph), read_triples(spoilt)
        exact, n_right, n_left, bound = match_pair(both, seed=0, restarts=8)
        assert shared(left, right, align(left, right)) == exact == bound
        assert (n_left, n_right) == (size(left), size(right))


def size(parts: Parts) -> int:
    return len(parts.concepts) + len(parts.constants) + len(parts.relations)


def test_the_parts_are_those_of_the_smatch_package(amr: penman.Graph) -> None:
    parts = read_parts(amr)
    assert [len(parts.concepts), len(parts.constants), len(parts.relations)] == [
        len(triples) for triples in read_triples(amr).triples
    ]


def test_equal_graphs_pair_every_node(amr: penman.Graph) -> None:
    parts = read_parts(amr)
    assert align(parts, parts) == {variable: variable for variable in parts.variables}


def test_nodes_that_share_nothing_have_no_pair() -> None:
    texts = "(a / and :op1 (c / cat))", "(b / and :op2 (d / dog))"
    one, other = (read_parts(penman.decode(text)) for text in texts)
    assert align(one, other) == {"a": "b"}


def test_another_sense_of_a_frame_pairs() -> None:
    texts = "(a / and :op1 (r / run-01))", "(b / and :op2 (s / run-02) :op3 (t / table))"
    one, other = (read_parts(penman.decode(text)) for text in texts)
    assert align(one, other) == {"a": "b", "r": "s"}


def test_roles_that_end_in_of_keep_their_direction() -> None:
    parts = read_parts(penman.decode("(t / thing :consist-of (g / gold) :ARG1-of (m / make-01))"))
    assert parts.relations == (("t", ":consist-of", "g"), ("m", ":ARG1", "t"))


def test_a_graph_in_pieces_is_an_error() -> None:
    with pytest.raises(InputError, match="not a connected"):
        read_parts(penman.Graph([("a", ":instance", "cat"), ("b", ":instance", "dog")], top="a"))
