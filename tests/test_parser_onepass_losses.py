"""parser.training.onepass: matching and losses against plain formulas in float64."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from parser.training.onepass.losses import SAMPLED, _label_loss, losses
from parser.training.onepass.matching import GATE, match
from tests.support.tiny_onepass import network_of


@pytest.fixture
def case(labelled, packed):
    """A network in float64, its states of all labelled, and the batch."""
    network = network_of(labelled[1], seed=3).double()
    batch = packed.batch(np.arange(len(packed)))
    with torch.no_grad():
        return network, network(batch.ids, batch.mask), batch


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def label_scores(network, states):
    table = torch.cat((network.rows, network.names), 1).detach().numpy()
    return states.label.numpy() @ table.T + network.bias.detach().numpy()


def test_the_match_is_the_cheapest_of_all(case):
    network, states, batch = case
    queries = match(network, states, batch.nodes)
    shown = np.unique(batch.nodes.clamp_min(0).numpy())  # padding counts as label 0 among those of the batch
    scores = log_softmax(label_scores(network, states)[..., shown])
    gate = sigmoid(states.gate.numpy())
    for row in range(len(queries)):
        labels = [label for label in batch.nodes[row].tolist() if label >= 0][:3]
        free = np.flatnonzero(states.mask[row].numpy())
        cost = {
            (node, query): -scores[row, query, list(shown).index(label)]
            - GATE * np.log(gate[row, query] / (1 - gate[row, query]))
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
    queries = match(network, states, batch.nodes).numpy()
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
        nodes = hidden[row, found[:count]]
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
        keys = states.pieces[row].numpy()[batch.mask[row].numpy()]
        for node, pieces in right.items():
            shares = log_softmax(linear("copy_query", nodes[node]) @ keys.T / np.sqrt(keys.shape[1]))
            copy.append(-np.log(np.exp(shares[pieces]).sum()))
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
    estimates = torch.stack([_label_loss(network, states, labels) for _ in range(40)])
    scores = states @ torch.cat((network.rows, network.names), 1).T + network.bias
    whole = torch.nn.functional.cross_entropy(scores, labels)
    assert float(estimates.mean()) == pytest.approx(float(whole), abs=0.05)
    assert float(estimates.std()) > 0
