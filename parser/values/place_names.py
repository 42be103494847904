"""Put the names of a text into its graph: languages and places in English, others as they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amrx.composed_text import overlap
from parser.graphs.triples import Triple
from parser.values.draft import Draft, decoded
from parser.values.names import city_table, country_table, english_languages
from parser.values.value import Value
from parser.values.words import table_form

CITIES = frozenset({"city", "city-district", "town", "village"})
"""Concepts of towns of any size."""
COUNTRIES = frozenset({"continent", "country", "country-region", "state", "world-region"})
"""Concepts of countries, their parts and unions."""
_RETYPED = {"city": CITIES | {"country"}, "country": COUNTRIES}
"""Concepts of nodes that may be a city, or a country."""
_SPOKEN_ROLES = frozenset(":ARG1 :ARG2 :ARG3 :ARG4 :location :medium :manner :instrument :topic".split())
_LEARNT = frozenset(
    "learn-01 speak-01 talk-01 understand-01 translate-01 write-01 read-01 study-01 teach-01".split()
)
_UNAMBIGUOUS = frozenset({"ja", "ko", "tr", "zh"})
"""Languages that do not name languages by the adjective of the country."""


def place_names(draft: Draft, values: Sequence[Value], text: str, lang: str) -> None:
    """Write the names and addresses of a text into a draft, in the nodes that were read for them."""
    for value in values:
        if value.kind == "language":
            _place_language(draft, value, lang)
        elif value.kind in _RETYPED:
            _place_place(draft, value)
        elif value.kind == "name":
            _place_copied(draft, value, text)
        elif value.kind == "address":
            _place_address(draft, value)
    for owner, name in _named(draft) if lang != "en" else ():
        if owner not in draft.settled:
            _translate(draft, owner, name, lang)


def _named(draft: Draft) -> list[tuple[str, str]]:
    """Return the nodes that have a name, and the names."""
    return [
        (source, target)
        for source, role, target in draft.edges()
        if role == ":name" and _words(draft, target)
    ]


def _words(draft: Draft, name: str) -> list[Triple]:
    own = [one for one in draft.triples if one[0] == name and one[1].startswith(":op")]
    return sorted(own, key=lambda one: (len(one[1]), one[1]))


def _whole(draft: Draft, name: str) -> str:
    return " ".join(word.strip('"') for _, _, word in _words(draft, name))


def _rename(draft: Draft, name: str, whole: str) -> None:
    """Write other words in a name."""
    old = _words(draft, name)
    new = [(name, f":op{number}", f'"{word}"') for number, word in enumerate(whole.split(), 1)]
    if old != new:
        draft.replace(old[0], *new)
        draft.triples = [one for one in draft.triples if one not in old[1:] or one in new]


def _is_at(draft: Draft, value: Value, *nodes: str) -> bool:
    return any(overlap(draft.spans.get(node), value.span) for node in nodes)


def _place_language(draft: Draft, value: Value, lang: str) -> None:
    """Make a node a language that the text names, if it is spoken and not a country or its people."""
    english, concepts, named = value.amr.strip('"'), draft.concepts(), _named(draft)
    for owner, name in named:
        is_at, concept = _is_at(draft, value, owner, name), concepts[owner]
        node = owner if concept == "language" and (is_at or len(named) == 1) else None
        if concept in ("country", "ethnic-group", "city") and (
            is_at or _whole(draft, name)[:3] == english[:3]
        ):
            node = _spoken_node(draft, owner, lang)
        if node is not None and owner not in draft.settled:
            _rename(draft, name, english)
            if node != owner:  # the *Chinese language*
                draft.replace((owner, ":name", name), (node, ":name", name))
                draft.remove({owner})
            draft.rename(node, "language")
            draft.settled.add(node)
            return
    for node in draft.aligned(value.span) if lang != "en" else ():
        if draft.below(node) == {node} and draft.only_above(node)[1] in _SPOKEN_ROLES:
            draft.write_over(node, f'(l / language :name (n / name :op1 "{english}"))', value.span)
            return


def _spoken_node(draft: Draft, owner: str, lang: str) -> str | None:
    """Return the node that could be the language: the country, or what it describes."""
    concepts, above = draft.concepts(), draft.above(owner)
    whole, role, _ = draft.only_above(owner)
    if role == ":mod":
        is_learnt = concepts[draft.only_above(whole)[0] or owner] in _LEARNT
        is_bare = concepts[whole] == "person" and draft.below(whole) == {whole} | draft.below(owner)
        if concepts[whole] == "language" or (is_bare and is_learnt):
            return whole
    is_spoken = lang in _UNAMBIGUOUS or all(_is_spoken(draft, one) for one in above)
    return owner if above and is_spoken else None


def _is_spoken(draft: Draft, edge: Triple) -> bool:
    """Return whether a relation to a country could be one to a language."""
    concept = draft.concepts()[edge[0]]
    if concept in ("and", "or") and edge[1].startswith(":op"):
        above = draft.above(edge[0])
        return bool(above) and all(_is_spoken(draft, one) for one in above)
    return edge[1] in _SPOKEN_ROLES or (edge[1] == ":mod" and concept == "language")


def _place_place(draft: Draft, value: Value) -> None:
    """Give a place that is aligned to a name of the text its English name, and make a city one."""
    concepts, english = draft.concepts(), value.amr.strip('"')
    for owner, name in _named(draft):
        is_place = concepts[owner] in _RETYPED[value.kind] and owner not in draft.settled
        is_same = table_form(_whole(draft, name)) == table_form(english)
        if is_place and (is_same or _is_at(draft, value, owner, name)):
            _rename(draft, name, english)
            draft.rename(
                owner, "city" if value.kind == "city" and concepts[owner] == "country" else concepts[owner]
            )
            draft.settled.add(owner)
            return


def _translate(draft: Draft, owner: str, name: str, lang: str) -> None:
    """Write a place or language of a graph in English, by the tables alone."""
    concept, whole = draft.concepts()[owner], _whole(draft, name)
    form = table_form(whole)
    language, city = english_languages(lang).get(form), None
    if concept in CITIES | {"country"}:
        city = city_table().get(form)
    if concept == "language":
        _rename(draft, name, language or whole)
    elif concept in CITIES:
        _rename(draft, name, city or whole)
    elif concept in COUNTRIES:
        country = country_table(lang).get(form)
        _rename(draft, name, country or language or city or whole)
        if country is None and (language or city):
            draft.rename(owner, "language" if language else "city")


def _place_copied(draft: Draft, value: Value, text: str) -> None:
    """Copy a name in another script whole into the node that was read for it."""
    whole, named = text[slice(*value.span)], _named(draft)
    if any(_whole(draft, name) == whole for _, name in named):
        return
    at_value = [name for owner, name in named if _is_at(draft, value, name)]
    at_value += [name for owner, name in named if _is_at(draft, value, owner)]
    borrowed = [name for _, name in named if not _is_written_as_name(_whole(draft, name), text)]
    nodes = [node for node in draft.aligned(value.span) if draft.below(node) == {node} and node != draft.top]
    if at_value or borrowed:
        _rename(draft, (at_value or borrowed)[0], whole)
    elif nodes:
        draft.attach(nodes[0], ":name", f'(n / name :op1 "{whole}")', value.span)
        if draft.concepts()[nodes[0]] not in ("person", "city", "company", "thing"):
            draft.rename(nodes[0], "person" if len(whole) > 1 else "thing")


def _is_written_as_name(name: str, text: str) -> bool:
    """Return whether a text has a name with a capital, or in a script without; also if it is not in it."""
    match = re.search(rf"(?<!\w){re.escape(name)}", text, re.IGNORECASE)
    return match is None or text[match.start()] != text[match.start()].lower()


def _place_address(draft: Draft, value: Value) -> None:
    """Write an address of the text as the value of its entity."""
    (_, _, kind), (_, _, constant) = decoded(value.amr)[1]
    nodes = [node for node in draft.aligned(value.span) if draft.below(node) == {node}]
    for source, role, target in draft.attributes():
        if target.strip('"') == constant.strip('"'):
            owner = draft.only_above(source)[0]
            if role == ":op1" and owner and len(_words(draft, source)) == 1:
                draft.remove({source})
                draft.rename(owner, kind)
                draft.attach(owner, ":value", constant)
            elif role != ":value":
                draft.replace((source, role, target), (source, role, draft.graft(value.amr, value.span)))
            return
    for node in nodes[:1]:
        if draft.concepts()[node] != "i":
            draft.write_over(node, value.amr, value.span)
