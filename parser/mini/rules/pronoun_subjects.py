"""Give each of two clauses the pronoun that is its subject, and rain none.

::

    Während sie kochte, deckte er den Tisch. (de)   (d / cover-01 :ARG0 (h / he) :time (c / cook-01 :ARG0 h))
                                               ──>  (... :time (c / cook-01 :ARG0 (s / she)))
    Llovía cuando salimos. (es)                     (r / rain-01 :ARG0 (s / she) :time (l / leave-11 ...))
                                               ──>  (r / rain-01 :time (l / leave-11 ...))

The parser makes the subject of one clause that of the other. Only sentences with one *he* and one *she*, in
two clauses, are changed, if one of the two is not in the graph.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import free_variable, is_connected, laid_out

_PAIRS = {
    "cs": ("on", "ona"), "da": ("han", "hun"), "de": ("er", "sie"), "en": ("he", "she"), "es": ("él", "ella"),
    "fr": ("il", "elle"), "it": ("lui", "lei"), "ja": ("彼(?!女)は", "彼女は"), "nb": ("han", "hun"),
    "nl": ("hij", "zij|ze"), "pl": ("on", "ona"), "pt": ("ele", "ela"), "ru": ("он", "она"),
    "sv": ("han", "hon"), "uk": ("він", "вона"), "zh": ("他(?!们)", "她(?!们)"),
}  # fmt: skip
"""Words for *he* and *she* as subjects."""
_UNSPACED = frozenset({"ja", "zh"})
_PREPOSITION = re.compile(
    r"\b(?:a|con|de|para|por|en|sin|di|per|da|com|em|sem|per|mit|von|für|zu|bei|voor|van|met|aan|till|med|av)\s+$",
    re.IGNORECASE,
)
_PLURAL_DE = re.compile(r"\s+(?:\w+\s+){0,4}?\w+en\b")
"""A German verb in the plural, beside which *sie* is *they*."""
_MARK = re.compile("[,;，；、。.!?！？]")
_RAIN = frozenset({"rain-01", "snow-01", "hail-01", "drizzle-01", "thunder-01"})
_ANYONE = frozenset({"i", "you", "he", "she", "it", "we", "they"})


def without_raining_subjects(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which no pronoun rains; the same object if none does.

    Example:
        >>> graph = penman.decode("(r / rain-01 :ARG0 (s / she) :time (y / yesterday))")
        >>> print(penman.encode(without_raining_subjects(graph), indent=None))
        (r / rain-01 :time (y / yesterday))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    gone = {
        edge
        for edge in graph.edges()
        if concepts[edge.source] in _RAIN
        and edge.role in (":ARG0", ":ARG1", ":ARG2")
        and concepts[edge.target] in _ANYONE
    }
    if not gone:
        return graph
    triples = [triple for triple in graph.triples if triple not in gone]
    used = {end for source, role, target in triples if role != ":instance" for end in (source, target)}
    triples = [one for one in triples if one[1] != ":instance" or one[0] in used or one[0] == graph.top]
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def with_pronoun_subjects(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with both of *he* and *she*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(d / cover-01 :ARG0 (h / he) :time (c / cook-01 :ARG0 h))")
        >>> spans = {"d": (20, 26), "c": (12, 18)}
        >>> mended = with_pronoun_subjects(graph, "Während sie kochte, deckte er den Tisch.", "de", spans)
        >>> print(penman.encode(mended, indent=None))
        (d / cover-01 :ARG0 (h / he) :time (c / cook-01 :ARG0 (s / she)))
    """
    if lang not in _PAIRS:
        return graph
    places: dict[str, int] = {}
    for concept, word in zip(("he", "she"), _PAIRS[lang], strict=True):
        pattern = word if lang in _UNSPACED else rf"\b(?:{word})\b"
        found = [one.start() for one in re.finditer(pattern, text, re.IGNORECASE)]
        if len(found) != 1 or _PREPOSITION.search(text[: found[0]]):
            return graph
        places[concept] = found[0]
    concepts = {node: str(one) for node, _, one in graph.instances()}
    known = [(node, one) for node, one in concepts.items() if one in places]
    if len(known) != 1:
        return graph
    other, concept = known[0]
    lost = next(one for one in places if one != concept)
    if lang == "de" and lost == "she" and _PLURAL_DE.match(text, places[lost] + 3):
        return graph
    begin, end = _clause(text, places[lost])
    if begin <= places[concept] < end:
        return graph
    inside = [
        edge
        for edge in graph.edges(target=other)
        if edge.role in (":ARG0", ":ARG1")
        and is_frame(concepts[edge.source])
        and begin <= alignments.get(edge.source, (-1, 0))[0] < end
    ]
    if len(inside) != 1 or len(graph.edges(target=other)) < 2:
        return graph
    source, role, _ = inside[0]
    node = free_variable(lost[0], graph.variables())
    triples = [
        kept
        for one in graph.triples
        for kept in ([(source, role, node), (node, ":instance", lost)] if one == inside[0] else [one])
    ]
    return laid_out(triples, graph.top)


def _clause(text: str, place: int) -> Span:
    """Return the span of the text between the marks around a place."""
    begin = max((mark.end() for mark in _MARK.finditer(text, 0, place)), default=0)
    mark = _MARK.search(text, place)
    return begin, mark.start() if mark else len(text)
