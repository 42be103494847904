"""Merge nodes of one named entity: AMR has one node per entity of a sentence, but a parser may write two."""

from __future__ import annotations

from collections import Counter, defaultdict

import penman

from linearize.frames import Triple
from parser.mini.rules.name_words import name_words, whole_name


def with_one_node_per_name(graph: penman.Graph) -> tuple[penman.Graph, frozenset[str]]:
    """Merge nodes with the same concept and name; return the graph and the removed variables.

    The first node takes over the relations of the others. If a relation to it then has the same source as a
    numbered argument to it, only the argument stays. Not merged are nodes that are related to each
    other, and nodes whose name has relations besides its words. If nothing is merged, the same graph is
    returned.

    Example:
        >>> graph = penman.decode('''(m / move-01 :location (c / country :name (n / name :op1 "Canada"))
        ...     :ARG2 (c2 / country :name (n2 / name :op1 "Canada")))''')
        >>> print(penman.encode(with_one_node_per_name(graph)[0], indent=None))
        (m / move-01 :ARG2 (c / country :name (n / name :op1 "Canada")))
    """
    named: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    concepts = {node: concept for node, _, concept in graph.instances()}
    related = Counter(node for source, _, target in graph.edges() for node in (source, target))
    for node, _, name in graph.edges(role=":name"):
        words = whole_name(name_words(graph, name)).casefold()
        if words and concepts.get(name) == "name" and related[name] == 1:
            named[str(concepts.get(node)), words].append((node, name))
    replaced: dict[str, str] = {}
    triples = list(graph.triples)
    for (first, first_name), *others in named.values():
        for other, name in others:
            new = {other: first, name: first_name}
            merged = _merged(triples, new)
            if first != other and replaced.keys().isdisjoint((first, other)) and not _has_loop(merged):
                triples, replaced = merged, replaced | new
    if not replaced:
        return graph, frozenset()
    top = replaced.get(graph.top or "", graph.top)
    triples = _without_doubles(triples, set(replaced.values()))
    return penman.Graph(triples, top=top, metadata=graph.metadata), frozenset(replaced)


def _merged(triples: list[Triple], new: dict[str, str]) -> list[Triple]:
    """Return the triples with nodes replaced by ``new``; concepts and names of the old nodes are left out."""
    distinct: dict[Triple, None] = {}
    for source, role, target in triples:
        if source in new and (role == ":instance" or source == list(new)[1]):
            continue
        distinct[new.get(source, source), role, new.get(str(target), target)] = None
    return list(distinct)


def _has_loop(triples: list[Triple]) -> bool:
    """Return whether a node is related to itself."""
    return any(source == target for source, role, target in triples if role != ":instance")


def _without_doubles(triples: list[Triple], nodes: set[str]) -> list[Triple]:
    """Drop relations to ``nodes`` between two nodes that a numbered argument relates as well."""
    arguments = {(s, t) for s, role, t in triples if role.startswith(":ARG") and t in nodes}
    return [
        (s, role, t) for s, role, t in triples if role.startswith(":ARG") or (s, t) not in arguments
    ]  # fmt: skip
