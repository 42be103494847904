"""parser.mini.decode: edges and roles that make a valid graph, whatever the scores are."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import penman
import torch
from hypothesis import given
from hypothesis import strategies as st

from linearize.packed import is_constant
from parser.mini.decode import Decoder, choose_edges, choose_roles, in_order_of_words
from parser.mini.flat import unflatten
from parser.mini.source import read_source
from tests.support.tiny_mini import NO_HINTS, network_of


def decode(network, labels, source):
    """Return the graph of one sentence without hints, in a list."""
    ids = torch.tensor([source.ids])
    return Decoder(network, labels)(ids, torch.ones_like(ids, dtype=torch.bool), NO_HINTS, [source])


@st.composite
def scored(draw):
    count = draw(st.integers(1, 7))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    logits = rng.normal(draw(st.sampled_from([-3.0, 0.0, 3.0])), 2.0, (count, count)).astype(np.float32)
    if draw(st.booleans()):
        logits = np.round(logits)  # ties
    constant = rng.random(count) < 0.4
    constant[rng.integers(count)] = False
    return logits, constant


@given(scored())
def test_any_scores_give_a_connected_graph(case):
    logits, constant = case
    edges = choose_edges(logits, constant, 0.5)
    graph = nx.Graph((a, b) for a, b, _ in edges)
    graph.add_nodes_from(range(len(constant)))
    assert nx.is_connected(graph)
    assert len({frozenset(edge[:2]) for edge in edges}) == len(edges)  # one edge between two nodes
    for node in np.flatnonzero(constant):
        assert [edge[1] for edge in edges].count(node) == 1 and node not in [edge[0] for edge in edges]


@given(scored())
def test_likely_edges_are_chosen_and_others_only_join(case):
    logits, constant = case
    edges = {(a, b) for a, b, _ in choose_edges(logits, constant, 0.5)}
    free = np.flatnonzero(~constant)
    better = {
        (a, b) for a in free for b in free
        if a != b and logits[a, b] > 0 and (-logits[a, b], a) < (-logits[b, a], b)
    }  # fmt: skip
    assert better <= edges
    kept = nx.Graph(better)
    kept.add_nodes_from(free)
    joining = [(a, b) for a, b in edges - better if not constant[b]]
    assert len(joining) == nx.number_connected_components(kept) - 1


@given(scored())
def test_joining_edges_are_those_of_a_maximum_spanning_tree(case):
    logits, constant = case
    free = np.flatnonzero(~constant)
    below = np.minimum(logits, -1e-3)  # nothing is likely, so that all edges join
    edges = [(a, b) for a, b, _ in choose_edges(below, constant, 0.5) if not constant[b]]
    whole = nx.Graph()
    whole.add_nodes_from(free)
    for a in free:
        for b in free:
            if a < b:
                whole.add_edge(a, b, weight=float(max(below[a, b], below[b, a])))
    best = nx.maximum_spanning_tree(whole).size("weight")
    assert np.isclose(sum(float(below[edge]) for edge in edges), best, atol=1e-4)


def test_probabilities_are_those_of_the_logits():
    edges = choose_edges(np.array([[0, 2.0], [-1.0, 0]], np.float32), np.array([False, False]), 0.5)
    assert np.allclose(edges, [(0, 1, -np.log(1 + np.exp(-2.0)))])


@given(st.integers(0, 10_000))
def test_no_node_has_a_single_role_twice(seed):
    rng = np.random.default_rng(seed)
    sources = rng.integers(0, 3, 6).tolist()
    once = np.array([True, True, True, True, True, True, False])
    roles = choose_roles(sources, rng.normal(size=(6, 7)).astype(np.float32), once)
    used = [(source, role) for source, role in zip(sources, roles, strict=True) if once[role]]
    assert len(set(used)) == len(used)


def test_a_number_read_as_an_unknown_concept_is_no_constant(examples, tokenizer):
    labels = examples[1]
    network = network_of(labels)
    with torch.no_grad():
        network.gate.bias.fill_(9.0)
        network.bias[labels.unknown] = 99.0  # every query is an unknown node
    source = read_source("12 3.5 dogs", "en", tokenizer)
    [decoded] = decode(network, labels, source)
    assert not any(is_constant(node) for node in decoded.flat.nodes)
    graph, _ = unflatten(decoded.flat)
    assert penman.decode(penman.encode(graph)).top == graph.top


def test_adjacent_pieces_are_one_node(examples, tokenizer):
    labels = examples[1]
    network = network_of(labels)
    with torch.no_grad():
        network.gate.bias.fill_(9.0)
        network.bias[labels.node_ids["boy"]] = 99.0  # every query is a boy
    source = read_source("The boys want to go.", "en", tokenizer)
    [decoded] = decode(network, labels, source)
    pieces = sorted(decoded.pieces)
    assert set(decoded.flat.nodes) == {"boy"} and 1 < len(pieces) < len(source.ids)
    assert all(second - first > 1 for first, second in itertools.pairwise(pieces))


def test_a_word_is_copied_once_and_names_follow_the_sentence(examples, tokenizer):
    labels = examples[1]
    network = network_of(labels)
    with torch.no_grad():
        network.gate.bias.fill_(9.0)
        network.bias[labels.named] = 99.0  # every query is a word of a name
        network.bias[labels.node_ids["boy"]] = 98.0
    source = read_source("Ada Bea Cleo sang.", "en", tokenizer)
    [decoded] = decode(network, labels, source)
    words = [node for node in decoded.flat.nodes if node.startswith('"')]
    assert len(set(words)) == len(words)


def test_words_of_a_name_are_numbered_in_order():
    edges = [(0, ":name1", 1), (0, ":name3", 2), (4, ":name1", 3), (0, ":mod", 4)]
    ordered = in_order_of_words(edges, [0, 7, 5, 2, 9])
    assert ordered == [(0, ":name2", 1), (0, ":name1", 2), (4, ":name1", 3), (0, ":mod", 4)]
