"""Put the numbers and quantities of a text into its graph.

::

    Im Zimmer 17 sind mehr als fünf Leute. (de)    :mod 17, :quant (m / more-than :op1 5)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple
from parser.values.draft import Draft
from parser.values.units import MONEY, PERCENT, TEMPERATURE, TIME, kinds_of_units
from parser.values.value import BOUNDS, SAME, Value, date_amr
from parser.values.words import pattern_of, words_of

_AMOUNT_ROLES = (":quant", ":value", ":op1")
_BOUNDING = frozenset({*BOUNDS, "up-to"}).union(*(SAME[bound] for bound in BOUNDS))
_FIXED = frozenset("date-entity ordinal-entity name street-address-91 url-entity score-entity".split())
"""Concepts whose numbers are no amounts."""
_NO_THING = pattern_of("no_thing")
_NUMBERED = frozenset("amr-unknown product number phone-number-entity monetary-quantity".split())
"""Concepts that the number of a thing is read as."""
_JUNK = frozenset({"name", "dollar", "euro", "year"})
_GAP = re.compile(r"[\s\-‐#№]*(?:(?:no|nr|nº|n°|número|numaralı|numara|de|d['’])\.?\s*)?", re.IGNORECASE)
"""Between a number and the thing it counts or names."""
_WHICH = re.compile(r"\s*(?:numaralı|号|號|番|호)\s*", re.IGNORECASE)
_NUMBER = re.compile(r'"?-?\d+(?:[./]\d+)?"?')
_YEARS = range(1100, 2100)
_LAST_YEAR = 2999
"""Greatest number that is a year."""


def place_amounts(draft: Draft, values: Sequence[Value], text: str, lang: str) -> None:
    """Put each number and quantity of a text into a draft once."""
    amounts = [value for value in values if value.kind in ("number", "quantity")]
    lost: list[Value] = []
    for value in amounts:
        if triple := _standing(draft, value):
            _complete(draft, value, triple, text, lang)
        else:
            lost.append(value)
    written = {value.number for value in amounts} | {str(int(run)) for run in re.findall(r"\d+", text)}
    for value in lost:
        wrong = _wrong(draft, value, written, is_only=len(lost) == 1)
        if wrong:
            right = (*wrong[:2], value.number)
            draft.replace(wrong, right)
            _complete(draft, value, right, text, lang)
        elif not _replace(draft, value):
            _attach(draft, value, text)


def _standing(draft: Draft, value: Value) -> Triple | None:
    """Return the attribute that has the number of a value and is not another value's."""
    concepts, edges = draft.concepts(), draft.edges()
    free = [one for one in draft.attributes() if one not in draft.counted and one[0] not in draft.settled]
    found = [one for one in free if one[2].strip('"') == value.number.strip('"')]

    def rank(one: Triple) -> tuple[bool, bool, bool]:
        nouns = {concepts[target] for source, _, target in edges if source == one[0]}
        is_near = overlap(draft.spans.get(one[0]), (value.span[0] - 2, value.span[1] + 12))
        return (value.unit is None or value.unit.noun not in nouns, one[1] not in _AMOUNT_ROLES, not is_near)

    return min(found, key=rank, default=None)


def _complete(draft: Draft, value: Value, triple: Triple, text: str, lang: str) -> None:
    """Give a number that stands in the graph its unit, role and bound."""
    (node, role, number), concept, verb = triple, draft.concepts()[triple[0]], draft.only_above(triple[0])[0]
    is_victim = concept == "person" and draft.spans.get(verb, ()) == draft.spans.get(node)  # *it kills 15*
    draft.counted.append(triple)
    if role == ":year" and number.isdecimal() and int(number) > _LAST_YEAR and draft.only_above(node)[0]:
        draft.write_over(node, number, role=":mod")
        return
    if value.unit is not None and concept not in _FIXED:
        quantity, noun = value.unit
        if concept.endswith("-quantity"):
            _set_unit(draft, value, node)
        elif role == ":quant" and quantity not in (MONEY, TIME, PERCENT):
            draft.triples.remove(triple)
            draft.attach(node, role, f"(q / {quantity} :quant {number} :unit (u / {noun}))", value.place)
    elif value.number.isdecimal() and not value.bound and not is_victim:
        _name_thing(draft, value, triple, text, lang)
    _bind(draft, value)


