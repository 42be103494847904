"""Write the owner that a possessive pronoun names, where the parser takes the subject for it.

::

    Please open my bag.               (o / open-01 :ARG0 (y / you) :ARG1 (b / bag :poss (i / i) :poss y))
                                 ──>  (o / open-01 :ARG0 (y / you) :ARG1 (b / bag :poss (i / i)))
    Merci pour votre réponse. (fr)    (t / thank-01 :ARG0 (i / i) :ARG1 (a / answer-01 :ARG0 i))
                                 ──>  (t / thank-01 :ARG0 (i / i) :ARG1 (a / answer-01 :ARG0 (y / you)))

    Kurier zgubił mój list. (pl)      (l / lose-02 :ARG0 (c / courier) :ARG1 (m / mail :poss (i / i) :poss c))
                                 ──>  (l / lose-02 :ARG0 (c / courier) :ARG1 (m / mail :poss (i / i)))

Only words for *my*, *your* and *our* that mean nothing else are read, in front of a noun that has a pronoun
as its owner, or as the agent of one of `_ACTS`. In quotes *my* may be the speaker's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_POSSESSIVES = {
    "de": {
        "i": "mein(?:e[mnrs]?)?", "we": "unser(?:e[mnrs]?)?|unsre[mnrs]?",
        "you": r"(?-i:(?<=[\w,] )Ihr(?:e[mnrs]?)?)|dein(?:e[mnrs]?)?|eure[mnrs]?|euer",
    },
    "en": {"i": "my", "we": "our", "you": "your"},
    "es": {"i": "mis?", "we": "nuestr[oa]s?", "you": "tus?|vuestr[oa]s?|(?<=gracias por )sus?"},
    "fr": {"i": "mon|ma|mes", "we": "notre|nos", "you": "votre|vos|ton|ta|tes"},
    "it": {"i": "mi[oae]|miei", "we": "nostr[oaie]", "you": "vostr[oaie]|tu[ao]|tue|tuoi"},
    "ja": {"i": "[私僕俺]の", "we": "(?:私たち|私達|我々)の", "you": "(?:あなた|あなたたち|君)の"},
    "nl": {"i": "mijn", "we": "onze", "you": "uw|jouw|jullie"},
    "pl": {
        "i": "mój|moi|moj(?:a|ą|e|ego|ej|emu)|mo(?:ich|im|imi)", "we": r"nasz\w{0,3}|nasi",
        "you": r"wasz\w{0,3}|twój|twoi|twoj(?:a|ą|e|ego|ej|emu)|two(?:ich|im|imi)",
    },
    "pt": {
        "i": "meus?|minhas?", "we": "noss[oa]s?",
        "you": "teus?|tuas?|voss[oa]s?|(?<=obrigad[oa] pel[oa] )(?:seu|sua)",
    },
    "ru": {
        "i": "мо(?:й|[яёею]|и|его|ей|ему|ём|их|им|ими)", "we": r"наш\w{0,3}",
        "you": r"ваш\w{0,3}|тво(?:й|[яёею]|и|его|ей|ему|ём|их|им|ими)",
    },
    "sv": {"i": "min|mitt|mina", "we": "vårt|våra", "you": "din|ditt|dina"},
    "uk": {
        "i": "мій|мо(?:[яєїю]|го|єї|їй|му|їх|їм|їми)", "we": r"наш\w{0,3}",
        "you": r"ваш\w{0,3}|твій|тво(?:[яєїю]|го|єї|їй|му|їх|їм|їми)",
    },
    "zh": {"i": "我的", "we": "我们的", "you": "[你您]们?的"},
}  # fmt: skip
"""Possessives by their owner."""
_PRONOUNS = frozenset("i you we he she they it nobody no-one someone somebody".split())
_ACTS = frozenset(
    """answer-01 reply-01 respond-01 help-01 order-01 order-02 request-01 message-01 email-01 mail-01
    question-01 complain-01 suggest-01 support-01 understand-01 advise-01 comment-01""".split()
)
"""Acts whose owner is their agent."""
_NOUN = re.compile(r"\s*\w[\w'’-]*(?:\s+\w[\w'’-]*)?")
"""A noun, and a word before it."""
_NOUN_UNSPACED = re.compile(r"\w{1,4}")
_UNSPACED = frozenset({"ja", "zh"})
_QUOTED = re.compile('["“”„«»「」]')


def with_possessors(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the owners that possessives name; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / see-01 :ARG0 (i / i) :ARG1 (d / dog :poss i))")
        >>> graph = with_possessors(graph, "I see your dog.", "en", {"d": (11, 14)})
        >>> print(penman.encode(graph, indent=None))
        (s / see-01 :ARG0 (i / i) :ARG1 (d / dog :poss (y / you)))
    """
    edge = "" if lang in _UNSPACED else r"\b"
    if _QUOTED.search(text):
        return graph
    named = {
        owner
        for owner, words in _POSSESSIVES.get(lang, {}).items()
        if re.search(rf"{edge}(?:{words}){edge}", text, re.IGNORECASE)
    }
    for owner, words in _POSSESSIVES.get(lang, {}).items():
        for word in re.finditer(rf"{edge}(?:{words}){edge}", text, re.IGNORECASE):
            thing = _thing(graph, text, lang, word.end(), alignments)
            thing = thing or (_thanked(graph) if owner == "you" else None)
            if thing is not None:
                before = {node for node, span in alignments.items() if span[1] <= word.start()}
                graph = _owned(_without_owners(graph, thing, owner, before), thing, owner, named)
    return graph


