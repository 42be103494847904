"""Make the noun before *whose* the owner, where the parser makes it take part in the event.

::

    a man whose car was stolen    (m / man :ARG1-of (s / steal-01 :ARG0 (c / car)))
                             ──>  (m / man :poss-of (c / car :ARG1-of (s / steal-01)))
    l'homme dont le chien mord    (m / man :ARG0-of (b / bite-01 :ARG1 (d / dog)))
                             ──>  (m / man :poss-of (d / dog :ARG0-of (b / bite-01)))

What is owned is taken for the subject of its clause: the agent, or in passives what the event is done to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, is_connected, laid_out

_WHOSE = {
    "de": "dessen|deren", "en": "whose", "es": "cuy[oa]s?", "fr": "dont (?:le|la|les|l['’])",
    "it": "(?:il|la|i|le) cui", "nl": "wiens|wier", "pl": "któr(?:ego|ej|ych)", "pt": "cuj[oa]s?",
    "ru": "чь(?:я|ё|е|и)|чей", "uk": "чи(?:я|є|ї)|чий",
}  # fmt: skip
_PASSIVE = {
    "de": r"\w+(?:t|en) (?:wurden?|worden|wird|werden)\b",
    "en": r"(?:was|were|is|are|been|being|got) \w+(?:ed|en|n|t|ld)\b",
    "es": r"(?:fue|fueron|ha sido|han sido|es|son) \w+[aio]d[oa]s?\b",
    "fr": r"(?:été|est|sont|fut|était) \w+[ést]e?s?\b",
    "it": r"(?:è stat[oa]|sono stat[ie]|fu|viene|venne) \w+",
    "nl": r"(?:werd|werden|wordt|ge\w+ (?:is|zijn|werd))\b", "pl": r"zosta(?:ł|ła|ło|ły|li) \w+",
    "pt": r"(?:foi|foram|é|são) \w+[aio]d[oa]s?\b", "ru": r"был[аои]? \w+", "uk": r"бу(?:в|ла|ло|ли) \w+",
}  # fmt: skip
"""Passives in the clause."""
_CORE = re.compile(r":ARG[0-4]")
_OTHER = re.compile(r"have-\d\d|.*-91")
"""Events that say what belongs to whom."""
_PRONOUNS = frozenset("i you we he she they it".split())
_NEAR = 25
"""Maximum number of letters from *whose* to its noun."""
_CLAUSE = 60
"""Number of letters in which a passive is looked for."""


def with_relative_owners(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the owner before the only *whose*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(m / man :ARG1-of (s / steal-01 :ARG0 (c / car)))")
        >>> spans = {"m": (2, 5), "c": (12, 15), "s": (20, 26)}
        >>> graph = with_relative_owners(graph, "a man whose car was stolen", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (m / man :poss-of (c / car :ARG1-of (s / steal-01)))
    """
    words = list(re.finditer(rf"(?<=\w)\W{{1,2}}(?:{_WHOSE.get(lang, '(?!)')})", text, re.IGNORECASE))
    if len(words) != 1:
        return graph
    begin, end = words[0].span()
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    nouns = {
        node: alignments[node] for node in concepts if node in alignments and not is_frame(concepts[node])
    }
    before = [node for node, span in nouns.items() if span[1] <= begin]
    after = [node for node, span in nouns.items() if end <= span[0] < end + _NEAR]
    if not before or not after:
        return graph
    owner = max(before, key=lambda node: nouns[node])
    thing = min(after, key=lambda node: nouns[node])
    roles = {
        (node, edge.target): edge.role
        for node in concepts
        for edge in graph.edges(source=node)
        if edge.target in (owner, thing) and _CORE.fullmatch(edge.role)
    }
    events = [node for node in concepts if (node, owner) in roles and (node, thing) in roles]
    if len(events) != 1 or events[0] == graph.top or _OTHER.fullmatch(concepts[events[0]]):
        return graph
    (event,) = events
    role = ":ARG1" if re.search(_PASSIVE[lang], text[end : end + _CLAUSE], re.IGNORECASE) else ":ARG0"
    other = [edge for edge in graph.edges(source=event, role=role) if edge.target not in (owner, thing)]
    if other:
        return graph
    triples: list[Triple] = []
    for one in graph.triples:
        if one == (event, roles[event, thing], thing):
            triples += [(event, role, thing), (thing, ":poss", owner)]
        elif one != (event, roles[event, owner], owner) and one[:2] != (thing, ":poss"):
            triples.append(one)
    return laid_out(triples, graph.top) if is_connected(triples) else graph
