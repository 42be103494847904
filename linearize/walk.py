"""Convert a graph to one depth-first walk, a sequence of steps.

A graph is a set of triples; a walk visits each triple once, from the end that it reaches first::

    (t / try-01               open t try-01
       :ARG0 (d / dog)        role :ARG0,  open d dog,  close
       :ARG1 (b / bark-01     role :ARG1,  open b bark-01
          :ARG0 d))           role :ARG0,  again d,  close,  close

A graph that penman decoded remembers its tree in its epidata, and the walk follows it. A graph without
epidata, or with epidata that do not fit, is walked from its top along its edges; an edge is inverted
(``-of``) only if a node cannot be reached otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import penman
from penman.layout import Pop, Push

from amrx.errors import InputError

INSTANCE = ":instance"
MAX_DEPTH = 200  # penman recurses twice per level, and Python stops at 1,000 calls


class Step(NamedTuple):
    """One step of a walk."""

    # ``open`` and ``close`` a node, ``role``, ``again`` for a node that was opened before, ``value``
    kind: Literal["open", "close", "role", "again", "value"]
    text: str | None  # the variable, the role or the constant
    concept: str | None = None  # the concept, if the step opens a node


def walk(graph: penman.Graph) -> list[Step]:
    """Return the depth-first walk of ``graph``."""
    concepts = _concepts(graph)
    steps = _annotated(graph, concepts) or _planned(graph, concepts)
    depth = 0
    for step in steps:
        depth += (step.kind == "open") - (step.kind == "close")
        if depth > MAX_DEPTH:
            raise InputError(f"graph {graph.top!r} is nested deeper than {MAX_DEPTH} levels")
    return steps


def _concepts(graph: penman.Graph) -> dict[str, str | None]:
    """Map every variable to its concept, or to ``None`` if it has none."""
    concepts: dict[str, str | None] = {}
    for source, role, target in graph.triples:
        if role == INSTANCE:
            if concepts.get(source, target) != target:
                raise InputError(f"node {source!r} has two concepts: {concepts[source]!r} and {target!r}")
            concepts[source] = target
    for variable in graph.variables():
        concepts.setdefault(variable, None)
    if not concepts:
        raise InputError("graph has no node")
    return concepts


def _annotated(graph: penman.Graph, concepts: dict[str, str | None]) -> list[Step]:
    """Return the walk by penman's Push and Pop marks, or an empty list if they do not fit the triples."""
    top = graph.top
    stack, opened, seen = [top], {top}, set()
    steps = [Step("open", top, concepts.get(top))]
    for triple in graph.triples:
        source, role, target = triple
        marks = () if triple in seen else graph.epidata.get(triple, ())
        seen.add(triple)
        while stack and not (stack[-1] == source or (stack[-1] == target and role != INSTANCE)):
            stack.pop()  # penman loses the Pop of a repeated triple
            steps.append(Step("close", None))
        if not stack:
            return []
        if role != INSTANCE:
            forward = stack[-1] == source
            other = target if forward else source
            steps.append(Step("role", role if forward else role + "-of"))
            if other not in concepts:
                steps.append(Step("value", other))
            elif other not in opened and any(isinstance(m, Push) and m.variable == other for m in marks):
                opened.add(other)
                stack.append(other)
                steps.append(Step("open", other, concepts[other]))
            else:
                steps.append(Step("again", other))
        for _ in range(min(sum(isinstance(mark, Pop) for mark in marks), len(stack) - 1)):
            stack.pop()
            steps.append(Step("close", None))
    steps.extend(Step("close", None) for _ in stack)
    return steps if len(opened) == len(concepts) else []


def _planned(graph: penman.Graph, concepts: dict[str, str | None]) -> list[Step]:
    """Walk along the edges from the top, opening each node at its first visit."""
    plan = _plan(graph, concepts)
    top = graph.top
    steps = [Step("open", top, concepts[top])]
    opened = {top}
    stack = [iter(plan[top])]
    while stack:
        for role, other in stack[-1]:
            steps.append(Step("role", role))
            if other not in concepts:
                steps.append(Step("value", other))
            elif other in opened:
                steps.append(Step("again", other))
            else:
                opened.add(other)
                steps.append(Step("open", other, concepts[other]))
                stack.append(iter(plan[other]))
                break
        else:
            stack.pop()
            steps.append(Step("close", None))
    return steps


def _plan(graph: penman.Graph, concepts: dict[str, str | None]) -> dict[str, list[tuple[str, str]]]:
    """Choose the node under which each triple is written: its source, unless the edge must be inverted."""
    edges = [triple for triple in graph.triples if triple[1] != INSTANCE]
    ahead: dict[str, list[str]] = {variable: [] for variable in concepts}
    for source, _, target in edges:
        if target in concepts:
            ahead[source].append(target)
    reached: set[str] = set()
    _reach(graph.top, ahead, reached)
    turned: set[int] = set()
    while len(reached) < len(concepts):
        entry = next(_entries(edges, concepts, reached), None)
        if entry is None:
            lost = sorted(str(variable) for variable in concepts.keys() - reached)
            raise InputError(f"graph is disconnected: {lost[0]!r} cannot be reached from {graph.top!r}")
        turned.add(entry)
        _reach(edges[entry][0], ahead, reached)
    plan: dict[str, list[tuple[str, str]]] = {variable: [] for variable in concepts}
    for index, (source, role, target) in enumerate(edges):
        if index in turned:
            plan[target].append((role + "-of", source))
        else:
            plan[source].append((role, target))
    return plan


def _entries(
    edges: list[tuple[str, str, str]], concepts: dict[str, str | None], reached: set[str]
) -> Iterator[int]:
    """Yield the edges from an unreached node to a reached one."""
    for index, (source, _, target) in enumerate(edges):
        if source not in reached and target in concepts and target in reached:
            yield index


def _reach(start: str, ahead: dict[str, list[str]], reached: set[str]) -> None:
    """Add to ``reached`` every node that can be reached from ``start``."""
    waiting = [start]
    while waiting:
        variable = waiting.pop()
        if variable not in reached:
            reached.add(variable)
            waiting.extend(ahead[variable])
