"""Negate nothing that is *not only* so.

::

    The hotel is not only clean but also quiet.
        (c / contrast-01 :ARG1 (c2 / clean-01 :polarity - :ARG1 (h / hotel)) :ARG2 (q / quiet-04 :ARG1 h))
    ──> (a / and :op1 (c2 / clean-01 :ARG1 (h / hotel)) :op2 (q / quiet-04 :ARG1 h))

Sentences with another negation are left unchanged.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.negation_words import is_negated_elsewhere

_NOT_ONLY = {
    "cs": "nejen(?:om)?", "da": "ikke (?:kun|bare)(?=.*men)", "de": r"nicht (?:nur|bloß)(?=.*\bsondern\b)",
    "en": r"(?:not|n['’]t) (?:only|just|merely)(?=.*\bbut\b)",
    "es": "no (?:solo|sólo|solamente|únicamente)(?=.*sino)",
    "fr": r"non seulement|n(?:e\s|['’]).*\bpas seulement|pas que(?=.*mais)",
    "it": "non (?:è |sono |era )?(?:solo|soltanto)(?=.*ma )",
    "ja": "だけで(?:は)?なく|ばかりでなく|のみならず",
    "ko": "뿐만? ?(?:이 )?아니라", "nb": "ikke (?:bare|kun)(?=.*men)",
    "nl": "niet (?:alleen|enkel)(?=.*maar)", "pl": "nie tylko",
    "pt": "não (?:é |são )?(?:só|apenas|somente)(?=.*mas)", "ro": "nu (?:numai|doar)(?=.*ci)",
    "ru": "не только", "sv": r"inte (?:bara|endast)(?=.*\butan\b)",
    "tr": r"(?:sadece|yalnızca) .*değil", "uk": "не (?:лише|тільки)", "zh": "不仅|不但|不只|不光",
}  # fmt: skip
"""*Not only*, before *but*."""
_EMPTY = frozenset("only just also too as-well merely aussi even".split())
"""Concepts of the words of the construction."""


def with_not_only(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph without the negation of *not only*; the same object if the sentence does not say it.

    Example:
        >>> graph = penman.decode("(c / contrast-01 :ARG1 (s / sing-01 :polarity -) :ARG2 (d / dance-01))")
        >>> graph = with_not_only(graph, "He not only sings but also dances.", "en")
        >>> print(penman.encode(graph, indent=None))
        (a / and :op1 (s / sing-01) :op2 (d / dance-01))
    """
    found = list(re.finditer(_NOT_ONLY.get(lang, "(?!)"), text, re.IGNORECASE))
    if len(found) != 1 or is_negated_elsewhere(text, lang, *found[0].span()):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    words = {
        node
        for node, concept in concepts.items()
        if concept in _EMPTY and not graph.edges(source=node) and len(graph.edges(target=node)) == 1
        and graph.edges(target=node)[0].role in (":mod", ":degree", ":manner")
    }  # fmt: skip
    triples: list[Triple] = [
        one for one in graph.triples if one[1:] != (":polarity", "-") and words.isdisjoint((one[0], one[2]))
    ]
    top = graph.top
    for node in [one for one, concept in concepts.items() if concept == "contrast-01"]:
        roles = {role: target for source, role, target in triples if source == node and target in concepts}
        if not {":ARG1", ":ARG2"} <= roles.keys():
            continue
        new = free_variable("a", concepts)
        changed = {":ARG1": ":op1", ":ARG2": ":op2"}
        triples = [
            (
                new if source == node else source,
                changed.get(role, role) if source == node else role,
                "and" if (source, role) == (node, ":instance") else new if target == node else target,
            )
            for source, role, target in triples
        ]
        top = new if top == node else top
        break
    if set(triples) == set(graph.triples) or not is_connected(triples):
        return graph
    return laid_out(triples, top)
