"""Put the times of a text into its graph."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amrx.composed_text import overlap
from linearize.vocabulary import is_frame
from parser.values.draft import Draft, constants_of
from parser.values.value import WEEKDAYS, Value

_RELATIONS = frozenset("before after until since by from up-to early around".split())
_JOINTS = frozenset({"date-interval", "between", "and", "or"})
_HOLDERS = _RELATIONS | _JOINTS
"""Concepts that hold times."""
_DATES = frozenset({"date-entity", *WEEKDAYS})
_PARTS = frozenset("morning afternoon evening night noon midday hour clock year month day week now".split())
_TIMES = _DATES | _HOLDERS | _PARTS
_PEOPLE = frozenset("person i you he she we they it".split())
_INSIDE = frozenset(":dayperiod :weekday :season :quant :unit :name :ord :value :year :month :day".split())
"""Roles below a date, which a whole time cannot have."""
_KEPT = re.compile(r":(?:time|ARG\d|op\d+|source|destination|duration|domain|beneficiary|topic|.*-of)$")


def place_times(draft: Draft, values: Sequence[Value], text: str) -> None:
    """Put each time of a text into a draft once."""
    times, lost = [value for value in values if value.kind == "time"], list[Value]()
    for value in times:
        standing = draft.standing(value.amr)
        draft.settled |= standing
        if not standing:
            lost.append(value)
    for value in lost:
        nodes = _material(draft, value, is_only=len(lost) == 1)
        if nodes:
            _write(draft, value, nodes)
        elif value.sure:
            draft.attach(draft.nearest_verb(text, value.span), ":time", value.amr, value.place)


def _material(draft: Draft, value: Value, *, is_only: bool) -> set[str]:
    """Return the nodes that were read for a time, if any."""
    concepts, nodes, constants = draft.concepts(), set[str](), constants_of(value.amr)
    constants |= {one.removesuffix(":00") for one in constants}
    around = value.span[0] - 12, value.span[1] + 12
    for node, concept in concepts.items():
        span = draft.spans.get(node)
        below = [one for one in draft.triples if one[0] == node and one[1] != ":instance"]
        own = {concept, *(concepts.get(target, target.strip('"')) for _, _, target in below)}
        is_inside, is_near = overlap(span, value.place), span is None or overlap(span, around)
        is_date = concept in _DATES and (is_inside or (own & constants and is_near))
        is_leaf = {one[1] for one in below} <= {":name"} and not is_frame(concept) and concept not in _PEOPLE
        is_word = concept in _RELATIONS and value.core and overlap(span, value.span)
        if node not in draft.settled and (is_date or is_word or (is_inside and is_leaf)):
            nodes.add(node)
    if nodes or not is_only:
        return nodes
    dates = (node for node, concept in concepts.items() if concept == "date-entity")
    return {node for node in dates if not draft.below(node) & draft.settled}


def _write(draft: Draft, value: Value, nodes: set[str]) -> None:
    """Write a time over the nodes that were read for it."""
    roots = {_root(draft, node, nodes, value.amr.startswith("(x")) for node in nodes}
    roots = {root for root in roots if not any(root in draft.below(other) for other in roots - {root})}
    concepts = draft.concepts()
    ordered = [node for node in concepts if node in roots]
    main = next((node for node in ordered if concepts[node] in _DATES | _HOLDERS), ordered[0])
    for inside in (draft.below(other) for other in roots - {main}):
        if all(concepts[one] in _TIMES or one in nodes for one in inside):
            draft.remove(inside)
    role = draft.only_above(main)[1]
    draft.write_over(main, value.amr, value.place, role if _KEPT.fullmatch(role) else ":time")


def _root(draft: Draft, node: str, nodes: set[str], has_holder: bool) -> str:
    """Return the highest node above a time that only holds what was read for it."""
    concepts = draft.concepts()
    source, role, _ = draft.only_above(node)
    while source and source not in draft.settled:
        children = {target for one, _, target in draft.edges() if one == source} - {node}
        is_holder = concepts[source] in (_HOLDERS if has_holder else _JOINTS) or source in nodes
        is_inside = role in _INSIDE and concepts[source] in _DATES | {"temporal-quantity"}
        is_bare = all(one in nodes or concepts[one] in _TIMES for one in children)
        if not ((is_holder or is_inside) and is_bare):
            break
        node = source
        source, role, _ = draft.only_above(node)
    return node
