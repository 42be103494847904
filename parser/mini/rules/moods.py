"""Write questions and commands once.

::

    What did you buy?    (b / buy-01 :mode interrogative ... :ARG1 (a / amr-unknown))
                    ──>  (b / buy-01 ... :ARG1 (a / amr-unknown))
    Don't open it!       (o / open-01 :polarity - :ARG0 (y / you) ...)  ──>  + :mode imperative

AMR marks a question by ``amr-unknown`` alone. The parser leaves the mode out of most negated commands.
"""

from __future__ import annotations

import re

import penman

_BEGINS = {
    "en": r"(?:please,? )?(?:don['’]t|do not)\b", "es": r"no\b(?=.*!)", "fr": r"n(?:e\b|['’])",
    "it": r"non\b(?=.*!)", "pl": r"nie\b(?=.*!)", "pt": r"não\b(?=.*!)", "ru": r"не\b(?=.*!)",
    "uk": r"не\b(?=.*!)", "zh": "请?(?:不要|别)",
}  # fmt: skip
"""Beginnings of negated commands; where a statement may begin so too, only before an exclamation mark."""


def with_plain_moods(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the modes of a question or command; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(o / open-01 :polarity - :ARG0 (y / you) :ARG1 (i / it))")
        >>> print(penman.encode(with_plain_moods(graph, "Don't open it.", "en"), indent=None))
        (o / open-01 :polarity - :mode imperative :ARG0 (y / you) :ARG1 (i / it))
    """
    is_question = any(concept == "amr-unknown" for _, _, concept in graph.instances())
    marks = {triple for triple in graph.attributes(role=":mode") if triple[2] == "interrogative"}
    if is_question and marks:
        return penman.Graph(
            [triple for triple in graph.triples if triple not in marks],
            top=graph.top,
            epidata={triple: data for triple, data in graph.epidata.items() if triple not in marks},
            metadata=graph.metadata,
        )
    negation = (graph.top, ":polarity", "-")
    agents = {target for _, role, target in graph.edges(source=graph.top) if role in (":ARG0", ":ARG1")}
    is_to_you = any((agent, ":instance", "you") in graph.triples for agent in agents)
    begins = lang in _BEGINS and re.match(rf"[\s¡\"«“]*{_BEGINS[lang]}", text, re.IGNORECASE)
    if negation not in graph.triples or not is_to_you or not begins or graph.attributes(role=":mode"):
        return graph
    triples = list(graph.triples)
    triples.insert(triples.index(negation) + 1, (graph.top, ":mode", "imperative"))
    return penman.Graph(triples, top=graph.top, epidata=graph.epidata, metadata=graph.metadata)
