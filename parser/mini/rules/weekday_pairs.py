"""Write all weekdays of *on Monday and Thursday* and of *from Monday to Friday*.

::

    Der Laden ist montags und donnerstags zu. (de)
        (c / close-01 :time (d / date-entity :weekday (t / thursday)))
    ──> (c / close-01 :time (a / and :op1 (d2 / date-entity :weekday (m / monday))
                                     :op2 (d / date-entity :weekday (t / thursday))))
    The office is open from Monday to Friday.
        (o / open-01 :time (d / date-entity :weekday (m / monday)))
    ──> (o / open-01 :time (i / date-interval :op1 (d / date-entity :weekday (m / monday))
                                              :op2 (d2 / date-entity :weekday (f / friday))))

    The exam was moved from Monday to Friday.
        (m / move-01 :ARG1 (e / exam) :time (d / date-entity :weekday (m2 / monday)))
    ──> (m / move-01 :ARG1 (e / exam) :source (d / date-entity :weekday (m2 / monday))
                                      :ARG2 (d2 / date-entity :weekday (f / friday)))

The parser reads one of the weekdays alone, one of them twice, or one as a part of a day. The sentence must
name the weekdays side by side, and the graph no other one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import penman

from amrx.composed_text import Span, overlap
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.calendar_names import WEEKDAYS, Name, weekdays_in

_AND = {
    "cs": "a", "da": "og", "de": "und|sowie", "en": "and", "es": "y", "fr": "et", "it": "e", "ja": "と|、",
    "ko": "및", "nb": "og", "nl": "en", "pl": "i|oraz", "pt": "e", "ro": "și", "ru": "и", "sv": "och",
    "tr": "ve|ile", "uk": "і|й|та", "zh": "和|、|跟|与",
}  # fmt: skip
_OR = {
    "cs": "nebo", "da": "eller", "de": "oder", "en": "or", "es": "o", "fr": "ou", "it": "o", "ja": "か",
    "ko": "또는", "nb": "eller", "nl": "of", "pl": "lub|albo", "pt": "ou", "ro": "sau", "ru": "или",
    "sv": "eller", "tr": "veya|ya da", "uk": "або|чи", "zh": "或者?",
}  # fmt: skip
_TO = {
    "cs": "do", "da": "til", "de": "bis(?: zum)?", "en": "to|through|until|till", "es": "al?|hasta(?: el)?",
    "fr": "au|à|jusqu['’]au", "it": "al?|fino a", "ja": "から", "nb": "til", "nl": "tot(?: en met)?|t/m",
    "pl": "do", "pt": "a|à|até(?: a| à)?", "ro": "până", "ru": "по|до", "sv": "till", "uk": "по|до",
    "zh": "到|至",
}  # fmt: skip
"""Words between the weekdays of a time from one to another."""
_BEFORE = r"(?:(?:on|am|an|in|aux?|el|los|les?|la|il|i|op|på|во?|у|we?|d[eou]|às?|aos?|n[ao]s?)\s+)?"
"""Words before a weekday."""
_UNTIL = {"tr": (r"[dt][ae]n", r"\s*kadar"), "ko": ("부터", "")}
"""Languages that write *from* at the end of the first weekday: that ending, and what follows the second."""
_PREPOSITIONS = frozenset("since by until from between after before to up-to".split())
_MOVED = {
    "move-01": (":source", ":ARG2"), "move-02": (":source", ":destination"),
    "postpone-01": (":ARG3", ":ARG4"),
    "reschedule-01": (":source", ":ARG3"), "shift-01": (":ARG3", ":ARG2"), "transfer-01": (":ARG3", ":ARG2"),
} | dict.fromkeys(
    "adjourn-01 advance-01 bring-forward-07 change-01 defer-01 delay-01 due-03 push-01 put-off-09 schedule-01"
    " switch-01".split(), (":source", ":destination"),
)  # fmt: skip
"""Verbs of changing a date, with their relations to the old and the new one."""
_FROM_TO = {
    "cs": ("ze?", "na"), "da": ("fra", "til"), "de": ("vo[nm]", "auf(?: den)?|zu[mr]?"), "en": ("from", "to"),
    "es": ("del?", "al?|para(?: el)?"), "fr": ("de|du", "à|au"), "it": ("da(?:l|lla)?", "al?(?:la)?"),
    "nb": ("fra", "til"), "nl": ("van", "naar"), "pl": ("ze?", "na"), "pt": ("d[aeo]", "para(?: [ao])?"),
    "ru": ("со?", "на"), "sv": ("från", "till"), "uk": ("зі?|із", "на"),
}  # fmt: skip
"""Words before the old and the new date."""
_FROM_TO_AFTER = {
    "ja": "から.*[にへ]", "ko": "에서.*(?:으)?로", "tr": r"[dt][ae]n\W.*\w['’]?y?[ae]\b", "zh": "从.*[到至]",
}  # fmt: skip
"""Signs of the same in other languages."""


_JOINT = frozenset({"and", "or", "date-interval", "between"})


class _Place(NamedTuple):
    """Where the weekdays of a graph are."""

    dates: Mapping[str, str]  # by weekday
    above: tuple[str, str]  # the node above them, and its relation to them
    gone: set[Triple]  # what is written anew
    joint: tuple[str, list[str]] | None  # what joins them already, with the weekdays below it


def with_weekday_pairs(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with all weekdays that are named side by side; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(o / open-01 :time (d / date-entity :weekday (m / monday)))")
        >>> print(penman.encode(with_weekday_pairs(graph, "Open from Monday to Friday.", "en", {})))
        (o / open-01
           :time (d2 / date-interval
                     :op1 (d / date-entity
                             :weekday (m / monday))
                     :op2 (d3 / date-entity
                              :weekday (f / friday))))
    """
    names = sorted(weekdays_in(text, lang), key=lambda name: name.span)
    days = [name.value for name in names]
    graph = _with_roles(graph, names, alignments)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    verbs = [node for node, concept in concepts.items() if concept in _MOVED]
    if verbs and len(set(days)) == 2 == len(days) and _is_moved(names, text, lang):
        return _moved(graph, verbs[0], days, concepts) if len(verbs) == 1 else graph
    relation = _relation(names, text, lang) if len(days) > 1 else None
    if relation is None or len(set(days)) < len(days):
        return graph
    place = None if verbs else _place(graph, days, concepts)
    is_between = place is not None and place.joint is not None and place.joint[0] == "between"
    if place is None or place.joint == (relation, days) or (is_between and relation == "and"):
        return graph
    taken = set(concepts)
    node = free_variable(relation[0], taken)
    taken.add(node)
    new: list[Triple] = [(*place.above, node), (node, ":instance", relation)]
    for number, day in enumerate(days, start=1):
        date = place.dates.get(day)
        if date is None:
            date = free_variable("d", taken)
            name = free_variable(day[0], taken | {date})
            taken |= {date, name}
            own = [(date, ":instance", "date-entity"), (date, ":weekday", name), (name, ":instance", day)]
        else:
            own = [one for one in graph.triples if one[0] == date]
        new += [(node, f":op{number}", date), *own]
    first = min(i for i, one in enumerate(graph.triples) if one in place.gone)
    gone = place.gone | set(new)
    kept = [
        [one for one in part if one not in gone] for part in (graph.triples[:first], graph.triples[first:])
    ]
    return laid_out([*kept[0], *new, *kept[1]], graph.top)


