"""Find the numbers of a text, with their units, currencies, scales and bounds.

::

    mehr als 5 Leute (de)     (x / more-than :op1 5)
    drei Kilo Kartoffeln      (q / mass-quantity :quant 3 :unit (u / kilogram))
    £20, 500 рублей           (q / monetary-quantity :quant 20 :unit (u / pound))
    auf -12 °C                (q / temperature-quantity :quant -12 :scale (u / celsius))
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from amrx.composed_text import Span, overlap
from parser.values.digits import small_numbers
from parser.values.literals import literals_in
from parser.values.units import COMMON, MONEY, PERCENT, TEMPERATURE, Unit, currency_beside, units_of
from parser.values.value import Value, joined_amr
from parser.values.words import pattern_of, words_of


def amounts_in(text: str, lang: str) -> list[Value]:
    """Return the numbers and quantities of a text, in order."""
    literals = literals_in(text, lang)
    found = [(one.span, one.constant, True) for one in literals if one.kind in ("number", "fraction")]
    found += [
        (span, number, False)
        for span, number in small_numbers(text, lang)
        if number != "1" and not any(overlap(span, other) for other, _, _ in found)
    ]
    return [_bounded(_amount(text, lang, *one), text, lang) for one in sorted(found)]


def _amount(text: str, lang: str, span: Span, number: str, is_digits: bool) -> Value:
    """Return the quantity of a number, or the number alone."""
    measured = units_of(lang).after(text[span[1] :])
    is_date = measured and measured[1].noun == "year" and re.fullmatch(r"(?:1[1-9]|20)\d\d", number)
    if measured and not is_date:
        minus = pattern_of("minus").search(text[: span[0]]) if measured[1].quantity == TEMPERATURE else None
        begin, number = (minus.start(), f"-{number}") if minus else (span[0], number)
        if is_digits or minus or measured[1].noun in COMMON or measured[1].quantity == PERCENT:
            return _quantity((begin, span[1] + measured[0]), number, measured[1])
    paid = currency_beside(text, lang, span) if is_digits else None
    if paid is not None:
        return _quantity(paid[0], number, Unit(MONEY, paid[1]))
    return Value("number", span, number, is_digits, number=number)


def _quantity(span: Span, number: str, unit: Unit) -> Value:
    role = ":scale" if unit.quantity == TEMPERATURE else ":unit"
    amr = f"(q / {unit.quantity} :quant {number} {role} (u / {unit.noun}))"
    if unit.quantity == PERCENT:
        amr = f"(q / {PERCENT} :value {number})"
    return Value("quantity", span, amr, number=number, unit=unit)


def _bounded(value: Value, text: str, lang: str) -> Value:
    """Return a value with the bound that stands beside it, if any."""
    begin, end = value.span
    before, after = _bounds(lang)
    matches = [one for one in before.finditer(text, max(0, begin - 40), begin) if one.end() == begin]
    for match in filter(None, (*matches, after.match(text, end))):
        bound = str(match.lastgroup).replace("_", "-")
        span, amr = (min(begin, match.start()), max(end, match.end())), joined_amr(bound, value.amr)
        return replace(value, span=span, amr=amr, core=value.span, bound=bound)
    return value


@cache
def _bounds(lang: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the bounds before and after a number, in groups with their names."""
    left, right = ("", r"\s?") if lang in ("ja", "ko", "zh") else (r"(?<!\w)", r"(?!\w)\s*")
    before, after = (words_of(lang).get(name, {}) for name in ("bound", "bound_after"))
    return (
        re.compile("|".join(f"(?P<{one}>{left}(?:{before[one]}){right})" for one in before) or "(?!)", re.I),
        re.compile("|".join(f"(?P<{one}>{after[one]})" for one in after) or "(?!)", re.I),
    )
