"""Write times and places inside a relative clause at its verb, where the parser writes them at the main verb.

::

    The lamp I ordered on Monday has not arrived.
        (a / arrive-01 :polarity - :ARG1 (l / lamp :ARG1-of (o / order-01)) :time (d / date-entity ...))
    ──> (a / arrive-01 :polarity - :ARG1 (l / lamp :ARG1-of (o / order-01 :time (d / date-entity ...))))

What stands between a noun and the main verb, as the verb of the relative clause does, belongs to that clause;
in languages whose relative clauses come first (`_FIRST`), so does what stands before the verb of the clause.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out

_ROLES = (":time", ":duration", ":location")
_FIRST = frozenset({"ja", "ko", "tr", "zh"})
_COMMAS = frozenset({"cs", "de", "pl", "ru", "uk"})
"""Languages with a comma before and after a relative clause."""
_VERBS = {
    "da": "er|var|har|havde|kan|vil|skal|blev",
    "en": r"is|are|was|were|has|have|had|will|can|could|would|should|do|does|did|\w+n['’]t",
    "es": "es|son|está|están|era|eran|fue|fueron|ha|han|había|puede|no|se",
    "fr": "est|sont|était|étaient|a|ont|avait|peut|va|ne|se|[ns]['’]",
    "it": "è|sono|era|erano|ha|hanno|aveva|può|non|si", "nb": "er|var|har|hadde|kan|vil|skal|ble",
    "nl": "is|zijn|was|waren|heeft|hebben|had|kan|zal|wil|moet|werd",
    "pt": "é|são|está|estão|era|eram|foi|foram|tem|pode|não|se",
    "sv": "är|var|har|hade|kan|vill|ska|blev",
}  # fmt: skip
"""Finite verbs of main clauses, and *not* before them."""
_LOOSE = frozenset(
    "now already still yet always never ever soon then finally again once here there also".split()
)
"""Concepts of adverbs that may stand beside any verb."""
_CORE = re.compile(r":ARG\d")


def with_relative_clauses(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with times and places at the verbs of relative clauses; the same object if none moves.

    Example:
        >>> graph = penman.decode("(b / break-01 :ARG1 (l / lamp :ARG1-of (s / sell-01)) :time (n / night))")
        >>> spans = {"l": (4, 8), "s": (14, 18), "n": (22, 27), "b": (31, 37)}
        >>> graph = with_relative_clauses(graph, "The lamp they sold at night is broken.", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (b / break-01 :ARG1 (l / lamp :ARG1-of (s / sell-01 :time (n / night))))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    places = {node: span for node, span in alignments.items() if node in concepts}
    changed: dict[Triple, Triple] = {}
    for main, role, what in graph.edges():
        if role not in _ROLES or concepts[what] in _LOOSE or what not in places:
            continue
        last = places.get(main, (len(text), len(text)))
        for noun in (edge.target for edge in graph.edges(source=main) if edge.target in places):
            verbs = [
                edge.source
                for edge in graph.edges(target=noun)
                if edge.source != main and _CORE.fullmatch(edge.role)
                and is_frame(concepts[edge.source]) and not concepts[edge.source].endswith("-91")
                and edge.source in places and not graph.edges(source=edge.source, role=role)
            ]  # fmt: skip
            if len(verbs) == 1 and _is_inside(text, lang, places[noun], places[verbs[0]], places[what], last):
                changed[main, role, what] = (verbs[0], role, what)
    return laid_out([changed.get(one, one) for one in graph.triples], graph.top) if changed else graph


def _is_inside(text: str, lang: str, noun: Span, verb: Span, what: Span, main: Span) -> bool:
    """Return whether a time or place is in the relative clause of a noun."""
    if lang in _FIRST:
        is_topic = re.match(r"[は、，,]|에?는", text[what[1] :])
        return what[1] <= verb[0] and verb[1] <= noun[0] < main[0] and not is_topic
    if not (noun[1] <= min(verb[0], what[0]) and max(verb[1], what[1]) <= main[0]):
        return False
    if lang in _COMMAS:
        return text[noun[1] : max(verb[1], what[1])].count(",") == 1
    between = text[verb[1] : what[0]]
    return "," not in between and not re.search(
        rf"\b(?:{_VERBS.get(lang, '.')})(?:\b|(?<=['’]))", between, re.IGNORECASE
    )
