"""Write both ends of a journey from one place to another.

::

    He flew from London to Paris.    (f / fly-01 ... :ARG4 (c / city :name (n / name :op1 "London")))
                                ──>  (f / fly-01 ... :source (c / city ... "London")
                                         :ARG4 (c2 / city ... "Paris"))

The parser often has one of the two places, and as the wrong end. Only sentences that name two known places,
as the start and the end, are changed, if their graph has no other places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.city_names import CITIES, COUNTRIES, city_table, country_table, table_form
from parser.mini.rules.name_words import name_words, whole_name

_JOURNEYS = {
    "ar": "من A (?:إلى|الى) B", "da": "fra A til B", "de": "(?:von|aus) A (?:nach|bis|bis nach) B",
    "en": "from A to B", "es": "(?:de|desde) A (?:a|hasta|hacia) B",
    "fr": "(?:de |d['’])A (?:à|vers|en|au) B", "id": "dari A ke B", "it": "da A ad? B",
    "ja": "Aから、?B(?:へ|に|まで|行き)",
    "ko": "A(?:에서|발) B(?:으?로|까지|행|에)", "nb": "fra A til B", "nl": "van A naar B", "pl": "ze? A do B",
    "pt": "(?:de|da|do) A (?:para|a|até) B", "ru": "(?:из|с|от) A (?:в|во|на|до) B", "sv": "från A till B",
    "tr": "A['’]?[dt][ae]n B['’]?y?[ae]\\b", "uk": "(?:з|із|зі|від) A (?:до|в|у|на) B",
    "zh": "[从自]A[^，。、和]{0,3}[到往至去向]B",
}  # fmt: skip
"""Phrases with a start A and an end B."""
_INFLECTING = frozenset({"ar", "ko", "pl", "ru", "uk"})
"""Languages whose names of places have endings or prefixes."""
_KOREAN = re.compile("(?:에서|발|으?로|까지|행|에)$")
"""Particles, which belong to the word of a place."""
_ROLES = {
    **dict.fromkeys(("go-01", "go-02", "come-01", "arrive-01", "return-01"), (":ARG3", ":ARG4")),
    **dict.fromkeys(
        ("drive-01", "fly-01", "march-01", "migrate-01", "ride-01", "run-02", "sail-01", "walk-01"),
        (":source", ":destination"),
    ),
    "travel-01": (":ARG2", ":ARG4"), "move-01": (":source", ":ARG2"),
}  # fmt: skip
"""Roles of the start and the end of motions, by PropBank."""
_THINGS = frozenset(
    "bus car ferry flight journey line path plane railway road route ship tour train trip truck way".split()
)
"""Things that lead or go from one place to another."""


_CITIES = frozenset({"Hong Kong", "Macau"})
"""Territories of CLDR that are cities."""


class Journey(NamedTuple):
    """The English names of the two ends of a journey."""

    start: str
    end: str


_WHICH = {
    "de": r"welche[rs]? \w+ (?:fährt|geht|fliegt)\b", "en": r"(?:which|what) \w+ (?:goes|go|runs)\b",
    "es": r"(?:qué|cuál) \w+ va\b", "fr": r"quel(?:le)? \w+ (?:va|mène)\b",
    "it": r"(?:quale?|che) \w+ va\b", "ko": r"(?:어느|어떤|몇 번) \w+ \w+에 (?:갑니까|가나요|가요)",
    "nl": r"welke? \w+ (?:gaat|rijdt)\b", "pl": r"(?:który|jaki) \w+ (?:jedzie|idzie|jeździ)\b",
    "pt": r"(?:que|qual) \w+ vai\b", "ru": r"(?:какой|какая) \w+ (?:ид[её]т|едет|ходит)\b",
    "sv": r"vilke[nt]? \w+ går\b", "tr": r"hangi \w+ \w+ gid", "uk": r"(?:який|яка) \w+ (?:йде|їде|іде)\b",
}  # fmt: skip
"""Beginnings of questions for what goes somewhere."""


def with_journeys(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with both ends of the only journey; the same object if nothing changes.

    Example:
        >>> graph = penman.decode('(f / fly-01 :ARG1 (h / he) :ARG4 (c / city :name (n / name :op1 "Rome")))')
        >>> graph = with_journeys(graph, "Er flog von Rom nach Paris.", "de")
        >>> sorted((role, target) for _, role, target in graph.edges(source="f"))
        [(':ARG1', 'h'), (':ARG4', 'c2'), (':source', 'c')]
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    names = {
        owner: whole_name(name_words(graph, name))
        for owner, _, name in graph.edges(role=":name")
        if concepts.get(owner) in CITIES | COUNTRIES
    }
    above = [edge for edge in graph.edges() if edge.target in names]
    mover = _mover(above, concepts)
    journey = journey_in(text, lang) if mover is not None and len(above) == len(names) else None
    if mover is None or journey is None:
        return graph
    if concepts[mover] == "return-01" and any(edge.role == ":ARG1" for edge in above):
        return graph  # a place may be returned
    start, end = _ROLES.get(concepts[mover], (":source", ":destination"))
    ends = [edge.role for edge in above if edge.source == mover and edge.role in (":ARG4", ":destination")]
    roles = (start, ends[0] if ends else end)
    if {(edge.source, edge.role, names[edge.target]) for edge in above} == {
        (mover, role, name) for role, name in zip(roles, journey, strict=True)
    }:
        return graph
    gone = set(names) | {
        name
        for owner, _, name in graph.edges(role=":name")
        if owner in names or (owner == mover and whole_name(name_words(graph, name)) in journey)
    }
    triples: list[Triple] = [triple for triple in graph.triples if not {triple[0], triple[2]} & gone]
    if any(edge.source in gone and edge.target not in gone for edge in graph.edges()):
        return graph
    for role, name in zip(roles, journey, strict=True):
        triples += _place(mover, role, name, {node for node, _, _ in triples})
    return laid_out(triples, graph.top)


def _mover(above: Sequence[penman.graph.Edge], concepts: Mapping[str, str]) -> str | None:
    """Return the motion or thing that one of the places belongs to; ``None`` if none or several do."""
    movers = {edge.source for edge in above if concepts[edge.source] in {*_ROLES, *_THINGS}}
    return min(movers) if len(movers) == 1 and 1 <= len(above) <= 2 else None


def _place(mover: str, role: str, name: str, taken: set[str]) -> list[Triple]:
    """Return the triples of a place."""
    is_country = name in country_table("en").english.values() and name not in _CITIES
    concept = "country" if is_country else "city"
    node = free_variable("c", taken)
    variable = free_variable("n", taken)
    words = [(variable, f":op{number}", f'"{word}"') for number, word in enumerate(name.split(), start=1)]
    relations = [(mover, role, node), (node, ":instance", concept), (node, ":name", variable)]
    return [*relations, (variable, ":instance", "name"), *words]


def journey_in(text: str, lang: str) -> Journey | None:
    """Return the journey of a sentence that names its two ends, and no other place.

    Example:
        >>> journey_in("El tren de Londres a París", "es")
        Journey(start='London', end='Paris')
    """
    places = places_in(text, lang) if lang in _JOURNEYS else []
    if len(places) != 2 or places[0][1] == places[1][1]:
        return None
    (first, start), (second, end) = places
    signs = text[: first[0]], text[slice(*first)], text[first[1] : second[0]], text[slice(*second)]
    endings = [match[0] if (match := _KOREAN.search(word)) else "" for word in signs[1::2]]
    masked = f"{signs[0]}A{endings[0]}{signs[2]}B{endings[1]}{text[second[1] :]}"
    pattern = _JOURNEYS[lang].replace(" ", r"\s+")
    begin = "" if lang in ("ja", "ko", "zh") else r"(?<!\w)"
    return Journey(start, end) if re.search(begin + pattern, masked) else None


def places_in(text: str, lang: str) -> list[tuple[Span, str]]:
    """Return the cities and countries that a sentence names, in order, with their English names."""
    tables = country_table(lang), city_table()
    candidates = [(span, name, table) for table in tables for span, name in table.places_in(text)]
    exact = [one for one in candidates if table_form(text[slice(*one[0])]) in one[2].english]
    places = dict[Span, str]()
    for span, name, _ in [*exact, *candidates] if lang in _INFLECTING else exact:
        if all(span[1] <= begin or end <= span[0] for begin, end in places):
            places[span] = name
    return sorted(places.items())


def with_asked_journeys(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph in which the train that is asked for goes somewhere, and is not there.

    Only questions for *which* vehicle or way *goes*, whose graph has no verb, are changed; else the same
    object is returned.

    Example:
        >>> graph = penman.decode("(t / train :mod (a / amr-unknown) :location (c / city))")
        >>> print(penman.encode(with_asked_journeys(graph, "Quel train va en ville ?", "fr"), indent=None))
        (g / go-02 :ARG0 (t / train :mod (a / amr-unknown)) :ARG4 (c / city))
    """
    pattern = rf"^\W*(?:{_WHICH.get(lang, '(?!)')})[^,.;]*[?？]\s*$"
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    top = str(graph.top)
    places = graph.edges(source=top, role=":location")
    if re.search(pattern, text, re.IGNORECASE) is None or len(places) != 1:
        return graph
    if any(map(is_frame, concepts.values())):
        return graph
    go, asked = free_variable("g", concepts), free_variable("a", concepts)
    is_asked = "amr-unknown" in concepts.values()
    mod: list[Triple] = [] if is_asked else [(top, ":mod", asked), (asked, ":instance", "amr-unknown")]
    new: list[Triple] = [(go, ":instance", "go-02"), (go, ":ARG0", top), (go, ":ARG4", places[0].target)]
    kept = [triple for triple in graph.triples if triple != places[0]]
    return laid_out([*new, *kept, *mod], go)
