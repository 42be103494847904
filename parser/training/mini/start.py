"""Build the network that a run starts from: random heads, or those of a parser with rows for new labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from parser.mini.labels import Labels
from parser.mini.layers import Shape
from parser.mini.model import MiniNetwork
from parser.training.mini.name_vectors import name_vectors, new_name_vectors

UNLIKELIER = 4.0
"""Bias of a new label below that of its nearest label, so that new labels do not dominate at first."""
LIKE = ":mod"
"""The role whose row initialises the row of a new role."""
_OF_LABELS = ("rows", "bias", "names")
_OF_ROLES = ("role.weight", "role.bias", "role_of_source.weight", "role_of_target.weight")


def new_network(shape: Shape, labels: Labels, seed: int, muse: Path | None = None) -> MiniNetwork:
    """Return a network with random heads and the layers of multilingual-e5-small."""
    torch.manual_seed(seed)
    network = MiniNetwork(shape)
    network.names.copy_(name_vectors(labels, shape.name, muse))
    return network


def extended(
    network: MiniNetwork, old: Labels, new: Labels, shape: Shape, muse: Path | None = None
) -> MiniNetwork:
    """Return a network of ``shape`` for other labels, with the weights of ``network``.

    A new label gets the row of the label with the nearest name, with a bias lower by `UNLIKELIER`; a new role
    that of `LIKE`.
    """
    names = network.names if new.nodes == old.nodes else new_name_vectors(new, old, network.names, muse)
    state = dict(network.state_dict())
    fresh = [number for number, node in enumerate(new.nodes) if node not in old.node_ids]
    near = (names[fresh] @ network.names[: len(old.nodes)].T).argmax(1).tolist() if fresh else []
    origin = [old.node_ids.get(node, -1) for node in new.nodes] + [old.copy, old.named, old.unknown]
    for number, nearest in zip(fresh, near, strict=True):
        origin[number] = nearest
    for name in _OF_LABELS:
        state[name] = state[name][origin].clone()
    state["names"] = names
    state["bias"][fresh] -= UNLIKELIER
    like = old.role_ids.get(LIKE, 0)
    roles = [old.role_ids.get(role, like) for role in new.roles]
    for name in _OF_ROLES:
        state[name] = state[name][roles].clone()
    state["role.bias"][[role not in old.role_ids for role in new.roles]] -= UNLIKELIER
    result = MiniNetwork(replace(shape, labels=len(new), roles=len(new.roles)))
    result.load_state_dict(state)
    result.languages = network.languages
    return result
