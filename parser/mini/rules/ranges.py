"""Write both ends of a range of clock times, months or years.

::

    We are open from 9 am to 6 pm.     (o / open-01 :ARG1 (w / we) :time (d / date-entity :time "9:00"))
                                  ──>  (o / open-01 :ARG1 (w / we) :time (d / date-interval
                                           :op1 (d2 / date-entity :time "9:00")
                                           :op2 (d3 / date-entity :time "18:00")))
    La guerra duró de 1939 a 1945. (es)    ... :time (d / date-interval
                                           :op1 (d2 / date-entity :year 1939)
                                           :op2 (d3 / date-entity :year 1945))

The parser keeps one end, or writes one twice. The sentence must name one range; all dates of the graph that
say no more than its ends are written anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.calendar_names import months_in

_FROM_TO = {
    "cs": ("od", "do"), "da": ("fra", "til"), "de": ("vo[nm]", "bis(?: zu[mr]| um)?"),
    "en": ("from", "to|until|till|through"),
    "es": ("de(?: las?)?|desde(?: las?)?", "a(?: las?)?|hasta(?: las?)?"),
    "fr": ("de|du|d['’]|depuis", "à|au|jusqu['’](?:à|en|au)"), "it": ("da(?:ll[ae]|l)?", "a(?:ll[ae]|l)?"),
    "nb": ("fra", "til"), "nl": ("van", "tot(?: en met)?|t/m"), "pl": ("od", "do"),
    "pt": ("d[aeo]s?|desde", "às?|a|até(?: às?)?"), "ro": ("de la", "(?:până )?la"), "ru": ("со?", "до|по"),
    "sv": ("från", "till"), "uk": ("зі?|із|від", "до|по"), "zh": ("从", "[^，。]{0,3}?[到至]"),
}  # fmt: skip
"""Words before the first and the second end."""
_BETWEEN = {
    "da": ("mellem", "og"), "de": ("zwischen", "und"), "en": ("between", "and"),
    "es": ("entre(?: las?)?", "y(?: las?)?"), "fr": ("entre", "et"), "it": ("[ft]ra(?: le)?", "e(?: le)?"),
    "nb": ("mellom", "og"), "nl": ("tussen", "en"), "pl": ("między", "a"),
    "pt": ("entre(?: as?)?", "e(?: as?)?"), "ru": ("между", "и"), "sv": ("mellan", "och"),
}  # fmt: skip
_AFTER = {
    "ja": ("から", "まで"), "ko": ("부터", "까지"), "tr": (r"['’]?[dt][ae]n", r"['’]?y?[ae]\s+kadar"),
}  # fmt: skip
"""Words after the first and the second end."""
_DASH = re.compile(r"\s?[-–]\s?")
_SAYS_CLOCK = {
    "es": "las?$", "it": "ll[ae]$", "pl": "godz", "pt": "d[ao]s$", "tr": r"\b[Ss]aat\s*$",
}  # fmt: skip
"""Ends of the words before a number that only clock times have."""
_CLOCK = re.compile(
    r"(?<![\d.,:/$€£])(?:(?P<part>上午|下午|晚上|早上|午前|午後|오전|오후)\s?)?(?P<hour>2[0-4]|1\d|0?\d)"
    r"(?:(?:[:.h点點时時]|\s?h\s|시\s?)(?P<minute>[0-5]\d)[分분]?)?(?![\d.,:/%]*\d|\s?[%$€£])"
    r"(?P<unit>\s?(?:[ap]\.?\s?m\b\.?|Uhr\b|h\b|o['’]clock\b|uur\b|hodin\b|часов\b|часа\b|годин\w?\b|[点點時시]))?",
    re.IGNORECASE,
)
_LATE = re.compile("下午|晚上|午後|오후|p", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,:/])(?:1[1-9]\d\d|20\d\d)(?![\d.,:/]*\d|\s?[%$€£])(?:年|년)?")
_HOLDERS = frozenset(
    "date-entity temporal-quantity date-interval between since until before after from to by".split()
)
"""Concepts that only hold the ends of a range."""
_PARTS = frozenset("morning afternoon evening night noon hour clock year month".split())
_ENDED = re.compile(
    r"\s*(?:$|[.,;:!?)]|['’]|(?:on|every|daily|am|an|täglich|jeden|op|elke|på|varje|le|tous|los|todos|il|ogni|w|в"
    r"|по|у|nos|aos)\b)"
)
"""The rest of a sentence after opening hours without a unit: no things that are counted."""
_CJK = re.compile("[\u3400-\u9fff\uac00-\ud7a3]")
_OPEN = frozenset({"open-01", "open-02", "open-05", "close-01", "operate-01", "work-01"})


class _End(NamedTuple):
    span: Span
    role: str
    value: str
    is_sure: bool  # the text says what kind of number it is


class _Range(NamedTuple):
    role: str
    values: tuple[str, str]
    concept: str
    is_sure: bool


def with_ranges(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with both ends of the only range of a sentence; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(l / last-01 :ARG1 (w / war) :time (d / date-entity :year 1939))")
        >>> graph = with_ranges(graph, "The war lasted from 1939 to 1945.", "en")
        >>> print(penman.encode(graph))
        (l / last-01
           :ARG1 (w / war)
           :time (d / date-interval
                    :op1 (d2 / date-entity
                             :year 1939)
                    :op2 (d3 / date-entity
                             :year 1945)))
    """
    ranges = list(_ranges(text, lang))
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if len(ranges) != 1 or not (ranges[0].is_sure or _OPEN & set(concepts.values())):
        return graph
    (found,) = ranges
    if _is_written(graph, found, concepts):
        return graph
    gone = _held(graph, found, concepts)
    above = [edge for edge in graph.edges() if edge.target in gone and edge.source not in gone]
    constants = [
        triple for triple in graph.attributes() if triple.target in found.values and triple.source not in gone
    ]
    holders = {edge.source for edge in above} or {str(graph.top)}
    (holder, *more) = holders
    if more or constants or graph.top in gone or not (above or is_frame(concepts[holder])):
        return graph
    taken = set(concepts) - gone
    interval = free_variable(found.concept[0], taken)
    new: list[Triple] = [(holder, ":time", interval), (interval, ":instance", found.concept)]
    taken.add(interval)
    for number, value in enumerate(found.values, start=1):
        date = free_variable("d", taken)
        taken.add(date)
        new += [(interval, f":op{number}", date), (date, ":instance", "date-entity")]
        new.append((date, found.role, value))
    kept = [triple for triple in graph.triples if gone.isdisjoint((triple[0], triple[2]))]
    triples = [*kept, *new]
    return laid_out(triples, graph.top) if is_connected(triples) else graph


