"""Penalise repeated symbols in decoding, by how rarely they repeat in the training graphs.

A small decoder tends to repeat symbols (*The boy wants to go*: ``go-02 :ARG1 go-02``). The logarithm of a
symbol's repetition rate in the training graphs is added to its score, if the graph already contains the
concept or constant ``c``, or the node already has the role ``r``::

    score'(c) = score(c) + log min(1, P(c twice in a graph | c in it) / FREE)
    score'(r) = score(r) + log min(1, P(r twice at a node | r at it) / FREE)

``person`` and ``name`` repeat often and have no penalty, ``go-02`` repeats rarely and has a large one.
References have none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from linearize.packed import is_reference, split_role
from parser.mini.grammar import DEEPEST, States, Tables, Words
from parser.mini.spelling import PerRow
from parser.mini.symbols import COPY, Alphabet

# prior of the repetition rate, and its weight as a number of graphs
RARE, BELIEF = 0.01, 5.0
# repetition rate from which there is no penalty
FREE = 0.2
# penalty of a node directly below a node with the same concept, which is very rare in gold graphs
BELOW = math.log(0.001)
# usable bits of an int64; the roles are numbered by frequency, and the rest have no penalty
MOST_ROLES = 62


def recurrence(arrays: Mapping[str, npt.NDArray[np.generic]], alphabet: Alphabet) -> Tensor:
    """Return the penalty of repeating each symbol ``(V,)``, 0 for references and specials except `COPY`.

    Args:
        arrays: Packed examples (`parser.training.mini.pack_data`); every distinct graph counts once.
        alphabet: Their symbols.
    """
    roles = [split_role(symbol) for symbol in alphabet.symbols]
    once: Counter[object] = Counter()
    again: Counter[object] = Counter()
    offsets, depths = arrays["tgt_offsets"].tolist(), arrays["tgt_depth"].tolist()
    ids = arrays["tgt_ids"].tolist()
    for begin, end in zip(offsets, offsets[1:], strict=False):
        counts = Counter(ids[begin:end])
        once.update(counts.keys())
        again.update(symbol for symbol, times in counts.items() if times > 1)
        at: dict[int, Counter[str]] = {}
        before = 0
        for symbol, depth in zip(ids[begin:end], depths[begin:end], strict=True):
            if depth > before:
                _close(at.pop(depth, None), once, again)  # a new node at this depth
            before, split = depth, roles[symbol]
            if split is not None:
                before = depth - split[0]
                at.setdefault(before, Counter())[split[1]] += 1
        for node in at.values():
            _close(node, once, again)
    factors = torch.zeros(len(alphabet))
    for symbol, name in enumerate(alphabet.symbols):
        split = roles[symbol]
        key: object = symbol if split is None else split[1]
        if symbol == COPY or (symbol >= alphabet.first_role and key != "" and not is_reference(name)):
            rate = (again[key] + RARE * BELIEF) / (once[key] + BELIEF)
            factors[symbol] = math.log(min(1.0, (RARE if symbol == COPY else rate) / FREE))
    return factors


def _close(node: Counter[str] | None, once: Counter[object], again: Counter[object]) -> None:
    if node is not None:
        once.update(node.keys())
        again.update(role for role, times in node.items() if times > 1)


@dataclass(frozen=True)
class Recurrence:
    """Tables of the penalties of `recurrence`."""

    nodes: Tensor  # penalties of nodes ``(V - first_node,)``
    roles: Tensor  # penalties of roles, by symbol ``(V,)``
    bit: Tensor  # bit of a role regardless of the brackets that it closes, 0 for other symbols ``(V,)``
    copied: float  # penalty of a copied word that is not in the alphabet

    @classmethod
    def of(cls, recurs: Tensor, alphabet: Alphabet) -> Self:
        """Return the tables of an alphabet."""
        bits: dict[str, int] = {}
        bit = torch.zeros(len(alphabet), dtype=torch.long)
        for number in range(alphabet.first_role, alphabet.first_node):
            split = split_role(alphabet.symbols[number])
            if split is not None and (split[1] in bits or len(bits) < MOST_ROLES):
                bit[number] = 1 << bits.setdefault(split[1], len(bits))
        return cls(recurs[alphabet.first_node :], recurs, bit.to(recurs.device), float(recurs[COPY]))


@dataclass
class History(PerRow):
    """The symbols that each row contains, with their penalties."""

    nodes: Tensor  # node of each step, counted from the first node ``(B, T)``
    changes: Tensor  # its penalty, 0 for a step without a node and for a repeated node ``(B, T)``
    slots: Tensor  # penalties of copied words that are not in the alphabet ``(B, 1+S)``
    roles: Tensor  # bits of the roles of each open node ``(B, DEEPEST)``

    @classmethod
    def start(cls, batch: int, slots: int, device: torch.device) -> Self:
        """Return the state of empty rows."""
        return cls(
            torch.zeros((batch, 0), dtype=torch.long, device=device),
            torch.zeros((batch, 0), device=device),
            torch.zeros((batch, slots), device=device),
            torch.zeros((batch, DEEPEST), dtype=torch.long, device=device),
        )

    def low(self, states: States, tables: Tables, table: Recurrence) -> Tensor:
        """Return the penalties of specials, characters and roles ``(B, first_node)``."""
        first = tables.first_role
        at = states.size[:, None] - 1 - tables.closing[first : tables.first_node]  # (B, roles)
        has = self.roles.gather(1, at.clamp(0, DEEPEST - 1)) & table.bit[first : tables.first_node]
        added = torch.where(has != 0, table.roles[first : tables.first_node], 0.0)
        return torch.nn.functional.pad(added, (first, 0))

    def high(self, scores: Tensor, states: States, words: Words, tables: Tables) -> Tensor:
        """Add the penalties to the scores of nodes and copies ``(B, V - first_node + 1+S)``, in place."""
        first = tables.first_node
        parent = states.parent - first
        # penalty of the parent's concept
        below = torch.where(parent >= 0, BELOW, 0.0)[:, None]
        nodes = torch.cat((self.nodes, parent.clamp_min(0)[:, None]), 1)
        changes = torch.cat((self.changes, below), 1)
        scores.scatter_add_(1, nodes, changes)
        symbol = torch.where(states.in_name(tables)[:, None], words.name, words.plain)
        same = (symbol - first)[:, :, None] == nodes[:, None]  # (B, 1+S, T)
        known = (same * changes[:, None]).sum(-1)
        scores[:, -symbol.shape[1] :] += torch.where(symbol >= first, known, self.slots)
        return scores

    def add(
        self, symbol: Tensor, slot: Tensor, size: Tensor, states: States, tables: Tables, table: Recurrence
    ) -> None:
        """Record a step.

        Args:
            symbol: Symbol of each row ``(B,)``.
            slot: Slot that it was copied from ``(B,)``.
            size: Number of open nodes before the step ``(B,)``.
            states: States after the step.
            tables: Tables of the grammar.
            table: Penalties.
        """
        node = (symbol - tables.first_node)[:, None]
        again = ((self.nodes == node) & (self.changes != 0)).any(1, keepdim=True)
        change = torch.where((node >= 0) & ~again, table.nodes[node.clamp_min(0)], 0.0)
        self.nodes = torch.cat((self.nodes, node.clamp_min(0)), 1)
        self.changes = torch.cat((self.changes, change), 1)
        self.slots.scatter_reduce_(
            1, slot[:, None], torch.where(slot > 0, table.copied, 0.0)[:, None], "amin"
        )
        top = (states.size - 1).clamp_min(0)[:, None]
        bits = self.roles.gather(1, top)[:, 0]
        # a node that has just been opened has no roles yet
        bits = torch.where(states.size > size, 0, bits | table.bit[symbol])
        self.roles.scatter_(1, top, bits[:, None])
