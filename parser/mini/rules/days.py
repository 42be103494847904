"""Remove *tomorrow* where the sentence says *yesterday*, *night* where it says *Sunday*, and the like.

::

    The technician who came yesterday left.   (l / leave-11 :time (t / tomorrow)
                                                 :ARG0 (t2 / technician :ARG0-of (c / come-01
                                                   :time (y / yesterday))))
                                         ──>  the same without tomorrow

The parser sometimes reads one such word twice, as two days. A day without relations of its own goes if no
word of the sentence means it, and another word means another day of the graph. So does the part of a day
beside a weekday, if no word of the sentence means a part of a day.
"""

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span, overlap
from parser.graphs.triples import laid_out
from parser.mini.rules.calendar_names import UNSPACED, weekdays_in
from parser.mini.rules.dictionaries import WORD, shares_of
from parser.mini.rules.locales import locale_of

DAYS = frozenset({"yesterday", "today", "tomorrow", "tonight"})
PARTS = frozenset(
    {"morning", "forenoon", "noon", "midday", "afternoon", "evening", "night", "midnight", "dawn", "dusk"}
)
_STEM = 4
"""Letters of a name of CLDR that a word shares with it; a shorter word is a preposition or *and*."""
_UNSPACED = {"ja": "[朝昼午夕晩夜]", "zh": "[早晨午晚夜]"}
"""Characters of the parts of a day."""


def without_other_days(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph without the days that the sentence does not name; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / come-01 :time (y / yesterday) :time (t / tomorrow))")
        >>> print(penman.encode(without_other_days(graph, "Er kam gestern.", "de"), indent=None))
        (c / come-01 :time (y / yesterday))
    """
    days = {node: str(concept) for node, _, concept in graph.instances() if concept in DAYS}
    if len(set(days.values())) < 2:
        return graph
    named = {day for word in WORD.findall(text) for day in DAYS & shares_of(word, lang).keys()}
    if not named & set(days.values()):
        return graph
    relations = {
        node: [edge for edge in graph.edges() if node in (edge.source, edge.target)] for node in days
    }
    gone = {
        node for node, edges in relations.items()
        if days[node] not in named and [(edge.role, edge.target) for edge in edges] == [(":time", node)]
    }  # fmt: skip
    if not gone:
        return graph
    kept = [triple for triple in graph.triples if not gone & {triple[0], triple[2]}]
    return laid_out(kept, graph.top)


def without_other_parts(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph without parts of days that its sentence does not name; the same object if all are named.

    Example:
        >>> graph = penman.decode("(c / close-01 :time (d / date-entity :dayperiod (n / night) "
        ...                       ":weekday (s / sunday)))")
        >>> spans = {"n": (0, 7), "s": (0, 7)}
        >>> graph = without_other_parts(graph, "Zondags is de winkel dicht.", "nl", spans)
        >>> print(penman.encode(graph, indent=None))
        (c / close-01 :time (d / date-entity :weekday (s / sunday)))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    gone = {
        edge for edge in graph.edges(role=":dayperiod")
        if concepts[edge.target] in PARTS
        and graph.edges(source=edge.source, role=":weekday")
        and not graph.edges(source=edge.target) and len(graph.edges(target=edge.target)) == 1
    }  # fmt: skip
    days = weekdays_in(text, lang)
    if not gone or not days or re.search(r"\d", text) or _names_a_part(text, lang):
        return graph
    spans = [alignments[edge.target] for edge in gone if edge.target in alignments]
    words = [span for span in spans if not any(overlap(span, day.span) for day in days)]
    if any(span[1] - span[0] >= _STEM for span in words):  # of unknown meaning
        return graph
    lost = {edge.target for edge in gone}
    return laid_out([one for one in graph.triples if one[0] not in lost and one[2] not in lost], graph.top)


def _names_a_part(text: str, lang: str) -> bool:
    """Return whether a word may mean a part of a day."""
    if lang in UNSPACED:
        return re.search(_UNSPACED.get(lang, ""), text) is not None
    if any((PARTS | {"tonight"}) & shares_of(word, lang).keys() for word in WORD.findall(text)):
        return True
    locale = locale_of(lang)
    if locale is None:
        return True
    names = {
        name.lower()[:_STEM]
        for widths in locale.day_periods.values()
        for name_of in widths.values()
        for phrase in name_of.values()
        for name in WORD.findall(phrase)
        if len(name) >= _STEM
    }
    return any(name in text.lower() for name in names)


def without_repeated_dates(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which nothing has the same date twice; the same object if nothing has.

    Example:
        >>> graph = penman.decode('''(s / start-01 :time (d / date-entity :time "16:00")
        ...     :time (d2 / date-entity :time "16:00"))''')
        >>> print(penman.encode(without_repeated_dates(graph), indent=None))
        (s / start-01 :time (d / date-entity :time "16:00"))
    """
    seen = set[tuple[object, ...]]()
    gone = set[str]()
    for edge in graph.edges():
        own = [one for one in graph.triples if edge.target in (one[0], one[2]) and one != edge]
        if (edge.target, ":instance", "date-entity") not in own or any(one[0] != edge.target for one in own):
            continue
        key = edge.source, edge.role, tuple(sorted((role, str(target)) for _, role, target in own))
        if key in seen:
            gone.add(edge.target)
        seen.add(key)
    if not gone:
        return graph
    return laid_out([one for one in graph.triples if gone.isdisjoint((one[0], one[2]))], graph.top)


def with_dates_as_times(graph: penman.Graph) -> penman.Graph:
    """Return a graph in which a date is no end of a journey but its time; the same object if none is.

    Example:
        >>> graph = penman.decode("(d / depart-01 :ARG4 (d2 / date-entity :day 3))")
        >>> print(penman.encode(with_dates_as_times(graph), indent=None))
        (d / depart-01 :time (d2 / date-entity :day 3))
    """
    dates = {node for node, _, concept in graph.instances() if concept == "date-entity"}
    edges = [edge for edge in graph.edges(role=":ARG4") if edge.target in dates]
    if not edges:
        return graph
    new = {edge: (edge.source, ":time", edge.target) for edge in edges}
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)
