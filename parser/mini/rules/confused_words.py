"""Write the word of the sentence where the parser wrote another one, often its opposite.

::

    I borrowed the car from Tom.     (l / lend-01 :ARG0 i :ARG2 tom)  ──>  (l / borrow-01 :ARG0 i :ARG2 tom)
    Vive en el oeste del país. (es)  (e / east :part-of country)      ──>  (e / west :part-of country)
    酒店很便宜。 (zh)                 (e / expensive :domain hotel)    ──>  (e / cheap-02 :ARG1 hotel)
    Wenige Leute kamen. (de)         (p / person :quant (m / many))   ──>  (p / person :quant (m / few))

Such words have the same neighbours, so that a small parser confuses them. A concept is replaced if the word
that it is aligned to belongs to another concept of ``data/confused_words.tsv``: per line a concept, those
that are written for it (``@kin``: any relative; ``*``: any frame but those that follow), and its words by
language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import penman

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out, subtree
from parser.mini.rules.negation_words import negators
from parser.mini.rules.possession import REL_ROLE

_CONVERSE = frozenset({"borrow-01", "receive-01", "learn-01"})
"""Verbs whose subject is the recipient, also an argument of the verb that is written for them."""
_ADVERBS = {"almost": ":degree", "already": ":time", "hardly": ":degree", "rare-02": ":frequency"}
"""Roles of adverbs, which belong to a verb."""
_LEAVES = {"few": ":quant", "little": ":quant", **_ADVERBS}
"""Roles of the concepts that have no arguments."""
_UNSPACED = frozenset({"ja", "ko", "zh"})
_KIN = frozenset(
    "father mother dad mom parent brother sister sibling son daughter uncle aunt cousin nephew niece "
    "husband wife grandfather grandmother grandparent grandson granddaughter grandchild ancestor "
    "father-in-law mother-in-law parent-in-law brother-in-law sister-in-law son-in-law daughter-in-law "
    "stepfather stepmother twin baby boy girl toddler friend neighbor".split()
)
"""Relatives, and the others that are written for them."""
_RELATION = "-91"
_SUCCEED, _BECOME = "succeed-01", "get-03"
_DEGREES = frozenset("high-02 low-04 cold-01 hot-05 warm-07 warm-02 cool-04 more less up down".split())
"""Degrees that a thing reaches when it only rises or falls."""


class _Word(NamedTuple):
    """A concept with its words in one language."""

    concept: str
    confused: frozenset[str]  # concepts that are written for it, or, after ``*``, that say the same
    words: re.Pattern[str]

    def replaces(self, concept: str) -> bool:
        """Return whether the concept may be written for it."""
        if "*" not in self.confused:
            return concept in self.confused
        return is_frame(concept) and concept not in self.confused and not concept.endswith(_RELATION)

    def may_be_in(self, concepts: Collection[str]) -> bool:
        """Return whether a graph already says it."""
        return self.concept in concepts or ("*" in self.confused and not self.confused.isdisjoint(concepts))


class _Place(NamedTuple):
    """A node with the wrong concept, and its word."""

    node: str
    concept: str  # the right one
    word: Span


def with_right_words(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the concepts of the sentence's words; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(e / expensive :domain (h / hotel))")
        >>> mended = with_right_words(graph, "Das Hotel ist billig.", "de", {"e": (14, 20), "h": (4, 9)})
        >>> print(penman.encode(mended, indent=None))
        (e / cheap-02 :ARG1 (h / hotel))
    """
    concepts, of = {}, None
    for word in _words(lang):
        if graph is not of:
            concepts, of = {node: str(concept) for node, _, concept in graph.instances()}, graph
        named = [node for node, concept in concepts.items() if word.replaces(concept)]
        if not named or word.may_be_in(concepts.values()):
            continue
        spans = [match.span() for match in word.words.finditer(text)]
        if word.confused == _KIN:  # (g / girl :ARG0-of (h / have-rel-role-91 :ARG2 (n / niece)))
            roles = [edge.target for edge in graph.edges(role=":ARG2") if concepts[edge.source] == REL_ROLE]
            named = [node for node in named if node in roles] or named
        for node in named:
            if node not in alignments and ("*" in word.confused or not len(spans) == len(named) == 1):
                continue
            span = next((one for one in spans if overlap(one, alignments.get(node, one))), None)
            if span and _may_be(_Place(node, word.concept, span), graph, text, lang, alignments):
                graph = _replaced(_Place(node, word.concept, span), graph, text, lang, alignments)
                if "*" in word.confused:
                    break
    return graph


