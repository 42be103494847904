"""Give a verb the subject that its ending says, and no mood that it does not.

::

    Beni unuttun. (tr)        (f / forget-01 :mode imperative :ARG0 (i / i) :ARG1 (y / you))
                         ──>  (f / forget-01 :ARG0 (y / you) :ARG1 (i / i))
    Nos viste. (es)           (s / see-01 :ARG0 (w / we))  ──>  (s / see-01 :ARG0 (y / you) :ARG1 (w / we))

Many languages leave pronouns that are subjects out. The parser then may take the pronoun of the object for
the subject, or a statement for a command. Only subjects that are pronouns are changed, by endings that only
one person has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, laid_out

_ENDINGS = {
    "es": {
        "you": r"(?!contr|des|gaste|baste|exi|insi|consi|asi|persi|resi|tri|\w*vist)\w+[ai]ste(?:is)?"
        r"|\w+[aei]rás",
        "we": r"\w{2,}[aeiáé]mos", "they": r"\w+(?:aron|ieron)",
    },
    "pl": {"i": r"\w+ł[ea]m", "you": r"\w+ł[ea]ś|\w+(?:li|ły)ście", "we": r"\w+(?:li|ły)śmy"},
    "pt": {
        "i": r"\w{3,}ei", "we": r"\w{2,}[aei]mos",
        "you": r"(?!contr|des|gaste|baste|exi|insi|consi|assi|persi|resi|tri)\w+[ai]ste(?:s|-me)?",
    },
    "tr": {
        "i": r"(?!yardım|adım)\w+(?:[dt][ıiuü]m|yorum)", "we": r"\w+(?:[dt][ıiuü]k|yoruz)",
        "you": r"(?!kadın|aydın)\w+(?:[dt][ıiuü]n(?:[ıiuü]z)?|yorsun(?:uz)?)",
    },
}  # fmt: skip
_AUXILIARIES_IT = {"ho": "i", "hai": "you", "abbiamo": "we", "avete": "you", "hanno": "they"}
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_OBJECTS = {
    "es": {"i": "me", "you": "te|os", "we": "nos", "it": "lo|la", "they": "los|las"},
    "it": {"i": "mi", "you": "ti|vi", "we": "ci", "it": "lo|la", "they": "li|le"},
    "pl": {"i": "mnie", "you": "cię|ciebie|was", "we": "nas", "he": "jego|go", "they": "ich"},
    "pt": {"i": "me", "you": "te|vos", "we": "nos"},
    "tr": {"i": "beni", "you": "seni|sizi", "we": "bizi", "it": "onu", "they": "onları"},
}
"""Pronouns that are direct objects."""

_MODALS = {
    "es": "(?:no )?(?:puedo|debo|quiero|necesito|tengo que)", "it": "(?:non )?(?:posso|devo|voglio)",
    "pt": "(?:não )?(?:posso|devo|quero|preciso|tenho (?:de|que))",
}  # fmt: skip
"""Verbs at the beginning of a question whose subject is the speaker."""


def with_asking_speakers(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph in which the speaker asks whether to do something; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / you)))")
        >>> print(penman.encode(with_asking_speakers(graph, "Posso entrar?", "pt"), indent=None))
        (p / possible-01 :ARG1 (e / enter-01 :ARG0 (y / i)))
    """
    people = [(node, concept) for node, _, concept in graph.instances() if concept in ("you", "i")]
    is_asked = re.match(rf"\W*{_MODALS.get(lang, '(?!)')}\b", text, re.IGNORECASE)
    if not is_asked or not re.search(r"\?\s*$", text) or [concept for _, concept in people] != ["you"]:
        return graph
    node = people[0][0]
    if not any(edge.role == ":ARG0" for edge in graph.edges(target=node)):
        return graph
    new = {(node, ":instance", "you"): (node, ":instance", "i")}
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)


_ESSERE = re.compile(
    r"\W*(?:non )?(?:ci )?(sono|sei|siamo|siete) (?:(?:mai|già|appena|sempre) )?"
    r"\w+(?:[aiu]t|[rs]|[trs]t)([oaei])\b",
    re.IGNORECASE,
)
"""An Italian verb with *essere* at the beginning of a sentence."""


