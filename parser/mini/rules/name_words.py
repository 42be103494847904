"""Read and change the words of a name in a graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import penman

from linearize.frames import Triple


def name_words(graph: penman.Graph, name: str) -> list[Triple]:
    """Return the triples ``:op1``, ``:op2``, ... of a name, in order.

    Args:
        graph: A graph.
        name: Variable of a node ``name``.
    """
    words = [triple for triple in graph.triples if triple[0] == name and triple[1].startswith(":op")]
    return sorted(words, key=lambda triple: (len(triple[1]), triple[1]))


def whole_name(words: Sequence[Triple]) -> str:
    """Return the words of a name, joined by spaces and without quotes."""
    return " ".join(str(word).strip('"') for _, _, word in words)


def renamed(graph: penman.Graph, words: Sequence[Triple], name: str) -> penman.Graph:
    """Return a graph with one name replaced; the layout of the rest stays.

    Example:
        >>> graph = penman.decode('(l / live-01 :location (c / city :name (n / name :op1 "Pekín")) :time 3)')
        >>> print(penman.encode(renamed(graph, name_words(graph, "n"), "New York"), indent=None))
        (l / live-01 :location (c / city :name (n / name :op1 "New" :op2 "York")) :time 3)
    """
    new = [(words[0][0], f":op{number}", f'"{word}"') for number, word in enumerate(name.split(), start=1)]
    place = graph.triples.index(words[0])
    triples = [triple for triple in graph.triples if triple not in words]
    triples[place:place] = new
    epidata = {triple: marks for triple, marks in graph.epidata.items() if triple not in words}
    epidata |= {triple: [] for triple in new}
    epidata[new[-1]] = [mark for triple in words for mark in graph.epidata.get(triple, [])]
    return penman.Graph(triples, top=graph.top, epidata=epidata, metadata=graph.metadata)


def without_repeats(graph: penman.Graph, text: str) -> penman.Graph:
    """Remove doubled words from names, unless the sentence doubles them; return the same object if none.

    Example:
        >>> graph = penman.decode('(c / city :name (n / name :op1 "New" :op2 "New" :op3 "York"))')
        >>> print(penman.encode(without_repeats(graph, "It is in New York."), indent=None))
        (c / city :name (n / name :op1 "New" :op2 "York"))
    """
    folded = text.casefold()
    for _, _, name in graph.edges(role=":name"):
        words = name_words(graph, name)
        once = [word for word, _ in groupby(whole_name(words).split())]
        doubled = [word for word in once if f"{word} {word}".casefold() in folded]
        if 0 < len(once) < len(words) and not doubled:  # words may be empty
            graph = renamed(graph, words, " ".join(once))
    return graph
