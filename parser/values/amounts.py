"""Find the numbers of a text, with their units, currencies, scales and bounds.

::

    mehr als 5 Leute (de)     (x / more-than :op1 5)
    drei Kilo Kartoffeln      (q / mass-quantity :quant 3 :unit (u / kilogram))
    £20, 500 рублей           (q / monetary-quantity :quant 20 :unit (u / pound))
    auf -12 °C                (q / temperature-quantity :quant -12 :scale (u / celsius))
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from amrx.composed_text import Span, overlap
from parser.values.digits import small_numbers
from parser.values.literals import FRACTION, NUMBER, literals_in
from parser.values.units import COMMON, MONEY, PERCENT, Unit, currency_noun, is_attached, tokens, units_of
from parser.values.value import BOUNDS, Value, joined_amr
from parser.values.words import pattern_of, words_of

_MOST_WORDS = 2
"""Maximum number of words from a number to the end of its currency: *500 Swiss francs*."""
_STOPS = frozenset(".,;:!?")
_OF = re.compile(r"\s+(?:de\s+|di\s+|d['’])", re.IGNORECASE)
"""*Of* after a million, in Romance languages: *5 millions de litres*."""


def amounts_in(text: str, lang: str) -> list[Value]:
    """Return the numbers and quantities of a text, in order."""
    found = [
        (one.span, one.constant, True)
        for one in literals_in(text, lang)
        if one.kind in ("number", "fraction")
    ]
    found += [
        (span, number, False)
        for span, number in small_numbers(text, lang)
        if not any(overlap(span, other) for other, _, _ in found)
    ]
    return [
        _bounded(_amount(text, lang, *one), text, lang) for one in sorted(found) if one[1] != "1" or one[2]
    ]


def _amount(text: str, lang: str, span: Span, number: str, is_digits: bool) -> Value:
    """Return the quantity of a number, or the number alone."""
    degree = _degree(text, span, number)
    if degree is not None:
        return degree
    begin, end = span
    of = _OF.match(text, end) if len(number.strip('"')) > 5 else None
    measured = (
        units_of(lang).after(text[of.end() if of else end :]) if FRACTION.fullmatch(number) is None else None
    )
    if measured and measured[1].noun == "year" and re.fullmatch(r"(?:1[1-9]|20)\d\d", number):
        measured = None  # a date
    if measured and (is_digits or measured[1].noun in COMMON or measured[1].quantity == PERCENT):
        last = (of.end() if of else end) + measured[0]
        return _quantity((begin, last), number, measured[1])
    paid = _currency(text, lang, span) if is_digits else None
    if paid is not None:
        return _quantity(paid[0], number, Unit(MONEY, paid[1]))
    return Value("number", span, number, is_digits, number=number)


def _quantity(span: Span, number: str, unit: Unit) -> Value:
    if unit.quantity == PERCENT:
        amr = f"(q / {PERCENT} :value {number})"
    else:
        amr = f"(q / {unit.quantity} :quant {number} :unit (u / {unit.noun}))"
    return Value("quantity", span, amr, number=number, unit=unit)


def _degree(text: str, span: Span, number: str) -> Value | None:
    """Return a temperature with a sign or a scale; degrees without either may be angles."""
    after, before = pattern_of("degree").match(text, span[1]), pattern_of("minus").search(text[: span[0]])
    if after is None or NUMBER.fullmatch(number) is None:
        return None
    sign, name = (after["sign"] or "").upper(), (after["scale"] or "").lower()
    is_celsius = sign == "C" or name.startswith(("cel", "цел")) or "℃" in after[0]
    scale = "celsius" if is_celsius else "fahrenheit" if sign == "F" or name else ""
    is_negative = number.startswith("-") or bool(after["below"] or before)
    if not (is_negative or scale):
        return None
    signed = f"-{number.lstrip('-')}" if is_negative else number
    amr = f"(q / temperature-quantity :quant {signed}" + (f" :scale (u / {scale}))" if scale else ")")
    begin = before.start() if before else span[0]
    unit = Unit("temperature-quantity", scale)
    return Value("quantity", (begin, after.end()), amr, number=signed, unit=unit)


def _currency(text: str, lang: str, span: Span) -> tuple[Span, str] | None:
    """Return the currency beside a number, with the span of both."""
    begin, end = span
    place = end
    for token in islice(tokens(text[end : end + 40]), _MOST_WORDS):
        if token in _STOPS:
            break
        place = text.index(token, place) + len(token)
        if noun := currency_noun(token, lang):
            return (begin, place if not is_attached(token) else place - len(token) + 1), noun
    before = re.search(r"(?:[A-Z]{0,3}\$|[^\W\d_]+|[^\w\s()\"'-])\s?$", text[:begin])
    noun = currency_noun(before[0].strip(), lang, before=True) if before else ""
    return ((before.start(), end), noun) if before and noun else None


def _bounded(value: Value, text: str, lang: str) -> Value:
    """Return a value with the bound that stands beside it, if any."""
    begin, end = value.span
    before, after = _bounds(lang)
    for match in before.finditer(text, max(0, begin - 40), begin) if before else ():
        if match.end() == begin:
            bound = (match.lastgroup or "").replace("_", "-")
            return _with_bound(value, bound, (match.start(), end))
    if behind := after.match(text, end) if after else None:
        return _with_bound(value, (behind.lastgroup or "").replace("_", "-"), (begin, behind.end()))
    return value


def _with_bound(value: Value, bound: str, span: Span) -> Value:
    amr, (number, unit) = joined_amr(bound, value.amr), (value.number, value.unit)
    return Value(value.kind, span, amr, value.sure, value.span, number, unit, bound)


@cache
def _bounds(lang: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """Return patterns of the bounds before and after a number, in groups named by `BOUNDS`."""
    words = words_of(lang)
    left, right = ("", r"\s?") if lang in ("ja", "ko", "zh") else (r"(?<!\w)", r"(?!\w)\s*")
    groups = [
        [
            f"(?P<{bound.replace('-', '_')}>{edges[0]}(?:{words[name][bound.replace('-', '_')]}){edges[1]})"
            for bound in BOUNDS
            if bound.replace("-", "_") in words.get(name, {})
        ]
        for name, edges in (("bound", (left, right)), ("bound_after", ("", "")))
    ]
    before, after = (re.compile("|".join(one), re.IGNORECASE) if one else None for one in groups)
    return before, after
