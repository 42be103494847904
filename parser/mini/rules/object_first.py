"""Exchange agent and patient where the sentence names the patient first, by the forms of its words.

::

    Мальчика похвалил учитель. (ru)    (p / praise-01 :ARG0 (b / boy) :ARG1 (t / teacher))
    Den Jungen lobte der Lehrer. (de)      ──>  (p / praise-01 :ARG0 (t / teacher) :ARG1 (b / boy))
    Кого похвалил учитель? (ru)    (p / praise-01 :ARG0 (a / amr-unknown) :ARG1 (t / teacher))
    ¿A quién elogió el maestro? (es)       ──>  (p / praise-01 :ARG0 (t / teacher) :ARG1 (a / amr-unknown))

The parser takes what stands before an active verb for the agent. In Slavic languages the past tense agrees
with its subject, and many nouns have a form of their own as objects: the arguments are exchanged if the first
noun cannot be the subject of the verb and the second one can. In German the articles tell. Questions for an
object (*whom*), relative pronouns and other pronouns have such a form in more languages; in Japanese and
Korean it is the particle of the object, in Turkish the participle of the verb, in Arabic the pronoun at the
verb. A question word without such a form is an object if a subject is beside it, or in the ending of the verb
(*Quem viste?*). The Chinese clause before 的 whose verb is first describes its subject.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from parser.graphs.triples import free_variable, laid_out


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
ANIMATE = frozenset(
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
_WHOM_EN = (
    r"whom|who(?=\s(?:did|do|does|have|has|had|will|would|can|could|should|shall|must|may)(?:n['’]t)?"
    r"\s(?:i|you|we)\b)"
)
_WHOM = {
    "de": "we[nm]", "en": _WHOM_EN, "es": r"(?<=\ba )qui[eé]n(?:es)?",
    "fr": r"qui(?=\s[^,?]*\w-(?:t-)?(?:tu|vous|je|nous|ils?|elles?|on)\b|\sest-ce\squ(?:e\b|['’]))",
    "it": r"(?<=a )chi|chi(?=\s(?:hai|avete|abbiamo|hanno|ho)\b)",
    "nl": r"wie(?=\s\w+\s(?:jij|hij|wij|we|ik)\b|\s(?:heb|wil|kun|zul|ken|zie|zoek)\sje\b)",
    "pl": "kogo|komu",
    "pt": r"quem(?=\s(?:(?:[oa]s?|uma?|meus?|minhas?|seus?|suas?)\s\w+|vocês?|tu|el[ea]s?|nós|eu)\s\w+)"
    r"|quem(?=\s\w+(?:stes?|mos)\b)",
    "ru": "кого|кому", "tr": "kimi", "uk": "кого|кому",
}  # fmt: skip
"""Question words that are objects; in some languages a subject beside them tells."""
_SUBJECTS = {
    "es": {"you": r"\w+ste(?:is)?|has|habéis", "we": r"\w+mos", "they": r"\w+ron|han"},
    "it": {"you": "hai|avete", "we": "abbiamo", "they": "hanno", "i": "ho"},
    "pt": {"you": r"\w+stes?", "we": r"\w+mos"},
}
"""Verbs after such a word by the subject in their ending."""
_ASKERS = {
    "de": "du|ich|wir", "en": "you|i|we", "es": r"\w+(?:steis|ste|mos)", "fr": r"\w+-(?:tu|vous|je|nous|on)",
    "it": "hai|avete|abbiamo|ho", "nl": "jij|je|wij|we|ik", "pt": r"\w+(?:stes?|mos)", "ru": "ты|вы|мы|я",
}  # fmt: skip
"""Pronouns in a question that are its subject, or its verb's ending: then no noun is."""
_AFTER_WORD = frozenset({"es", "it", "tr"})
"""Languages in which such a word is not the first of its clause."""
_ME = {
    "de": "mich|dich|ihn", "pl": "mnie|ciebie|jego|nas|was", "ru": "меня|тебя|его|её|ее|нас|вас|их",
    "uk": "мене|тебе|його|її|нас|вас|їх",
}  # fmt: skip
"""Other pronouns that are objects, at the beginning of a clause."""
_LIKES = frozenset("like-01 like-02 love-01 want-01 have-03 own-01 need-01 fear-01 name-01".split())
"""Verbs whose agent may be an object in other languages."""
_PRONOUNS = frozenset("amr-unknown i you he she we they".split())
_MARKED = {"ja": "(?=を)", "ko": "(?<=[을를])"}
"""Mark of the object at the end of its word."""
_WHO = {
    "ar": r"\s+ال(?:ذي|تي|ذين)\s+(?=\w+(?:ها|هم|(?<!واج)(?<!كر)(?<!وج)(?<!نب)(?<!شب)(?<!تج)ه)\b)",
    "de": r",\s*de(?:n|m|nen)\b(?=\s[a-zäöü])", "es": r"\s+a(?:l| la| los| las)? (?:que|quien|quienes)\b",
    "fr": r"\s+qu(?:e\s|['’])", "pl": r",\s*któr(?:ego|ą)\b", "ru": r",\s*котор(?:ого|ую)\b",
    "uk": r",\s*як(?:ого|у)\b",
}  # fmt: skip
"""Relative pronouns that are objects; in Arabic the verb has a pronoun."""
_PARTICIPLE_TR = re.compile(r"\w+[dt][ıiuü]ğ[ıiuü]\w*", re.IGNORECASE)
_GENITIVE_TR = re.compile(r"\w+[ıiuü]n", re.IGNORECASE)


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
    if lang != "zh" and not any(lang in words for words in (_WHOM, _WHO, _MARKED, _AGREEMENTS)):
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    others = _PRONOUNS | ({"person"} if lang == "zh" else set())  # 出版商的: *publisher* is no clause
    exchanged: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    for agent in graph.edges(role=":ARG0"):
        verb = agent.source
        arguments = [edge for edge in graph.edges(source=verb) if edge.role in (":ARG0", ":ARG1")]
        if [edge.role for edge in sorted(arguments, key=lambda edge: edge.role)] != [":ARG0", ":ARG1"]:
            continue
        patient = next(edge for edge in arguments if edge.role == ":ARG1")
        first, second = agent.target, patient.target
        spans = [noun_span(graph, node, verb, alignments) for node in (first, verb, second)]
        if spans[0] is None and concepts[first] in _PRONOUNS:
            spans[0] = _first_pronoun(text, lang)
        is_question = lang in _WHOM and concepts[first] == "amr-unknown"
        if spans[2] is None and concepts[second] in _PRONOUNS and is_question:
            spans[2] = spans[1]  # the pronoun is at the verb or in its ending
        known = [span for span in spans if span is not None]
        if len(known) < len(spans) or first == second or concepts[verb].endswith("-91"):
            continue
        if is_question and concepts[second] not in _PRONOUNS and _has_asker(text[known[0][1] :], lang):
            continue
        is_clause = known == sorted(known) and not _CLAUSE.search(text, known[0][0], known[2][1])
        if (
            (is_clause and _is_object(text, lang, known, animate=concepts[second] in ANIMATE))
            or _is_object_pronoun(text, lang, known, concepts[verb])
            or (concepts[first] not in others and _is_object_of_clause(text, lang, known))
        ):
            exchanged[agent] = (verb, ":ARG0", second)
            exchanged[patient] = (verb, ":ARG1", first)
    if not exchanged:
        return _with_dropped_subject(graph, text, lang)
    return laid_out([exchanged.get(triple, triple) for triple in graph.triples], graph.top)


