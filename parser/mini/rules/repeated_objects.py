"""Give a verb the object of the verb before it where the graph has its place twice.

::

    Sie nahm das Buch und legte es in ihre Tasche. (de)
    (a / and :op1 (t / take-01 :ARG1 (b / book)) :op2 (p / put-01 :ARG1 (b2 / bag) :ARG2 (b3 / bag :poss s)))
        ──>  (a / and :op1 (t / take-01 :ARG1 (b / book)) :op2 (p / put-01 :ARG1 b :ARG2 (b3 / bag :poss s)))

Outside English the parser writes the place for the pronoun. Only coordinated verbs are changed, if the second
object is nothing but the concept of a place of the same verb.
"""

from __future__ import annotations

import penman

from parser.graphs.triples import Triple, laid_out

_PLACES = (":ARG2", ":ARG4", ":location", ":destination")


def with_repeated_objects(graph: penman.Graph) -> penman.Graph:
    """Return a graph without objects that are their verb's place; the same object if it has none.

    Example:
        >>> graph = penman.decode('''(a / and :op1 (t / take-01 :ARG1 (b / book))
        ...     :op2 (p / put-01 :ARG1 (b2 / bag) :ARG2 (b3 / bag :mod (o / old))))''')
        >>> graph = with_repeated_objects(graph)
        >>> [(one.source, one.target) for one in graph.edges(role=":ARG1")]
        [('t', 'b'), ('p', 'b')]
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    operands = {
        (edge.source, edge.role): edge.target for edge in graph.edges() if edge.role.startswith(":op")
    }
    for (source, role), verb in operands.items():
        before = operands.get((source, f":op{int(role[3:]) - 1}"))
        if before is None or concepts[source] != "and":
            continue
        own = {edge.role: edge.target for edge in graph.edges(source=verb)}
        first = {edge.role: edge.target for edge in graph.edges(source=before)}
        thing, known = own.get(":ARG1"), first.get(":ARG1")
        places = [own[place] for place in _PLACES if place in own]
        if thing is None or known is None or concepts[known] == concepts[thing]:
            continue
        is_leaf = len([one for one in graph.triples if thing in (one[0], one[2])]) == 2
        if is_leaf and any(concepts[place] == concepts[thing] for place in places):
            new: list[Triple] = [
                (verb, ":ARG1", known) if triple == (verb, ":ARG1", thing) else triple
                for triple in graph.triples
                if triple[0] != thing
            ]
            return laid_out(new, graph.top)
    return graph
