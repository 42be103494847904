"""Remove a second negation that no one wrote, and write those of *neither ... nor* and *must not*.

::

    The device can't connect.    (p / possible-01 :polarity - :ARG1 (c / connect-01 :polarity -))
                            ──>  (p / possible-01 :polarity - :ARG1 (c / connect-01))
    Nadie vino. (es)             (c / come-01 :polarity - :ARG1 (n / nobody))
                            ──>  (c / come-01 :ARG1 (n / nobody))
    我不喜欢鱼。 (zh)             (d / dislike-01 :polarity - ...)  ──>  (d / like-01 :polarity - ...)

The parser often writes the negation of *cannot* twice; AMR writes it once, at ``possible-01``; that of
*should not* is written at the action. Many languages negate the verb beside *nobody* or *nothing*; AMR has
these concepts alone. The rare *he cannot not go* and *nobody did not go* lose a negation. Polish *nieść*, to
carry, begins like *not*. In Germanic languages the parser often drops the negation of *neither*.
"""

import re
from collections.abc import Iterator, Mapping

import penman

from amrx.composed_text import Span
from linearize.frames import replace_triples
from linearize.vocabulary import is_frame
from parser.graphs.triples import laid_out
from parser.mini.rules.negation_words import NEGATIVE, is_like_negation, negators

_DISLIKE = re.compile(
    r"dislik|\bhat[eir]|h[aä]ss|verabscheu|missf|détest|déplai|odi[oaeé]|detest"
    r"|disgust|desagrad|haat|afkeer|hekel|nienawi|nie ?znosz|ненави|нелюб|не ?терп"
    r"|nefret|讨厌|討厭|厌恶|嫌|싫|미워|كره|بغض|μισ|שונא|नफ़?रत|benci|ghét|vih|avsky|ogill"
    r"|mislik|inho",
    re.IGNORECASE,
)
"""Words for *dislike*."""
_MAY = frozenset({"possible-01", "allow-01", "permit-01"})
_FORBIDDING = frozenset({"prohibit-01", "forbid-01", "ban-01"})
"""Concepts of verbs with a negation of their own."""
_NO_ONE = {
    "es": "ning[uú]n[oa]?s?", "fr": "aucune?s?|nul(?:le)?s?", "it": "nessun[oa]?",
    "pl": r"żad\w+", "pt": "nenhum(?:a|as|uns)?", "ru": r"ни один|ни одна|ни одно|никак\w+", "uk": r"жод\w+",
}  # fmt: skip
"""*No* before a noun, beside which the verb is negated too."""
_NEITHER = {
    "da": r"hverken\b.*\beller", "de": r"weder\b.*\bnoch", "en": r"neither\b.*\bnor",
    "nb": r"verken\b.*\beller", "nl": r"noch\b.*\bnoch", "sv": r"varken\b.*\beller",
}  # fmt: skip
_MUST_NOT = {
    "en": "must(?:n['’]t| not| never)", "es": "(?:no|nunca) deb(?:o|es?|emos|éis|en)",
    "fr": "(?:ne |n['’])(?:dois|doit|devons|devez|doivent) (?:pas|jamais|plus)",
    "it": "non (?:devo|devi|deve|dobbiamo|dovete|devono)", "pt": "(?:não|nunca) dev(?:o|es?|emos|em)",
    "ru": "не долж(?:ен|на|но|ны)", "uk": "не повин(?:ен|на|но|ні)",
}  # fmt: skip
"""Words for *must not*; German and others say *may not*, which the parser reads well."""


