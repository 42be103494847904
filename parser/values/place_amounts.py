"""Put the numbers and quantities of a text into its graph."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple
from parser.values.draft import Draft
from parser.values.units import MONEY, PERCENT, TIME, kinds_of_units
from parser.values.value import BOUNDS, LEAST, LESS, MORE, MOST, SAME, Value, date_amr
from parser.values.words import UNSPACED, pattern_of, words_of

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
_NEGATED = pattern_of("negated")
_NUMBER = re.compile(r'"?-?\d+(?:[./]\d+)?"?')
_YEARS = range(1100, 2100)


def place_amounts(draft: Draft, values: Sequence[Value], text: str, lang: str) -> None:
    """Put each number and quantity of a text into a draft once."""
    amounts = [value for value in values if value.kind in ("number", "quantity")]
    lost: list[Value] = []
    for value in amounts:
        triple = _standing(draft, value)
        if triple is not None:
            _complete(draft, value, triple, text, lang)
        else:
            lost.append(value)
    written = {value.number for value in amounts} | {str(int(run)) for run in re.findall(r"\d+", text)}
    for value in lost:
        wrong = _wrong(draft, value, written, len(lost))
        if wrong:
            new = (wrong[0], wrong[1], value.number)
            draft.replace(wrong, new)
            _complete(draft, value, new, text, lang)
        elif not _replace(draft, value, text, lang):
            _attach(draft, value, text, lang)
    _without_repeats(draft, amounts, text)


def _standing(draft: Draft, value: Value) -> Triple | None:
    """Return the attribute that has the number of a value and is not another value's."""
    concepts, edges = draft.concepts(), draft.edges()
    found = [
        one
        for one in draft.attributes()
        if one[2].strip('"') == value.number.strip('"')
        and one not in draft.counted
        and one[0] not in draft.settled
    ]

    def rank(one: Triple) -> tuple[bool, bool, bool]:
        nouns = {concepts[target] for source, _, target in edges if source == one[0]}
        is_near = overlap(draft.spans.get(one[0]), (value.span[0] - 2, value.span[1] + 12))
        return (value.unit is None or value.unit.noun not in nouns, one[1] not in _AMOUNT_ROLES, not is_near)

    return min(found, key=rank, default=None)


def _complete(draft: Draft, value: Value, triple: Triple, text: str, lang: str) -> None:
    """Give a number that stands in the graph its quotes, unit, role and bound."""
    (node, role, number), concept = triple, draft.concepts()[triple[0]]
    if '"' in value.number and '"' not in number:
        triple = _exchange(draft, triple, (node, role, value.number))
    draft.counted.append(triple)
    above, is_alone = draft.only_above(node), draft.below(node) == {node}
    if above[0] and is_alone and concept == "ordinal-entity" and "." in number:
        draft.write_over(node, number, role=":quant")
        node, concept = above[0], draft.concepts()[above[0]]
        triple = node, ":quant", number
    if above[0] and is_alone and concept == PERCENT and "/" in number:
        draft.write_over(node, triple[2])
    elif value.unit is not None and concept not in _FIXED:
        _measure(draft, value, triple)
    elif value.number.isdecimal() and not value.bound:
        if concept != "number" or _WHICH.match(text, value.place[1]):
            _name_thing(draft, value, triple, text, lang)
    if value.bound:
        _bind(draft, value, text)


def _exchange(draft: Draft, old: Triple, new: Triple) -> Triple:
    draft.replace(old, new)
    draft.counted.append(new)
    return new


def _name_thing(draft: Draft, value: Value, triple: Triple, text: str, lang: str) -> None:
    """Write the number of a thing as its modifier: *room 17*, where the network writes a name or an amount.

    What is beside the noun for the number alone, such as ``(p / product :quant 17)``, goes.
    """
    (node, role, _), number, place = triple, value.number, value.place
    owner = draft.only_above(node)[0]
    if (
        draft.concepts()[node] == "name"
        and owner
        and len([one for one in draft.triples if one[0] == node]) == 2
    ):
        draft.write_over(node, number, role=":mod")
        node, role, owner = owner, ":mod", draft.only_above(owner)[0]
    span, above = draft.spans.get(node), draft.spans.get(owner)
    inside, concepts = draft.below(node), draft.concepts()
    constants = {target.strip('"') for source, _, target in draft.attributes() if source in inside}
    is_junk = owner and constants <= {number} and {concepts[one] for one in inside - {node}} <= _JUNK
    is_sure = concepts[node] in _NUMBERED or (
        overlap(span, place) and _is_noun(text, above, place, lang, strict=True)
    )
    if (
        is_junk
        and is_sure
        and concepts[owner] not in _BOUNDING
        and (_is_beside(above, place, text) or overlap(span, place))
    ):
        if not _is_beside(span, place, text):
            draft.write_over(node, number, role=":mod")
            return
    if not _is_beside(span, place, text):
        return
    if concepts[node] in (MONEY, PERCENT) and is_junk:
        draft.write_over(node, f"(t / thing :mod {number})", span)
    elif (
        _is_noun(text, span, place, lang)
        and role in (":quant", ":ARG1", ":ARG2")
        and (node, role, number) in draft.triples
    ):
        _exchange(draft, (node, role, number), (node, ":mod", number))


