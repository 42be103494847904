"""Either kind of student, by its shape."""

from __future__ import annotations

from retrofit.student.model import StudentNetwork
from retrofit.student.pooled import PooledNetwork
from retrofit.student.shape import Shape

Network = StudentNetwork | PooledNetwork


def make_network(shape: Shape) -> Network:
    """Return a network with random weights."""
    return PooledNetwork(shape) if shape.kind == "pooled" else StudentNetwork(shape)