def _is_written(graph: penman.Graph, found: _Range, concepts: Mapping[str, str]) -> bool:
    """Return whether a graph has the range."""
    for node, concept in concepts.items():
        ends = {edge.role: edge.target for edge in graph.edges(source=node)}
        dates = [graph.attributes(source=ends.get(role, ""), role=found.role) for role in (":op1", ":op2")]
        if concept == found.concept and [[one.target for one in date] for date in dates] == [
            [value] for value in found.values
        ]:
            return True
    return False


def _held(graph: penman.Graph, found: _Range, concepts: Mapping[str, str]) -> set[str]:
    """Return the nodes that say no more than the ends of a range."""
    allowed = {*found.values, *(value.strip('"').removesuffix(":00") for value in found.values)}
    below = {node for node, concept in concepts.items() if concept in _PARTS and not graph.edges(source=node)}
    gone, size = set[str](), -1
    while size < len(gone):
        size = len(gone)
        gone |= {
            node
            for node, concept in concepts.items()
            if concept in _HOLDERS
            and all(edge.target in gone | below for edge in graph.edges(source=node))
            and all(
                one.target in allowed or (one.role, one.target) == (":day", "1")
                for one in graph.attributes(source=node)
            )
            and (graph.edges(source=node) or graph.attributes(source=node) or concept == "date-entity")
        }
    own = {node for node in below if all(edge.source in gone for edge in graph.edges(target=node))}
    return gone | (own if gone else set())


