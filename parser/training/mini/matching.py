"""Match the nodes of gold graphs to queries: the Hungarian method (Samuel & Straka 2020, section 3.3)."""

from __future__ import annotations

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from parser.mini.model import MiniNetwork, States

GATE = 0.5
"""Weight of the gate in the cost of a match."""
NEVER = -1e9
LEAST = 1e-4
"""Least probability of a pointer in the cost of a match."""


@torch.no_grad()
def match(network: MiniNetwork, states: States, nodes: Tensor, words: Tensor, mask: Tensor) -> Tensor:
    """Return the query of each node ``(B, N)``, -1 where ``nodes`` is.

    The cost of a query is ``-log p(label) - GATE log (p / (1 - p))`` with its gate ``p``; the distribution of
    labels is that over the labels of the batch, which orders queries as the full one nearly does. For a
    copied node ``-log p(word)`` of its pointer is added: all words of a name have the same label.

    Args:
        network: The network.
        states: Its states of all queries.
        nodes: Labels of the gold nodes ``(B, N)``, -1 after the last.
        words: Pieces that start a word that the node can be ``(B, N, S)``.
        mask: Pieces that exist ``(B, S)``.
    """
    labels, inverse = nodes.clamp_min(0).unique(return_inverse=True)
    scores = states.label @ network.table()[labels].T + network.bias[labels]  # (B, T, labels)
    cost = -(torch.log_softmax(scores.float(), -1) + GATE * states.gate.float()[..., None])
    cost = cost.masked_fill(~states.mask[..., None], 1e4)
    cost = cost.gather(2, inverse[:, None].expand(-1, cost.shape[1], -1))  # (B, T, N)
    pointers = network.pointers(states.hidden, states.pieces).float().masked_fill(~mask[:, None], NEVER)
    found = torch.softmax(pointers, -1) @ words.transpose(1, 2).float()  # (B, T, N)
    cost = (cost - torch.log(found.clamp(LEAST, 1.0)) * words.any(-1)[:, None]).cpu()
    queries = torch.full_like(nodes, -1)
    counts = (nodes >= 0).sum(1).tolist()
    for row, count in enumerate(counts):
        query, node = linear_sum_assignment(cost[row, :, :count].numpy())
        queries[row, torch.from_numpy(node)] = torch.from_numpy(query).to(queries.device)
    return queries


def matched(states: Tensor, queries: Tensor) -> Tensor:
    """Return the states ``(B, N, d)`` of the matched queries ``(B, N)`` of ``states (B, T, d)``."""
    return states.gather(1, queries.clamp_min(0)[..., None].expand(-1, -1, states.shape[-1]))


def open_gates(states: States, queries: Tensor) -> Tensor:
    """Return 1 at queries ``(B, T)`` that are matched, else 0."""
    gates = torch.zeros_like(states.gate)
    return gates.scatter_add(1, queries.clamp_min(0), (queries >= 0).to(gates.dtype)).clamp_max(1)
