"""Write questions and commands once.

::

    What did you buy?    (b / buy-01 :mode interrogative ... :ARG1 (a / amr-unknown))
                    ──>  (b / buy-01 ... :ARG1 (a / amr-unknown))
    Don't open it!       (o / open-01 :polarity - :ARG0 (y / you) ...)  ──>  + :mode imperative

AMR marks a question by ``amr-unknown`` alone. The parser leaves the mode out of most negated commands, and of
some others: a command has a verb of which only commands have the form, or, in Germanic languages, the verb
first and no subject (*Open het raam niet*) or *Sie* behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span

_BEGINS = {
    "en": r"(?:please,? )?(?:don['’]t|do not)\b", "es": r"no\b(?=.*!)", "fr": r"n(?:e\b|['’])",
    "it": r"non\b(?=.*!)", "pl": r"nie\b(?=.*!)", "pt": r"não\b(?=.*!)", "ru": r"не\b(?=.*!)",
    "uk": r"не\b(?=.*!)", "zh": "请?(?:不要|别)",
}  # fmt: skip
"""Beginnings of negated commands; where a statement may begin so too, only before an exclamation mark."""
_FORMS = {
    "de": r"(?!haben|sind|können|sollten|werden|möchten|wollen|dürfen|müssen)\w+e?n Sie\b",
    "fr": r"(?!chez|assez|nez)\w+ez(?=\W)(?!-vous)",
    "pl": r"nie \w+(?:[auiy]j|[auiy]jcie)\b", "ru": r"не \w+[йь]те\b",
    "tr": r"[^?,]*\w(?<![dts])[ıiuü]n(?:[ıiuü]z)?[.!]*\s*$", "uk": r"не \w+[йь]те\b",
}  # fmt: skip
"""Beginnings of commands, without *please*; in Turkish, whole ones."""
_PLEASE = {"de": "bitte", "fr": "s['’]il vous plaît,?", "pl": "proszę", "ru": "пожалуйста,?", "tr": "lütfen"}
_SUBJECTS = {
    "da": "du|I|De", "de": "du|ihr|Sie", "nb": "du|dere|De", "nl": "je|jij|jullie|u|ge",
    "sv": "du|ni",
}  # fmt: skip
"""Languages in which a verb that comes first without *you* is a command, and their words for *you*."""


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
    agents = {target for _, role, target in graph.edges(source=graph.top) if role in (":ARG0", ":ARG1")}
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
    begin = re.compile(rf"\W*(?:{_PLEASE.get(lang, '')}\b\s*)?", re.IGNORECASE)
    start = begin.match(text).end()  # type: ignore[union-attr]
    if "?" in text or "？" in text:
        return False
    if lang in _FORMS and re.compile(_FORMS[lang], re.IGNORECASE).match(text, start):
        return True
    if lang not in _SUBJECTS or re.search(rf"\b(?:{_SUBJECTS[lang]})\b", text):
        return False
    return alignments.get(str(graph.top), (-1, -1))[0] == start
