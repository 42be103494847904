"""Exchange agent and patient where the sentence names the patient first, by the forms of its words.

::

    Мальчика похвалил учитель. (ru)    (p / praise-01 :ARG0 (b / boy) :ARG1 (t / teacher))
    Den Jungen lobte der Lehrer. (de)      ──>  (p / praise-01 :ARG0 (t / teacher) :ARG1 (b / boy))

The parser takes what stands before an active verb for the agent. In Slavic languages the past tense agrees
with its subject, and many nouns have a form of their own as objects: the arguments are exchanged if the first
noun cannot be the subject of the verb and the second one can. In German the articles tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from parser.graphs.triples import laid_out


class _Agreement(NamedTuple):
    """Endings of a form of the past tense, and of nouns beside it."""

    verb: str  # the form of the verb
    subject: str  # a noun that can be its subject
    other: str  # a noun that cannot
    # a noun that can be the object of an animate subject only: that one has another form as an object
    object_of_animate: str = "$"


_CYRILLIC, _LATIN = "[бвгджзйклмнпрстфхцчшщ]", "[bcćdfghjklłmnńprsśtwzźż]"
"""Consonants."""
_AGREEMENTS = {
    "pl": (
        _Agreement(r"\w+ł", rf"\w+(?:{_LATIN}|[iy])", r"\w+ę", r"\w+a"),
        _Agreement(r"\w+ła", r"\w+a", r"\w+ę"),
    ),
    "ru": (
        _Agreement(r"\w+л", rf"\w+(?:{_CYRILLIC}|ь)", r"\w+[ую]", r"\w+[ая]"),
        _Agreement(r"\w+ла", r"\w+[аяь]", r"\w+[ую]"),
    ),
    "uk": (
        _Agreement(r"\w+в", rf"\w+(?:{_CYRILLIC}|ь)", r"\w+[ую]", r"\w+[ая]"),
        _Agreement(r"\w+ла", r"\w+[аяь]", r"\w+[ую]"),
    ),
}
_ANIMATE = frozenset(
    """actor artist author baby bear bird boy brother bull captain cat child client coach customer director
    doctor dog driver elephant enemy engineer expert father fox friend guard guest guy hero horse hunter
    husband journalist judge kid king lawyer leader lion man minister neighbor officer owner patient person
    pilot player prince president professor scientist singer soldier son student teacher thief tiger uncle
    wolf worker""".split()
)
"""Concepts of people and animals."""
_OBJECT_DE = re.compile(
    r"\b(?:den|(?:k?ein|mein|dein|sein|ihr|unser|eur|dies|jen)en)(?: \w+en)? $", re.IGNORECASE
)
_SUBJECT_DE = re.compile(r"\b(?:der|(?:k?ein|mein|dein|sein|ihr|unser|euer|dieser|jener))(?: \w+er?)? $")
_CLAUSE = re.compile(r"[,;:.!?–—]")


def with_object_first(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the agent after the verb; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / praise-01 :ARG0 (b / boy) :ARG1 (t / teacher))")
        >>> spans = {"b": (4, 10), "p": (11, 16), "t": (21, 27)}
        >>> mended = with_object_first(graph, "Den Jungen lobte der Lehrer.", "de", spans)
        >>> print(penman.encode(mended, indent=None))
        (p / praise-01 :ARG0 (t / teacher) :ARG1 (b / boy))
    """
    if lang not in _AGREEMENTS and lang != "de":
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    exchanged: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    for agent in graph.edges(role=":ARG0"):
        verb = agent.source
        arguments = [edge for edge in graph.edges(source=verb) if edge.role in (":ARG0", ":ARG1")]
        if [edge.role for edge in sorted(arguments, key=lambda edge: edge.role)] != [":ARG0", ":ARG1"]:
            continue
        patient = next(edge for edge in arguments if edge.role == ":ARG1")
        first, second = agent.target, patient.target
        spans = [_span(graph, node, verb, alignments) for node in (first, verb, second)]
        known = [span for span in spans if span is not None]
        if (
            len(known) < len(spans)
            or known != sorted(known)
            or _CLAUSE.search(text, known[0][0], known[2][1])
        ):
            continue
        if _is_object(text, lang, known, animate=concepts[second] in _ANIMATE):
            exchanged[agent] = (verb, ":ARG0", second)
            exchanged[patient] = (verb, ":ARG1", first)
    if not exchanged:
        return graph
    return laid_out([exchanged.get(triple, triple) for triple in graph.triples], graph.top)


def _span(graph: penman.Graph, node: str, verb: str, alignments: Mapping[str, Span]) -> Span | None:
    """Return the aligned span of a node, or of the verb that makes it an agent, as in *farmer*."""
    if node in alignments:
        return alignments[node]
    makers = [one.source for one in graph.edges(role=":ARG0", target=node) if one.source != verb]
    return next((alignments[maker] for maker in makers if maker in alignments), None)


def _is_object(text: str, lang: str, spans: Sequence[Span], *, animate: bool) -> bool:
    """Return whether the first noun is the object of the verb, and the second one its subject.

    Args:
        text: The sentence.
        lang: Its language.
        spans: Those of first noun, verb and second noun.
        animate: Whether the second noun is a person or an animal.
    """
    if lang == "de":
        return bool(_OBJECT_DE.search(text[: spans[0][0]]) and _SUBJECT_DE.search(text[: spans[2][0]]))
    words = [text[slice(*span)].lower() for span in spans]
    return any(
        re.fullmatch(one.verb, words[1])
        and re.fullmatch(one.subject, words[2])
        and (re.fullmatch(one.other, words[0]) or (animate and re.fullmatch(one.object_of_animate, words[0])))
        for one in _AGREEMENTS[lang]
    )
