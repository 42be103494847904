"""Write *tall* of people where a language has the word for *high*, *large* or *long*.

::

    La niña es más alta que el niño. (es)
    (h / have-degree-91 :ARG1 (g / girl) :ARG2 (h2 / high-02 :ARG1 g) :ARG3 (m / more) :ARG4 (b / boy))
        ──>  (h / have-degree-91 :ARG1 (g / girl) :ARG2 (t / tall) :ARG3 (m / more) :ARG4 (b / boy))
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span, overlap
from parser.graphs.triples import laid_out
from parser.mini.rules.possession import REL_ROLE

_TALL = {
    "cs": r"\b(?:nej)?vys(?:ok|š)\w*|\b(?:nej)?vyšš\w*", "da": "høj(?:ere|est)?|høje", "de": r"\bgr[oö]ß\w*",
    "es": r"\balt[oa]s?\b", "fr": r"\bgrande?s?\b", "it": r"\balt[oaie]\b", "ja": "高[いくかけ]",
    "ko": "[큰커컸크]",
    "nb": r"\bhøy\w*", "nl": r"\blang(?:er|ste?)?\b|\bgro(?:ot|ter|otste)\b", 
    "pl": r"\b(?:naj)?wy(?:sok|ższ)\w*",
    "pt": r"\balt[oa]s?\b", "ro": r"\bînalt\w*", "ru": r"\b(?:вы(?:сок|ше)\w*)", "sv": r"\b(?:lång|läng)\w*",
    "tr": r"\buzun\w*", "uk": r"\b(?:най)?ви(?:сок|щ)\w*", "zh": "高",
}  # fmt: skip
_READ_AS = frozenset({"high-02", "large", "big", "great", "long-03"})
_PEOPLE = frozenset("boy girl man woman child kid student i you he she we they guy lady".split())


def with_tall_people(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which people are tall; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(h / high-02 :ARG1 (g / girl))")
        >>> graph = with_tall_people(graph, "La niña es alta.", "es", {"h": (11, 15)})
        >>> print(penman.encode(graph, indent=None))
        (h / tall :domain (g / girl))
    """
    words = [match.span() for match in re.finditer(_TALL.get(lang, "(?!)"), text, re.IGNORECASE)]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    relatives = {edge.target for edge in graph.edges(role=":ARG0") if concepts[edge.source] == REL_ROLE}
    for node, concept in concepts.items():
        if concept not in _READ_AS or node not in alignments:
            continue
        if not any(overlap(alignments[node], word) for word in words):
            continue
        degrees = [edge.source for edge in graph.edges(target=node) if edge.role == ":ARG2"]
        holders = [
            edge.target
            for edge in graph.edges()
            if (edge.source == node and edge.role in (":ARG1", ":domain"))
            or (edge.source in degrees and edge.role == ":ARG1")
        ]
        if not holders or any(concepts[one] not in _PEOPLE and one not in relatives for one in holders):
            continue
        own = (node, ":ARG1", holders[0])
        triples = [
            (node, ":instance", "tall") if triple[:2] == (node, ":instance") else triple
            for triple in graph.triples
            if triple != own or not degrees
        ]
        if not degrees:
            triples = [(node, ":domain", holders[0]) if triple == own else triple for triple in triples]
        graph = laid_out(triples, graph.top)
    return graph
