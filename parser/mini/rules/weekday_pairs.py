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

The parser reads one of the weekdays alone. The sentence must name the weekdays side by side, and the graph no
other one. What is moved from one day to another does not last from the one to the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import penman

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
_MOVED = frozenset(
    "move-01 postpone-01 schedule-01 reschedule-01 change-01 shift-01 delay-01 transfer-01 defer-01"
    " advance-01 push-01 put-off-09 bring-forward-07 adjourn-01 switch-01".split()
)


def with_weekday_pairs(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with all weekdays that are named side by side; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(o / open-01 :time (d / date-entity :weekday (m / monday)))")
        >>> print(penman.encode(with_weekday_pairs(graph, "Open from Monday to Friday.", "en")))
        (o / open-01
           :time (d2 / date-interval
                     :op1 (d / date-entity
                             :weekday (m / monday))
                     :op2 (d3 / date-entity
                              :weekday (f / friday))))
    """
    if not graph.edges(role=":weekday"):
        return graph
    names = sorted(weekdays_in(text, lang), key=lambda name: name.span)
    days = [name.value for name in names]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if len(days) < 2 or len(set(days)) < len(days) or _MOVED & set(concepts.values()):
        return graph
    relation = _relation(names, text, lang)
    place = _place(graph, days, concepts) if relation else None
    if relation is None or place is None:
        return graph
    dates, above, gone = place
    taken = set(concepts)
    node = free_variable(relation[0], taken)
    taken.add(node)
    new: list[Triple] = [(*above, node), (node, ":instance", relation)]
    for number, day in enumerate(days, start=1):
        date = dates.get(day)
        own: list[Triple] = []
        if date is None:
            date = free_variable("d", taken)
            name = free_variable(day[0], taken | {date})
            taken |= {date, name}
            own = [(date, ":instance", "date-entity"), (date, ":weekday", name), (name, ":instance", day)]
        else:
            own = [one for one in graph.triples if one[0] == date]
        new += [(node, f":op{number}", date), *own]
    first = min(i for i, one in enumerate(graph.triples) if one in gone)
    gone |= set(new)
    kept = [
        [one for one in part if one not in gone] for part in (graph.triples[:first], graph.triples[first:])
    ]
    return laid_out([*kept[0], *new, *kept[1]], graph.top)


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


def _place(
    graph: penman.Graph, days: Sequence[str], concepts: dict[str, str]
) -> tuple[dict[str, str], tuple[str, str], set[Triple]] | None:
    """Return the dates of the weekdays of a graph, the relation to them, and the triples to be replaced."""
    dates: dict[str, str] = {}
    for edge in graph.edges(role=":weekday"):
        day, date = concepts[edge.target], edge.source
        if day not in days or day in dates or concepts[date] != "date-entity":
            return None
        if len([one for one in graph.triples if one[0] == date]) != 2 or len(graph.edges(target=date)) != 1:
            return None
        dates[day] = date
    if not dates or any(concept in WEEKDAYS and concept not in dates for concept in concepts.values()):
        return None
    gone = set[Triple]()
    relations = set[tuple[str, str]]()
    for date in dates.values():
        (above,) = graph.edges(target=date)
        gone.add(above)
        if concepts[above.source] in _PREPOSITIONS:
            word = above.source
            if (
                len([one for one in graph.triples if one[0] == word]) != 2
                or len(graph.edges(target=word)) != 1
            ):
                return None
            (above,) = graph.edges(target=word)
            gone |= {above, (word, ":instance", concepts[word])}
        relations.add((above.source, above.role))
    if len(relations) != 1 or re.match(":op|.*-of$", (relation := relations.pop())[1]):
        return None
    return dates, relation, gone