def _without_owners(graph: penman.Graph, thing: str, owner: str, before: Collection[str]) -> penman.Graph:
    """Return a graph in which no node of a word before the possessive owns a thing beside the right owner."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    owners = [tuple(edge) for edge in graph.edges(source=thing, role=":poss")]
    others = [one for one in owners if one[2] in before and concepts[one[2]] not in _PRONOUNS]
    triples = [triple for triple in graph.triples if triple not in others]
    if not others or not any(concepts[one[2]] == owner for one in owners) or not is_connected(triples):
        return graph
    return laid_out(triples, graph.top)


def _thing(
    graph: penman.Graph, text: str, lang: str, begin: int, alignments: Mapping[str, Span]
) -> str | None:
    """Return the node after a possessive that has a pronoun as its owner."""
    noun = (_NOUN_UNSPACED if lang in _UNSPACED else _NOUN).match(text, begin)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    inside = sorted(
        (span[0], node) for node, span in alignments.items() if noun and begin <= span[0] < noun.end()
    )
    nodes = [node for _, node in inside if concepts.get(node, "i") not in _PRONOUNS]
    things = [node for node in nodes if _owners(graph, node, concepts)]
    is_next = things and (
        alignments[nodes[0]] == alignments[things[0]] or _describes(graph, nodes[0], things[0])
    )
    return things[0] if is_next else None


def _thanked(graph: penman.Graph) -> str | None:
    """Return the only act that someone is thanked for."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    acts = [
        edge.target
        for edge in graph.edges()
        if concepts[edge.source] == "thank-01" and concepts[edge.target] in _ACTS
    ]
    return acts[0] if len(acts) == 1 else None


def _describes(graph: penman.Graph, node: str, thing: str) -> bool:
    """Return whether a node says something of a thing."""
    return any({node, thing} == {edge.source, edge.target} for edge in graph.edges())


def _owners(graph: penman.Graph, thing: str, concepts: Mapping[str, str]) -> list[Triple]:
    """Return the relations of a thing to its owners, or of an act to its agent, that are pronouns."""
    roles = {":poss"} | ({":ARG0", ":ARG1"} if concepts[thing] in _ACTS else set())
    return [
        tuple(one)
        for one in graph.edges(source=thing)
        if one.role in roles and concepts[one.target] in _PRONOUNS
    ]


def _owned(graph: penman.Graph, thing: str, owner: str, named: set[str]) -> penman.Graph:
    """Return a graph in which only the named owner owns a thing; the same object if nothing changes.

    An owner stays beside the right one if another possessive of the sentence names it.
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    owners = _owners(graph, thing, concepts)
    right = [one for one in owners if concepts[one[2]] == owner]
    wrong = [one for one in owners if concepts[one[2]] != owner and one[1] != ":ARG1"]
    domains = {concepts[edge.target] for edge in graph.edges(source=thing, role=":domain")}
    if not wrong or len(wrong) + len(right) > 2 or owner in domains:
        return graph
    if right and concepts[wrong[0][2]] in named:
        return graph
    triples: list[Triple] = [one for one in graph.triples if one not in wrong]
    if not right or right[0][1] == ":ARG1":
        place = graph.triples.index(wrong[0])
        node = right[0][2] if right else next((one for one in concepts if concepts[one] == owner), None)
        new: list[Triple] = [(thing, wrong[0][1], node or free_variable(owner[0], concepts))]
        if node is None:
            new.append((new[0][2], ":instance", owner))
        gone = {*right, *wrong}
        triples = [
            one for one in [*graph.triples[:place], *new, *graph.triples[place + 1 :]] if one not in gone
        ]
    alone = {
        one[2]
        for one in wrong
        if not any(one[2] in (source, target) for source, role, target in triples if role != ":instance")
    }
    triples = [one for one in triples if one[0] not in alone]
    return laid_out(triples, graph.top) if graph.top not in alone and is_connected(triples) else graph