def _has_asker(question: str, lang: str) -> bool:
    """Return whether the subject of a question is a pronoun, or in the ending of its verb."""
    return lang in _ASKERS and re.search(rf"\b(?:{_ASKERS[lang]})\b", question, re.IGNORECASE) is not None


def _with_dropped_subject(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph whose only question word is an object, if the verb after it has its subject inside."""
    whom = (
        re.search(rf"\b(?:{_WHOM[lang]})\s(?P<verb>\w+)", text, re.IGNORECASE) if lang in _SUBJECTS else None
    )
    forms = _SUBJECTS[lang].items() if whom else ()
    subject = next((one for one, form in forms if whom and re.fullmatch(form, whom["verb"])), None)
    agents = [
        edge
        for edge in graph.edges(role=":ARG0")
        if (edge.target, ":instance", "amr-unknown") in graph.triples
    ]
    if subject is None or len(agents) != 1 or graph.edges(source=agents[0].source, role=":ARG1"):
        return graph
    verb, _, unknown = agents[0]
    new = free_variable(subject[0], graph.variables())
    own = [(verb, ":ARG0", new), (new, ":instance", subject), (verb, ":ARG1", unknown)]
    place = graph.triples.index(agents[0])
    return laid_out([*graph.triples[:place], *own, *graph.triples[place + 1 :]], graph.top)


def _first_pronoun(text: str, lang: str) -> Span | None:
    """Return the span of a pronoun in the form of an object at the beginning of a sentence."""
    words = "|".join(table[lang] for table in (_WHOM, _ME) if lang in table)
    match = re.match(rf"\W*(?P<word>{words})\b", text, re.IGNORECASE) if words else None
    return match.span("word") if match else None


def _is_object_pronoun(text: str, lang: str, spans: Sequence[Span], verb: str) -> bool:
    """Return whether the agent is a pronoun in the form of an object, or has the particle of one."""
    begin, end = spans[0]
    if lang in _MARKED:
        mark = re.compile(_MARKED[lang])
        is_beside = spans[1][0] == end + 1  # the particle of Japanese, the space of Korean
        return bool(is_beside and mark.match(text, end)) and not mark.match(text, spans[2][1])
    is_first = re.search(r"(?:^|[^\w\s]\s*)$", text[:begin]) is not None
    whom = lang in _WHOM and re.compile(rf"(?:{_WHOM[lang]})\b", re.IGNORECASE).match(text, begin)
    if whom and (is_first or lang in _AFTER_WORD):
        return not (lang == "pt" and re.match(r"[oa]s?\s[a-z]", text[spans[2][0] :]))  # *quem o viu*
    pronoun = lang in _ME and re.compile(rf"(?:{_ME[lang]})\s", re.IGNORECASE).match(text, begin)
    if not is_first or not pronoun or verb in _LIKES:
        return False
    return lang == "de" or pronoun.end() == spans[1][0]


def _is_object_of_clause(text: str, lang: str, spans: Sequence[Span]) -> bool:
    """Return whether the agent is the noun of a relative clause whose object it is."""
    agent, verb, patient = spans
    if lang == "tr":
        is_participle = _PARTICIPLE_TR.fullmatch(text[slice(*verb)]) and patient < verb < agent
        return bool(is_participle and _GENITIVE_TR.fullmatch(text[slice(*patient)]))
    if lang == "zh":  # 咬了那个男人的狗: the verb before its object and 的
        return verb < agent < patient and text[agent[1] :].startswith("的")
    who = re.compile(_WHO[lang]).match(text, agent[1]) if lang in _WHO else None
    first = min(verb, patient)[0]
    return bool(who and who.end() <= first and not _CLAUSE.search(text, who.end(), max(verb, patient)[0]))


def noun_span(graph: penman.Graph, node: str, verb: str, alignments: Mapping[str, Span]) -> Span | None:
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
    if lang not in _AGREEMENTS:
        return bool(
            lang == "de"
            and _OBJECT_DE.search(text[: spans[0][0]])
            and _SUBJECT_DE.search(text[: spans[2][0]])
        )
    words = [text[slice(*span)].lower() for span in spans]
    return any(
        re.fullmatch(one.verb, words[1])
        and re.fullmatch(one.subject, words[2])
        and (re.fullmatch(one.other, words[0]) or (animate and re.fullmatch(one.object_of_animate, words[0])))
        for one in _AGREEMENTS[lang]
    )
