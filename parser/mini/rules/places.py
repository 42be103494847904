"""Write on which side of a thing something is: *under the table*, *behind the door*.

::

    Die Katze ist unter dem Tisch. (de)   (b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table))
               ──>  (b / be-located-at-91 :ARG1 (c / cat) :ARG2 (u / under :op1 (t / table)))
    Le chat est derrière la porte. (fr)   (b / behind :op1 (c / cat) :ARG2 (d / door))
               ──>  (b2 / be-located-at-91 :ARG1 (c / cat) :ARG2 (b / behind :op1 (d / door)))

Outside English the parser leaves most of these words out, joins them to the wrong thing, or turns the
relation round. Only sentences with one such word are changed, where its noun is the place of something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_DATIVE = "(?:de[mrn]|(?:ein|mein|sein|ihr|unser|dies)e[mrn])"
_AT_CS = r"(?! (?:\w+ ){0,2}(?:stol|volant|hranic|moř|řek))"
_AT_PL = r"(?! (?:\w+ ){0,2}(?:sto[łl]|biurk|kierownic|granic|brzeg|morz|rzek|jezior|zatok))"
_AT_RU = r"(?! (?:\w+ ){0,2}(?:стол|рул|парт|роял|пианино|границ))"
_AT_UK = r"(?! (?:\w+ ){0,2}(?:стол|стіл|керм|парт|роял|кордон))"
"""Things that one is at, not behind or above: *за столом* is at the table."""
_WATCHED = re.compile(r"\b(?:наблюд|след|ухажив|присматр|смотр|гон|охот|спостеріг|стеж|догляд|полю)\w*\s$")
"""Verbs before *за* that have no place: *to watch*."""
_WORDS = {
    "under": {
        "ar": "تحت", "cs": "pod", "da": "under", "de": rf"unter(?= {_DATIVE}\b)", "es": "debajo del?",
        "fr": "sous|au-dessous d(?:e|u|es)", "it": "sotto", "ja": "の下", "ko": "아래|밑",
        "nb": "under", "nl": "onder", "pl": "pod", "pt": "debaixo d[aeo]s?|embaixo d[aeo]s?|sob",
        "ro": "sub", "ru": "под(?:о)?", "sv": "under", "tr": r"alt[ıi]nda(?:dır|ydı)?", "uk": "під",
        "zh": "下面|底下|的?下(?=[，。,]|$)",
    },
    "above": {
        "cs": rf"nad{_AT_CS}", "da": "over", "de": rf"über(?= {_DATIVE}\b)|oberhalb",
        "es": "por encima del?", "fr": "au-dessus d(?:e|u|es)", "it": "sopra", "nb": "over", "nl": "boven",
        "pl": rf"nad{_AT_PL}", "pt": "acima d[aeo]s?", "ro": "deasupra", "ru": "над", 
        "sv": "ovanför|över", "uk": "над",
        "zh": "上方",
    },
    "behind": {
        "ar": "خلف|وراء", "cs": rf"za{_AT_CS}", "da": "bag", "de": rf"hinter(?= {_DATIVE}\b)",
        "es": "detrás del?",
        "fr": "derrière", "it": "dietro", "ja": "の(?:後ろ|うしろ)", "ko": "뒤", "nb": "bak",
        "nl": "achter", "pl": rf"za{_AT_PL}", "pt": "atrás d[aeo]s?", "ro": "în spatele", 
        "ru": rf"за{_AT_RU}|позади",
        "sv": "bakom", "tr": "arkas[ıi]nda(?:dır|ydı)?", "uk": rf"за{_AT_UK}|позаду", "zh": "后面|後面",
    },
    "in-front-of": {
        "es": "delante del?|frente al?", "it": "davanti a\\w*", "ru": "перед", "pl": "przed", "uk": "перед",
    },
}  # fmt: skip
_CONCEPTS = {
    "under": frozenset({"under", "underneath", "beneath", "below", "bottom"}),
    "above": frozenset({"above", "over", "top"}),
    "behind": frozenset({"behind", "back", "rear"}),
    "in-front-of": frozenset({"in-front-of", "front", "ahead", "before"}),
}
"""Concepts that the parser writes for them."""
_NOUN_FIRST = frozenset({"ja", "ko", "tr", "zh"})
_UNSPACED = frozenset({"ja", "zh"})
_LOCATED = "be-located-at-91"
_STATES = frozenset(
    f"{_LOCATED} stand-01 stand-03 sit-01 lie-07 lay-01 hang-01 hanging-07 sleep-01 hide-01".split()
)
"""Verbs whose ``:ARG2`` is a place."""
_END = re.compile("[,;:.!?，。；：！？、]")
_NEAR = 24
"""Maximum number of letters between the word and its noun."""


class _Place(NamedTuple):
    """A word for a side, the thing and the relation to what is there."""

    concept: str
    edge: Triple  # from what is there, or its state, to the thing


def with_places(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with the only side of a place; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table))")
        >>> spans = {"c": (3, 7), "t": (17, 22)}
        >>> print(penman.encode(with_places(graph, "Le chat est sous la table.", "fr", spans), indent=None))
        (b / be-located-at-91 :ARG1 (c / cat) :ARG2 (u / under :op1 (t / table)))
    """
    words = list(_words_in(text, lang))
    if len(words) != 1:
        return graph
    concept, word = words[0]
    concepts = {node: str(one) for node, _, one in graph.instances()}
    known = [node for node, one in concepts.items() if one in _CONCEPTS[concept]]
    if len(known) > 1:
        return graph
    noun = _noun(text, lang, word, alignments, concepts)
    if known:
        return _rejoined(graph, known[0], concept, noun, concepts)
    edges = [
        edge
        for edge in graph.edges(target=noun)
        if edge.role == ":location" or (edge.role == ":ARG2" and concepts[edge.source] in _STATES)
    ]
    if noun is None or len(edges) != 1 or len(graph.edges(target=noun)) != 1:
        return graph
    side = free_variable(concept[0], graph.variables())
    new: list[Triple] = [
        (edges[0].source, edges[0].role, side),
        (side, ":instance", concept),
        (side, ":op1", noun),
    ]
    return laid_out(
        [kept for one in graph.triples for kept in (new if one == edges[0] else [one])], graph.top
    )


