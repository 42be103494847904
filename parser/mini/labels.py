"""Define what the one-pass network can say of a node and an edge, and encode graphs in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.records import atomic_path
from amrx.records.files import reading
from linearize.packed import is_constant
from parser.mini.flat import NAMED, Flat
from parser.mini.words import Word

MODES = frozenset({"-", "+", "imperative", "expressive", "interrogative"})
"""Constants that are no word of the sentence."""
MOST_ROLES = 255
"""Maximum number of roles; each fits into a byte."""


@dataclass(frozen=True)
class Labels:
    """Concepts and constants, then `copy`, `named` and `unknown`; and roles."""

    nodes: tuple[str, ...]
    roles: tuple[str, ...]  # no inverse ones; ``:name1`` ... for the words of a name

    @property
    def copy(self) -> int:
        """The label of a concept, number or quoted constant that is a word of the sentence."""
        return len(self.nodes)

    @property
    def named(self) -> int:
        """The label of a part of a name that is a word of the sentence, or that ``nodes`` lacks."""
        return len(self.nodes) + 1

    @property
    def unknown(self) -> int:
        """The label of a concept that ``nodes`` lacks."""
        return len(self.nodes) + 2

    def __len__(self) -> int:
        return len(self.nodes) + 3

    @cached_property
    def node_ids(self) -> Mapping[str, int]:
        """The label of each node."""
        return {node: i for i, node in enumerate(self.nodes)}

    @cached_property
    def role_ids(self) -> Mapping[str, int]:
        """The number of each role."""
        return {role: i for i, role in enumerate(self.roles)}

    @cached_property
    def constant(self) -> npt.NDArray[np.bool_]:
        """Whether each label is a constant; false for `copy` and `unknown`, which may be."""
        return np.array([*map(is_constant, self.nodes), False, True, False])


@dataclass(frozen=True, slots=True)
class Target:
    """One graph in numbers, node 0 first."""

    nodes: list[int]  # label of each node
    edges: list[tuple[int, int, int]]  # source, role, target
    copies: list[tuple[int, int]]  # copied or named node, and a word that it can be


def build_labels(graphs: Iterable[Flat], least: int, start: Labels | None = None) -> Labels:
    """Return the labels of ``start``, then the nodes and roles that occur ``least`` times.

    The most frequent are first, and there are at most `MOST_ROLES` roles.
    """
    nodes: Counter[str] = Counter()
    roles: Counter[str] = Counter()
    for graph in graphs:
        nodes.update(graph.nodes)
        roles.update(role for _, role, _ in graph.edges)
    known = start or Labels((), ())
    new = [node for node, count in nodes.most_common() if count >= least and node not in known.node_ids]
    more = [role for role, count in roles.most_common() if count >= least and role not in known.role_ids]
    return Labels((*known.nodes, *new), (*known.roles, *more)[:MOST_ROLES])


def encode(flat: Flat, words: Sequence[Word], labels: Labels) -> Target | None:
    """Return a graph in numbers; ``None`` if it has a role that ``labels`` lacks.

    A constant that is a word of the sentence is copied, and so is a concept that ``labels`` lacks.
    """
    parts = {end for _, role, end in flat.edges if role.startswith(NAMED)}
    yields = {named: _yields(words, named) for named in (False, True)}
    nodes, copies = list[int](), list[tuple[int, int]]()
    for number, node in enumerate(flat.nodes):
        label = labels.node_ids.get(node)
        named = number in parts
        matches = yields[named].get(node, [])
        if matches and (label is None or (is_constant(node) and node not in MODES)):
            copies.extend((number, word) for word in matches)
            label = labels.named if named else labels.copy
        elif label is None:
            label = labels.named if named else labels.unknown
        nodes.append(label)
    try:
        edges = [(source, labels.role_ids[role], target) for source, role, target in flat.edges]
    except KeyError:
        return None
    return Target(nodes, edges, copies)


def _yields(words: Sequence[Word], named: bool) -> dict[str | None, list[int]]:
    numbers: dict[str | None, list[int]] = {}
    for number, word in enumerate(words):
        numbers.setdefault(word.name if named else word.plain, []).append(number)
    return numbers


def write_labels(path: Path, labels: Labels) -> None:
    """Write the labels as JSON."""
    with atomic_path(path) as temporary:
        lists = {"nodes": labels.nodes, "roles": labels.roles}
        temporary.write_text(json.dumps(lists, ensure_ascii=False, separators=(",", ":")), "utf-8")


def read_labels(path: Path) -> Labels:
    """Read a file of `write_labels`."""
    with reading(path, "has no labels"):
        lists = json.loads(path.read_text("utf-8"))
        return Labels(tuple(lists["nodes"]), tuple(lists["roles"]))
