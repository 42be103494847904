"""Write a named entity as one node: AMR has one node per entity of a sentence, a parser at times has two."""

from __future__ import annotations

from collections import Counter, defaultdict

import penman

from linearize.frames import Triple
from parser.mini.name_words import name_words, whole_name


def with_one_node_per_name(graph: penman.Graph) -> tuple[penman.Graph, frozenset[str]]:
    """Return a graph in which nodes of one concept and one name are one node, and the variables that went.

    Relations of the nodes become those of the first. Of two relations between the same two nodes that are
    left, one of which is a numbered argument, that one stays. Nodes that are related to each other stay two,
    and so do those whose name has other relations than its words. A graph without such nodes is returned as
    it is.

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
    gone: dict[str, str] = {}
    triples = list(graph.triples)
    for (first, first_name), *others in named.values():
        for other, name in others:
            new = {other: first, name: first_name}
            merged = _merged(triples, new)
            if other not in (first, *gone) and not _has_loop(merged):
                triples, gone = merged, gone | new
    if not gone:
        return graph, frozenset()
    top = gone.get(graph.top or "", graph.top)
    one = penman.Graph(_without_doubles(triples, set(gone.values())), top=top, metadata=graph.metadata)
    return one, frozenset(gone)


def _merged(triples: list[Triple], new: dict[str, str]) -> list[Triple]:
    """Return the triples with some nodes in place of others, whose concepts and names are left out."""
    kept: dict[Triple, None] = {}
    for source, role, target in triples:
        if source in new and (role == ":instance" or source == list(new)[1]):
            continue
        kept[new.get(source, source), role, new.get(str(target), target)] = None
    return list(kept)


def _has_loop(triples: list[Triple]) -> bool:
    """Tell whether a node is related to itself."""
    return any(source == target for source, role, target in triples if role != ":instance")


def _without_doubles(triples: list[Triple], nodes: set[str]) -> list[Triple]:
    """Return the triples without relations to the nodes beside a numbered argument of the same pair."""
    arguments = {(s, t) for s, role, t in triples if role.startswith(":ARG") and t in nodes}
    return [
        (s, role, t) for s, role, t in triples if role.startswith(":ARG") or (s, t) not in arguments
    ]  # fmt: skip
