"""Write *before*, *after*, *until* and *since* above the date or clock time that they stand beside.

::

    De winkel is tot dinsdag gesloten. (nl)    (c / close-01 :time (d / date-entity :weekday (t / tuesday)))
                              ──>  (c / close-01 :time (u / until :op1 (d / date-entity :weekday ...)))
    Der Laden öffnet nach Montag. (de)         (o / open-01 :time (d / date-entity ...) :time (a / after))
                              ──>  (o / open-01 :time (a / after :op1 (d / date-entity ...)))
    avant vendredi (fr)                        (b / before :op1 (n / now) :quant (t / temporal-quantity ...))
                              ──>  (b / before :op1 (d / date-entity :weekday (f / friday)))

The parser often drops such a word outside English, or leaves it beside the date. Only sentences with one
date are changed.

::

    Ze stierf voor de verkiezingen. (nl)  (d / die-01 :location (i / in-front-of :op1 (e / elect-01)))
                              ──>  (d / die-01 :time (b / before :op1 (e / elect-01)))
    Elle chantait autrefois. (fr)  (s / sing-01 :time (b / before :op1 (n / now) :quant (t / ... year)))
                              ──>  (s / sing-01 :time (b / before :op1 (n / now)))
"""

from __future__ import annotations

import re
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from parser.graphs.triples import Triple, free_variable, laid_out, subtree
from parser.mini.rules.calendar_names import months_in, weekdays_in
from parser.mini.rules.dates import read_dates
from parser.mini.rules.literals import read_words

