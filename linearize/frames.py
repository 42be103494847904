"""Replace frames that PropBank lacks in the output of a sequence model.

Such a model spells frames in pieces (``want`` ``-09``), so it can write a sense or a frame that does not
exist. The mini parser cannot (its labels have no others); here it is repaired afterwards,
and the repair is reported.
"""

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import penman

from linearize.vocabulary import frames, is_frame

Triple: TypeAlias = tuple[str, str, str | float | int | None]

LAW = "2"
"""Version of these repairs, part of the parsers' fingerprints: a new version invalidates their caches."""


@cache
def _first_senses() -> dict[str, str]:
    """Return, for each lemma, the frame with its lowest sense."""
    return {name.rpartition("-")[0]: name for name in sorted(frames(), reverse=True)}


def first_frame(lemma: str) -> str | None:
    """Return the frame of a lemma with the lowest sense, if there is one.

    Example:
        >>> first_frame("want"), first_frame("boy")
        ('want-01', None)
    """
    return _first_senses().get(lemma)


def unknown_frame(concept: str) -> bool:
    """Return whether a concept has a sense number but is not a PropBank frame.

    Example:
        >>> [unknown_frame(name) for name in ("want-01", "want-99", "boy", "ymca-01")]
        [False, True, False, True]
    """
    return is_frame(concept) and concept not in frames()


def known_frame(concept: str) -> str:
    """Return the first sense of an unknown frame's lemma, or the lemma alone if PropBank has no sense of it.

    Example:
        >>> [known_frame(name) for name in ("want-99", "ymca-01", "boy")]
        ['want-01', 'ymca', 'boy']
    """
    while unknown_frame(concept):
        lemma = concept.rpartition("-")[0]
        concept = _first_senses().get(lemma, lemma)
    return concept


def replace_triples(graph: penman.Graph, changed: Mapping[Triple, Triple]) -> penman.Graph:
    """Return a graph with some triples replaced; its layout and metadata stay."""
    return penman.Graph(
        [changed.get(triple, triple) for triple in graph.triples],
        top=graph.top,
        epidata={changed.get(triple, triple): marks for triple, marks in graph.epidata.items()},
        metadata=graph.metadata,
    )


def mend_frames(graph: penman.Graph) -> tuple[penman.Graph, list[str]]:
    """Return the graph with PropBank frames only, and the list of repairs.

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
