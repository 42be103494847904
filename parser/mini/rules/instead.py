"""Write what is not done after *instead of*.

::

    Au lieu de rentrer, il est allé au bar. (fr)    (g / go-02 ... :concession (r / return-01 ...))
                    ──>  (g / go-02 ... :ARG1-of (i / instead-of-91 :ARG2 (r / return-01 ...)))

Outside English the parser mostly writes *although* or *before*, leaves one of the two out, or negates the
other. Only sentences with one such word are changed, if its verb or noun is joined to the rest by one
relation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.negation_words import negators

_INSTEAD = {
    "cs": r"\bmísto\b(?= (?:toho|aby|\w+[yuea]\b))", "da": r"\bi stedet for\b", "de": r"\b(?:an)?statt\b",
    "en": r"\binstead of\b", "es": r"\ben (?:lugar|vez) del?\b", "fr": r"\bau lieu d(?:u\b|e\b|es\b|['’])",
    "it": r"\binvece d(?:i|el|ell[ao])\b|\banziché\b", "ja": "代わりに", "nb": r"\bi stedet for\b",
    "nl": r"\bin plaats van\b", "pl": r"\bzamiast\b", "pt": r"\bem vez d[eao]s?\b|\bao invés d[eao]s?\b",
    "ro": r"\bîn loc (?:de|să)\b", "ru": r"\bвместо\b", "sv": r"\bi ?stället för\b", "tr": r"\byerine\b",
    "uk": r"\bзамість\b",
}  # fmt: skip
_VERB_BEFORE = frozenset({"ja", "tr"})
_END = re.compile("[,;.!?、。]")
_READ_AS = frozenset({":concession", ":condition", ":time", ":manner", ":purpose", ":ARG2", ":location"})
_INSTEAD_OF = "instead-of-91"
_TIMES = frozenset({"before", "after"})


def with_alternatives(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with what the only *instead of* excludes; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(g / go-02 :concession (r / return-01))")
        >>> spans = {"g": (23, 27), "r": (11, 18)}
        >>> mended = with_alternatives(graph, "Au lieu de rentrer, il sort.", "fr", spans)
        >>> print(penman.encode(mended, indent=None))
        (g / go-02 :ARG1-of (i / instead-of-91 :ARG2 (r / return-01)))
    """
    words = list(re.finditer(_INSTEAD.get(lang, "(?!)"), text, re.IGNORECASE))
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if len(words) != 1:
        return graph
    pattern = negators(lang)
    negation = (graph.top, ":polarity", "-")
    if negation in graph.triples and pattern is not None and not pattern.search(text):
        graph = laid_out([triple for triple in graph.triples if triple != negation], graph.top)
    known = [node for node, concept in concepts.items() if concept == _INSTEAD_OF]
    if known:
        return _with_excluded(graph, known[0]) if len(known) == 1 else graph
    end = _END.search(text, words[0].end())
    begin, last = words[0].start(), end.start() if end else len(text)
    if lang in _VERB_BEFORE:
        begin, last = 0, words[0].end()
    inside = {node for node, span in alignments.items() if begin <= span[0] < last}
    joined = []
    for source, role, target in graph.edges():
        if role not in _READ_AS or source in inside:
            continue
        below = [edge.target for edge in graph.edges(source=target, role=":op1")]
        if target in inside and concepts[target] not in _TIMES:
            joined.append((source, role, target, target))
        elif concepts[target] in _TIMES and len(below) == 1 and below[0] in inside:
            joined.append((source, role, target, below[0]))
    if len(joined) != 1:
        return graph
    event, role, linked, excluded = joined[0]
    node = free_variable("i", graph.variables())
    new: list[Triple] = [(node, ":ARG1", event), (node, ":instance", _INSTEAD_OF), (node, ":ARG2", excluded)]
    gone = {linked} - {excluded}
    triples = [
        kept
        for triple in graph.triples
        for kept in (new if triple == (event, role, linked) else [triple])
        if kept[0] not in gone
    ]
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _with_excluded(graph: penman.Graph, node: str) -> penman.Graph:
    """Return the graph with both sides of an alternative that has one, which is what is excluded."""
    own = [edge for edge in graph.edges(source=node)]
    if len(own) != 1 or own[0].role not in (":ARG1", ":ARG2"):
        return graph
    excluded = own[0].target
    linked = [edge for edge in graph.edges(target=node)] or [
        edge for edge in graph.edges(target=excluded) if edge.role in _READ_AS and edge.source != node
    ]
    event = linked[0].source if linked else graph.top
    if len(linked) > 1 or event in (None, node, excluded):
        return graph
    new: list[Triple] = [
        (node, ":ARG1", str(event)),
        (node, ":instance", _INSTEAD_OF),
        (node, ":ARG2", excluded),
    ]
    gone = {own[0], (node, ":instance", _INSTEAD_OF), *linked}
    kept = [triple for triple in graph.triples if triple not in gone]
    place = 1 + max(i for i, triple in enumerate(kept) if triple[0] == event)
    triples = [*kept[:place], *new, *kept[place:]]
    return laid_out(triples, graph.top) if is_connected(triples) else graph