def _ranges(text: str, lang: str) -> Iterator[_Range]:
    """Yield the ranges that a sentence names."""
    for ends in (_clocks(text, lang), _years(text), _months(text, lang)):
        for first, second in pairwise(ends):
            concept = _concept(text, lang, first, second)
            if concept is None or first.value == second.value:
                continue
            says = _SAYS_CLOCK.get(lang)
            is_said = says is not None and re.search(says, text[: first.span[0]].rstrip()) is not None
            values = _same_half(first, second, text), second.value
            is_sure = first.is_sure or second.is_sure or is_said
            if is_sure or lang in _AFTER or _ENDED.match(text, second.span[1]):
                yield _Range(first.role, values, concept, is_sure)


def _same_half(first: _End, second: _End, text: str) -> str:
    """Return the first of two clock times, in the half of the day of the second: *from 2 to 4 pm*."""
    if first.role != ":time" or first.is_sure or not _LATE.search(text[slice(*second.span)]):
        return first.value
    (hour, minute), (last, _) = (one.value.strip('"').split(":") for one in (first, second))
    return f'"{int(hour) + 12}:{minute}"' if int(hour) + 12 < int(last) else first.value


def _concept(text: str, lang: str, first: _End, second: _End) -> str | None:
    """Return the concept that joins two ends."""
    before, between = text[: first.span[0]], text[first.span[1] : second.span[0]]
    if lang in _AFTER:
        start, end = _AFTER[lang]
        is_from = re.search(rf"{start}\s*$", text[first.span[0] : second.span[0]])
        return "date-interval" if is_from and re.match(rf"\S*?{end}", text[second.span[0] :]) else None
    space = "" if lang == "zh" else r"\s+"
    for words, concept in ((_FROM_TO, "date-interval"), (_BETWEEN, "between")):
        one, other = words.get(lang, ("(?!)", "(?!)"))
        begins = re.search(rf"(?:^|\W|(?<=[\u3000-\u9fff]))(?:{one}){space}$", before, re.IGNORECASE)
        if begins and re.fullmatch(rf"\s*(?:{other})\s*", between, re.IGNORECASE):
            return concept
    return "date-interval" if _DASH.fullmatch(between) and first.is_sure and second.is_sure else None


def _clocks(text: str, lang: str) -> Iterator[_End]:
    """Yield the numbers of a text that may be clock times."""
    for found in _CLOCK.finditer(text):
        hour, minute = int(found["hour"]), found["minute"] or "00"
        is_late = _LATE.match((found["part"] or found["unit"] or "").strip()) is not None
        is_sure = bool(found["minute"] or found["unit"] or found["part"])
        if not is_sure and _CJK.match(text, found.end()):
            continue  # a counter, or a month
        value = f'"{hour + 12 if is_late and hour < 12 else hour}:{minute}"'
        yield _End(found.span(), ":time", value, is_sure)


def _years(text: str) -> Iterator[_End]:
    """Yield the years of a text."""
    for found in _YEAR.finditer(text):
        yield _End(found.span(), ":year", found[0][:4], is_sure=True)


def _months(text: str, lang: str) -> Iterator[_End]:
    """Yield the months of a text that have no day."""
    for name in sorted(months_in(text, lang), key=lambda name: name.span):
        begin, end = name.span
        if not re.search(r"\d\.?\s*$", text[:begin]) and not re.match(r"\s*\d", text[end:]):
            yield _End(name.span, ":month", name.value, is_sure=True)