def _may_be(place: _Place, graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> bool:
    """Return whether the relations of a node are those of its new concept.

    The subject of a converse verb comes first, or is in its ending; *cheap* may be *not expensive*, *not
    succeed* may be *not able*, and *fewer* a higher degree of *small*.
    """
    node, concept, word = place
    if concept in _CONVERSE:
        begins = {edge.role: alignments.get(edge.target, word)[0] for edge in graph.edges(source=node)}
        first, giver = begins.get(":ARG0"), begins.get(":ARG2")
        return first is not None and (giver is None or first <= giver or word[0] <= first < word[1])
    if concept == "less":
        degrees = {edge.source for edge in graph.edges(target=node)}
        return not any(
            source in degrees
            and role == ":ARG2"
            and target in alignments
            and overlap(alignments[target], word)
            for source, role, target in graph.edges()
        )
    is_negative = bool(graph.attributes(source=node, role=":polarity"))
    return not is_negative or (concept != _SUCCEED and _is_negated(word, text, lang))


def _is_negated(word: Span, text: str, lang: str) -> bool:
    """Return whether a word for *not* stands just before a word."""
    pattern = negators(lang)
    before = text[: word[0]].rstrip()
    ends = [match.end() for match in pattern.finditer(before)] if pattern else []
    return bool(ends) and ends[-1] == len(before)


def _replaced(
    place: _Place, graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return the graph with the concept of one node replaced, if it fits."""
    node, concept, word = place
    old = next(str(one) for source, _, one in graph.instances() if source == node)
    if old == _BECOME:
        graph = _without_degree(graph, node)
        if graph.edges(source=node, role=":ARG2"):
            return graph
    if concept == _SUCCEED:
        graph = _with_subject(graph, node)
    if concept not in _LEAVES:
        theme = ":ARG1" if graph.edges(source=node, role=":ARG1") else ":ARG0"
        return laid_out([_mended(triple, place, old, theme) for triple in graph.triples], graph.top)
    above = [edge.source for edge in graph.edges(target=node)]
    inverse = [edge.target for edge in graph.edges(source=node)]
    below = subtree(graph, node) - {node} if above else set()
    heads = above or inverse
    if len(heads) != 1 or any(not overlap(alignments.get(one, word), word) for one in below):
        return graph
    head = _head(heads[0], graph) if concept in _ADVERBS else heads[0]
    if head is None or (concept == "hardly" and graph.attributes(source=head, role=":polarity")):
        return graph
    negator = negators(lang)
    is_phrase = concept == "almost" and negator is not None and negator.search(text[slice(*word)])
    triples = [
        triple
        for triple in graph.triples
        if triple[0] not in below | {node}
        and triple[2] not in below | {node}
        and not (is_phrase and triple[1:] == (":polarity", "-"))
    ]
    return laid_out([*triples, (head, _LEAVES[concept], node), (node, ":instance", concept)], graph.top)


def _without_degree(graph: penman.Graph, node: str) -> penman.Graph:
    """Return the graph without the degree that something reaches, a leaf: *get higher*, *get colder*."""
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    themes = {edge.target for edge in graph.edges(source=node, role=":ARG1")}
    leaves = {
        edge.target
        for edge in graph.edges(source=node)
        if concepts[edge.target] in _DEGREES
        and {one.target for one in graph.edges(source=edge.target)} <= themes
    }
    triples = [one for one in graph.triples if one[0] not in leaves and one[2] not in leaves]
    return laid_out(triples, graph.top)


def _with_subject(graph: penman.Graph, node: str) -> penman.Graph:
    """Return the graph with the agent of an action as the one who succeeds in it."""
    own = {edge.role: edge.target for edge in graph.edges(source=node)}
    if ":ARG2" in own and ":ARG0" not in own:  # (o / obligate-01 :ARG1 (h / he) :ARG2 (o2 / open-01 :ARG0 h))
        roles = {":ARG1": ":ARG0", ":ARG2": ":ARG1"}
        triples = [(s, roles.get(role, role) if s == node else role, t) for s, role, t in graph.triples]
        return laid_out(triples, graph.top)
    agents = [edge.target for edge in graph.edges(source=own.get(":ARG1"), role=":ARG0")]
    if ":ARG0" in own or len(agents) != 1:
        return graph
    place = next(place for place, one in enumerate(graph.triples, 1) if one[:2] == (node, ":instance"))
    return laid_out([*graph.triples[:place], (node, ":ARG0", agents[0]), *graph.triples[place:]], graph.top)


def _head(node: str, graph: penman.Graph) -> str | None:
    """Return the verb that a node is, or the only one that it is an argument of."""
    frames = {one for one, _, concept in graph.instances() if is_frame(str(concept))}
    verbs = {edge.source for edge in graph.edges(target=node) if edge.role.startswith(":ARG")}
    return node if node in frames else verbs.pop() if len(verbs) == 1 else None


def _mended(triple: Triple, place: _Place, old: str, theme: str) -> Triple:
    """Return a triple with the new concept of a node, or with the role that this concept has for a theme."""
    source, role, target = triple
    node, concept, _ = place
    if source == node and role == ":instance":
        return source, role, concept
    if is_frame(concept) == is_frame(old):
        return triple
    if is_frame(concept) and ((source, role) == (node, ":domain") or (role, target) == (":mod", node)):
        return node, ":ARG1", target if source == node else source
    return (node, ":domain", target) if (source, role) == (node, theme) else triple


@cache
def _words(lang: str) -> tuple[_Word, ...]:
    lines = (files("parser.mini.rules") / "data" / "confused_words.tsv").read_text("utf-8").splitlines()
    left, right = ("", "") if lang in _UNSPACED else (r"(?<![\w-])(?:", r")(?![\w-])")
    return tuple(
        _Word(
            concept,
            _KIN if confused == "@kin" else frozenset(confused.split()),
            re.compile(f"{left}{one[3:]}{right}", re.IGNORECASE),
        )
        for concept, confused, words in (line.split("\t") for line in lines)
        for one in words.split()
        if one.startswith(f"{lang}:")
    )
