"""Check clauses, times and degrees of graphs: for ``evaluate_numbers.py``."""

from __future__ import annotations

import re

import penman
from graph_checks import Check


def has_quantity(number: str, unit: str) -> Check:
    """Check a number of a unit, and that no other number is in the graph."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        numbers = [(one.source, str(one.target)) for one in graph.attributes(role=":quant")]
        units = [own[edge.target] for edge in graph.edges(role=":unit") if (edge.source, number) in numbers]
        return units == [unit] and len(numbers) == 1

    return check


def has_consequence(degree: str, consequence: str) -> Check:
    """Check what follows from a degree, *too* or *so*."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        degrees = {edge.source for edge in graph.edges(role=":ARG3") if own[edge.target] == degree}
        return any(
            edge.source in degrees and re.fullmatch(consequence, own[edge.target])
            for edge in graph.edges(role=":ARG6")
        )

    return check


def has_alternative(done: str, other: str) -> Check:
    """Check what is not done, or not acted on, instead of what is."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        pairs = {
            node: {edge.role: own[edge.target] for edge in graph.edges(source=node)}
            for node, one in own.items()
            if one == "instead-of-91"
        }
        return len(pairs) == 1 and all(
            ":ARG1" in pair and re.fullmatch(other, pair.get(":ARG2", "")) for pair in pairs.values()
        ) and any(re.fullmatch(done, one) for one in own.values())  # fmt: skip

    return check


def asks_who(asking: str, deed: str) -> Check:
    """Check that somebody asks or says who does something."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        agents = {edge.target: own[edge.source] for edge in graph.edges(role=":ARG0")}
        asked = [edge for edge in graph.edges(role=":ARG1") if re.fullmatch(asking, own[edge.source])]
        return any(
            own[one.target] == "person" and re.fullmatch(deed, agents.get(one.target, "")) for one in asked
        )

    return check


def rejects(wrong: str, right: str) -> Check:
    """Check that one of two is said, and that nothing but the other is negated."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        negated = [own[one.source] for one in graph.attributes(role=":polarity")]
        is_said = any(re.fullmatch(right, one) for one in own.values())
        return is_said and all(re.fullmatch(wrong, one) for one in negated)

    return check


def has_cause(graph: penman.Graph) -> bool:
    """Return whether a graph has a cause with its effect, and neither a condition nor a concession."""
    own = {node: str(one) for node, _, one in graph.instances()}
    causes = [node for node, one in own.items() if one == "cause-01"]
    roles = [{edge.role for edge in graph.edges(source=node)} for node in causes]
    others = {edge.role for edge in graph.edges()} & {":condition", ":concession"}
    return len(roles) == 1 and {":ARG0", ":ARG1"} <= roles[0] and not others


def has_clock(time: str) -> Check:
    """Check that a clock time is the only time and number of a graph."""

    def check(graph: penman.Graph) -> bool:
        values = [(one.role, str(one.target)) for one in graph.attributes() if one.role != ":polarity"]
        return values == [(":time", time)]

    return check


def has_side(side: str, thing: str) -> Check:
    """Check on which side of a thing something is."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        sides = {edge.source for edge in graph.edges(role=":op1") if re.fullmatch(thing, own[edge.target])}
        placed = {edge.target for edge in graph.edges() if edge.role in (":location", ":ARG2", ":ARG1")}
        return any(own[node] == side and node in placed for node in sides)

    return check


def has_date(role: str, value: str) -> Check:
    """Check one part of the only date of a graph."""

    def check(graph: penman.Graph) -> bool:
        dates = [node for node, _, concept in graph.instances() if concept == "date-entity"]
        parts = [one for one in graph.attributes(role=role) if one.source in dates]
        return len(dates) == 1 and [str(one.target) for one in parts] == [value]

    return check