def _is_beside(span: Span | None, place: Span, text: str) -> bool:
    """Return whether a word is right before a number, or after it with a word like Turkish *numaralı*."""
    if span is None:
        return False
    is_behind = span[1] <= place[0] and _GAP.fullmatch(text, span[1], place[0]) is not None
    return is_behind or (place[1] <= span[0] and _WHICH.match(text, place[1], span[0]) is not None)


def _is_noun(text: str, span: Span | None, place: Span, lang: str, *, strict: bool = False) -> bool:
    """Return whether the word beside a number is surely the noun that the number names."""
    if span is None:
        return False
    is_last = re.match(r"\s*(?:[.,;:!?。？！，]|$)", text[place[1] :]) is not None
    if _WHICH.match(text, place[1]) or (is_last and not strict):
        return True
    article = rf"(?:^|\W)(?:{words_of(lang).get('article', '(?!)')})\s*$"
    if lang == "de":
        return text[span[0]].isupper()
    is_first = lang in ("en", "nl", "sv", "da", "nb") and not text[: span[0]].strip()
    return is_first or re.search(article, text[: span[0]], re.IGNORECASE) is not None


def _measure(draft: Draft, value: Value, triple: Triple) -> None:
    """Give a number in the graph the unit of a value."""
    assert value.unit is not None
    (quantity, noun), (node, role, number), concepts = value.unit, triple, draft.concepts()
    holder = draft.only_above(node)[0]
    if concepts[node] in _BOUNDING and concepts.get(holder, "").endswith(("-quantity", "-entity")):
        node = holder
    units = [target for source, own, target in draft.edges() if source == node and own in (":unit", ":scale")]
    is_quantity = concepts[node].endswith("-quantity") or bool(units)
    if quantity == PERCENT:
        if concepts[node] != PERCENT and (is_quantity or concepts[node].endswith(("-entity", "percent"))):
            draft.rename(node, PERCENT)
            draft.replace(triple, (node, ":value", number))
            draft.remove(units)
    elif concepts[node] == noun or is_quantity:
        if not (quantity == MONEY and units and concepts[units[0]].endswith(noun)):  # dollar-canadian
            _set_unit(draft, value, node, units)
    elif role == ":quant" and not is_frame(concepts[node]) and quantity not in (MONEY, TIME):
        draft.triples.remove(triple)
        draft.attach(node, role, value.own_amr, value.place)
    elif role in (":quant", ":duration", ":op1") and is_frame(concepts[node]):
        draft.triples.remove(triple)
        draft.attach(node, ":duration" if quantity == TIME else ":quant", value.own_amr, value.place)


def _set_unit(draft: Draft, value: Value, node: str, units: Sequence[str]) -> None:
    assert value.unit is not None
    (quantity, noun), concepts = value.unit, draft.concepts()
    draft.rename(node, quantity)
    if noun and noun not in {concepts[unit] for unit in units}:
        for unit in set(units) - draft.settled:
            draft.rename(unit, noun)
        if not units:
            draft.attach(node, ":scale" if quantity == "temperature-quantity" else ":unit", f"(u / {noun})")
    draft.settled.add(node)


def _bind(draft: Draft, value: Value, text: str) -> None:
    """Write the bound of a value around its number or quantity."""
    bound, concepts = value.bound, draft.concepts()
    if (":polarity", "-") in {one[1:] for one in draft.triples} and _NEGATED.match(text, value.span[0]):
        bound = {MOST: MORE, LEAST: LESS}.get(bound, bound)  # the negation is in the graph
    triples = [
        one
        for one in draft.triples
        if one[2] == value.number and one[1] in _AMOUNT_ROLES and concepts[one[0]] not in _FIXED
    ]
    if not triples:
        return
    source, role, target = min(triples, key=lambda one: concepts[one[0]] not in _BOUNDING)
    if concepts[source].endswith(("-quantity", "-entity")):  # above the quantity
        source, role, target = draft.only_above(source)
    if role == ":op1" and concepts[source] in _BOUNDING:
        if concepts[source] not in {bound, *SAME[bound]}:
            draft.rename(source, bound)
    elif role == ":quant" or (target in concepts and not re.match(":op|.*-of$", role)):
        node = draft.attach(source, role, f"(x / {bound})")
        draft.triples.remove((source, role, target))
        draft.triples.append((node, ":op1", target))