def _is_moved(names: Sequence[Name], text: str, lang: str) -> bool:
    """Return whether a sentence says *from* one weekday *to* another."""
    first, second = (name.span for name in names)
    if lang in _FROM_TO_AFTER:
        return re.search(_FROM_TO_AFTER[lang], text) is not None
    if lang not in _FROM_TO:
        return False
    before, between = (rf"\b(?:{words})\s+{_BEFORE}" for words in _FROM_TO[lang])
    return bool(
        re.search(before + "$", text[: first[0]], re.IGNORECASE)
        and re.fullmatch(rf"\s*{between}", text[first[1] : second[0]], re.IGNORECASE)
    )


def _moved(graph: penman.Graph, verb: str, days: Sequence[str], concepts: Mapping[str, str]) -> penman.Graph:
    """Return a graph in which something is moved from one day to another; the same object if not."""
    gone = {node for node, concept in concepts.items() if concept in WEEKDAYS}
    if not {concepts[node] for node in gone} <= set(days):
        return graph
    size = -1
    while size < len(gone):  # up to the verb, through dates and what they are joined by
        size = len(gone)
        gone |= {
            edge.source
            for edge in graph.edges()
            if edge.target in gone
            and concepts[edge.source] in _JOINT | _PREPOSITIONS | {"date-entity"}
            and {one.target for one in graph.edges(source=edge.source)} <= gone
            and not graph.attributes(source=edge.source)
        }
    triples: list[Triple] = [one for one in graph.triples if gone.isdisjoint((one[0], one[2]))]
    above = {edge.source for edge in graph.edges() if edge.target in gone} - gone
    roles = _MOVED[concepts[verb]]
    if above != {verb} or any(
        (source, role) in ((verb, one) for one in roles) for source, role, _ in triples
    ):
        return graph
    taken = set(concepts) - gone
    for role, day in zip(roles, days, strict=True):
        date = free_variable("d", taken)
        name = free_variable(day[0], taken | {date})
        taken |= {date, name}
        triples += [(verb, role, date), (date, ":instance", "date-entity"), (date, ":weekday", name)]
        triples.append((name, ":instance", day))
    return laid_out(triples, graph.top)


