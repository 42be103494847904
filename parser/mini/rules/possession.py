"""Write the owner that a noun names, where the parser takes the owned thing or the speaker for it.

::

    The teacher's dog barks.      (b / bark-01 :ARG0 (d / dog :ARG0-of (t / teach-01)))
                             ──>  (b / bark-01 :ARG0 (d / dog :poss (p / person :ARG0-of (t / teach-01))))
    La casa de mi vecino (es)     (h / house :poss (i / i))
                             ──>  (h / house :poss (p / person
                                       :ARG0-of (h2 / have-rel-role-91 :ARG1 i :ARG2 (n / neighbor))))

The dog does not teach: an agent noun (*teacher*) is in the sentence, but no person in the graph is the
agent of its verb. The house is not mine: the noun of a relation (*neighbor*) follows the possessive, but is
not in the graph, or its relation is attached to the thing. Of two owners, a person and the one whose friend
that person is, the second is removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

import penman

from amrx.composed_text import WORD, Span, overlap
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.nouns import LONGEST, SHORTEST, UNSPACED, lemma, nouns_of, translate
from parser.mini.rules.object_first import ANIMATE

_AGENT = re.compile("[a-z]+(?:er|or|ist|ant|ent|ian)")
"""Ending of an agent noun."""
_BEGINNING = 4
"""Number of first letters that it has in common with its verb."""
_UNTRANSLATED = {
    "fr": {"driver": "conduct(?:eur|rice)s?|chauffeure?s?", "teacher": "professeure?s?"},
    "ko": {"teacher": r"선생님\w*|교사\w*"}, "pt": {"teacher": "professor[ae]?s?"},
}  # fmt: skip
"""Agent nouns that are not translated."""
REL_ROLE = "have-rel-role-91"
"""Concept of a relation between people."""
_RELATIVES = {
    "neighbor": {
        "de": r"nachbar\w*", "es": "vecin[oa]s?", "fr": "voisine?s?", "it": "vicin[oa]",
        "nl": "buur(?:man|vrouw)", "pl": r"sąsiad\w*", "pt": "vizinh[oa]s?", "ru": r"сосед\w*",
        "sv": "grannes?", "tr": r"komşu\w*", "uk": r"сусід\w*", "zh": "邻居",
    },
    "friend": {
        "de": r"freund(?:e?s|in(?:nen)?|e)?", "es": "amig[oa]s?", "fr": "amie?s?", "it": "amic[oa]",
        "nl": r"vriend(?:in)?", "pl": r"przyjaci\w*", "pt": "amig[oa]s?", "ru": "друга|подруги",
        "sv": "väns?", "tr": r"arkadaş\w*", "uk": "друга|подруги", "zh": "朋友",
    },
    "boss": {
        "de": r"chef(?:s|in)?", "es": "jef[ea]s?", "fr": "patron(?:ne)?s?|chefs?", "it": "capo", "nl": "baas",
        "pl": r"szef\w*", "pt": "chefes?", "ru": r"начальник\w*", "sv": "chefs?", "tr": r"patron\w*",
        "uk": r"начальник\w*", "zh": "老板",
    },
}  # fmt: skip
"""Words of relations that the parser loses, by their concept."""
_BESIDE = re.compile(r"\s*(?:\w{1,4}\s+)?")
"""Between the word aligned to a possessive, sometimes the one before it, and the noun."""
_OWNERS = frozenset({"i", "you", "he", "she", "we", "they"})
_PEOPLE = (
    _OWNERS
    | {"person", "name", "and"}
    | (ANIMATE - set("bear bird bull cat dog elephant fox horse lion tiger wolf".split()))
)
"""Concepts of people, who may be agents themselves."""
_EMPTY = frozenset({"have-03", REL_ROLE, "near-02"})
"""Frames written for a lost relation."""


def with_owners(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with the owners that the nouns name; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(b / bark-01 :ARG0 (d / dog :ARG0-of (t / teach-01)))")
        >>> graph = with_owners(graph, "The teacher's dog barks.", "en", {"d": (14, 17)})
        >>> print(penman.encode(graph, indent=None))
        (b / bark-01 :ARG0 (d / dog :poss (p / person :ARG0-of (t / teach-01))))
    """
    graph = _with_agents(graph, text, lang, alignments)
    graph = _with_relatives(graph)
    return _with_lost_relative(graph, text, lang, alignments)