def with_italian_subjects(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the subject that *essere* says; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(g / go-02 :ARG0 (i / i) :ARG4 (m / market))")
        >>> print(penman.encode(with_italian_subjects(graph, "Sono andati al mercato.", "it"), indent=None))
        (g / go-02 :ARG0 (i / they) :ARG4 (m / market))
    """
    found = _ESSERE.match(text) if lang == "it" else None
    if found is None:
        return graph
    subject = {"sono": "i", "sei": "you", "siamo": "we", "siete": "you"}[found[1].lower()]
    subject = "they" if subject == "i" and found[2] in "ei" else subject
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    roles = {edge.role: edge.target for edge in graph.edges(source=graph.top)}
    node = roles.get(":ARG0") or roles.get(":ARG1")
    if node is None or concepts[node] not in _PRONOUNS - {subject} or subject in concepts.values():
        return graph
    new = {(node, ":instance", concepts[node]): (node, ":instance", subject)}
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)


def with_ending_subjects(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph whose verbs have the subjects of their endings; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(f / forget-01 :mode imperative :ARG0 (i / i) :ARG1 (y / you))")
        >>> graph = with_ending_subjects(graph, "Beni unuttun.", "tr", {"f": (5, 12), "y": (0, 4)})
        >>> print(penman.encode(graph, indent=None))
        (f / forget-01 :ARG0 (y / you) :ARG1 (i / i))
    """
    for node, _, concept in graph.instances():
        subject = _subject(text, alignments[node], lang) if node in alignments and is_frame(concept) else None
        if subject is None:
            continue
        commands = [one for one in graph.attributes(source=node, role=":mode") if one[2] == "imperative"]
        if commands:
            graph = laid_out([one for one in graph.triples if one not in commands], graph.top)
        graph = _with_subject(graph, node, subject, text, lang, alignments)
    return graph


def _subject(text: str, span: Span, lang: str) -> str | None:
    """Return the pronoun of the person that the ending of the verb at ``span`` says."""
    word = text[slice(*span)].lower()
    if lang == "it":
        auxiliary = re.search(r"\b(ho|hai|abbiamo|avete|hanno)\s(?:\w+\s)?$", text[: span[0]], re.IGNORECASE)
        is_participle = re.fullmatch(r"\w+(?:[aiu]t|[rs]|[trs]t)[oaei]", word)
        return _AUXILIARIES_IT[auxiliary[1].lower()] if auxiliary and is_participle else None
    endings = _ENDINGS.get(lang, {}).items()
    return next((pronoun for pronoun, ending in endings if re.fullmatch(ending, word)), None)


def _with_subject(
    graph: penman.Graph, verb: str, subject: str, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    arguments = {edge.role: edge.target for edge in graph.edges(source=verb) if edge.role.startswith(":ARG")}
    agent = arguments.get(":ARG0")
    if agent is None or concepts[agent] not in _PRONOUNS - {subject}:
        return graph
    own = [role for role in (":ARG1", ":ARG2") if concepts.get(arguments.get(role, "")) == subject]
    if own:
        exchanged: dict[Triple, Triple] = {
            (verb, ":ARG0", agent): (verb, ":ARG0", arguments[own[0]]),
            (verb, own[0], arguments[own[0]]): (verb, own[0], agent),
        }
        return laid_out([exchanged.get(one, one) for one in graph.triples], graph.top)
    patient = arguments.get(":ARG1")
    is_said = re.findall(rf"\b(?:{_OBJECTS[lang].get(concepts[agent], '$^')})\b", text, re.IGNORECASE)
    is_filler = patient is None or (concepts[patient] == "it" and patient not in alignments)
    if len(is_said) != 1 or not is_filler or (patient and _is_related(graph, patient)):
        return graph
    new = free_variable(subject[0], concepts)
    triples = [one for one in graph.triples if patient not in (one[0], one[2])] if patient else graph.triples
    place = triples.index((verb, ":ARG0", agent))
    new_triples: list[Triple] = [(verb, ":ARG0", new), (new, ":instance", subject), (verb, ":ARG1", agent)]
    return laid_out([*triples[:place], *new_triples, *triples[place + 1 :]], graph.top)


def _is_related(graph: penman.Graph, node: str) -> bool:
    """Return whether a node has more than one relation."""
    return len(graph.edges(target=node)) + len(graph.edges(source=node)) > 1