def _name_thing(draft: Draft, value: Value, triple: Triple, text: str, lang: str) -> None:
    """Write the number of a thing as its modifier: *room 17*, where the network writes a name or an amount.

    What is beside the noun for the number alone, such as ``(p / product :quant 17)``, goes.
    """
    (node, role, _), place, concepts = triple, value.place, draft.concepts()
    owner, inside = draft.only_above(node)[0], draft.below(node)
    is_name = concepts[node] == "name" and sum(one[0] == node for one in draft.triples) == 2
    is_amount = concepts[node] in _NUMBERED and {concepts[one] for one in inside - {node}} <= _JUNK
    is_named = _is_beside(draft.spans.get(owner), place, text) and concepts[owner] not in _BOUNDING
    if owner and (is_name or (is_amount and is_named)):
        draft.write_over(node, value.number, role=":mod")
    elif role in (":quant", ":ARG1", ":ARG2") and _is_noun(text, draft.spans.get(node), place, lang):
        draft.replace(triple, (node, ":mod", value.number))
        draft.counted.append((node, ":mod", value.number))


def _is_beside(span: Span | None, place: Span, text: str) -> bool:
    """Return whether a word is right before a number, or after it with a word like Turkish *numaralı*."""
    if span is None:
        return False
    is_behind = span[1] <= place[0] and _GAP.fullmatch(text, span[1], place[0]) is not None
    return is_behind or (place[1] <= span[0] and _WHICH.match(text, place[1], span[0]) is not None)


def _is_noun(text: str, span: Span | None, place: Span, lang: str) -> bool:
    """Return whether the word beside a number is surely the noun that the number names."""
    if span is None or not _is_beside(span, place, text):
        return False
    if re.match(r"\s*(?:[.,;:!?。？！，]|$)", text[place[1] :]):
        return True
    if lang == "de":
        return text[span[0]].isupper()
    article = rf"(?:^|\W)(?:{words_of(lang).get('article', '(?!)')})\s*$"
    is_first = lang in ("en", "nl", "sv", "da", "nb") and not text[: span[0]].strip()
    return is_first or re.search(article, text[: span[0]], re.IGNORECASE) is not None


def _set_unit(draft: Draft, value: Value, node: str) -> None:
    """Make a node a quantity of the unit of a value; a unit such as ``canadian-dollar`` is a dollar."""
    assert value.unit is not None
    (quantity, noun), concepts = value.unit, draft.concepts()
    units = [target for source, own, target in draft.edges() if source == node and own in (":unit", ":scale")]
    draft.rename(node, quantity)
    if noun and not any(concepts[unit] == noun or concepts[unit].endswith(f"-{noun}") for unit in units):
        for unit in set(units) - draft.settled:
            draft.rename(unit, noun)
        if not units:
            draft.attach(node, ":scale" if quantity == TEMPERATURE else ":unit", f"(u / {noun})")
    draft.settled.add(node)


def _bind(draft: Draft, value: Value) -> None:
    """Write the bound of a value, if any, around its number or quantity."""
    concepts = draft.concepts()
    free = [one for one in draft.triples if one[1] in _AMOUNT_ROLES and concepts[one[0]] not in _FIXED]
    triples = [one for one in free if one[2] == value.number]
    if not (value.bound and triples):
        return
    inner = min(triples, key=lambda one: concepts[one[0]] not in _BOUNDING)
    is_inside = concepts[inner[0]].endswith(("-quantity", "-entity"))
    source, role, target = draft.only_above(inner[0]) if is_inside else inner
    if role == ":op1" and concepts[source] in _BOUNDING:
        if concepts[source] not in {value.bound, *SAME[value.bound]}:
            draft.rename(source, value.bound)
    elif role == ":quant" or (target in concepts and not role.endswith("-of")):
        node = draft.attach(source, role, f"(x / {value.bound})")
        draft.triples.remove((source, role, target))
        draft.triples.append((node, ":op1", target))


