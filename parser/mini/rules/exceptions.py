"""Attach an exception to *all*, *every* or *nothing*.

::

    All the animals slept except the dog.
              (s / sleep-01 :ARG0 (a / animal :mod (a2 / all)) :ARG1 (d / dog))
         ──>  (s / sleep-01 :ARG0 (a / animal :mod (a2 / all) :ARG2-of (e / except-01 :ARG1 (d / dog))))

The parser reads the exception as another time, place or participant, so that the graph says the opposite.
Only sentences with one such word behind a word for all, and with one node for all, are changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.calendar_names import weekdays_in

_EXCEPT = {
    "de": "außer|ausgenommen", "en": "except(?: for)?|apart from", "es": "excepto|salvo",
    "fr": "sauf|excepté", "it": "tranne|eccetto|salvo", "nl": "behalve", "pl": "oprócz|z wyjątkiem",
    "pt": "exceto|salvo", "ru": "кроме|за исключением", "sv": "utom", "uk": "крім|окрім|за винятком",
}  # fmt: skip
_ALL = {
    "de": r"alle\w?|jede\w?|nichts?|niemand\w*|kein\w*|täglich",
    "en": r"all|every\w*|no|nobody|none|nothing|daily|always|any\w*",
    "es": r"tod[oa]s?|cada|nadie|nada|ning[uú]n\w*", "fr": r"tous|toute?s?|chaque|personne|rien|aucune?",
    "it": r"tutt[oiae]|ogni|nessun\w*|niente", "nl": r"alle\w*|elke?|ieder\w*|niemand|niets|geen",
    "pl": r"wszys\w+|każd\w+|nikt\w*|nic|codziennie", "pt": r"tod[oa]s?|tudo|cada|ninguém|nada|nenhum\w*",
    "ru": r"вс[её]\w*|кажд\w+|ежедневно|никто|никого|ничего|никому", "sv": r"alla?|allt|varje|ingen|inget",
    "uk": r"вс[еіь]\w*|усі\w*|кожн\w+|щодня|ніхто|нікого|нічого",
}  # fmt: skip
_UNIVERSAL = frozenset(
    "everything everyone everybody nobody no-one nothing anything anyone anybody rate-entity-91".split()
)
_EVERY = frozenset({"all", "every", "each", "everyone", "any"})
_READ_AS = frozenset(
    """except only just also save but including exception other more less equal still outside except-01
    exclude-01 include-91 have-quant-91 have-degree-91 cause-01""".split()
)
"""Concepts read off the word."""
_END = re.compile("[,;:.!?–—]|$")


def with_exceptions(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only exception from all; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / come-01 :ARG1 (p / person :mod (e / every)) :ARG4 (b / boss))")
        >>> spans = {"c": (26, 30), "p": (0, 5), "b": (17, 21)}
        >>> mended = with_exceptions(graph, "Alle außer meinem Chef kamen.", "de", spans)
        >>> print(penman.encode(mended, indent=None))
        (c / come-01 :ARG1 (p / person :mod (e / every) :ARG2-of (e2 / except-01 :ARG1 (b / boss))))
    """
    words = list(re.finditer(rf"\b(?:{_EXCEPT[lang]})\b", text, re.IGNORECASE)) if lang in _EXCEPT else []
    if len(words) != 1 or not re.search(rf"\b(?:{_ALL[lang]})\b", text[: words[0].start()], re.IGNORECASE):
        return graph
    begin, word_end = words[0].span()
    stop = _END.search(text, word_end)
    top = alignments.get(graph.top or "", (0, 0))[0]
    end = min(stop.start() if stop else len(text), top if top >= word_end else len(text))
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    inside = {node for node, span in alignments.items() if node in concepts and begin <= span[0] < end}
    inside -= {str(graph.top)}
    days = {name.value for name in weekdays_in(text, lang) if name.span[0] >= word_end}
    inside |= {edge.source for edge in graph.edges(role=":weekday") if concepts[edge.target] in days}
    word = {
        node for node, concept in concepts.items()
        if concept in _READ_AS
        and (concept.startswith("except") or begin <= alignments.get(node, (-1, -1))[0] < word_end)
    }  # fmt: skip
    universal = {node for node, concept in concepts.items() if concept in _UNIVERSAL} | {
        edge.source for edge in graph.edges(role=":mod") if concepts[edge.target] in _EVERY
    }
    if not universal:  # *every day*
        universal = {node for node, concept in concepts.items() if concept == "temporal-quantity"}
    if len(universal) != 1 or any(
        edge.source in word for edge in graph.edges(role=":ARG2", target=max(universal))
    ):
        return graph
    no_one = word | universal | {node for node in concepts if concepts[node] in _EVERY}
    joined = [edge for edge in graph.edges() if edge.source not in inside - word and edge.role != ":mod"]
    excepted = {edge.target for edge in joined} & inside - no_one
    excepted = excepted or {edge.target for edge in joined if edge.source in word} - no_one
    if len(excepted) != 1:
        return graph
    gone = {tuple(edge) for edge in joined if edge.target in excepted}
    if any({edge.source, edge.target} == universal | excepted for edge in graph.edges() if edge not in gone):
        return graph  # all take part in the exception
    return _excepted(graph, universal.pop(), excepted.pop(), word, gone)


def _excepted(
    graph: penman.Graph, all_of: str, excepted: str, word: set[str], gone: set[Triple]
) -> penman.Graph:
    """Return a graph with an exception in place of some relations, without the nodes of the word."""
    gone |= {tuple(edge) for edge in graph.edges() if {edge.source, edge.target} & word}
    related = {end for edge in graph.edges() if edge not in gone for end in (edge.source, edge.target)}
    lost = {end for edge in gone for end in (edge[0], edge[2])} - related - {excepted, all_of}
    triples = [one for one in graph.triples if one not in gone and one[0] not in lost | word]
    node = free_variable("e", {source for source, _, _ in triples})
    new: list[Triple] = [(node, ":instance", "except-01"), (node, ":ARG1", excepted), (node, ":ARG2", all_of)]
    place = max(i for i, one in enumerate(triples) if all_of in (one[0], one[2]))
    triples = [*triples[: place + 1], *new, *triples[place + 1 :]]
    return laid_out(triples, graph.top) if graph.top not in word | lost and is_connected(triples) else graph
