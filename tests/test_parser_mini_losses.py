"""parser.training.mini: matching and losses against plain formulas in float64."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from scipy.special import erf

from parser.training.mini.losses import SAMPLED, _label_loss, losses
from parser.training.mini.matching import GATE, LEAST, match
from tests.support.tiny_mini import network_of


@pytest.fixture
def case(examples, corpus):
    """A network in float64, its states of all examples, and the batch."""
    network = network_of(examples[1], seed=3).double()
    batch = corpus.batch(np.arange(len(corpus)))
    with torch.no_grad():
        return network, network(batch.ids, batch.mask, batch.hints), batch


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def label_scores(network, states):
    table = torch.cat((network.rows, network.names), 1).detach().numpy()
    return states.label.numpy() @ table.T + network.bias.detach().numpy()


def words_of(batch):
    """Return the pieces of each copied node, as a mask of all nodes and pieces."""
    words = np.zeros((*batch.nodes.shape, batch.ids.shape[1]), dtype=bool)
    for row, node, piece in batch.copies.tolist():
        words[row, node, piece] = True
    return words


def matches(network, states, batch):
    return match(network, states, batch.nodes, torch.from_numpy(words_of(batch)), batch.mask)


def word_shares(weight, states, batch, row):
    """Return each query's distribution over the pieces of a sentence."""
    keys = states.pieces[row].numpy()[batch.mask[row].numpy()]
    query = states.hidden[row].numpy() @ weight["copy_query.weight"].T + weight["copy_query.bias"]
    return log_softmax(query @ keys.T / np.sqrt(keys.shape[1]))


def layer_norm(x, scale, shift):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + shift


def transformer_layer(weight, name, x, heads=4):
    """Return a pre-norm Transformer layer (Vaswani et al. 2017, equation 1) of nodes ``x (n, d)``."""

    def linear(part, y):
        return y @ weight[f"{name}.{part}.weight"].T + weight[f"{name}.{part}.bias"]

    def norm(number, y):
        return layer_norm(y, *(weight[f"{name}.norms.{number}.{kind}"] for kind in ("weight", "bias")))

    mixed = []
    query, key, value = np.split(linear("attention", norm(0, x)), 3, axis=1)
    for q, k, v in zip(*(np.split(part, heads, axis=1) for part in (query, key, value)), strict=True):
        mixed.append(np.exp(log_softmax(q @ k.T / np.sqrt(q.shape[1]))) @ v)
    x = x + linear("mixed", np.hstack(mixed))
    up = linear("up", norm(1, x))
    return x + linear("down", up * (1 + erf(up / np.sqrt(2))) / 2)


def test_the_match_is_the_cheapest_of_all(case):
    network, states, batch = case
    queries = matches(network, states, batch)
    weight = {name: tensor.detach().numpy() for name, tensor in network.named_parameters()}
    words = words_of(batch)
    shown = np.unique(batch.nodes.clamp_min(0).numpy())  # padding counts as label 0 among those of the batch
    scores = log_softmax(label_scores(network, states)[..., shown])
    gate = sigmoid(states.gate.numpy())
    for row in range(len(queries)):
        labels = [label for label in batch.nodes[row].tolist() if label >= 0][:3]
        free = np.flatnonzero(states.mask[row].numpy())
        shares = np.exp(word_shares(weight, states, batch, row))
        right = words[row][:, : shares.shape[1]]
        cost = {
            (node, query): -scores[row, query, list(shown).index(label)]
            - GATE * np.log(gate[row, query] / (1 - gate[row, query]))
            - (np.log(max(shares[query, right[node]].sum(), LEAST)) if right[node].any() else 0.0)
            for node, label in enumerate(labels)
            for query in free
        }
        whole = [label for label in batch.nodes[row].tolist() if label >= 0]
        if len(whole) != len(labels):
            continue
        best = min(
            sum(cost[node, query] for node, query in enumerate(chosen))
            for chosen in itertools.permutations(free.tolist(), len(labels))
        )
        found = sum(cost[node, int(query)] for node, query in enumerate(queries[row][: len(labels)]))
        assert found == pytest.approx(best, abs=1e-4)  # costs are rounded to float32
    assert ((queries >= 0) == (batch.nodes >= 0)).all()


