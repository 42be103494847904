"""Write the negation of the main verb where it ends the sentence, or begins it.

::

    Tom konuşmadı. (tr)     (s / speak-01 :ARG0 (p / person ...))  ──>  (s / speak-01 :polarity - ...)
    犬は夜に吠えない。 (ja)      (b / bark-01 :ARG0 (d / dog) ...)       ──>  (b / bark-01 :polarity - ...)

In these languages the parser loses about every twentieth negation. Only graphs without any negation, whose
top is the word beside the negation, or the only verb.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.mini.rules.negation import negated, only_verb
from parser.mini.rules.negation_words import NEGATIVE

_VERB = {
    "fi": r"^\W*(?:(?:Minä|Sinä|Hän|Me|Te|He)\s+)?(?:en|et|ei|emme|ette|eivät)\b"
    r"(?!\s+(?:vain|ainoastaan|vaan))\s+\w+",
    "ja": r"[^、。\s]{0,6}(?:ない|なかった|ません|ませんでした)(?:です)?[。.]?$",
    "ko": r"[가-힣]+지(?:는|도)?\s?(?:않|못)[가-힣]+(?:\s것이다)?[.]?$"
    r"|\b(?:안|못)\s[가-힣]+다[.]?$",
    "tr": r"\b\w+m(?:[ıiuü]yor\w*|[ae](?:z(?:s[ıi]n(?:[ıi]z)?|l[ae]r)?|d[ıi](?:[mnk]|n[ıi]z|l[ae]r)?"
    r"|y[ae]c\w+))[.!]?$",
}  # fmt: skip
"""The negation with its verb."""
_NO_NEGATION = re.compile(
    "しか|(?:少|危|情け|切|幼|汚|つまら|くだら|もったい|違い|なら|いけ|仕方が|しょうが|かもしれ)な(?:い|かった)"
    "|(?:しれ|なり|いけ|すみ)ません|^(?:umuyor|gömüyor|emiyor)"
)
"""Words of the same form, double negations, and *only*."""
_NOT_THE_VERB = frozenset(
    "say-01 tell-01 contrast-01 cause-01 concede-01 have-concession-91 lack-01 fail-01 refuse-01 deny-01 "
    "ignore-01 obligate-01 recommend-01 disagree-01 hate-01 dislike-01 mean-01 wrong-04".split()
)
"""Concepts of which the verb is an argument, or which are negative in themselves."""


def with_final_negation(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the negation of its main verb; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(s / speak-01 :ARG0 (h / he))")
        >>> graph = with_final_negation(graph, "O konuşmadı.", "tr", {"s": (2, 11)})
        >>> print(penman.encode(graph, indent=None))
        (s / speak-01 :polarity - :ARG0 (h / he))
    """
    verb = re.search(_VERB[lang], text.rstrip(), re.IGNORECASE) if lang in _VERB else None
    if verb is None or _NO_NEGATION.search(text if lang == "ja" else verb[0]):
        return graph
    if graph.attributes(role=":polarity") or graph.attributes(role=":mode"):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    top = graph.top or ""
    if not is_frame(concepts[top]) or (NEGATIVE | _NOT_THE_VERB) & set(concepts.values()):
        return graph
    begin, end = alignments.get(top, (0, 0))
    is_beside = begin < verb.end() and verb.start() < end
    return negated(graph, top) if is_beside or only_verb(graph, text) else graph
