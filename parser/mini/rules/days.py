"""Remove *tomorrow* where the sentence says *yesterday*, and the like.

::

    The technician who came yesterday left.   (l / leave-11 :time (t / tomorrow)
                                                 :ARG0 (t2 / technician :ARG0-of (c / come-01
                                                   :time (y / yesterday))))
                                         ──>  the same without tomorrow

The parser sometimes reads one such word twice, as two days. A day without relations of its own goes if no
word of the sentence means it, and another word means another day of the graph.
"""

import penman

from parser.graphs.triples import laid_out
from parser.mini.rules.dictionaries import WORD, shares_of

DAYS = frozenset({"yesterday", "today", "tomorrow", "tonight"})


def without_other_days(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph without the days that the sentence does not name; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / come-01 :time (y / yesterday) :time (t / tomorrow))")
        >>> print(penman.encode(without_other_days(graph, "Er kam gestern.", "de"), indent=None))
        (c / come-01 :time (y / yesterday))
    """
    days = {node: str(concept) for node, _, concept in graph.instances() if concept in DAYS}
    if len(set(days.values())) < 2:
        return graph
    named = {day for word in WORD.findall(text) for day in DAYS & shares_of(word, lang).keys()}
    if not named & set(days.values()):
        return graph
    relations = {
        node: [edge for edge in graph.edges() if node in (edge.source, edge.target)] for node in days
    }
    gone = {
        node for node, edges in relations.items()
        if days[node] not in named and [(edge.role, edge.target) for edge in edges] == [(":time", node)]
    }  # fmt: skip
    if not gone:
        return graph
    kept = [triple for triple in graph.triples if not gone & {triple[0], triple[2]}]
    return laid_out(kept, graph.top)
