"""Make the noun before *where* the place of the event, where the parser makes it take part in it.

::

    the shop where I bought the coat    (s / shop :ARG0-of (b / buy-01 :ARG1 (c / coat)))
                                   ──>  (s / shop :location-of (b / buy-01 :ARG0 (i / i) :ARG1 (c / coat)))
    la ville où elle travaille (fr)     (c / city :ARG0-of (w / work-01 :ARG1 (s / she)))
                                   ──>  (c / city :location-of (w / work-01 :ARG0 (s / she)))

A pronoun right behind *where* is the subject.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_WHERE = {
    "da": "hvor", "de": "wo|(?:in|an|auf) (?:dem|der|denen)", "en": "where|in which",
    "es": "donde|en (?:el|la|los|las) que", "fr": "où|dans (?:lequel|laquelle|lesquel(?:le)?s)",
    "it": "dove|in cui", "nb": "hvor", "nl": "waar", "pl": "gdzie|w któr(?:ym|ej|ych)", "pt": "onde|em que",
    "ru": "где|в котор(?:ом|ой|ых)", "sv": "där", "uk": "де|[ву] як(?:ому|ій|их)",
}  # fmt: skip
_SUBJECTS = {
    "da": {"jeg": "i", "du": "you", "han": "he", "hun": "she", "vi": "we", "de": "they"},
    "de": {"ich": "i", "du": "you", "er": "he", "wir": "we", "ihr": "you"},
    "en": {"i": "i", "you": "you", "he": "he", "she": "she", "it": "it", "we": "we", "they": "they"},
    "fr": {"j": "i", "je": "i", "tu": "you", "il": "he", "elle": "she", "nous": "we", "vous": "you",
           "ils": "they"},
    "nb": {"jeg": "i", "du": "you", "han": "he", "hun": "she", "vi": "we", "de": "they"},
    "nl": {"ik": "i", "jij": "you", "je": "you", "hij": "he", "we": "we", "wij": "we"},
    "ru": {"я": "i", "ты": "you", "он": "he", "она": "she", "мы": "we", "вы": "you", "они": "they"},
    "sv": {"jag": "i", "du": "you", "han": "he", "hon": "she", "vi": "we", "de": "they"},
    "uk": {"я": "i", "ти": "you", "він": "he", "вона": "she", "ми": "we", "ви": "you", "вони": "they"},
}  # fmt: skip
_PRONOUNS = frozenset("i you he she it we they".split())
_PATIENTS = frozenset(
    "arrive-01 bear-02 come-01 die-01 fall-01 grow-02 meet-02 sit-01 stand-01 stay-01 wait-01".split()
)
"""Verbs whose subject is ``:ARG1``."""
_CORE = re.compile(":ARG[01]")


def with_relative_places(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the place before the only *where*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / city :ARG0-of (w / work-01 :ARG1 (s / she)))")
        >>> spans = {"c": (4, 8), "s": (15, 18), "w": (19, 24)}
        >>> graph = with_relative_places(graph, "the city where she works", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (c / city :location-of (w / work-01 :ARG0 (s / she)))
    """
    words = list(re.finditer(rf"(?<=\w)\W{{1,2}}(?:{_WHERE.get(lang, '(?!)')})\b", text, re.IGNORECASE))
    if len(words) != 1:
        return graph
    begin, end = words[0].span()
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    places = [node for node, span in alignments.items() if span[1] == begin and not is_frame(concepts[node])]
    if len(places) != 1 or places[0] not in concepts:
        return graph
    (place,) = places
    events = [
        edge
        for edge in graph.edges(target=place)
        if _CORE.fullmatch(edge.role) and is_frame(concepts[edge.source])
        and end <= alignments.get(edge.source, (-1, 0))[0] and edge.source != graph.top
    ]  # fmt: skip
    if len(events) != 1 or graph.edges(source=events[0].source, role=":location"):
        return graph
    event = events[0].source
    said = re.match(r"[\s'’]*([^\W\d_]+)", text[end:])
    subject = _SUBJECTS.get(lang, {}).get(said[1].casefold()) if said else None
    role = ":ARG1" if concepts[event] in _PATIENTS else ":ARG0"
    own = [one for one in graph.edges(source=event) if concepts[one.target] in _PRONOUNS]
    taken = [one for one in graph.edges(source=event, role=role) if one != events[0]]
    triples: list[Triple] = [
        (event, ":location", place) if one == events[0] else one
        for one in graph.triples
        if not (one[:2] == (place, ":poss") and concepts.get(one[2]) == subject)
    ]
    if subject and not taken:
        known = next((node for node, concept in concepts.items() if concept == subject), None)
        node = known or free_variable(subject[0], concepts)
        triples = [one for one in triples if one not in own or one[2] != node]
        triples += [(event, role, node), *([] if known else [(node, ":instance", subject)])]
    elif own and not taken and own[0].role != role and len(own) == 1:
        triples = [(event, role, one[2]) if one == own[0] else one for one in triples]
    return laid_out(triples, graph.top) if is_connected(triples) else graph