def _wrong(draft: Draft, value: Value, written: set[str], *, is_only: bool) -> Triple | None:
    """Return an amount that no number of the text accounts for, beside a lost value or its only one."""
    concepts = draft.concepts()
    for one in draft.attributes():
        is_amount = one[1] in (*_AMOUNT_ROLES, ":mod", ":ord") and _NUMBER.fullmatch(one[2])
        is_free = one not in draft.counted and one[0] not in draft.settled and concepts[one[0]] not in _FIXED
        is_near = is_only or overlap(draft.spans.get(one[0]), (value.span[0], value.span[1] + 16))
        if is_amount and is_free and is_near and one[2].strip('"') not in written:
            return one
    return None


def _replace(draft: Draft, value: Value) -> bool:
    """Write a lost value over the node that was read for it; return whether there is one."""
    concepts = draft.concepts()
    aligned = draft.aligned(value.span if value.bound else value.place)
    nodes = [node for node in aligned if node not in draft.settled]
    if value.unit is not None:
        whole = [node for node in nodes if concepts[node].endswith("-quantity")]
        taken = {one[2] for one in draft.edges() if one[1] in (":unit", ":quant", ":scale")} | draft.settled
        bare = [node for node in concepts if concepts[node] == value.unit.noun and node not in taken]
        if whole:
            draft.write_over(whole[0], value.amr, value.place)
        elif bare:
            draft.attach(bare[0], ":quant", value.number)
            _set_unit(draft, value, bare[0])
            _bind(draft, value)
        if whole or bare:
            return True
    for node in nodes:
        role = draft.only_above(node)[1]
        is_misread = role in (*_AMOUNT_ROLES, ":mod") and draft.below(node) == {node}
        if is_misread and not is_frame(concepts[node]):
            role = ":quant" if value.bound and role == ":mod" else role
            draft.write_over(node, value.amr, value.place, role)
            return True
    return False


def _attach(draft: Draft, value: Value, text: str) -> None:
    """Write a lost value to the noun beside it, a year or quantity else to the nearest verb."""
    concepts, end = draft.concepts(), value.place[1]
    things = {
        node: span
        for node, span in draft.spans.items()
        if not _NO_THING.fullmatch(concepts.get(node, "name")) and concepts[node] not in kinds_of_units()
    }
    nouns = {node: span for node, span in things.items() if not is_frame(concepts[node])}
    named = [node for node, span in things.items() if _is_beside(span, value.place, text)]
    counted = [node for node, span in nouns.items() if end <= span[0] and _GAP.fullmatch(text, end, span[0])]
    is_plain = value.sure and value.kind == "number" and value.number.isdecimal() and not value.bound
    if is_plain and named and not counted:
        draft.attach(named[0], ":mod", value.number)
        return
    reach, is_time = 14 if value.sure else 1, value.unit is not None and value.unit.quantity == TIME
    near = sorted((span[0], node) for node, span in nouns.items() if 0 <= span[0] - value.span[1] <= reach)
    near = [(start, node) for start, node in near if not re.search("[,;.!?]", text[value.span[1] : start])]
    is_year = is_plain and int(value.number) in _YEARS and not counted
    taken = {source for source, role, _ in draft.triples if role == ":quant"}
    if near and near[0][1] not in taken and not is_time and not is_year:
        draft.attach(near[0][1], ":quant", value.amr, value.place)
    elif value.kind == "quantity" or is_year:
        role = ":time" if is_year else ":duration" if is_time else ":quant"
        amr = date_amr({":year": value.number}) if is_year else value.amr
        draft.attach(draft.nearest_verb(text, value.place), role, amr, value.place)