def _wrong(draft: Draft, value: Value, written: set[str], lost: int) -> Triple | None:
    """Return an amount that no number of the text accounts for, beside a lost value or its only one."""
    concepts = draft.concepts()
    for one in draft.attributes():
        is_amount = one[1] in (*_AMOUNT_ROLES, ":mod", ":ord") and _NUMBER.fullmatch(one[2])
        is_free = one not in draft.counted and one[0] not in draft.settled and concepts[one[0]] not in _FIXED
        is_near = overlap(draft.spans.get(one[0]), (value.span[0], value.span[1] + 16))
        is_near = is_near or (lost == 1 and (one[2] not in ("1", "2") or value.sure))
        if is_amount and is_free and is_near and one[2].strip('"') not in written:
            return one
    return None


def _replace(draft: Draft, value: Value, text: str, lang: str) -> bool:
    """Write a lost value over the node that was read for it; return whether there is one."""
    concepts, units = draft.concepts(), kinds_of_units()
    nodes = [
        node
        for node in draft.aligned(value.span if value.bound else value.place)
        if node not in draft.settled
    ]
    if value.unit is not None:
        whole = [node for node in nodes if concepts[node].endswith("-quantity")]
        taken = {one[2] for one in draft.edges() if one[1] in (":unit", ":quant", ":scale")} | draft.settled
        bare = [node for node in concepts if concepts[node] == value.unit.noun and node not in taken]
        if whole:
            draft.write_over(whole[0], value.amr, value.place)
        elif bare:
            draft.attach(bare[0], ":quant", value.number)
            _set_unit(draft, value, bare[0], ())
            _bind(draft, value, text)
        if whole or bare:
            return True
    for node in nodes:
        source, role, _ = draft.only_above(node)
        is_misread = role in (*_AMOUNT_ROLES, ":mod") or (role and concepts[node] in _NUMBERED)
        is_unit = value.unit is None and concepts[node] in units
        if is_misread and draft.below(node) == {node} and not is_frame(concepts[node]) and not is_unit:
            is_named = role != ":mod" or _is_beside(draft.spans.get(source), value.place, text)
            new = role if role in _AMOUNT_ROLES else ":mod" if is_named and not value.bound else ":quant"
            draft.write_over(node, value.amr, value.place, new)
            return True
    return False


def _attach(draft: Draft, value: Value, text: str, lang: str) -> None:
    """Write a lost value to the noun beside it, a year or quantity else to the nearest verb."""
    concepts, (begin, end) = draft.concepts(), value.place
    things = {
        node: span
        for node, span in draft.spans.items()
        if not _NO_THING.fullmatch(concepts.get(node, "name")) and concepts[node] not in kinds_of_units()
    }
    nouns = {node: span for node, span in things.items() if not is_frame(concepts[node])}
    beside = [node for node, span in things.items() if _is_beside(span, value.place, text)]
    next_to = [node for node, span in nouns.items() if end <= span[0] and _GAP.fullmatch(text, end, span[0])]
    is_plain = value.kind == "number" and value.number.isdecimal() and not value.bound
    if is_plain and value.sure and beside and not next_to:
        draft.attach(beside[0], ":mod", value.number)
        return
    reach, is_time = 14 if value.sure else 1, bool(value.unit and value.unit.quantity == TIME)
    near = sorted((span[0], node) for node, span in nouns.items() if 0 <= span[0] - value.span[1] <= reach)
    near = [(start, node) for start, node in near if not re.search("[,;.!?]", text[value.span[1] : start])]
    is_year = is_plain and int(value.number) in _YEARS and not next_to
    taken = {source for source, role, _ in draft.triples if role == ":quant"}
    if (
        near
        and near[0][1] not in taken
        and not is_time
        and not is_year
        and (value.sure or lang not in (*UNSPACED, "ko"))
    ):
        draft.attach(near[0][1], ":quant", value.amr, value.place)
    elif value.kind == "quantity" or (is_year and value.sure):
        verbs = {node: abs(span[0] - begin) for node, span in things.items() if is_frame(concepts[node])}
        holder = min(verbs, key=verbs.__getitem__) if verbs else draft.top
        role = ":time" if is_year else ":duration" if is_time else ":quant"
        draft.attach(holder, role, date_amr({":year": value.number}) if is_year else value.amr, value.place)


def _without_repeats(draft: Draft, amounts: Sequence[Value], text: str) -> None:
    """Remove amounts of things that repeat the only number of their value in the text."""
    for value in amounts:
        is_once = sum(other.number == value.number for other in amounts) == 1
        is_once = is_once and len(re.findall(rf"(?<!\d){re.escape(value.number)}(?!\d)", text)) < 2
        found = [one for one in draft.attributes() if one[2] == value.number and one[1] in (":quant", ":op1")]
        for one in (
            found if is_once and any(one in draft.counted or one[1] == ":op1" for one in found) else ()
        ):
            concept = draft.concepts()[one[0]]
            is_kept = concept in _FIXED or concept.endswith("-quantity") or one[1] == ":op1"
            if one not in draft.counted and not is_kept and len(found) > 1:
                draft.triples.remove(one)
