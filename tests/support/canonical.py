"""Compare graphs whose variables have different names.

::

    (w / want-01 :ARG0 (b / boy))     ('0', ':instance', 'want-01')
    (x / want-01 :ARG0 (y / boy))  -> ('0', ':ARG0', '1')
                                      ('1', ':instance', 'boy')
"""

from __future__ import annotations

import penman

from linearize.walk import INSTANCE, walk

Triple = tuple[str, str, str]


def renaming(graph: penman.Graph) -> dict[str, str]:
    """Map every variable to its number in depth-first order, ``0`` for the top.

    Example:
        >>> renaming(penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"))
        {'w': '0', 'b': '1', 'g': '2'}
    """
    opened = (str(step.text) for step in walk(graph) if step.kind == "open")
    return {variable: str(number) for number, variable in enumerate(opened)}


def canonical_triples(graph: penman.Graph, *, keep_wiki: bool = True) -> list[Triple]:
    """Return the triples under :func:`renaming`, sorted; constants are marked ``=``.

    Two graphs with the same tree and other variables give the same list, and equal lists mean that the
    graphs are the same: the renaming is one to one, and it keeps the top.

    A missing concept or target is ``""``.

    Args:
        graph: Any connected graph.
        keep_wiki: Whether ``:wiki`` attributes count.

    Example:
        >>> one = penman.decode("(w / want-01 :ARG0 (b / boy))")
        >>> two = penman.decode("(x / want-01 :ARG0 (y / boy))")
        >>> canonical_triples(one) == canonical_triples(two)
        True
    """
    numbers = renaming(graph)
    triples = []
    for source, role, target in graph.triples:
        end = "" if target is None else str(target)
        if role == INSTANCE:
            triples.append((numbers[source], role, end))
        elif end in numbers:
            triples.append((numbers[source], role, numbers[end]))
        elif keep_wiki or role != ":wiki":
            triples.append((numbers[source], role, f"={end}"))
    return sorted(triples)
