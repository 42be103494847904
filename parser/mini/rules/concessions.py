"""Write the clause after *although* as a concession.

::

    Er ging hinaus, obwohl es regnete. (de)    (g / go-02 :time (r / rain-01))
                                           ──>  (g / go-02 :concession (r / rain-01))
    虽然她很累，但她还在工作。 (zh)               (w / work-01 :ARG1-of (c / cause-01 :ARG0 (t / tire-01)))
                                           ──>  (w / work-01 :concession (t / tire-01))

Outside English the parser writes most such clauses as times, conditions or causes. Only a sentence with one
such word, whose clause is joined to the rest by one relation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out

_ALTHOUGH = {
    "da": "selvom|skønt", "de": "obwohl|obgleich|obschon", "en": "although|though", "es": "aunque",
    "fr": "bien qu(?:e|['’])|quoiqu(?:e|['’])", "it": "sebbene|benché|nonostante", "nb": "selv om|skjønt",
    "nl": "hoewel|ofschoon", "pl": "chociaż|choć|mimo że", "pt": "embora", "ru": "хотя",
    "sv": "fastän|trots att",
    "uk": "хоча", "zh": "虽然|尽管",
}  # fmt: skip
_OTHER = {
    "da": "hvis|fordi", "de": "wenn|falls|weil|denn", "en": "if|unless|because|since|as", "es": "si|porque",
    "fr": "si|s['’]il|parce|sachant|sai[st]|savons|savez|savent",
    "it": "se|perché", "nb": "hvis|fordi", "nl": "als|omdat|want",
    "pl": "jeśli|jeżeli|bo|ponieważ|gdy", "pt": "se|porque", "ru": "если|потому|бы", "sv": "om|eftersom",
    "uk": "якщо|тому|би?", "zh": "如果|因为|要是",
}  # fmt: skip
"""Words of conditions and causes, beside which nothing changes."""
_END = re.compile("[,;:.!?，。；！？–—]|但是?")
_CAUSE = "cause-01"
_READ_AS = frozenset({":time", ":condition", ":manner", ":purpose", ":mod", ":location"})
"""Relations that a concession was read as."""


def with_concessions(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only concession of its sentence; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(g / go-02 :time (r / rain-01))")
        >>> spans = {"g": (3, 7), "r": (27, 34)}
        >>> mended = with_concessions(graph, "Er ging hinaus, obwohl es regnete.", "de", spans)
        >>> print(penman.encode(mended, indent=None))
        (g / go-02 :concession (r / rain-01))
    """
    clause = _clause(text, lang)
    if clause is None or any(role == ":concession" for _, role, _ in graph.triples):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    inside = {
        node
        for node, (begin, _) in alignments.items()
        if clause[0] <= begin < clause[1] and is_frame(concepts.get(node, "")) and concepts[node] != _CAUSE
    }
    causes = {node for node, concept in concepts.items() if concept == _CAUSE}
    joined: list[tuple[Triple, str]] = []  # the relation, and the event outside the clause
    for source, role, target in graph.edges():
        if target in inside and source not in inside and role in _READ_AS and is_frame(concepts[source]):
            joined.append(((source, role, target), source))
        elif target in inside and source in causes and role == ":ARG0":
            effects = [edge.target for edge in graph.edges(source=source, role=":ARG1")]
            if len(effects) == 1 and len([one for one in graph.triples if one[0] == source]) == 3:
                joined.append(((source, role, target), effects[0]))
    if len(joined) != 1 or joined[0][1] in inside:
        return graph
    (source, role, target), event = joined[0]
    concession = (event, ":concession", target)
    if source in causes:
        place = next(i for i, triple in enumerate(graph.triples) if source in (triple[0], triple[2]))
        triples: list[Triple] = [*graph.triples[:place], concession, *graph.triples[place:]]
        triples = [triple for triple in triples if source not in (triple[0], triple[2])]
        return laid_out(triples, event if graph.top == source else graph.top)
    return laid_out(
        [concession if triple == (source, role, target) else triple for triple in graph.triples], graph.top
    )


def _clause(text: str, lang: str) -> Span | None:
    """Return the span of the clause after the only word for *although*."""
    if lang not in _ALTHOUGH:
        return None
    edge = "" if lang == "zh" else r"\b"
    words = list(re.finditer(rf"{edge}(?:{_ALTHOUGH[lang]})", text, re.IGNORECASE))
    if len(words) != 1 or re.search(rf"{edge}(?:{_OTHER[lang]}){edge}", text, re.IGNORECASE):
        return None
    begin = words[0].end()
    end = _END.search(text, begin)
    is_first = not text[: words[0].start()].strip()
    if is_first and (end is None or end.end() == len(text)):
        return None  # where the clause ends is unknown
    return begin, end.start() if end else len(text)