_WORDS = {
    "da": {"before": "før|inden", "after": "efter", "until": "indtil", "since": "siden"},
    "de": {"before": "vor", "after": "nach", "until": "bis(?: zum| zur)?", "since": "seit"},
    "en": {"before": "before", "after": "after", "until": "until|till", "since": "since"},
    "es": {"before": "antes de(?:l)?", "after": "después de(?:l)?", "until": "hasta", "since": "desde"},
    "fr": {"before": "avant", "after": "après", "until": "jusqu['’](?:à|au|aux|en)", "since": "depuis"},
    "it": {
        "before": "prima d(?:i|el|ella|elle|ell['’])",
        "after": "dopo",
        "until": "fino a(?:l|lla|lle|ll['’])?",
        "since": "da(?:l|lla|lle|ll['’])?",
    },
    "nb": {"before": "før|innen", "after": "etter", "until": "(?:inn)?til", "since": "siden"},
    "nl": {"before": "voor|vóór", "after": "na", "until": "tot(?: en met)?", "since": "sinds"},
    "pl": {"before": "przed", "after": "po", "until": "(?:aż )?do", "since": "od"},
    "pt": {
        "before": "antes d[aeo]s?",
        "after": "depois d[aeo]s?|após",
        "until": "até(?: à| às| ao)?",
        "since": "desde",
    },
    "ru": {"before": "перед|до", "after": "после", "since": "с|со"},
    "sv": {"before": "före|innan", "after": "efter", "until": "(?:fram )?till", "since": "sedan"},
    "uk": {"before": "перед|до", "after": "після", "since": "з|із|від"},
}
"""The words before a date."""
_ARTICLE = {
    "da": "den", "de": "de[mnr]", "en": "the", "es": "el|la|las|los", "fr": "les?|la|l['’]",
    "it": "il|la|le|l['’]",
    "nb": "den", "nl": "de", "pt": "[ao]s?", "sv": "den",
}  # fmt: skip
"""Articles between the word and the date."""
_WORDS_AFTER = {
    "ja": {"before": "の?(?:前|まえ)", "after": "の?(?:後|あと)", "until": "まで", "since": "から"},
    "ko": {"before": " ?(?:이전|전)", "after": " ?(?:이후|후)", "until": " ?까지", "since": " ?부터"},
    "tr": {
        "before": r"\w*( gününden)? önce", "after": r"\w*( gününden)? sonra",
        "until": r"\w*( gününe)? kadar", "since": r"\w*( gününden)? beri",
    },
    "zh": {"before": "(?:之?前|以前)(?!后)", "after": "之?后|以后", "since": "以来|起"},
}  # fmt: skip
"""The words after a date."""
_WORDS_BEFORE = {"zh": {"until": "到|直到"}}
"""The words before a date without a space, inside a sentence."""
_INTERVAL_BEFORE, _INTERVAL_AFTER = re.compile(r"\d\.?\s*$"), re.compile(r"\W*\w{0,6}?(?:まで|까지)")
"""Text beside the word that makes two dates of one: *7. bis 8. Juni*."""
_FOR = frozenset({"nl"})
"""Languages whose word for *before* is also *for*."""
_SAME = {
    "before": {"before", "by"},
    "after": {"after", "since"},
    "until": {"until", "by", "up-to"},
    "since": {"since", "from", "after"},
}
"""Concepts that say the same of a date, or nearly so."""
_EVENTS = frozenset(
    "elect-01 war meet-03 holiday vacation christmas easter breakfast lunch dinner noon midnight summer "
    "winter begin-01 start-01 end-01 depart-01 arrive-01 exam operate-02 marry-01 wedding birth die-01 "
    "trip-03 travel-01 flight sleep-01".split()
)
"""Events, which are nowhere in front of."""
_YEAR = re.compile(
    r"year|Jahr|\ba(?:n|ns|nnée|nnées|nno|nni|ño|ños|no|nos|ny|nys)\b|jaar|jaren|\brok\b|\blat|год|лет|рік|рок|років"
    r"|yıl|sene|[年년歳岁]|سن|عام|أعوام|χρόν|έτ|\bår|év|vuo|साल|वर्ष|שנ|tahun|năm|ปี|سال|decad|Jahrzehnt",
    re.IGNORECASE,
)
"""Words for *year*."""
_RELATIONS = frozenset("before after until since by from around up-to in-front-of early behind".split())
"""Concepts that the word may have been read as."""
_LASTING = frozenset(
    "close-01 open-09 wait-01 last-01 stay-01 remain-01 work-01 work-09 valid-02 live-01 sleep-01".split()
)
"""States: Russian and Ukrainian *до* beside them is *until*."""
_INVENTED = frozenset({"afternoon", "midday"})
"""Parts of the day that *po*, *do* and *まで* were read as."""
_MISREAD = frozenset({"ja", "pl"})
"""Languages of these words."""
_SUFFIXED = frozenset({"tr"})
"""Languages whose weekdays are read as other nouns when they have a case ending."""
_JOINED = re.compile(r"\W*(?:\w{1,3}\W+)?")
"""Between parts of one date: *Monday, 3 May at 17:00*."""


class _Relation(NamedTuple):
    """The word beside the date."""

    concept: str
    open_ended: bool = False  # whether it is *до*, which is *before* or *until*
    sure: bool = True  # whether the word has no other meaning


def with_time_relations(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the word beside its only date; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / close-01 :time (d / date-entity :weekday (t / tuesday)))")
        >>> graph = with_time_relations(graph, "De winkel is tot dinsdag gesloten.", "nl")
        >>> print(penman.encode(graph, indent=None))
        (c / close-01 :time (u / until :op1 (d / date-entity :weekday (t / tuesday))))
    """
    graph = _without_invented_year(_with_time_for_place(graph), text)
    span = _only_date(text, lang) if lang in _WORDS or lang in _WORDS_AFTER else None
    relation = None if span is None else _relation(text, lang, span)
    if span is None or relation is None:
        return graph
    graph = _with_flat_date(graph)
    dates = [node for node, _, concept in graph.instances() if concept == "date-entity"]
    if not dates:
        graph = _with_weekday_for_count(graph, text, lang, relation.concept)
        return _with_misread_weekday(graph, text, lang) if lang in _SUFFIXED else graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    above = [triple for triple in graph.triples if triple[2] in dates]
    if len(dates) != 1 or len(above) != 1 or graph.top in dates:
        return graph
    triples = list(graph.triples)
    if lang in _MISREAD:
        triples = _without_invented(triples, dates[0], concepts)
    owner, role, _ = above[0]
    if role == ":op1" and concepts[owner] in _RELATIONS:
        if concepts[owner] in _SAME[relation.concept] | ({"until"} if relation.open_ended else set()):
            return graph
        return _renamed(triples, graph.top, owner, relation.concept)
    if role != ":time" or not relation.sure:
        return graph
    lasting = relation.open_ended and concepts[owner] in _LASTING
    return _raised(triples, graph, above[0], "until" if lasting else relation.concept)


def _with_time_for_place(graph: penman.Graph) -> penman.Graph:
    """Return the graph with *before* an event where the parser wrote *in front of* it."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    fronts = {
        edge.target
        for edge in graph.edges()
        if edge.role in (":location", ":direction") and concepts[edge.target] == "in-front-of"
    }
    fronts &= {edge.source for edge in graph.edges(role=":op1") if concepts[edge.target] in _EVENTS}
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if source in fronts and role == ":instance":
            target = "before"
        elif target in fronts:
            role = ":time"
        triples.append((source, role, target))
    return laid_out(triples, graph.top) if fronts else graph