def _with_agents(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph in which a person is the agent of the verb, and owns the thing that was its agent."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    for edge in graph.edges(role=":ARG0"):
        verb, thing = edge.source, edge.target
        others = [one for one in graph.edges() if verb in (one.source, one.target) and one != edge]
        if others or verb == graph.top or concepts[thing] in _PEOPLE:
            continue
        if graph.attributes(source=verb) or graph.edges(source=thing, role=":name"):
            continue
        nouns = [span for span, noun in _agents(text, lang) if _does(noun, lemma(concepts[verb]))]
        own = alignments.get(thing)
        if len(nouns) != 1 or own is None or overlap(own, nouns[0]):
            continue
        bare = [
            one.target
            for one in graph.edges(source=thing, role=":poss")
            if concepts[one.target] == "person"
            and len([triple for triple in graph.triples if one.target in (triple[0], triple[2])]) == 2
        ]
        person = bare[0] if bare else free_variable("p", concepts)
        new: list[Triple] = [(verb, ":ARG0", person)]
        if not bare:
            new = [(thing, ":poss", person), (person, ":instance", "person"), *new]
        place = graph.triples.index(edge)
        return laid_out([*graph.triples[:place], *new, *graph.triples[place + 1 :]], graph.top)
    return graph


def _agents(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the agent nouns of a sentence, with their English."""
    if lang in UNSPACED:
        for begin, length in product(range(len(text)), range(SHORTEST, LONGEST + 1)):
            noun = nouns_of(lang).get(text[begin : begin + length])
            if noun and begin + length <= len(text) and _AGENT.fullmatch(noun):
                yield (begin, begin + length), noun
        return
    for match in WORD.finditer(text):
        word = match[0].lower()
        noun = word if lang == "en" else translate(text, match.span(), lang)
        for agent, words in _UNTRANSLATED.get(lang, {}).items():
            noun = noun or (agent if re.fullmatch(words, word) else None)
        if noun and _AGENT.fullmatch(noun):
            yield match.span(), noun


def _does(noun: str, verb: str) -> bool:
    """Return whether a noun is the agent noun of a verb, as *driver* for *drive*."""
    return (noun == "professor" and verb == "teach") or noun[:_BEGINNING] == verb[:_BEGINNING]


def _with_relatives(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which the relative of a possessor owns the thing, not the possessor."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    for relation in (node for node, concept in concepts.items() if concept == REL_ROLE):
        arguments = {edge.role: edge.target for edge in graph.edges(source=relation)}
        person, owner = arguments.get(":ARG0"), arguments.get(":ARG1")
        if ":ARG2" not in arguments:
            continue
        things = [edge for edge in graph.edges(target=owner, role=":poss")] if owner else []
        if person and any((thing.source, ":poss", person) in graph.triples for thing in things):
            gone = next(one for one in things if (one.source, ":poss", person) in graph.triples)
            return laid_out([one for one in graph.triples if one != gone], graph.top)
        thing = things[0].source if len(things) == 1 and concepts[str(owner)] in _OWNERS else None
        if thing is None and owner and not person:  # the relation is attached to the thing
            owners = [one.target for one in graph.edges(source=owner, role=":poss")]
            if len(owners) == 1 and concepts[owners[0]] in _OWNERS:
                thing, owner = owner, owners[0]
        if thing is None or person not in (None, thing) or concepts[thing] in _PEOPLE:
            continue
        new = free_variable("p", concepts)
        old = [(thing, ":poss", owner), (relation, ":ARG0", person), (relation, ":ARG1", arguments[":ARG1"])]
        triples = [one for one in graph.triples if one not in old]
        triples += [(thing, ":poss", new), (new, ":instance", "person"), (relation, ":ARG0", new)]
        return laid_out([*triples, (relation, ":ARG1", owner)], graph.top)
    return graph


def _with_lost_relative(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the only relative that follows a possessive and has no node."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    for role, words in _RELATIVES.items():
        edge = "" if lang == "zh" else r"\b"
        pattern = rf"{edge}(?:{words[lang]}){edge}" if lang in words else "$^"
        matches = list(re.finditer(pattern, text, re.IGNORECASE))
        owned = graph.edges(role=":poss")
        if len(matches) != 1 or len(owned) != 1 or role in concepts.values():
            continue
        word, (thing, _, owner) = matches[0], owned[0]
        before = alignments.get(owner, (-1, -1))
        between = text[before[1] : word.start()]
        is_beside = before[0] == word.start() if lang == "tr" else _BESIDE.fullmatch(between)
        if concepts[owner] not in _OWNERS or before[0] < 0 or not is_beside or before[1] > word.end():
            continue
        empty = {node for node in graph.variables() if _is_empty(graph, node, concepts, thing)}
        others = [span for one, span in alignments.items() if one not in empty | {owner}]
        if any(overlap(word.span(), span) for span in others):
            continue
        taken = set(concepts)
        person, relation, relative = (_new(letter, taken) for letter in ("p", "h", role[0]))
        triples = [one for one in graph.triples if one[0] not in empty and one[2] not in empty]
        place = triples.index((thing, ":poss", owner))
        new = [
            (thing, ":poss", person), (person, ":instance", "person"), (relation, ":ARG0", person),
            (relation, ":instance", REL_ROLE), (relation, ":ARG1", owner), (relation, ":ARG2", relative),
            (relative, ":instance", role),
        ]  # fmt: skip
        return laid_out([*triples[:place], *new, *triples[place + 1 :]], graph.top)
    return graph


def _is_empty(graph: penman.Graph, node: str, concepts: Mapping[str, str], thing: str) -> bool:
    """Return whether a node is a frame that says nothing but that something is about the thing."""
    edges = [edge for edge in graph.edges() if node in (edge.source, edge.target)]
    return concepts[node] in _EMPTY and len(edges) == 1 and thing in (edges[0].source, edges[0].target)


def _new(letter: str, taken: set[str]) -> str:
    variable = free_variable(letter, taken)
    taken.add(variable)
    return variable