def _rejoined(
    graph: penman.Graph, side: str, concept: str, noun: str | None, concepts: Mapping[str, str]
) -> penman.Graph:
    """Return the graph with the thing below its side, and the side as the place of something."""
    if noun is None:
        return graph
    own = {edge.role: edge.target for edge in graph.edges(source=side)}
    above = graph.edges(target=side)
    part = (noun, ":part", side)
    if not own and part in graph.triples and len(above) == 2:  # (b / back :part-of (s / sofa))
        new_back: dict[Triple, Triple] = {
            (side, ":instance", concepts[side]): (side, ":instance", concept),
            part: (side, ":op1", noun),
        }
        return laid_out([new_back.get(triple, triple) for triple in graph.triples], graph.top)
    if not above and graph.top == side and ":op1" in own and noun in (own.get(":ARG2"), own.get(":location")):
        role = ":ARG2" if own.get(":ARG2") == noun else ":location"
        node = free_variable("b", graph.variables())
        new: list[Triple] = [
            (node, ":instance", _LOCATED),
            (node, ":ARG1", own[":op1"]),
            (node, ":ARG2", side),
        ]
        gone = {(side, ":op1", own[":op1"]), (side, role, noun)}
        triples = [*new, *(one for one in graph.triples if one not in gone), (side, ":op1", noun)]
        return laid_out(triples, node) if is_connected(triples) else graph
    joined = [
        edge
        for edge in graph.edges(target=noun)
        if edge.role == ":location" or (edge.role == ":ARG2" and concepts[edge.source] in _STATES)
    ]
    if len(joined) != 1 or graph.top == side:
        return graph
    source, role, _ = joined[0]
    below = own.get(":op1")
    is_inverse = not above and below == noun
    is_sibling = not own and len(above) == 1 and above[0].source == source
    if not (is_inverse or is_sibling):
        return graph
    gone = {tuple(joined[0]), *(tuple(edge) for edge in above), (side, ":op1", noun)}
    kept = [one for one in graph.triples if tuple(one) not in gone]
    place = 1 + max(i for i, one in enumerate(kept) if one[0] == source)
    triples = [*kept[:place], (source, role, side), (side, ":op1", noun), *kept[place:]]
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _words_in(text: str, lang: str) -> Iterator[tuple[str, Span]]:
    """Yield the sides that a sentence names, and their spans."""
    left, right = ("", "") if lang in _UNSPACED else (r"\b", r"\b" if lang != "ko" else "")
    for concept, words in _WORDS.items():
        if lang in words:
            for match in re.finditer(f"{left}(?:{words[lang]}){right}", text, re.IGNORECASE):
                if not _WATCHED.search(text[: match.start()]):
                    yield concept, match.span()


def _noun(
    text: str, lang: str, word: Span, alignments: Mapping[str, Span], concepts: Mapping[str, str]
) -> str | None:
    """Return the node of the noun beside a word for a side, or aligned to it; ``None`` if it has none."""
    begin, end = word
    sides = frozenset[str]().union(*_CONCEPTS.values())
    starts = {
        node: alignments[node][0]
        for node, concept in concepts.items()
        if node in alignments and not is_frame(concept) and concept not in sides
    }
    if lang in _NOUN_FIRST:
        starts = {node: start for node, start in starts.items() if begin - _NEAR <= start < end}
        nearest = max(starts.values(), default=None)
    else:
        mark = _END.search(text, end)
        last = min(mark.start() if mark else len(text), end + _NEAR)
        starts = {node: start for node, start in starts.items() if begin <= start < last}
        nearest = min(starts.values(), default=None)
    nodes = [node for node, start in starts.items() if start == nearest]
    return nodes[0] if len(nodes) == 1 else None
