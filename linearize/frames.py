"""Frames that PropBank does not hold, in what a sequence model wrote.

Such a model spells (``want`` ``-09``), so it can write a sense, or a whole frame, that there is none of. The
mini parser is kept from it while it decodes (`parser.mini.spelling`); here it is mended afterwards, and said.
"""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import penman

from linearize.vocabulary import frames, is_frame

Triple: TypeAlias = tuple[str, str, str | float | int | None]

LAW = "2"
"""Version of the repairs here; part of the parsers' fingerprints, so that a change voids their caches."""


@cache
def _first_senses() -> dict[str, str]:
    """Return the frame with the lowest sense of every lemma."""
    return {name.rpartition("-")[0]: name for name in sorted(frames(), reverse=True)}


def unknown_frame(concept: str) -> bool:
    """Tell whether a concept has a sense and is no frame of PropBank.

    Example:
        >>> [unknown_frame(name) for name in ("want-01", "want-99", "boy", "ymca-01")]
        [False, True, False, True]
    """
    return is_frame(concept) and concept not in frames()


def known_frame(concept: str) -> str:
    """Return the first sense of an unknown frame's lemma; the lemma alone where PropBank has none.

    Example:
        >>> [known_frame(name) for name in ("want-99", "ymca-01", "boy")]
        ['want-01', 'ymca', 'boy']
    """
    while unknown_frame(concept):
        lemma = concept.rpartition("-")[0]
        concept = _first_senses().get(lemma, lemma)
    return concept


def replace_triples(graph: penman.Graph, changed: Mapping[Triple, Triple]) -> penman.Graph:
    """Return a graph with other triples in place of some; its layout and metadata stay.

    Example:
        >>> graph = penman.decode("(b / bark-01 :ARG0 (d / dog))")
        >>> changed = {("d", ":instance", "dog"): ("d", ":instance", "seal")}
        >>> print(penman.encode(replace_triples(graph, changed), indent=None))
        (b / bark-01 :ARG0 (d / seal))
    """
    return penman.Graph(
        [changed.get(triple, triple) for triple in graph.triples],
        top=graph.top,
        epidata={changed.get(triple, triple): marks for triple, marks in graph.epidata.items()},
        metadata=graph.metadata,
    )


def mend_frames(graph: penman.Graph) -> tuple[penman.Graph, list[str]]:
    """Return the graph with frames of PropBank only, and what was mended.

    Example:
        >>> graph, repairs = mend_frames(penman.decode("(w / want-99 :ARG0 (b / boy))"))
        >>> print(penman.encode(graph, indent=None), repairs)
        (w / want-01 :ARG0 (b / boy)) ["no frame 'want-99': read as 'want-01'"]
    """
    concepts = dict.fromkeys(str(concept or "") for _, _, concept in graph.instances())
    known = {c: known_frame(c) for c in concepts if unknown_frame(c) and not c.startswith('"')}
    if not known:
        return graph, []
    changed = {
        triple: (triple[0], triple[1], known[triple[2]]) for triple in graph.instances() if triple[2] in known
    }
    return replace_triples(graph, changed), [
        f"no frame {old[:40]!r}: read as {new[:40]!r}" for old, new in known.items()
    ]
