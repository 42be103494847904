"""Read French *ne ... que* as *only*, and not as a negation.

::

    Elle ne mange que des légumes.    (e / eat-01 :polarity - :ARG1 (v / vegetable) :mod (o / only))
                                 ──>  (e / eat-01 :ARG1 (v / vegetable) :mod (o / only))
    Il ne dort que la nuit.           (s / sleep-01 :time (d / date-entity :dayperiod (n / night)))
                                 ──>  (s / sleep-01 :time (d / date-entity ... :mod (o / only)))

The parser often keeps the negation, so that the graph has the opposite meaning, or leaves *only* out. It is
written at the highest node of the words after *que*. Only sentences with no other
negation are changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import free_variable, laid_out
from parser.mini.rules.negation_words import is_negated_elsewhere

_PRONOUNS = r"(?:(?:me|te|se|nous|vous|les?|la|lui|leur|y|en)\s+|[lmtsy]['’])*"
_OTHER_VERB = (
    r"(?:sai[st]|sa[vc]\w+|emp[eê]ch\w+|serait-ce|dout\w+|cro\w+|pens\w+|dis\w*|di[rt]\w*|veu\w+|voul\w+)"
)
"""Verbs that have a clause with *que* beside an empty *ne*."""
_ONLY = re.compile(
    rf"\bn(?:e\s+|['’])(?!{_PRONOUNS}{_OTHER_VERB}\b){_PRONOUNS}(?!pas\b|plus\b|jamais\b|rien\b)[\w-]+"
    r"(?:\s+(?!pas\b|plus\b|jamais\b|rien\b|point\b|aucun|null)\w+(?:é|ée|és|ées|i|u|t|s))?"
    r"\s+qu(?:e\s+|['’])(?!ils?\b|elles?\b|on\b|(?:très\s+)?peu\b|trop\b)",
    re.IGNORECASE,
)
_PHRASE = re.compile(r"(?:[^\W_]+(?:['’-][^\W_]+)*\s*){1,4}")
_SAID = frozenset(
    "only just merely simply sole alone exclusive-02 unique-01 at-most less-than more-than nothing".split()
)
"""Concepts that have the meaning of *only*, or another reading of *ne ... que*."""


def with_only(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph whose *ne ... que* is *only*; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(s / see-01 :polarity - :ARG0 (i / i) :ARG1 (d / dog))")
        >>> spans = {"s": (8, 10), "d": (18, 23)}
        >>> graph = with_only(graph, "Je n'ai vu que des chiens.", "fr", spans)
        >>> print(penman.encode(graph, indent=None))
        (s / see-01 :ARG0 (i / i) :ARG1 (d / dog :mod (o / only)))
    """
    phrases = list(_ONLY.finditer(text)) if lang == "fr" else []
    if len(phrases) != 1 or is_negated_elsewhere(text, lang, *phrases[0].span()):
        return graph
    negations = [triple for triple in graph.attributes(role=":polarity") if triple[2] == "-"]
    begin, end = phrases[0].start(), _end(phrases[0], text)
    spans = [alignments.get(node, (begin, end) if node == graph.top else (0, 0)) for node, _, _ in negations]
    if len(negations) > 1 or any(span[1] <= begin or end <= span[0] for span in spans):
        return graph
    triples = [triple for triple in graph.triples if triple not in negations]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    node = None if _SAID & set(concepts.values()) else _highest(graph, alignments, (phrases[0].end(), end))
    if node is not None:
        only = free_variable("o", set(concepts))
        triples += [(node, ":mod", only), (only, ":instance", "only")]
    return graph if triples == graph.triples else laid_out(triples, graph.top)


def _end(phrase: re.Match[str], text: str) -> int:
    """Return the end of the words after *que*."""
    words = _PHRASE.match(text, phrase.end())
    return words.end() if words else phrase.end()


def _highest(graph: penman.Graph, alignments: Mapping[str, Span], words: Span) -> str | None:
    """Return the highest node of the words, or the list that it begins; not a frame at the top."""
    for node, _, concept in graph.instances():  # depth first
        is_clause = node == graph.top and is_frame(str(concept))
        if not is_clause and words[0] <= alignments.get(node, (0, 0))[0] < words[1]:
            lists = [edge.source for edge in graph.edges(role=":op1") if edge.target == node]
            is_list = bool(lists) and (lists[0], ":instance", "and") in graph.triples
            return str(lists[0] if is_list else node)
    return None
