"""Make the speaker one of those who act, where the parser writes another relative.

::

    My wife and I live in Rome.
        (l / live-01 :ARG0 (a / and
            :op1 (p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (w / wife)))
            :op2 (p2 / person :ARG0-of (h2 / have-rel-role-91 :ARG1 p))) ...)
                    ──>  :op2 i

Only an operand beside a relative of the speaker is replaced: the relation itself (*wife*), or a person of
whom the graph says no more than a relation. If the operand is the verb, the two are made its subject.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

import penman

from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, is_connected, laid_out

_WORDS: Mapping[str, tuple[str, str, str]] = {
    "da": ("min|mit|mine", "og", "jeg|mig"), "de": (r"mein\w*", "und", "ich|mich|mir"),
    "en": ("my", "and", "I|me"), "es": ("mis?", "y", "yo|a mí|mí"), "fr": ("mon|ma|mes", "et", "moi"),
    "it": ("mi[oae]|miei|mie", "ed?", "io|me"), "nb": ("min|mitt|mine", "og", "jeg|meg"),
    "nl": ("mijn", "en", "ik|mij"), "pl": (r"m[oó]j\w*", "i", "ja|mnie|mną"),
    "pt": ("minhas?|meus?", "e", "eu|mim"), "ru": (r"мо[йяиею]\w*", "и", "я|меня|мне|мной"),
    "sv": ("min|mitt|mina", "och", "jag|mig"), "uk": (r"м(?:ій|о[яєїйю])\w*", "і|й|та", "я|мене|мені|мною"),
}  # fmt: skip
"""Words for *my*, *and*, *I*."""
_WITHOUT_MY = {
    "ja": r"と(?:私|僕|俺|わたし|ぼく)[はがもをに]|^(?:私|僕|俺)と", "ko": r"[와과]\s?(?:나|저)[는도를]",
    "tr": r"m\sve\sben\b", "zh": "我[和跟与]|[和跟与]我",
}  # fmt: skip
"""Words for *and I* in languages that need not say *my*."""
_RELATIONS = ("have-rel-role-91", "have-org-role-91")
_PERSONS = ("person", "man", "woman", "spouse", "friend")


def with_speakers(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the speaker beside relatives; the same object if nothing changes.

    Example:
        >>> graph = penman.decode('''(l / live-01 :ARG0 (a / and
        ...     :op1 (p / person :ARG0-of (h / have-rel-role-91 :ARG1 (i / i) :ARG2 (w / wife)))
        ...     :op2 (p2 / person :ARG0-of (h2 / have-rel-role-91))))''')
        >>> print(penman.encode(with_speakers(graph, "My wife and I live there.", "en")))
        (l / live-01
           :ARG0 (a / and
                    :op1 (p / person
                            :ARG0-of (h / have-rel-role-91
                                        :ARG1 (i / i)
                                        :ARG2 (w / wife)))
                    :op2 i))
    """
    if not _names_speaker(text, lang):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    relations = {node for node, concept in concepts.items() if concept in _RELATIONS}
    own = {
        edge.source: edge.target
        for edge in graph.edges()
        if edge.source in relations and concepts.get(edge.target) == "i"
    }
    relatives = {edge.target: own[edge.source] for edge in graph.edges(role=":ARG0") if edge.source in own}
    words = {edge.target for edge in graph.edges(role=":ARG2") if edge.source in own}
    for both in (node for node, concept in concepts.items() if concept == "and"):
        operands = graph.edges(source=both)
        speakers = {relatives[one.target] for one in operands if one.target in relatives}
        others = [one for one in operands if one.target not in relatives]
        if len(speakers) != 1 or any(concepts[one.target] == "i" for one in others):
            continue
        speaker = speakers.pop()
        strangers = [
            one for one in others if one.target in words or _is_stranger(graph, one.target, both, concepts)
        ]
        if len(strangers) == 1:
            return _replaced(graph, strangers[0], speaker, words)
        if both == graph.top and len(others) == 1 and is_frame(concepts[others[0].target]):
            return _with_subjects(graph, others[0], speaker, own)
    return graph


def _names_speaker(text: str, lang: str) -> bool:
    """Return whether a sentence says *my wife and I*."""
    if lang in _WITHOUT_MY:
        return re.search(_WITHOUT_MY[lang], text, re.IGNORECASE) is not None
    if lang not in _WORDS:
        return False
    mine, both, me = _WORDS[lang]
    pattern = rf"\b(?:(?:{mine})\s(?:\w+\s){{1,2}}(?:{both})\s(?:{me})|(?:{me})\s(?:{both})\s(?:{mine}))\b"
    return re.search(pattern, text, re.IGNORECASE) is not None


def _is_stranger(graph: penman.Graph, node: str, both: str, concepts: Mapping[str, str]) -> bool:
    """Return whether all that a graph says of a person is a relation."""
    above = [edge for edge in graph.edges(target=node) if edge.source != both]
    return (
        concepts[node] in _PERSONS
        and not graph.edges(source=node)
        and not graph.attributes(source=node)
        and all(
            edge.role == ":ARG0" and concepts[edge.source] in _RELATIONS and _says_no_more(graph, edge.source)
            for edge in above
        )
    )


def _says_no_more(graph: penman.Graph, relation: str) -> bool:
    """Return whether a relation has core roles alone, and nothing depends on it."""
    below = [triple for triple in graph.triples if triple[0] == relation and triple[1] != ":instance"]
    return not graph.edges(target=relation) and all(role.startswith(":ARG") for _, role, _ in below)


def _with_subjects(
    graph: penman.Graph, operand: Triple, speaker: str, relations: Container[str]
) -> penman.Graph:
    """Return a graph in which the speaker and a relative do what was the other member, if nobody does it."""
    both, _, verb = operand
    subjects = graph.edges(source=verb, role=":ARG0")
    if any(one.target != speaker and one.target not in relations for one in subjects):
        return graph
    triples: list[Triple] = [
        (*operand[:2], speaker) if one == operand else one for one in graph.triples if one not in subjects
    ]
    return laid_out([*triples, (verb, ":ARG0", both)], verb)


def _replaced(graph: penman.Graph, operand: Triple, speaker: str, kept: Container[str]) -> penman.Graph:
    """Return a graph with the speaker as an operand, and without what only the old operand held."""
    old = operand[2]
    relations = {edge.source for edge in graph.edges(target=old, role=":ARG0")} - {operand[0]}
    words = {edge.target for relation in relations for edge in graph.edges(source=relation)}
    gone = {old, *relations, *(word for word in words if _is_leaf(graph, word))} if old not in kept else set()
    triples: list[Triple] = []
    for one in graph.triples:
        if one == operand:
            triples.append((*one[:2], speaker))
        elif gone.isdisjoint((one[0], one[2])):
            triples.append(one)
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _is_leaf(graph: penman.Graph, node: str) -> bool:
    """Return whether a node is in one relation only."""
    return len(graph.edges(target=node)) == 1 and not graph.edges(source=node)
