"""Compute the training losses of the one-pass parser."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from parser.mini.model import MiniNetwork, States
from parser.training.mini.matching import NEVER, match, matched, open_gates
from parser.training.mini.pack import Batch

WEIGHTS = {"label": 1.0, "gate": 2.0, "edge": 1.0, "role": 1.0, "copy": 0.3, "top": 0.3}
"""Weights of the losses in their sum."""
SAMPLED = 1_024
"""Number of labels that stand for all labels that a batch lacks: a tenth of the time of all of them."""


def losses(network: MiniNetwork, states: States, batch: Batch) -> dict[str, Tensor]:
    """Return the losses of the states of a batch, each a mean.

    With the nodes matched to queries, ``label`` is the cross-entropy of the nodes' labels (`SAMPLED`),
    ``gate`` the binary one of all queries, ``edge`` that of all ordered pairs of nodes (summed per node),
    ``role`` the cross-entropy of the roles of gold edges, ``copy`` that of the words of copied nodes, ``top``
    that of node 0 among the nodes. The node layers see the labels that the network predicts, as in decoding.
    """
    words = _words(batch)
    queries = match(network, states, batch.nodes, words, batch.mask)
    exists = queries >= 0
    hidden = matched(states.hidden, queries)
    label, predicted = _label_loss(network, matched(states.label, queries)[exists], batch.nodes[exists])
    labels = torch.zeros_like(queries).masked_scatter(exists, predicted)
    nodes = network.relate(hidden, labels, exists)
    count = exists.sum()
    row, source, role, target = batch.edges.unbind(1)
    written = exists[row, source] & exists[row, target]
    row, source, role, target = (column[written] for column in (row, source, role, target))
    presence = torch.zeros(*exists.shape, exists.shape[1], device=nodes.device)
    presence[row, source, target] = 1.0
    pairs = exists[:, :, None] & exists[:, None]
    pairs = pairs & ~torch.eye(exists.shape[1], dtype=torch.bool, device=nodes.device)
    edges = network.edges(nodes).float()
    roles = network.roles(nodes[row, source], nodes[row, target]).float()
    tops = network.top(nodes)[..., 0].float().masked_fill(~exists, NEVER)
    gates = open_gates(states, queries)[states.mask]
    return {
        "label": label,
        "gate": F.binary_cross_entropy_with_logits(states.gate[states.mask].float(), gates.float()),
        "edge": F.binary_cross_entropy_with_logits(edges[pairs], presence[pairs], reduction="sum") / count,
        "role": F.cross_entropy(roles, role),
        "copy": _copy_loss(network, hidden, states.pieces, words & exists[..., None], batch.mask),
        "top": F.cross_entropy(tops, torch.zeros(len(tops), dtype=torch.long, device=tops.device)),
    }


def _words(batch: Batch) -> Tensor:
    """Return the pieces that start a word that each node can be ``(B, N, S)``."""
    words = torch.zeros(*batch.nodes.shape, batch.ids.shape[1], dtype=torch.bool, device=batch.ids.device)
    words[tuple(batch.copies.unbind(1))] = True
    return words


def _label_loss(network: MiniNetwork, states: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of ``labels (K,)``, and the likeliest of the labels that were compared.

    The sum over labels that the batch lacks is estimated from `SAMPLED` of them, each for ``rest / SAMPLED``
    labels.
    """
    size = network.shape.labels
    present, wanted = labels.unique(return_inverse=True)
    absent = torch.ones(size, dtype=torch.bool, device=labels.device)
    absent[present] = False
    rest = absent.nonzero()[:, 0]
    if len(rest) > SAMPLED:
        chosen = rest[torch.randint(len(rest), (SAMPLED,), device=labels.device)]
    else:
        chosen = rest
    shown = torch.cat((present, chosen))
    rows = torch.cat((network.rows[shown], network.names[shown]), 1)
    scores = (states @ rows.T + network.bias[shown]).float()
    predicted = shown[scores.detach().argmax(1)]
    if len(rest) > SAMPLED:
        correction = torch.zeros(len(shown), device=labels.device)
        correction[len(present) :] = math.log(len(rest) / SAMPLED)
        scores = scores + correction
    return F.cross_entropy(scores, wanted), predicted


def _copy_loss(network: MiniNetwork, hidden: Tensor, pieces: Tensor, words: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of ``-log`` of the probability of all pieces that start a right word."""
    copied = words.any(-1)
    if not bool(copied.any()):
        return hidden.sum() * 0.0
    scores = network.pointers(hidden, pieces).float()
    shares = torch.log_softmax(scores.masked_fill(~mask[:, None], NEVER), -1)[copied]
    return -shares.masked_fill(~words[copied], NEVER).logsumexp(-1).mean()
