"""Negate the words after *without*, and not the clause.

::

    A man rides without a helmet.    (r / ride-01 :polarity - :ARG0 (m / man) :manner (h / helmet))
                                ──>  (r / ride-01 :ARG0 (m / man) :manner (h / helmet :polarity -))

The parser often negates the verb, so that the graph has the opposite meaning. If it has no node for the words
after *without*, the negation is dropped. A sentence with another negation is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import laid_out
from parser.mini.rules.negation_words import is_negated_elsewhere

_WITHOUT = {
    "cs": "bez", "da": "uden", "de": "ohne", "en": "without", "es": "sin", "fr": "sans", "id": "tanpa",
    "it": "senza", "nb": "uten", "nl": "zonder", "pl": "bez", "pt": "sem", "ro": "fără", "ru": "без",
    "sv": "utan", "uk": "без",
}  # fmt: skip
_PREFIX = re.compile(r"un|in|im|ir|il|dis|des|dés|non|on|o[^\W]*los|.*less$|.*los$", re.IGNORECASE)
"""The beginning or end of a word that negates itself."""
_PHRASE = re.compile(r"(?:\s+[^\W_]+(?:['’-][^\W_]+)*){1,4}")
_NOUN = re.compile(r"(?:\s+[a-zäöüß]\S*)*\s+[^\W_]+")
"""German words up to the first noun."""
_LINKS = frozenset(
    "to in on at for from with by and or but because zu à au dans sur pour par en et a por para con y su per "
    "da e em no na com op naar te van w do z i в на из с к и у до з і та som och på ke v dan yang di".split()
)
"""Words that end the phrase."""
_NOT_ABSENT = frozenset(
    "i you he she it we they date-entity temporal-quantity day week month year hour minute now today "
    "yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday morning evening".split()
)
"""Concepts of people and times, which may follow the phrase and are not what is lacking."""


def with_negated_absence(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph whose *without* negates the words after it; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(g / go-02 :polarity - :ARG0 (h / he) :ARG4 (k / key))")
        >>> spans = {"g": (3, 7), "k": (22, 26)}
        >>> graph = with_negated_absence(graph, "He went without his keys.", "en", spans)
        >>> print(penman.encode(graph, indent=None))
        (g / go-02 :ARG0 (h / he) :ARG4 (k / key :polarity -))
    """
    negated = [triple for triple in graph.attributes(role=":polarity") if triple[2] == "-"]
    words = list(re.finditer(rf"\b{_WITHOUT[lang]}\b", text, re.IGNORECASE)) if lang in _WITHOUT else []
    if not negated or len(words) != 1 or is_negated_elsewhere(text, lang, *words[0].span()):
        return graph
    begin, end = words[0].span()
    if not re.search(r"\w[^:.!?]*$", text[:begin]):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    wrong = [
        triple
        for triple in negated
        for first, last in [alignments.get(triple[0], (0, 0))]
        if first < begin and not _PREFIX.match(text[first:last])
        if triple[0] in alignments or (triple[0] == graph.top and concepts[triple[0]] != "have-03")
    ]
    if len(wrong) != 1:
        return graph
    absent = _absent(graph, alignments, (end, _end(text, end, lang)), (begin, end))
    triples = [triple for triple in graph.triples if triple != wrong[0]]
    if absent and absent != wrong[0][0] and not any(triple[0] == absent for triple in negated):
        concept = next(
            i for i, (node, role, _) in enumerate(triples) if (node, role) == (absent, ":instance")
        )
        triples.insert(concept + 1, (absent, ":polarity", "-"))
    return laid_out(triples, graph.top)


def _end(text: str, begin: int, lang: str) -> int:
    """Return the end of the phrase after *without*."""
    phrase = (_NOUN if lang == "de" else _PHRASE).match(text, begin)
    words = list(re.finditer(r"\w+", text[begin : phrase.end()])) if phrase else []
    links = [word.start() for word in words[1:] if word[0].lower() in _LINKS]
    return begin + min((*links, *(word.end() for word in words[-1:])), default=0)


def _absent(graph: penman.Graph, alignments: Mapping[str, Span], phrase: Span, without: Span) -> str | None:
    """Return the frame of *without* itself, else the highest node of the words after it."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    itself = [node for node in concepts if alignments.get(node) == without]
    if itself:
        return next((node for node in itself if is_frame(concepts[node])), None)
    inside = {node for node in concepts if phrase[0] < alignments.get(node, (0, 0))[0] < phrase[1]}
    below = {target for source, _, target in graph.edges() if source in inside}
    return next(
        (node for node in concepts if node in inside - below and concepts[node] not in _NOT_ABSENT), None
    )
