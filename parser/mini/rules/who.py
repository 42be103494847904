"""Write who does something, below the verb that asks for it or says it.

::

    Ich weiß, wer rief. (de)        (k / know-01 :ARG0 (i / i) :ARG1 (c / call-02 :ARG0 (p / person)))
            ──>  (k / know-01 :ARG0 (i / i) :ARG1 (p / person :ARG0-of (c / call-02)))
    Sais-tu qui habite ici ? (fr)   (k / know-01 :ARG0 (y / you) :ARG1 (l / live-01 :ARG0 y ...) ...)
            ──>  (k / know-01 :ARG0 (y / you) :ARG1 (p / person :ARG0-of (l / live-01 ...)) ...)

AMR makes the person the argument. The parser often makes the subject of the first verb that of the second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import free_variable, is_connected, laid_out

_WHO = {
    "cs": r"\bkdo\b", "da": r"\bhvem(?: der)?\b(?! (?:han|hun|jeg|du|vi|de|det|den)\b)", "de": r"\bwer\b",
    "en": r"\bwho\b(?! (?:I|you|he|she|it|we|they|the|my|your|his|her|our|their|this|that|to)\b)",
    "es": r"(?<!\ba )(?<!\bcon )(?<!\bde )(?<!\bpara )\bquién(?:es)?\b", "fi": r"\bkuka\b",
    "fr": r"(?<!à )(?<!avec )(?<!de )(?<!pour )\bqui\b(?! (?:je|tu|il|elle|on|nous|vous|ils|elles)\b)",
    "hu": r"\bki\b", "id": r"\bsiapa\b", "it": r"(?<!\ba )(?<!con )(?<!di )(?<!per )(?<!da )\bchi\b",
    "ja": "誰が", "ko": "누가", "nb": r"\bhvem(?: som)?\b(?! (?:han|hun|jeg|du|vi|de|det|den)\b)",
    "nl": r"\bwie\b(?! (?:hij|zij|ze|ik|je|jij|we|wij)\b)", "pl": r"\bkto\b",
    "pt": r"(?<!\ba )(?<!com )(?<!de )(?<!para )\bquem\b", "ro": r"(?<!\bpe )(?<!\bcu )\bcine\b",
    "ru": r"\bкто\b", "sv": r"\bvem(?: som)?\b(?! (?:han|hon|jag|du|vi|de|det|den)\b)",
    "tr": r"\bkimin\b(?=.*\w+[dt][ıiuü]ğ[ıiuü]n[ıiua]\b)", "uk": r"\bхто\b", "vi": r"\bai\b", "zh": "谁|誰",
}  # fmt: skip
"""*Who* as a subject."""
_VERB_LAST = frozenset({"ja", "ko", "tr"})
_VERBS = frozenset(
    """ask-01 tell-01 say-01 know-01 wonder-01 explain-01 understand-01 remember-01 forget-01 decide-01
    show-01 find-out-03 check-01 guess-01 see-01 recall-02 reveal-01""".split()
)
"""Verbs of asking and saying."""
_ANYONE = frozenset({"person", "someone", "anyone", "everyone", "no-one", "nobody", "who", "amr-unknown"})
"""Concepts that the parser writes for *who*."""


def with_asked_persons(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the person that an indirect question asks for; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(k / know-01 :ARG0 (h / he) :ARG1 (c / call-02 :ARG0 h))")
        >>> spans = {"k": (3, 8), "c": (14, 20)}
        >>> print(penman.encode(with_asked_persons(graph, "He knows who called.", "en", spans), indent=None))
        (k / know-01 :ARG0 (h / he) :ARG1 (p / person :ARG0-of (c / call-02)))
    """
    words = list(re.finditer(_WHO.get(lang, "(?!)"), text, re.IGNORECASE))
    if len(words) != 1:
        return graph
    who = words[0]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    starts = {node: alignments[node][0] for node in concepts if node in alignments}
    asked = [
        edge
        for edge in graph.edges(role=":ARG1")
        if concepts[edge.source] in _VERBS
        and is_frame(concepts[edge.target])
        and not concepts[edge.target].endswith("-91")
        and not who.start() > starts.get(edge.target, who.end()) != starts.get(edge.source)
        and (starts.get(edge.source, -1) < who.start() or lang in _VERB_LAST)
    ]
    if len(asked) != 1:
        return graph
    verb, _, action = asked[0]
    arguments = graph.edges(source=action)
    subjects = [edge.target for edge in arguments if edge.role == ":ARG0"]
    others = [
        edge
        for edge in sorted(arguments, key=lambda edge: edge.role)
        if concepts[edge.target] in _ANYONE
        and (edge.role == ":ARG0" or (edge.role == ":ARG1" and _is_leaf(graph, edge.target)))
    ]
    later = [one for one in subjects if starts.get(one, -1) >= who.end() and lang not in _VERB_LAST]
    if len(subjects) > 1 or (later and not others):
        return graph
    person = others[0].target if others else free_variable("p", graph.variables())
    gone = {(verb, ":ARG1", action), *((action, ":ARG0", one) for one in subjects), *others[:1]}
    kept = [triple for triple in graph.triples if triple not in gone and triple[:2] != (person, ":instance")]
    place = 1 + max(i for i, triple in enumerate(kept) if triple[0] == verb and triple[1] != ":ARG2")
    new = [(verb, ":ARG1", person), (person, ":instance", "person"), (action, ":ARG0", person)]
    triples = [*kept[:place], *new, *kept[place:]]
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _is_leaf(graph: penman.Graph, node: str) -> bool:
    """Return whether a node has one relation and no attribute."""
    return len([one for one in graph.triples if node in (one[0], one[2])]) == 2