def test_losses_are_the_formulas_of_their_docstring(case):
    network, states, batch = case
    torch.manual_seed(0)
    with torch.no_grad():
        computed = {name: float(value) for name, value in losses(network, states, batch).items()}
    queries = matches(network, states, batch).numpy()
    hidden, gate = states.hidden.numpy(), sigmoid(states.gate.numpy())
    exists = queries >= 0
    weight = {name: tensor.detach().numpy() for name, tensor in network.named_parameters()}

    def linear(name, x):
        return x @ weight[f"{name}.weight"].T + weight.get(f"{name}.bias", 0.0)

    scores = log_softmax(label_scores(network, states))
    label, edge, role, copy, top, pairs = [], 0.0, [], [], [], 0
    opened = np.zeros_like(gate)
    for row, found in enumerate(queries):
        count = int(exists[row].sum())
        table = torch.cat((network.rows, network.names), 1).detach().numpy()
        predicted = scores[row, found[:count]].argmax(1)  # the batch has few labels, so that all are compared
        nodes = hidden[row, found[:count]] + table[predicted] @ weight["node_label.weight"].T
        for layer in range(network.shape.node_layers):
            nodes = transformer_layer(weight, f"node_blocks.{layer}", nodes)
        opened[row, found[:count]] = 1
        label += [-scores[row, found[node], int(batch.nodes[row, node])] for node in range(count)]
        tops = linear("top", nodes)[:, 0]
        top.append(-log_softmax(tops)[0])
        gold = {(a, b): r for k, a, r, b in batch.edges.tolist() if k == row}
        source = np.hstack((linear("edge_source", nodes), np.ones((count, 1))))
        target = np.hstack((linear("edge_target", nodes), np.ones((count, 1))))
        presence = sigmoid(source @ weight["edge"] @ target.T)
        for a in range(count):
            for b in range(count):
                if a != b:
                    p = presence[a, b]
                    edge -= np.log(p if (a, b) in gold else 1 - p)
        for (a, b), r in gold.items():
            inner = np.maximum(linear("role_source", nodes[a]) + linear("role_target", nodes[b]), 0)
            score = (
                linear("role", inner)
                + linear("role_of_source", nodes[a])
                + linear("role_of_target", nodes[b])
            )
            role.append(-log_softmax(score)[r])
        pairs += count
        right: dict[int, list[int]] = {}
        for k, node, piece in batch.copies.tolist():
            if k == row:
                right.setdefault(node, []).append(piece)
        shares = word_shares(weight, states, batch, row)
        copy += [-np.log(np.exp(shares[found[node], pieces]).sum()) for node, pieces in right.items()]
    there = states.mask.numpy()
    binary = -(opened * np.log(gate) + (1 - opened) * np.log(1 - gate))[there].mean()
    wanted = {
        "label": np.mean(label), "gate": binary, "edge": edge / pairs, "role": np.mean(role),
        "copy": np.mean(copy), "top": np.mean(top),
    }  # fmt: skip
    assert computed == pytest.approx(wanted, rel=1e-4)


def test_sampled_labels_estimate_the_whole_sum():
    class Many(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            generator = torch.Generator().manual_seed(1)
            self.rows = torch.randn(6 * SAMPLED, 6, generator=generator)
            self.names = torch.randn(6 * SAMPLED, 2, generator=generator)
            self.bias = torch.randn(6 * SAMPLED, generator=generator)
            self.shape = type("Shape", (), {"labels": 6 * SAMPLED})

    network, generator = Many(), torch.Generator().manual_seed(2)
    states = 0.3 * torch.randn(20, 8, generator=generator)
    labels = torch.randint(6 * SAMPLED, (20,), generator=generator)
    torch.manual_seed(3)
    estimates = torch.stack([_label_loss(network, states, labels)[0] for _ in range(40)])
    scores = states @ torch.cat((network.rows, network.names), 1).T + network.bias
    whole = torch.nn.functional.cross_entropy(scores, labels)
    assert float(estimates.mean()) == pytest.approx(float(whole), abs=0.05)
    assert float(estimates.std()) > 0
