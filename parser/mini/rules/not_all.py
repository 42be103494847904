"""Negate *all*, *every* or *always* where the sentence does, not the verb.

::

    Nicht alle Gäste kamen. (de)    (c / come-01 :polarity - :ARG1 (g / guest :mod (a / all)))
                               ──>  (c / come-01 :ARG1 (g / guest :mod (a / all :polarity -)))

The parser negates the verb, as in *all guests did not come*, or nothing. Only sentences with no other
negation, whose graph has one of these words, are changed.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import laid_out
from parser.mini.rules.negation import negated
from parser.mini.rules.negation_words import is_negated_elsewhere

_NOT_ALL = {
    "de": r"nicht (?:alle[ns]?|jede[mnrs]?|immer)",
    "en": r"(?:\w+n['’]t|not) (?:all|every\w*|always)(?! that)",
    "es": r"no (?:tod[oa]s|todo el mundo|siempre)", "fr": r"pas (?:tous|toutes|toujours|tout le monde)",
    "it": r"non (?:tutt[ie]|sempre|ogni)",
    "ja": "(?:すべて|全て|全員|みんな|いつも)[^、。]*(?:わけでは(?:な|あり)|とは限(?:らな|りま))",
    "ko": r"(?:모든|모두|항상|언제나)[^,.]*(?:것은|건)\s아니",
    "nl": r"niet (?:alle[ns]?|iedereen|elke?|altijd)",
    "pl": r"nie (?:wszys\w+|każd\w+|zawsze)", "pt": r"(?:nem|não) (?:tod[oa]s|sempre|tudo)",
    "ru": r"не (?:вс[её]|всех|всем|кажд\w+|всегда)",
    "uk": r"не (?:всі|усі|все|всіх|усіх|кож(?:ен|н\w+)|завжди)",
    "zh": r"不是(?:所有|每|全)|并非(?:所有|每|全)|不总是|不都",
}  # fmt: skip
_UNSPACED = frozenset({"ja", "ko", "zh"})
_ALL = frozenset({"all", "always", "each", "ever", "every", "everybody", "everyone", "everything"})
"""Concepts of these words; the parser also writes *ever* for *always*."""


def with_not_all(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph whose only negation is that of *all*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / come-01 :polarity - :ARG1 (g / guest :mod (a / all)))")
        >>> print(penman.encode(with_not_all(graph, "Not all guests came.", "en"), indent=None))
        (c / come-01 :ARG1 (g / guest :mod (a / all :polarity -)))
    """
    if lang not in _NOT_ALL:
        return graph
    edge = "" if lang in _UNSPACED else r"\b"
    phrases = list(re.finditer(rf"{edge}(?:{_NOT_ALL[lang]}){edge}", text, re.IGNORECASE))
    if len(phrases) != 1 or is_negated_elsewhere(text, lang, *_whole(phrases[0].span(), text, lang)):
        return graph
    every = {node for node, _, concept in graph.instances() if concept in _ALL}
    words = every - {
        edge.source for edge in graph.edges() if edge.target in every
    }  # of *everyone :mod every*
    negations = {triple for triple in graph.attributes(role=":polarity") if triple[2] == "-"}
    if len(words) != 1 or (negations and {node for node, _, _ in negations} <= words):
        return graph
    (word,) = words
    always = {(word, ":instance", "ever"): (word, ":instance", "always")}
    triples = [always.get(triple, triple) for triple in graph.triples if triple not in negations]
    return negated(laid_out(triples, graph.top), word)


def _whole(phrase: tuple[int, int], text: str, lang: str) -> tuple[int, int]:
    """Return the span of a phrase with the French *ne* before it."""
    before = re.search(r"\bn(?:e |['’])[^,;]*$", text[: phrase[0]], re.IGNORECASE) if lang == "fr" else None
    return (before.start() if before else phrase[0]), phrase[1]
