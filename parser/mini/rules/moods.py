"""Write questions and commands once.

::

    What did you buy?    (b / buy-01 :mode interrogative ... :ARG1 (a / amr-unknown))
                    ──>  (b / buy-01 ... :ARG1 (a / amr-unknown))
    Don't open it!       (o / open-01 :polarity - :ARG0 (y / you) ...)  ──>  + :mode imperative

AMR marks a question by ``amr-unknown`` alone. The parser leaves the mode out of most negated commands, and of
some others: a command has a verb of which only commands have the form, or, in languages that name the
subject, the verb first and no subject (*Open het raam niet*) or *Sie* behind it.
What is commanded is a verb, not a noun of the same letters (*sign*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span, overlap
from linearize.frames import Triple, known_frame, replace_triples
from linearize.vocabulary import is_frame

_BEGINS = {
    "en": r"(?:please,? )?(?:don['’]t|do not)\b", "es": r"no\b(?=.*!)", "fr": r"n(?:e\b|['’])",
    "it": r"non\b(?=.*!)", "pl": r"nie\b(?=.*!)", "pt": r"não\b(?=.*!)", "ru": r"не\b(?=.*!)",
    "uk": r"не\b(?=.*!)", "zh": "请?(?:不要|别)",
}  # fmt: skip
"""Beginnings of negated commands; where a statement may begin so too, only before an exclamation mark."""
_FORMS = {
    "de": r"(?!haben|sind|können|sollten|werden|möchten|wollen|dürfen|müssen)\w+e?n Sie\b",
    "fr": r"(?!chez|assez|nez)\w+ez(?=\W)(?!-vous)",
    "pl": r"(?:nie )?\w+(?:[auiy]j|[auiy]jcie)\b",
    "ru": r"(?!.*\bвы\b)(?:не )?\w+(?:й|йте|ите|ьте)\b",
    "tr": r"[^?,]*\w(?<![ds])(?<![fstkçşhp]t)[ıiuü]n(?:[ıiuü]z)?[.!]*\s*$",
    "uk": r"(?!.*\bви\b)(?:не )?\w+(?:й|[йь]те|іть)\b",
}  # fmt: skip
"""Beginnings of commands, without *please*; in Turkish, whole ones. In Spanish, Italian and Portuguese
statements have the same forms."""
_PLEASE = {
    "de": "bitte", "en": "please,?", "fr": "s['’]il vous plaît,?",
    "nl": "alstublieft,?", "pl": "proszę", "ru": "пожалуйста,?", "tr": "lütfen",
    "uk": "будь ласка,?", "zh": "请",
}  # fmt: skip
_SUBJECTS = {
    "da": "du|I|De", "de": "du|ihr|Sie", "en": "you", "fr": "tu|t|vous", "nb": "du|dere|De",
    "nl": "je|jij|jullie|u|ge", "sv": "du|ni", "zh": "你|您",
}  # fmt: skip
"""Languages in which a verb that comes first without *you* is a command, and their words for *you*."""


def with_commanded_verbs(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which what is commanded is a verb; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / sign :mode imperative :ARG0 (y / you) :ARG1 (i / it))")
        >>> print(penman.encode(with_commanded_verbs(graph), indent=None))
        (s / sign-01 :mode imperative :ARG0 (y / you) :ARG1 (i / it))
    """
    commanded = {node for node, _, mode in graph.attributes(role=":mode") if mode == "imperative"}
    changed: dict[Triple, Triple] = {
        (node, role, concept): (node, role, known_frame(f"{concept}-99"))
        for node, role, concept in graph.instances()
        if node in commanded and not is_frame(str(concept))
    }
    return replace_triples(graph, changed) if any(old != new for old, new in changed.items()) else graph


def with_plain_moods(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the modes of a question or command; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(o / open-01 :polarity - :ARG0 (y / you) :ARG1 (i / it))")
        >>> print(penman.encode(with_plain_moods(graph, "Don't open it.", "en", {}), indent=None))
        (o / open-01 :polarity - :mode imperative :ARG0 (y / you) :ARG1 (i / it))
    """
    is_question = any(concept == "amr-unknown" for _, _, concept in graph.instances())
    marks = {triple for triple in graph.attributes(role=":mode") if triple[2] == "interrogative"}
    if is_question and marks:
        return penman.Graph(
            [triple for triple in graph.triples if triple not in marks],
            top=graph.top,
            epidata={triple: data for triple, data in graph.epidata.items() if triple not in marks},
            metadata=graph.metadata,
        )
    arguments = {role: target for _, role, target in graph.edges(source=graph.top)}
    agents = {arguments.get(":ARG0", arguments.get(":ARG1"))}
    is_to_you = any((agent, ":instance", "you") in graph.triples for agent in agents)
    if not is_to_you or graph.attributes(role=":mode") or is_question:
        return graph
    negation = (graph.top, ":polarity", "-")
    begins = lang in _BEGINS and re.match(rf"[\s¡\"«“]*{_BEGINS[lang]}", text, re.IGNORECASE)
    if not (negation in graph.triples and begins) and not _is_command(graph, text, lang, alignments):
        return graph
    triples = list(graph.triples)
    after = (
        negation
        if negation in triples
        else next(one for one in triples if one[:2] == (graph.top, ":instance"))
    )
    triples.insert(triples.index(after) + 1, (str(graph.top), ":mode", "imperative"))
    return penman.Graph(triples, top=graph.top, epidata=graph.epidata, metadata=graph.metadata)


def _is_command(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> bool:
    """Return whether the form or the place of the verb is that of a command."""
    begin = re.compile(rf"\W*(?:(?:{_PLEASE.get(lang, '')})\s*)?", re.IGNORECASE)
    start = begin.match(text).end()  # type: ignore[union-attr]
    if "?" in text or "？" in text:
        return False
    verb = alignments.get(str(graph.top))
    form = re.compile(_FORMS.get(lang, "(?!)"), re.IGNORECASE).match(text, start)
    if form and (verb is None or overlap(form.span(), verb)):
        return True
    edge = "" if lang == "zh" else r"\b"
    if lang not in _SUBJECTS or re.search(rf"{edge}(?:{_SUBJECTS[lang]}){edge}", text):
        return False
    return verb is not None and verb[0] == start
