"""Pack training examples as arrays, and make batches of them.

::

    src_flat, src_offsets       subword ids of each example
    node_flat, node_offsets     labels of its nodes, the top first
    edge_flat, edge_offsets     source * 2**16 + role * 2**8 + target
    copy_flat, copy_offsets     node * 2**8 + piece, of nodes that are copied
    hint_flat, hint_offsets     (piece * 2**4 + level) * 2**16 + label of each hint
    weight, lang                how often it is drawn in an epoch; number of its language
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from parser.mini.hints import Hint
from parser.mini.labels import Target
from parser.mini.source import Source

Array = npt.NDArray[np.generic]
Rows = npt.NDArray[np.int64]
LISTS = ("src", "node", "edge", "copy", "hint")
MOST_NODES = 64
"""Graphs with more nodes are left out."""


@dataclass(frozen=True)
class Batch:
    """Tensors of one step; ``S`` pieces, at most ``N`` nodes, ``E`` edges and ``C`` copies in all."""

    ids: Tensor  # subword ids ``(B, S)``
    mask: Tensor  # pieces that exist ``(B, S)``
    nodes: Tensor  # labels ``(B, N)``, -1 after the last
    edges: Tensor  # row, source, role, target ``(E, 4)``
    copies: Tensor  # row, node, piece ``(C, 3)``
    hints: Tensor  # row, piece, label, level ``(H, 4)``


class Packer:
    """Collect examples."""

    def __init__(self) -> None:
        self.flat: dict[str, list[int]] = {name: [] for name in LISTS}
        self.ends: dict[str, list[int]] = {name: [0] for name in self.flat}
        self.weight: list[float] = []

    def add(self, source: Source, target: Target, hints: Iterable[Hint], weight: float) -> None:
        """Add an example."""
        rows = {
            "src": source.ids,
            "node": target.nodes,
            "edge": [(a << 16) + (role << 8) + b for a, role, b in target.edges],
            "copy": [(node << 8) + source.starts[word] for node, word in target.copies],
            "hint": [(((piece << 4) + level) << 16) + label for piece, label, level in hints],
        }
        for name, row in rows.items():
            self.flat[name].extend(row)
            self.ends[name].append(len(self.flat[name]))
        self.weight.append(weight)

    def arrays(self) -> dict[str, Array]:
        """Return the arrays of the module docstring."""
        flat = {f"{name}_flat": np.array(row, np.int32) for name, row in self.flat.items()}
        ends = {f"{name}_offsets": np.array(row, np.int64) for name, row in self.ends.items()}
        return {**flat, **ends, "weight": np.array(self.weight, np.float32)}


def join(parts: Iterable[Mapping[str, Array]]) -> dict[str, Array]:
    """Concatenate the arrays of several packers."""
    parts = list(parts)
    joined: dict[str, Array] = {"weight": np.concatenate([part["weight"] for part in parts])}
    for name in LISTS:
        joined[f"{name}_flat"] = np.concatenate([part[f"{name}_flat"] for part in parts])
        lengths = np.concatenate([np.diff(part[f"{name}_offsets"]) for part in parts])
        joined[f"{name}_offsets"] = np.concatenate(([0], np.cumsum(lengths)))
    return joined


class Corpus:
    """Make batches of packed arrays."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.arrays = arrays
        self.lengths = np.diff(arrays["src_offsets"]).astype(np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def epoch(self, seed: int, epoch: int, budget: int) -> list[Rows]:
        """Return the batches of an epoch, rows of similar length, at most ``budget`` padded pieces each.

        A row of weight ``w`` is drawn ``floor(w)`` times and once more with probability ``w - floor(w)``.
        """
        rng = np.random.default_rng((seed, epoch))
        weight = self.arrays["weight"].astype(np.float64)
        times = np.floor(weight + rng.random(len(weight))).astype(np.int64)
        rows = np.repeat(np.arange(len(weight)), times)
        # a little noise, so that a row meets others in each epoch
        rows = rows[np.argsort(self.lengths[rows] + rng.random(len(rows)), kind="stable")]
        batches, end = [], len(rows)
        while end > 0:  # from the longest on
            size = max(1, budget // int(self.lengths[rows[end - 1]]))
            batches.append(rows[max(0, end - size) : end])
            end -= size
        return [batches[i] for i in rng.permutation(len(batches))]

    def steps(self, seed: int, budget: int, skip: int = 0) -> Iterator[Rows]:
        """Yield batches without end, except the first ``skip`` (to resume)."""
        batches = (batch for epoch in count() for batch in self.epoch(seed, epoch, budget))
        return islice(batches, skip, None)

    def batch(self, rows: Rows) -> Batch:
        """Return the tensors of the rows, on the CPU."""
        ids, mask = self._padded("src", rows, 0)
        nodes, _ = self._padded("node", rows, -1)
        row, edge = self._listed("edge", rows)
        edges = np.stack((row, edge >> 16, (edge >> 8) & 255, edge & 255), 1)
        row, copy = self._listed("copy", rows)
        copies = np.stack((row, copy >> 8, copy & 255), 1)
        row, hint = self._listed("hint", rows)
        hints = np.stack((row, hint >> 20, hint & 65_535, (hint >> 16) & 15), 1)
        return Batch(*map(torch.from_numpy, (ids, mask, nodes, edges, copies, hints)))

    def _padded(self, name: str, rows: Rows, fill: int) -> tuple[Rows, npt.NDArray[np.bool_]]:
        flat, offsets = self.arrays[f"{name}_flat"], self.arrays[f"{name}_offsets"].astype(np.int64)
        begin, lengths = offsets[rows], (offsets[rows + 1] - offsets[rows]).astype(np.int64)
        column = np.arange(int(lengths.max(initial=1)))
        inside = column < lengths[:, None]
        out = np.full(inside.shape, fill, dtype=np.int64)
        out[inside] = flat[(begin[:, None] + column)[inside]]
        return out, inside

    def _listed(self, name: str, rows: Rows) -> tuple[Rows, Rows]:
        """Return the number of the row and the value of every entry."""
        values, inside = self._padded(name, rows, -1)
        return np.nonzero(inside)[0], values[inside]
