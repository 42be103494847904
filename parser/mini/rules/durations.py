"""Write how long something lasts as a duration.

::

    pour quatre nuits (fr)   :frequency (r / rate-entity-91 :ARG3 (t / temporal-quantity :quant 4 ...))
                        ──>  :duration (t / temporal-quantity :quant 4 ...)
    por cuatro noches (es)   :time (d / date-entity :dayperiod (n / night :quant 4))
                        ──>  :duration (t / temporal-quantity :quant 4 :unit (n / night))
    Il tousse depuis trois jours. (fr)
                             (c / cough-01 :ARG0 (h / he :age (t / temporal-quantity :quant 3 ...)))
                        ──>  (c / cough-01 :ARG0 (h / he) :duration (t / temporal-quantity ...))

The parser reads such times as *every four nights*, as a part of a date, or as an age. A rate stays if the
sentence has a word for *every*, an age if no word for *since* or *for* is before its number.
"""

from __future__ import annotations

import re

import penman

from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, is_connected, laid_out
from parser.mini.rules.bounds import numbers_in
from parser.mini.rules.named_units import TIME, units_in

_EVERY = {
    "ar": "كل|مر", "cs": r"\bkažd|krát", "da": r"\bhver|gange?\b", "de": r"\bjede|\balle\b|mal\b|\bpro\b",
    "en": r"\bevery|\beach|\bper\b|\btimes\b|\bonce|\btwice",
    "es": r"\bcada|\btod[oa]s|\bve(?:z|ces)\b", "fr": r"\bchaque|\btou(?:s|tes)\b|\bfois\b|\bpar\b",
    "id": r"\bsetiap|\btiap|\bkali\b", "it": r"\bogni|\btutt[ie]|\bvolt[ae]\b", "ja": "毎|ごと|おき|回",
    "ko": "매|마다|번", "nb": r"\bhver|ganger?\b", "nl": r"\belke?\b|\biedere?\b|\bper\b|\bkeer\b|\bom de\b",
    "pl": r"\bkażd|\bco\b|\braz", "pt": r"\bcada|\btod[oa]s|\bve(?:z|zes)\b", "ro": r"\bfiecare|\bor[ii]\b",
    "ru": r"\bкажд|\bраз", "sv": r"\bvarje|\bvar(?:je|t)?\b|gång", "tr": r"\bher\b|\bkez\b|\bdefa\b|\bkere\b",
    "uk": r"\bкожн|\bраз", "vi": r"\bmỗi|\blần\b", "zh": "每|次",
}  # fmt: skip
"""Words of rates."""
_SINCE = {
    "cs": "už|po dobu", "da": "i", "de": "seit|für", "en": "for", "es": "desde hace|durante|hace|por",
    "fr": "depuis|pendant|durant", "it": "da|per", "nb": "i", "nl": "al|sinds|gedurende",
    "pl": "od|przez|już", "pt": "há|durante|faz|por", "ro": "de|timp de", "ru": "уже|в течение",
    "sv": "i|sedan", "uk": "вже|уже|протягом",
}  # fmt: skip
_RATE, _DATE = "rate-entity-91", "date-entity"


def with_durations(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with its only duration; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(r / room :time (d / date-entity :dayperiod (n / night :quant 4)))")
        >>> graph = with_durations(graph, "una habitación por cuatro noches", "es")
        >>> print(penman.encode(graph, indent=None))
        (r / room :duration (d / temporal-quantity :unit (n / night) :quant 4))
    """
    if not any(one[2] in (_RATE, _DATE) or one[1] == ":age" for one in graph.triples):
        return graph
    times = {
        (number, unit.noun)
        for number, units in units_in(text, lang).items()
        for unit in units
        if unit.quantity == TIME
    }
    if len(times) != 1:
        return graph
    number, noun = times.pop()
    triples = list[Triple](graph.triples)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    is_every = re.search(_EVERY.get(lang, ""), text, re.IGNORECASE)
    for period, given in ((source, target) for source, role, target in triples if role == ":quant"):
        if given != number:
            continue
        above = [triple for triple in triples if triple[2] == period]
        if len(above) != 1:
            continue
        source, role, _ = above[0]
        if concepts[period] == noun and (role, concepts[source]) == (":dayperiod", _DATE):
            return _from_date(graph, source, period, number)
        if concepts[period] != TIME or not graph.edges(source=period, role=":unit"):
            continue
        if concepts[source] == _RATE and role == ":ARG3" and not is_every and number != "1":
            return _from_rate(graph, source, period)
        if role == ":age" and _is_since(text, lang, number):
            return _from_age(graph, source, period, concepts)
    return graph


def _from_date(graph: penman.Graph, date: str, unit: str, number: str) -> penman.Graph:
    """Return the graph with the part of a date as a duration, if it is all that the date has."""
    other = {t for s, role, t in graph.triples if s == date and role not in (":instance", ":dayperiod")}
    if other and {(s, t) for s, _, t in graph.triples if s in other} != {(one, "today") for one in other}:
        return graph  # the parser adds *today* to nights
    new: dict[Triple, Triple] = {
        (date, ":instance", _DATE): (date, ":instance", TIME),
        (date, ":dayperiod", unit): (date, ":unit", unit),
        (unit, ":quant", number): (date, ":quant", number),
    }
    triples = [new.get(one, one) for one in graph.triples if other.isdisjoint((one[0], one[2]))]
    triples = [(s, ":duration" if (role, t) == (":time", date) else role, t) for s, role, t in triples]
    return laid_out(triples, graph.top)


def _from_rate(graph: penman.Graph, rate: str, period: str) -> penman.Graph:
    """Return the graph with the period of a rate as a duration, if it is all that the rate has."""
    above = [triple for triple in graph.triples if triple[2] == rate]
    if len(above) != 1 or len([triple for triple in graph.triples if triple[0] == rate]) != 2:
        return graph
    source, role, _ = above[0]
    if role not in (":frequency", ":duration", ":time"):
        return graph
    return laid_out(
        [
            (source, ":duration", period) if triple == above[0] else triple
            for triple in graph.triples
            if triple[0] != rate
        ],
        graph.top,
    )


def _from_age(graph: penman.Graph, person: str, period: str, concepts: dict[str, str]) -> penman.Graph:
    """Return the graph with the age of a person as the duration of what the person does."""
    verbs = [
        edge.source
        for edge in graph.edges(target=person)
        if edge.role in (":ARG0", ":ARG1") and is_frame(concepts[edge.source])
    ]
    verbs = [verb for verb in verbs if not concepts[verb].endswith("-91")]
    if not verbs or graph.edges(source=verbs[0], role=":duration"):
        return graph
    triples = [one for one in graph.triples if one != (person, ":age", period)]
    place = 1 + max(i for i, triple in enumerate(triples) if triple[0] == verbs[0])
    triples.insert(place, (verbs[0], ":duration", period))
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _is_since(text: str, lang: str, number: str) -> bool:
    """Return whether a word for *since* or *for* is just before a number."""
    if lang not in _SINCE:
        return False
    before = re.compile(rf"\b(?:{_SINCE[lang]})\s+$", re.IGNORECASE)
    return any(
        given == number and before.search(text[:begin]) for (begin, _), given in numbers_in(text, lang)
    )