def _without_invented_year(graph: penman.Graph, text: str) -> penman.Graph:
    """Return the graph without a year before or after something if no word of the sentence says it."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if any(sign.isdigit() for sign in text) or _YEAR.search(text):
        return graph
    years = {edge.source for edge in graph.edges(role=":unit") if concepts[edge.target] == "year"}
    invented = {
        edge.target
        for edge in graph.edges(role=":quant")
        if edge.target in years
        and concepts[edge.source] in ("before", "after")
        and [value for _, _, value in graph.attributes(edge.target, ":quant")] == ["1"]
    }
    below = {node for one in invented for node in subtree(graph, one)}
    triples = [triple for triple in graph.triples if triple[0] not in below and triple[2] not in below]
    return laid_out(triples, graph.top) if invented else graph


def _only_date(text: str, lang: str) -> Span | None:
    """Return the span of the only date or clock time of a sentence."""
    spans = sorted(
        [name.span for name in (*weekdays_in(text, lang), *months_in(text, lang))]
        + [date.span for date in read_dates(text, lang)]
        + [span for span, word in read_words(text, lang) if re.fullmatch(r'"\d\d?:\d\d"', word.plain or "")]
    )
    joined: list[Span] = []
    for begin, end in spans:
        if joined and (begin <= joined[-1][1] or _JOINED.fullmatch(text, joined[-1][1], begin)):
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined[0] if len(joined) == 1 else None


def _relation(text: str, lang: str, span: Span) -> _Relation | None:
    """Return the relation named beside a date."""
    begin, end = span
    article = rf"(?:(?:{_ARTICLE[lang]})\s*)?" if lang in _ARTICLE else ""
    for concept, words in _WORDS.get(lang, {}).items():
        if match := re.search(rf"\b(?P<word>{words})\s+{article}$", text[:begin], re.IGNORECASE):
            if _INTERVAL_BEFORE.search(text[: match.start()]):
                return None
            word = match["word"].lower()
            return _Relation(concept, word == "до", lang not in _FOR or word != "voor")
    for concept, words in _WORDS_BEFORE.get(lang, {}).items():
        if re.search(rf".(?:{words})$", text[:begin]):
            return _Relation(concept)
    for concept, words in _WORDS_AFTER.get(lang, {}).items():
        match = re.match(words, text[end:], re.IGNORECASE)
        if match and not _INTERVAL_AFTER.match(text, end + match.end()):
            return _Relation(concept)
    return None


def _with_flat_date(graph: penman.Graph) -> penman.Graph:
    """Return the graph without a date that has nothing but a date inside."""
    own = {node: [triple for triple in graph.triples if triple[0] == node] for node in graph.variables()}
    dates = {node for node, _, concept in graph.instances() if concept == "date-entity"}
    for node in dates:
        inner = [target for _, role, target in own[node] if role == ":time" and target in dates]
        if inner and len(own[node]) == 2 and node != graph.top:
            triples = [
                (source, role, inner[0] if target == node else target)
                for source, role, target in graph.triples
                if source != node
            ]
            return laid_out(triples, graph.top)
    return graph


def _with_weekday_for_count(graph: penman.Graph, text: str, lang: str, concept: str) -> penman.Graph:
    """Return the graph with the weekday of *before Friday* in place of an invented *one day before now*."""
    concepts = {node: str(one) for node, _, one in graph.instances()}
    counted = [
        node for node, _, target in graph.edges(role=":op1")
        if concepts[node] == concept and concepts[target] == "now"
    ]  # fmt: skip
    days = {name.value for name in weekdays_in(text, lang)}
    if len(counted) != 1 or len(days) != 1:
        return graph
    below = subtree(graph, counted[0]) - {counted[0]}
    numbers = {str(value) for node, _, value in graph.attributes() if node in below}
    is_shared = any(target in below and node not in {*below, counted[0]} for node, _, target in graph.edges())
    if numbers - {"1"} or is_shared:
        return graph
    day = days.pop()
    kept = [triple for triple in graph.triples if not below & {triple[0], triple[2]}]
    date, weekday = (free_variable(letter, {node for node, _, _ in kept}) for letter in ("d", day[0]))
    new: list[Triple] = [
        (counted[0], ":op1", date), (date, ":instance", "date-entity"), (date, ":weekday", weekday),
        (weekday, ":instance", day),
    ]  # fmt: skip
    return laid_out([*kept, *new], graph.top)


def _with_misread_weekday(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return the graph with the only weekday of the sentence in place of the target of the only relation."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    leaves = set(concepts) - {source for source, role, _ in graph.triples if role != ":instance"}
    misread = [
        target
        for source, role, target in graph.triples
        if role == ":op1" and concepts[source] in _RELATIONS and target in leaves
    ]
    days = {name.value for name in weekdays_in(text, lang)}
    if len(misread) != 1 or len(days) != 1 or [triple[2] for triple in graph.edges()].count(misread[0]) != 1:
        return graph
    day = days.pop()
    node = free_variable(day[0], graph.variables())
    triples: list[Triple] = [
        triple if triple[:2] != (misread[0], ":instance") else (misread[0], ":instance", "date-entity")
        for triple in graph.triples
    ]
    return laid_out([*triples, (misread[0], ":weekday", node), (node, ":instance", day)], graph.top)


def _without_invented(triples: list[Triple], date: str, concepts: dict[str, str]) -> list[Triple]:
    """Return the triples without a part of the day that was read off the word beside the date."""
    parts = {
        target
        for source, role, target in triples
        if (source, role) == (date, ":dayperiod") and concepts.get(target) in _INVENTED
    }
    return [triple for triple in triples if not parts & {triple[0], triple[2]}]


def _renamed(triples: list[Triple], top: str | None, node: str, concept: str) -> penman.Graph:
    """Return the graph with another relation above the date, which is a time."""
    changed: list[Triple] = []
    for source, role, target in triples:
        if (source, role) == (node, ":instance"):
            target = concept
        elif target == node and role == ":location":
            role = ":time"
        changed.append((source, role, target))
    return laid_out(changed, top)


def _raised(triples: list[Triple], graph: penman.Graph, above: Triple, concept: str) -> penman.Graph:
    """Return the graph with a relation between an event and its date."""
    owner, _, date = above
    concepts = {node: str(one) for node, _, one in graph.instances()}
    below = {source for source, role, _ in triples if role != ":instance"}
    empty = {
        target
        for source, role, target in triples
        if (source, role) == (owner, ":time") and concepts.get(target) in _RELATIONS and target not in below
    }
    triples = [triple for triple in triples if not empty & {triple[0], triple[2]}]
    node = free_variable(concept[0], graph.variables())
    place = triples.index(above)
    triples[place : place + 1] = [(owner, ":time", node), (node, ":instance", concept), (node, ":op1", date)]
    return laid_out(triples, graph.top)
