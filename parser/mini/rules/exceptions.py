"""Attach an exception to *all*, *every* or *nothing*.

::

    All the animals slept except the dog.
              (s / sleep-01 :ARG0 (a / animal :mod (a2 / all)) :ARG1 (d / dog))
         ──>  (s / sleep-01 :ARG0 (a / animal :mod (a2 / all) :ARG2-of (e / except-01 :ARG1 (d / dog))))

The parser reads the exception as another time, place or participant, so that the graph says the opposite.
It loses *every day* beside a weekday, or the weekday; both are written. *Everything was cheap except the
wine* is read as a comparison with the wine, of *it*. Only sentences with one such word behind a word for all,
and with one node for all, are changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
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
    "uk": r"вс[еіь]\w*|ус[еі]\w*|кожн\w+|щодня|ніхто|нікого|нічого",
}  # fmt: skip
_DAILY = {
    "de": "täglich|jeden tag|alle tage", "en": "daily|every day", "es": "todos los días|cada día|diariamente",
    "fr": "tous les jours|chaque jour", "it": "tutti i giorni|ogni giorno",
    "nl": "dagelijks|(?:elke|iedere) dag",
    "pl": "codziennie|każdego dnia", "pt": "todos os dias|diariamente|cada dia",
    "ru": "ежедневно|каждый день", "sv": "dagligen|alla dagar|varje dag",
    "uk": "щодня|кожен день|кожного дня",
}  # fmt: skip
_EVERYTHING = {
    "de": "alles", "en": "everything", "es": "todo", "fr": "tout", "it": "tutto", "nl": "alles",
    "pl": "wszystko", "pt": "tudo", "ru": "вс[её]", "sv": "allt", "uk": "(?:вс|ус)е",
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
    days = [name.value for name in weekdays_in(text, lang) if name.span[0] >= word_end]
    given, graph = graph, _with_all(graph, text[:begin], lang, alignments, is_day=bool(days))
    graph = _without_comparison(graph, begin, alignments)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    inside = {node for node, span in alignments.items() if node in concepts and begin <= span[0] < end}
    if not (inside or days) and len(text[word_end:end].split()) == 1:  # its node may lack an alignment
        inside = {node for node in concepts.keys() - alignments.keys() if not is_frame(concepts[node])}
    inside -= {str(graph.top)}
    inside |= {edge.source for edge in graph.edges(role=":weekday") if concepts[edge.target] in days}
    word = {
        node for node, concept in concepts.items()
        if concept in _READ_AS
        and (concept.startswith("except") or begin <= alignments.get(node, (-1, -1))[0] < word_end)
    }  # fmt: skip
    universal = _universal(graph, concepts)
    if len(universal) != 1 or any(
        edge.source in word and any(one.target in inside for one in graph.edges(edge.source, ":ARG1"))
        for edge in graph.edges(role=":ARG2", target=max(universal))
    ):
        return given
    no_one = word | universal | {node for node in concepts if concepts[node] in _EVERY}
    joined = [edge for edge in graph.edges() if edge.source not in inside - word and edge.role != ":mod"]
    excepted = {edge.target for edge in joined} & inside - no_one
    excepted = excepted or {edge.target for edge in joined if edge.source in word} - no_one
    if not excepted and len(days) == 1 and not word and "date-entity" not in concepts.values():
        return _with_day(graph, universal.pop(), days[0])
    if len(excepted) != 1:
        return given
    gone = {tuple(edge) for edge in joined if edge.target in excepted}
    if any({edge.source, edge.target} == universal | excepted for edge in graph.edges() if edge not in gone):
        return given  # all take part in the exception
    mended = _excepted(graph, universal.pop(), excepted.pop(), word, gone)
    return given if mended is graph else mended


def _universal(graph: penman.Graph, concepts: Mapping[str, str]) -> set[str]:
    """Return the nodes for all."""
    universal = {node for node, concept in concepts.items() if concept in _UNIVERSAL} | {
        edge.source for edge in graph.edges(role=":mod") if concepts[edge.target] in _EVERY
    }
    if not universal:  # *every day*
        universal = {node for node, concept in concepts.items() if concept == "temporal-quantity"}
    return universal


def _with_all(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span], *, is_day: bool
) -> penman.Graph:
    """Return a graph with *every day* before a weekday, and with *everything* in place of *it*."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if _universal(graph, concepts) or graph.top is None:
        return graph
    if (
        is_day
        and is_frame(concepts[graph.top])
        and re.search(rf"\b(?:{_DAILY[lang]})\W*$", text, re.IGNORECASE)
    ):
        taken = set(concepts)
        nodes = []
        for letter in "rtd":
            nodes.append(free_variable(letter, taken))
            taken.add(nodes[-1])
        rate, quantity, day = nodes
        return laid_out(
            [
                *graph.triples,
                (graph.top, ":frequency", rate),
                (rate, ":instance", "rate-entity-91"),
                (rate, ":ARG3", quantity),
                (quantity, ":instance", "temporal-quantity"),
                (quantity, ":quant", "1"),
                (quantity, ":unit", day),
                (day, ":instance", "day"),
            ],
            graph.top,
        )
    all_of = re.compile(rf"(?:{_EVERYTHING[lang]})\b", re.IGNORECASE)
    its = [node for node, concept in concepts.items() if concept == "it" and node in alignments]
    if len(its) != 1 or not all_of.match(text, alignments[its[0]][0]):
        return graph
    old: Triple = (its[0], ":instance", "it")
    new: Triple = (its[0], ":instance", "everything")
    return laid_out([new if one == old else one for one in graph.triples], graph.top)


def _without_comparison(graph: penman.Graph, begin: int, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph in which what is behind the word is a participant, not what all is compared with."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    for node in [node for node, concept in concepts.items() if concept == "have-degree-91"]:
        part = {edge.role: edge.target for edge in graph.edges(node)}
        if part.keys() != {":ARG1", ":ARG2", ":ARG3", ":ARG4"} or graph.edges(target=node):
            continue
        subject, quality, degree, other = part[":ARG1"], part[":ARG2"], part[":ARG3"], part[":ARG4"]
        if graph.edges(degree) or len(graph.edges(target=degree)) > 1:
            continue
        if alignments.get(other, (-1, -1))[0] < begin or concepts[subject] not in _UNIVERSAL:
            continue
        triples = [one for one in graph.triples if one[0] not in (node, degree)]
        if not any({one[0], one[2]} == {subject, quality} for one in triples):
            triples.append((quality, ":ARG1" if is_frame(concepts[quality]) else ":domain", subject))
        return laid_out([*triples, (quality, ":ARG2", other)], quality if graph.top == node else graph.top)
    return graph


def _with_day(graph: penman.Graph, all_of: str, day: str) -> penman.Graph:
    """Return a graph with a weekday as the exception."""
    nodes = {str(node) for node in graph.variables()}
    date = free_variable("d", nodes)
    name = free_variable(day[0], nodes | {date})
    triples = [
        *graph.triples,
        (date, ":instance", "date-entity"),
        (date, ":weekday", name),
        (name, ":instance", day),
    ]
    place = max(i for i, one in enumerate(triples) if all_of in (one[0], one[2]))
    node = free_variable("e", nodes | {date, name})
    new: list[Triple] = [(node, ":instance", "except-01"), (node, ":ARG1", date), (node, ":ARG2", all_of)]
    return laid_out([*triples[: place + 1], *new, *triples[place + 1 :]], graph.top)


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
