"""Remove a second negation that no one wrote.

::

    The device can't connect.    (p / possible-01 :polarity - :ARG1 (c / connect-01 :polarity -))
                            ──>  (p / possible-01 :polarity - :ARG1 (c / connect-01))

The parser often writes the negation of *cannot* twice; AMR writes it once, at ``possible-01``. The rare *he
cannot not go* loses a negation.
"""

import penman


def without_double_negation(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which what is impossible is not negated itself; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / possible-01 :polarity - :ARG1 (g / go-02 :polarity -))")
        >>> print(penman.encode(without_double_negation(graph), indent=None))
        (p / possible-01 :polarity - :ARG1 (g / go-02))
    """
    negated = {node for node, _, value in graph.attributes(role=":polarity") if value == "-"}
    impossible = {node for node, _, concept in graph.instances() if concept == "possible-01"} & negated
    twice = {
        node for source, _, node in graph.edges(role=":ARG1") if source in impossible and node in negated
    } - impossible
    if not twice:
        return graph
    gone = {(node, ":polarity", "-") for node in twice}
    return penman.Graph(
        [triple for triple in graph.triples if triple not in gone],
        top=graph.top,
        epidata={triple: marks for triple, marks in graph.epidata.items() if triple not in gone},
        metadata=graph.metadata,
    )
