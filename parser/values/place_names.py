"""Put the names of a text into its graph: places in English, others as they are written."""

from __future__ import annotations

from collections.abc import Sequence

from amrx.composed_text import overlap
from parser.graphs.triples import Triple
from parser.values.draft import Draft, decoded
from parser.values.value import Value
from parser.values.words import table_form

CITIES = frozenset({"city", "city-district", "town", "village"})  # of any size
COUNTRIES = frozenset({"continent", "country", "country-region", "state", "world-region"})
"""Concepts of countries, their parts and unions."""
_RETYPED = {"city": CITIES | {"country"}, "country": COUNTRIES}  # concepts that may be a city, a country


def place_names(draft: Draft, values: Sequence[Value], text: str) -> None:
    """Write the names and addresses of a text into a draft, in the nodes that were read for them."""
    for value in values:
        if value.kind in _RETYPED:
            _place_place(draft, value)
        elif value.kind == "name":
            _place_copied(draft, value, text)
        elif value.kind == "address":
            _place_address(draft, value)


def _named(draft: Draft) -> list[tuple[str, str]]:
    """Return the nodes that have a name, and the names."""
    edges = draft.edges()
    return [(one, name) for one, role, name in edges if role == ":name" and _words(draft, name)]


def _words(draft: Draft, name: str) -> list[Triple]:
    own = [one for one in draft.triples if one[0] == name and one[1].startswith(":op")]
    return sorted(own, key=lambda one: (len(one[1]), one[1]))


def _whole(draft: Draft, name: str) -> str:
    return " ".join(word.strip('"') for _, _, word in _words(draft, name))


def _rename(draft: Draft, name: str, whole: str) -> None:
    """Write other words in a name."""
    old = _words(draft, name)
    new = [(name, f":op{number}", f'"{word}"') for number, word in enumerate(whole.split(), 1)]
    first = min(map(draft.triples.index, old))
    if old != new:
        rest = [one for one in draft.triples if one not in old]
        draft.triples = [*rest[:first], *new, *rest[first:]]


def _is_at(draft: Draft, value: Value, *nodes: str) -> bool:
    return any(overlap(draft.spans.get(node), value.span) for node in nodes)


def _place_place(draft: Draft, value: Value) -> None:
    """Give a place that is aligned to a name of the text its English name, and make a city one."""
    concepts, english = draft.concepts(), value.amr.strip('"')
    for owner, name in _named(draft):
        is_place = concepts[owner] in _RETYPED[value.kind] and not {owner, name} & draft.settled
        is_same = table_form(_whole(draft, name)) == table_form(english)
        if is_place and (is_same or _is_at(draft, value, owner, name)):
            _rename(draft, name, english)
            if value.kind == "city" and concepts[owner] == "country":
                draft.rename(owner, "city")
            draft.settled |= {owner, name}
            return


def _place_copied(draft: Draft, value: Value, text: str) -> None:
    """Copy a name in another script whole into the node that was read for it."""
    whole, named = text[slice(*value.span)], _named(draft)
    if any(_whole(draft, name) == whole for _, name in named):
        return
    names = [name for owner, name in named if _is_at(draft, value, owner, name)]
    nodes = [node for node in draft.aligned(value.span) if draft.below(node) == {node} and node != draft.top]
    if names:
        _rename(draft, names[0], whole)
    elif nodes:
        draft.attach(nodes[0], ":name", f'(n / name :op1 "{whole}")', value.span)


def _place_address(draft: Draft, value: Value) -> None:
    """Write an address of the text as the value of its entity."""
    constant = decoded(value.amr)[1][1][2]
    for source, role, target in draft.attributes():
        if target == constant:
            owner = draft.only_above(source)[0]
            if role == ":op1" and owner and len(_words(draft, source)) == 1:
                draft.write_over(owner, value.amr, value.span)
            elif role != ":value":
                draft.replace((source, role, target), (source, role, draft.graft(value.amr, value.span)))
            return
    for node in draft.aligned(value.span)[:1]:
        if draft.below(node) == {node} and draft.concepts()[node] != "i":
            draft.write_over(node, value.amr, value.span)