def with_neither(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the negation of *neither ... nor* at its top; the same object if nothing changes.

    Only sentences of one clause, whose graph has no negation, are changed.

    Example:
        >>> graph = with_neither(penman.decode("(h / have-03 :ARG0 (i / i))"), "Ich habe weder noch.", "de")
        >>> print(penman.encode(graph, indent=None))
        (h / have-03 :polarity - :ARG0 (i / i))
    """
    is_negated = any(role == ":polarity" for _, role, _ in graph.triples)
    names = {concept for _, _, concept in graph.instances()} & NEGATIVE
    is_neither = lang in _NEITHER and re.search(rf"\b{_NEITHER[lang]}\b", text, re.IGNORECASE)
    if is_negated or names or not is_neither or not has_one_clause(text):
        return graph
    top = next(triple for triple in graph.instances() if triple[0] == graph.top)
    return negated(graph, top[0]) if is_frame(str(top[2])) else graph


def has_one_clause(text: str) -> bool:
    """Return whether a sentence has no mark between clauses.

    Example:
        >>> has_one_clause("He runs."), has_one_clause("He runs, she sits.")
        (True, False)
    """
    return not re.search(r"[,;:，；：、،؛]|[.!?。！？].*\w", text)


def negated(graph: penman.Graph, node: str) -> penman.Graph:
    """Return a graph with a negation at a node.

    Example:
        >>> print(penman.encode(negated(penman.decode("(g / go-02 :ARG0 (h / he))"), "g"), indent=None))
        (g / go-02 :polarity - :ARG0 (h / he))
    """
    triples = list(graph.triples)
    place = next(i for i, triple in enumerate(triples) if triple[:2] == (node, ":instance"))
    triples.insert(place + 1, (node, ":polarity", "-"))
    return penman.Graph(triples, top=graph.top, epidata=graph.epidata, metadata=graph.metadata)


def only_verb(graph: penman.Graph, text: str) -> str | None:
    """Return the top of a graph if it is the only verb of a sentence of one clause; else ``None``.

    Example:
        >>> only_verb(penman.decode("(g / go-02 :ARG0 (p / person :ARG0-of (t / teach-01)))"), "He goes.")
        'g'
        >>> only_verb(penman.decode("(s / say-01 :ARG1 (g / go-02))"), "He says he goes.")
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    top = graph.top or ""
    below = [concepts.get(edge.target, "") for edge in graph.edges() if not edge.role.endswith("-of")]
    is_only = is_frame(concepts[top]) and not any(map(is_frame, below))
    return top if is_only and not concepts[top].endswith("-91") and has_one_clause(text) else None


def with_prohibition(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Write *must not* as a prohibition, not as *need not*; return the same object if nothing changes.

    The parser reads *must not* as *need not*, or writes both. Only sentences whose graph has no other
    negation are changed.

    Example:
        >>> graph = penman.decode("(o / obligate-01 :polarity - :ARG2 (g / go-02))")
        >>> print(penman.encode(with_prohibition(graph, "You must not go.", "en"), indent=None))
        (o / obligate-01 :ARG2 (g / go-02 :polarity -))
    """
    negations = [triple for triple in graph.attributes(role=":polarity") if triple[2] == "-"]
    duties = [one for one in negations if (one[0], ":instance", "obligate-01") in graph.triples]
    if lang not in _MUST_NOT or len(duties) != 1:
        return graph
    node, _, _ = old = duties[0]
    actions = [edge.target for edge in graph.edges(source=node, role=":ARG2")]
    others = {negation[0] for negation in negations} - {node, *actions}
    if (
        others
        or len(actions) != 1
        or len(re.findall(rf"\b(?:{_MUST_NOT[lang]})\b", text, re.IGNORECASE)) != 1
    ):
        return graph
    gone = {tuple(old), (actions[0], ":polarity", "-")}
    triples = [triple for triple in graph.triples if triple not in gone]
    place = next(i for i, triple in enumerate(triples) if triple[:2] == (actions[0], ":instance"))
    triples.insert(place + 1, (actions[0], ":polarity", "-"))
    return laid_out(triples, graph.top)


def without_double_negation(graph: penman.Graph) -> penman.Graph:
    """Return a graph without the second of two negations of a clause; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / possible-01 :polarity - :ARG1 (g / go-02 :polarity -))")
        >>> print(penman.encode(without_double_negation(graph), indent=None))
        (p / possible-01 :polarity - :ARG1 (g / go-02))
    """
    gone = {(node, ":polarity", "-") for node in _negated_twice(graph)}
    if not gone:
        return graph
    return penman.Graph(
        [triple for triple in graph.triples if triple not in gone],
        top=graph.top,
        epidata={triple: marks for triple, marks in graph.epidata.items() if triple not in gone},
        metadata=graph.metadata,
    )


def with_liking(graph: penman.Graph, text: str) -> penman.Graph:
    """Return a graph in which *not like* is not negated *dislike*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(d / dislike-01 :polarity - :ARG0 (i / i) :ARG1 (f / fish))")
        >>> print(penman.encode(with_liking(graph, "我不喜欢鱼。"), indent=None))
        (d / like-01 :polarity - :ARG0 (i / i) :ARG1 (f / fish))
    """
    negated = {node for node, _, value in graph.attributes(role=":polarity") if value == "-"}
    changed = {
        triple: (triple[0], triple[1], "like-01")
        for triple in graph.instances()
        if triple[2] == "dislike-01" and triple[0] in negated
    }
    return replace_triples(graph, changed) if changed and not _DISLIKE.search(text) else graph


def without_imagined_negation(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph without negations that the parser read into words such as *nieść*, to carry.

    Nor has it those of *forbid*. A sentence with another negation is unchanged: the same object if nothing
    changes.

    Example:
        >>> graph = penman.decode("(c / carry-01 :polarity - :ARG1 (s / sofa))")
        >>> graph = without_imagined_negation(graph, "Nieśliśmy kanapę.", "pl", {"c": (0, 9)})
        >>> print(penman.encode(graph, indent=None))
        (c / carry-01 :ARG1 (s / sofa))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    polar = [triple for triple in graph.attributes(role=":polarity") if triple[2] == "-"]
    gone = {
        tuple(one)
        for one in polar
        if is_like_negation(text, lang, alignments.get(one[0], (0, 0))[0]) or concepts[one[0]] in _FORBIDDING
    }
    pattern = negators(lang) if gone else None
    if pattern is None or pattern.search(text):
        return graph
    return laid_out([triple for triple in graph.triples if triple not in gone], graph.top)


def without_negated_subjects(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph that negates the verb beside *no* and its noun once; the same object if it does.

    Example:
        >>> graph = penman.decode("(c / correct-02 :polarity - :ARG1 (a / answer-01 :polarity -))")
        >>> graph = without_negated_subjects(graph, "Aucune réponse n'est correcte.", "fr")
        >>> print(penman.encode(graph, indent=None))
        (c / correct-02 :polarity - :ARG1 (a / answer-01))
    """
    negated = {node for node, _, value in graph.attributes(role=":polarity") if value == "-"}
    pairs = [edge for edge in graph.edges() if edge.source in negated and edge.target in negated]
    if len(negated) != 2 or len(pairs) != 1 or not pairs[0].role.startswith(":ARG") or lang not in _NO_ONE:
        return graph
    if len(re.findall(rf"\b(?:{_NO_ONE[lang]})\b", text, re.IGNORECASE)) != 1 or not has_one_clause(text):
        return graph
    gone = (pairs[0].target, ":polarity", "-")
    return laid_out([triple for triple in graph.triples if triple != gone], graph.top)


def _negated_twice(graph: penman.Graph) -> Iterator[str]:
    """Yield the negated nodes whose clause has another negation."""
    concepts = {node: concept for node, _, concept in graph.instances()}
    negated = {node for node, _, value in graph.attributes(role=":polarity") if value == "-"}
    for source, role, target in graph.edges():
        if not role.startswith(":ARG"):
            continue
        possible = concepts.get(source) in _MAY and source in negated and role == ":ARG1"
        if possible and target in negated and concepts.get(target) != "possible-01":
            yield target
        elif source in negated and concepts.get(target) in NEGATIVE:
            yield source
        elif source in negated and target in negated and concepts.get(source) == "recommend-01":
            yield source
