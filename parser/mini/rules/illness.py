"""Write an illness as a property of who is ill.

::

    They stayed because she was ill.   (c / cause-01 :ARG0 (d / disease :domain (s / she)))
                                  ──>  (c / cause-01 :ARG0 (d / ill-01 :ARG1 (s / she)))
    the same, read otherwise           (d / disease :name (n / name :op1 "she"))
                                  ──>  (d / ill-01 :ARG1 (s / she))
    Sie blieb, weil sie krank war.     (s / stay-01 :ARG0 (s2 / she)
                                          :ARG1-of (c / cause-01 :ARG0 (d / disease)))
                                  ──>  the same with (d / ill-01 :ARG1 s2)

Behind *because* the parser reads *ill* as a disease: one that somebody is, that has a name, or that nobody
has. Who is ill is the only pronoun of the graph, if nothing else stands between *because* and *ill*.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import penman

from amrx.composed_text import Span, overlap
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.dictionaries import WORD
from parser.mini.rules.name_words import name_words, whole_name

_DISEASE, _CAUSE = "disease", "cause-01"
_ILL = {
    "cs": r"nemoc(?:n[áíý]|en)\b", "da": r"syge?\b", "de": r"krank\b", "en": r"(?:ill|sick|unwell)\b",
    "es": r"enferm[ao]s?\b", "fr": r"malades?\b", "it": r"(?:am)?malat[aeio]\b", "ja": "病気",
    "nb": r"syke?\b", "nl": r"ziek\b", "pl": r"chor(?:a|e|y|zy)\b", "pt": r"doentes?\b",
    "ru": r"бол(?:ен|ьна|ьны)\b", "sv": r"sjuka?\b", "tr": r"hasta\b", "uk": r"хвор(?:а|ий|і)\b",
    "zh": "生病|病了",
}  # fmt: skip
"""Words for *ill*."""
_PRONOUNS = frozenset({"i", "you", "he", "she", "we", "they"})
_PEOPLE = _PRONOUNS | frozenset(
    "person man woman child boy girl baby everyone everybody nobody who someone somebody mother father friend"
    " dog cat animal".split()
)
_BETWEEN = frozenset(
    """because since as he she i we they was is am were er sie ich wir weil da porque pues estaba está
    estoy era estava estou ela ele eu él ella yo parce qu il elle que j je étais était est suis perché è
    ero sono lei lui io omdat want ze hij ik zij bo ponieważ on ona ja jest był była byłem byłam потому
    что так как он она я был была было бо тому що він вона був була eftersom för att han hon jag är var
    fordi hun jeg er protože o olduğu olduğum için 因为 她 他 我""".split()
)
"""Conjunctions, pronouns and verbs between the beginning of a clause and *ill*."""


def with_illness(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph in which nobody is a disease; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / cause-01 :ARG0 (d / disease :domain (h / he)))")
        >>> print(penman.encode(with_illness(graph, "weil er krank war", "de", {}), indent=None))
        (c / cause-01 :ARG0 (d / ill-01 :ARG1 (h / he)))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    diseases = [node for node, concept in concepts.items() if concept == _DISEASE]
    for node in diseases:
        given = {edge.role: edge.target for edge in graph.edges(source=node)}
        if len(given) != len([one for one in graph.triples if one[0] == node]) - 1 or given.keys() - {
            ":domain",
            ":name",
        }:
            continue
        name = given.get(":name", "")
        gone = {one for one in graph.triples if name and name in (one[0], one[2])}
        called = whole_name(name_words(graph, name)) if name else ""
        word = _word(text, lang, alignments.get(node) if len(diseases) > 1 else None)
        if concepts.get(given.get(":domain", "")) in _PEOPLE:
            who = given[":domain"]
            graph = _ill(graph, node, [(node, ":ARG1", who)], gone | {(node, ":domain", who)})
        elif called in _PRONOUNS and called in text.split():
            same = [other for other, concept in concepts.items() if concept == called]
            who = same[0] if len(same) == 1 else free_variable(called[0], set(concepts))
            is_new: list[Triple] = [] if len(same) == 1 else [(who, ":instance", called)]
            graph = _ill(graph, node, [(node, ":ARG1", who), *is_new], gone)
        elif word is not None and ":domain" not in given and graph.edges(target=node, role=":ARG0"):
            someone = _who(graph, node, text[:word], concepts)
            graph = _ill(graph, node, [(node, ":ARG1", someone)] if someone else [], gone)
    return graph


def _word(text: str, lang: str, span: Span | None) -> int | None:
    """Return where the only word for *ill* begins, at a span if one is given."""
    if lang not in _ILL:
        return None
    edge = "" if lang in ("ja", "zh") else r"\b"
    words = [word.span() for word in re.finditer(rf"{edge}(?:{_ILL[lang]})", text, re.IGNORECASE)]
    here = [word for word in words if span is None or overlap(word, span)]
    return here[0][0] if len(here) == 1 else None


def _who(graph: penman.Graph, disease: str, before: str, concepts: Mapping[str, str]) -> str | None:
    """Return the only pronoun of a graph, if it takes part in what the illness causes."""
    pronouns = [node for node, concept in concepts.items() if concept in _PRONOUNS]
    causes = [edge.source for edge in graph.edges(target=disease, role=":ARG0")]
    effects = [
        edge.target for cause in causes if concepts[cause] == _CAUSE
        for edge in graph.edges(source=cause, role=":ARG1")
    ]  # fmt: skip
    clause = re.split(r"[,;:，]|(?=\b(?:because|porque|parce|perché|omdat)\b)|(?=因为)", before)[-1]
    words = WORD.findall(clause) if clause.isascii() or " " in clause else list(clause.replace("因为", ""))
    if len(pronouns) != 1 or not effects or not all(word.lower() in _BETWEEN for word in words):
        return None
    below = {edge.target for edge in graph.edges(source=effects[0])}
    deeper = {edge.target for edge in graph.edges() if edge.source in below}
    return pronouns[0] if pronouns[0] in below | deeper else None


def _ill(graph: penman.Graph, disease: str, who: Sequence[Triple], gone: set[Triple]) -> penman.Graph:
    """Return a graph in which a disease is an illness with the triples ``who``, without others."""
    old: Triple = (disease, ":instance", _DISEASE)
    new: list[Triple] = [(disease, ":instance", "ill-01"), *who]
    triples = [
        one for given in graph.triples for one in (new if given == old else [given]) if one not in gone
    ]
    return laid_out(triples, graph.top)
