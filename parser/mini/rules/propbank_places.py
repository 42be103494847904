"""Write the place of staying and the end of arriving in the roles that PropBank gives them.

::

    Die Kinder bleiben zu Hause. (de)    (s / stay-01 :ARG1 (c / child) :ARG2 (h / home))
                                    ──>  (s / stay-01 :ARG1 (c / child) :location (h / home))
    Le train arrive à Paris. (fr)        (a / arrive-01 :ARG1 (t / train) :location (c / city ...))
                                    ──>  (a / arrive-01 :ARG1 (t / train) :ARG4 (c / city ...))

The second argument of ``stay-01`` and ``remain-01`` is who profits, the fourth of ``arrive-01`` its end.
"""

from __future__ import annotations

import penman

from parser.graphs.triples import Triple, laid_out

_STAYING = frozenset({"stay-01", "remain-01"})
_PROFITING = frozenset("i you he she we they person someone everyone".split())


def with_propbank_places(graph: penman.Graph) -> penman.Graph:
    """Return a graph with the places of staying and arriving; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / stay-01 :ARG1 (c / child) :ARG2 (h / home))")
        >>> print(penman.encode(with_propbank_places(graph), indent=None))
        (s / stay-01 :ARG1 (c / child) :location (h / home))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    roles = {(edge.source, edge.role) for edge in graph.edges()}
    new: dict[Triple, Triple] = {}
    for edge in graph.edges():
        concept, place = concepts[edge.source], concepts[edge.target]
        if concept in _STAYING and edge.role == ":ARG2" and place not in _PROFITING:
            if (edge.source, ":location") not in roles and not place[-3:-2] == "-":
                new[tuple(edge)] = (edge.source, ":location", edge.target)
        elif concept == "arrive-01" and edge.role == ":location" and (edge.source, ":ARG4") not in roles:
            new[tuple(edge)] = (edge.source, ":ARG4", edge.target)
    if not new:
        return graph
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)
