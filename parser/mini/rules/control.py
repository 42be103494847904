"""Let the right person do what someone is persuaded to do, or promises to do.

::

    She persuaded him to stay.
        (p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (s2 / stay-01 :ARG1 s))
    ──> (p / persuade-01 :ARG0 (s / she) :ARG1 (h / he) :ARG2 (s2 / stay-01 :ARG1 h))
    I promised him to come.
        (p / promise-01 :ARG0 (i / i) :ARG1 (h / he) :ARG2 (c / come-01 :ARG1 h))
    ──> (p / promise-01 :ARG0 (i / i) :ARG1 (h / he) :ARG2 (c / come-01 :ARG1 i))

These are verbs of object and of subject control. Sentences with *that* or *whether* are left unchanged: their
clauses have subjects of their own.
"""

from __future__ import annotations

import re

import penman

from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, is_connected, laid_out

_OBJECT = frozenset(
    """advise-01 command-02 convince-01 encourage-01 forbid-01 force-01 invite-01 order-01 permit-01
    persuade-01 remind-01 teach-01 urge-01 warn-01""".split()
)
"""Verbs whose hearer does what they say."""
_SUBJECT = frozenset({"promise-01", "vow-01"})
"""Verbs whose speaker does what they say."""
_FINITE = {
    "de": "dass|daß|ob", "en": "that|will|would|if|whether|how", "es": "que|si|cómo",
    "fr": "que|qu['’]|si|comment", "it": "che|se|come", "nl": "dat|of|hoe", "pl": "że|żeby|czy|jak",
    "pt": "que|se|como", "ru": "что|чтобы|ли|как", "tr": "(?!)", "uk": "що|щоб|чи|як", "zh": "(?!)",
}  # fmt: skip
"""Words that begin clauses with a subject of their own."""
_PLAN = re.compile(r":ARG[01]")


def with_control(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the subjects of infinitives; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(u / urge-01 :ARG0 (t / they) :ARG1 (s / she) :ARG2 (g / go-02 :ARG0 t))")
        >>> print(penman.encode(with_control(graph, "They urged her to go.", "en"), indent=None))
        (u / urge-01 :ARG0 (t / they) :ARG1 (s / she) :ARG2 (g / go-02 :ARG0 s))
    """
    edge = r"(?<!\w)"
    if lang not in _FINITE or re.search(rf"{edge}(?:{_FINITE[lang]})(?!\w)", text, re.IGNORECASE):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    for verb, concept in concepts.items():
        if concept not in _OBJECT | _SUBJECT:
            continue
        roles = {one.role: one.target for one in graph.edges(source=verb)}
        speaker, others = roles.get(":ARG0"), [roles.get(":ARG1"), roles.get(":ARG2")]
        deeds = [one for one in others if one and is_frame(concepts[one])]
        hearers = [one for one in others if one and not is_frame(concepts[one]) and one != speaker]
        if speaker is None or len(deeds) != 1 or len(hearers) != 1:
            continue
        right, wrong = (hearers[0], speaker) if concept in _OBJECT else (speaker, hearers[0])
        graph = _done_by(graph, deeds[0], right, wrong)
    return graph


def _done_by(graph: penman.Graph, deed: str, right: str, wrong: str) -> penman.Graph:
    """Return a graph in which the right person does a deed; the same object if the wrong one does not."""
    subjects = [one for one in graph.edges(source=deed) if _PLAN.fullmatch(one.role)]
    own = next((one for one in subjects if one.target == wrong), None)
    second = [one for one in subjects if one.target == right]
    if own is None or (second and own.role != ":ARG0"):
        return graph
    triples: list[Triple] = [
        (deed, own.role, right) if one == own else one for one in graph.triples if one not in second
    ]
    return laid_out(triples, graph.top) if is_connected(triples) else graph