def _relation(names: Sequence[Name], text: str, lang: str) -> str | None:
    """Return the concept that joins the weekdays of a sentence."""
    between = [
        text[one.span[1] : other.span[0]].strip() for one, other in zip(names, names[1:], strict=False)
    ]
    last, ends = between[-1], _UNTIL.get(lang)
    if len(names) == 2:
        first, second = (name.span for name in names)
        if ends and re.search(ends[0] + "$", text[slice(*first)]) and re.match(ends[1], text[second[1] :]):
            return "date-interval" if not last else None
        if last in ("-", "–") or re.fullmatch(
            rf"(?:{_TO.get(lang, '(?!)')})\s*{_BEFORE}", last + " ", re.IGNORECASE
        ):
            return "date-interval"
    for concept, words in (("and", _AND), ("or", _OR)):
        if re.fullmatch(rf",?\s*(?:{words.get(lang, '(?!)')})\s*{_BEFORE}", last + " ", re.IGNORECASE):
            lists = all(
                re.fullmatch(rf"[,、，]\s*{_BEFORE}", one + " ", re.IGNORECASE) for one in between[:-1]
            )
            return concept if lists else None
    return None


def _with_roles(graph: penman.Graph, names: Sequence[Name], alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph in which no weekday is a part of a day, not even under another concept."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    changed: dict[Triple, Triple] = {}
    for edge in graph.edges(role=":dayperiod"):
        date, _, part = edge
        if graph.edges(source=date, role=":weekday") or len(graph.edges(target=part)) != 1:
            continue
        if concepts[part] not in WEEKDAYS and not graph.edges(role=":weekday"):
            span = alignments.get(part, (-1, -1))
            day = next((name.value for name in names if overlap(name.span, span)), None)
            if day is None or graph.edges(source=part):
                continue
            changed[part, ":instance", concepts[part]] = (part, ":instance", day)
        elif concepts[part] not in WEEKDAYS:
            continue
        changed[date, ":dayperiod", part] = (date, ":weekday", part)
    if not changed:
        return graph
    return laid_out([changed.get(one, one) for one in graph.triples], graph.top)


def _place(graph: penman.Graph, days: Sequence[str], concepts: Mapping[str, str]) -> _Place | None:
    """Return where the weekdays of a graph are, if it has no other ones and they have one relation."""
    dates: dict[str, str] = {}
    gone, relations = set[Triple](), set[tuple[str, str]]()
    joint: tuple[str, list[str]] | None = None
    day_of = {edge.source: concepts[edge.target] for edge in graph.edges(role=":weekday")}
    for date, day in day_of.items():
        own = [one for one in graph.triples if one[0] == date]
        if day not in days or concepts[date] != "date-entity" or len(own) != 2:
            return None
        above = graph.edges(target=date)
        if len(above) != 1:
            return None
        if day in dates:  # written twice
            gone |= {*own, *(one for one in graph.triples if one[0] == own[1][2])}
        dates.setdefault(day, date)
        (source, role, _) = above[0]
        gone.add((source, role, date))
        below = [edge.target for edge in graph.edges(source=source)]
        is_joint = concepts[source] in _JOINT and role.startswith(":op") and day_of.keys() >= set(below)
        if is_joint or (concepts[source] in _PREPOSITIONS and len(below) == 1):
            further = graph.edges(target=source)
            if len(further) != 1 or graph.attributes(source=source):
                return None
            gone |= {tuple(further[0]), (source, ":instance", concepts[source])}
            if is_joint:
                joint = (concepts[source], [day_of[one] for one in below])
            source, role, _ = further[0]
        relations.add((source, role))
    if len(relations) != 1 or not dates:
        return None
    (above_all,) = relations
    if re.match(":op|.*-of$", above_all[1]) or any(
        concept in WEEKDAYS and concept not in dates for concept in concepts.values()
    ):
        return None
    is_single = len(day_of) == len(dates)
    return _Place(dates, above_all, gone, joint if is_single else None)
