"""Make who is told something, or stolen from, the hearer or victim, where the parser makes them the agent.

::

    I was told to wait.            (t / tell-01 :ARG0 (i / i) :ARG1 (w / wait-01))
                              ──>  (t / tell-01 :ARG2 (i / i) :ARG1 (w / wait-01))
    Mir wurde das Rad gestohlen. (de) (s / steal-01 :ARG0 (i / i) :ARG1 (b / bike))
                              ──>  (s / steal-01 :ARG2 (i / i) :ARG1 (b / bike))
    On nous a promis de l'aide. (fr)  (p / promise-01 :ARG0 (w / we) :ARG1 (h / help-01))
                              ──>  (p / promise-01 :ARG1 (w / we) :ARG2 (h / help-01))

Only passives and verbs without a named subject are changed, if their hearer is a pronoun and the graph has
one verb of telling; a hearer that the parser lost is added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from parser.graphs.triples import Triple, free_variable, laid_out

_HEARERS = {
    "de": {"i": "mir", "we": "uns", "you": "dir|euch|Ihnen", "he": "ihm"},
    "en": {"i": "I", "we": "we", "you": "you", "he": "he", "she": "she", "they": "they"},
    "es": {"i": "me", "we": "nos", "you": "te|os"},
    "fr": {"i": "m['’]", "we": r"nous\s", "you": r"t['’]|vous\s"},
    "nl": {"i": "mij|me", "we": "ons", "you": "jou|je|u", "he": "hem", "she": "haar"},
    "ru": {
        "i": "мне|у меня",
        "we": "нам|у нас",
        "you": "тебе|вам|у тебя|у вас",
        "he": "ему|у него",
        "she": "ей|у неё|у нее",
        "they": "им|у них",
    },
    "tr": {"i": "bana", "we": "bize", "you": "sana|size"},
    "uk": {
        "i": "мені|[ув] мене",
        "we": "нам|[ув] нас",
        "you": "тобі|вам|[ув] тебе|[ув] вас",
        "he": "йому|[ув] нього",
        "she": "їй|[ув] неї",
        "they": "їм|[ув] них",
    },
    "zh": {"i": "我", "we": "我们", "you": "[你您]", "he": "他", "she": "她", "they": "他们"},
}
"""Pronouns of the hearer."""
_DE = r"(?:gesagt|erklärt|versprochen|gestohlen|geklaut)\b"
_NL = r"(?:verteld|gezegd|beloofd)\b"
_PASSIVES = {
    "de": rf"\bNN\swurden?\s(?:\w+\s){{0,5}}?{_DE}|\bwurden?\s(?:\w+\s){{0,3}}?NN\s(?:\w+\s){{0,5}}?{_DE}",
    "en": r"\bNN\s(?:ha(?:ve|s|d)\s)?(?:am|are|is|was|were|been)\s(?:\w+\s)?(?:told|promised)\b",
    "es": r"\bNN\s(?:dijeron|prometieron|explicaron|robaron|han\s(?:dicho|prometido|explicado|robado))\b",
    "fr": r"\bon\sNN(?:a|avait)\s(?:\w+\s)?(?:dit|promis|expliqué|volé)\b",
    "nl": rf"\b(?:is|werd|wordt|was)\s(?:\w+\s)?NN\s(?:\w+\s){{0,5}}?{_NL}"
    rf"|\bNN\s(?:is|werd|wordt|was)\s(?:\w+\s){{0,5}}?{_NL}",
    "ru": r"\bNN\s(?:\w+\s)?(?:сказали|сообщили|(?:по)?обещали|объяснили|рассказали|украли)\b",
    "tr": r"\bNN\b[^.!?]*\s(?:söylendi|denildi|anlatıldı|bildirildi)\w*",
    "uk": r"\bNN\s(?:\w+\s)?(?:сказали|повідомили|(?:по)?обіцяли|пояснили|розповіли|вкрали)\b",
    "zh": r"NN被告知",
}
"""Passives of *tell*, and its forms without a named subject, around the pronoun ``NN``."""
_ROLES = {
    "tell-01": ":ARG2", "say-01": ":ARG2", "explain-01": ":ARG2", "promise-01": ":ARG1", "steal-01": ":ARG2",
}  # fmt: skip
"""Verbs and the role of their hearer, or of who was stolen from."""


def with_hearers(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the only hearer of a passive; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(t / tell-01 :ARG0 (i / i) :ARG1 (w / wait-01 :ARG1 i))")
        >>> print(penman.encode(with_hearers(graph, "Мне сказали ждать.", "ru"), indent=None))
        (t / tell-01 :ARG2 (i / i) :ARG1 (w / wait-01 :ARG1 i))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    speaker_edges = [edge for edge in graph.edges(role=":ARG0") if concepts[edge.source] in _ROLES]
    if sum(concept in _ROLES for concept in concepts.values()) > 1:
        return graph
    for pronoun, words in _HEARERS.get(lang, {}).items():
        hearers = [edge for edge in speaker_edges if concepts[edge.target] == pronoun]
        passive = re.search(_PASSIVES[lang].replace("NN", f"(?:{words})"), text, re.IGNORECASE)
        if passive and len(hearers) == 1:
            return _heard(graph, hearers[0].source, hearers[0].target)
        if passive and not speaker_edges:
            return _with_lost_hearer(graph, pronoun, concepts)
    return graph


def _with_lost_hearer(graph: penman.Graph, pronoun: str, concepts: Mapping[str, str]) -> penman.Graph:
    """Return a graph with a pronoun as the hearer of the only verb, if that has none."""
    for verb, concept in concepts.items():
        role = _ROLES.get(concept)
        if role == ":ARG2" and not graph.edges(source=verb, role=role):
            known = [node for node, one in concepts.items() if one == pronoun]
            hearer = known[0] if known else free_variable(pronoun[0], set(concepts))
            place = graph.triples.index((verb, ":instance", concept)) + 1
            new: list[Triple] = [(verb, role, hearer)]
            new += [] if known else [(hearer, ":instance", pronoun)]
            return laid_out([*graph.triples[:place], *new, *graph.triples[place:]], graph.top)
    return graph


def _heard(graph: penman.Graph, verb: str, hearer: str) -> penman.Graph:
    """Return a graph in which a speaker is the hearer; the same object if there is another hearer."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    role = _ROLES[concepts[verb]]
    if graph.edges(source=hearer):
        return graph
    same = [
        edge.target
        for edge in graph.edges(source=verb, role=":ARG2")
        if concepts[edge.target] == concepts[hearer]
    ]
    if role == ":ARG2" and not same and graph.edges(source=verb, role=":ARG2"):
        return graph
    triples: list[Triple] = []
    for one in graph.triples:
        if one == (verb, ":ARG0", hearer):
            triples += [] if same else [(verb, role, hearer)]
        elif one[:2] == (verb, ":ARG1") and role == ":ARG1":
            triples.append((verb, ":ARG2", one[2]))
        elif same and same[0] != hearer and one == (hearer, ":instance", concepts[hearer]):
            continue
        else:
            triples.append(
                one if one[1] == ":instance" or one[2] != hearer or not same else (*one[:2], same[0])
            )
    return laid_out(dict.fromkeys(triples), graph.top)
