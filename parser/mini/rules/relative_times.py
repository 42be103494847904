"""Write times before and after now as AMR does, by CLDR's phrases for them.

::

    Il y a trois jours, il est parti. (fr)   (l / leave-11 :duration (t / temporal-quantity :quant 3 ...))
        ──>  (l / leave-11 :time (b / before :op1 (n / now) :quant (t / temporal-quantity :quant 3 ...)))
    Он придёт через две недели. (ru)         (c / come-01 :duration (t / temporal-quantity :quant 2 ...))
        ──>  (c / come-01 :time (a / after :quant (t / temporal-quantity :quant 2 ...)))
    Ich warte seit zwei Wochen. (de)         (w / wait-01 :frequency (t / temporal-quantity :quant 2 ...))
        ──>  (w / wait-01 :duration (t / temporal-quantity :quant 2 ...))

The parser mostly writes these as durations. Phrases with another meaning are left out: Portuguese *há três
dias* and *em três dias*, *hace tres días que*, English and German *in three days* without a future tense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from typing import Literal, NamedTuple, get_args

import penman

from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.locales import locale_of
from parser.mini.rules.measures import measures_of

Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
_DAY = 24 * 3600
UNITS: Mapping[Unit, int] = {
    "second": 1, "minute": 60, "hour": 3600,
    "day": _DAY, "week": 7 * _DAY, "month": 30 * _DAY, "year": 365 * _DAY,
}  # fmt: skip
"""Seconds of the units."""
_NUMBERS = (1, 2, 3, 5, 11)
"""Numbers of all grammatical numbers."""
_FROM_NOW = frozenset("cs de en es fr it nl pl sv".split())
"""Languages whose phrases for the future count from now; in others they may count from another time."""
_FUTURE = {
    "de": r"\b(?:werde|wird|wirst|werden|werdet|beginn(?:t|en)|(?:start|end|öffn)e[tn]|schließ(?:t|en))\b"
    r"|\b(?:fährt|fahren|kommt|kommen|fliegt|geht)\b.*\b(?:ab|an|los)\b",
    "en": r"\b(?:will|shall|going to|(?:start|begin|leave|depart|arrive|open|close|end)s?)\b|['’]ll\b",
}
"""A future tense, or a verb of a moment, without which a phrase for the future may be a duration."""
_NOT_BEFORE, _NOT_AFTER = re.compile(r"\b(?:desde|depuis)\s+$", re.I), re.compile(r"\s+(?:que|qu['’])", re.I)
_LEFT_OUT = frozenset({"pt"})
_LASTING = {
    "ca": "(?:des )?de fa", "cs": "už|již", "da": "i", "de": "seit", "en": "for", "es": "desde hace",
    "fr": "depuis", "it": "da", "nb": "i", "nl": "sinds|al", "pl": "od", "ro": "de", "sv": "i|sedan",
}  # fmt: skip
"""Words before a time that lasts until now."""
_ROLES = frozenset({":duration", ":time", ":frequency"})


class Phrase(NamedTuple):
    """A time before or after now, or until now."""

    concept: str  # ``before``, ``after`` or ``duration``
    unit: str  # ``day``, ``week`` and so on
    number: str | None  # in digits; ``None`` if it is in words


def with_relative_times(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with times before and after now; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence as it was read, with numbers from eleven on in digits.
        lang: Its language.

    Example:
        >>> graph = penman.decode("(g / go-02 :duration (t / temporal-quantity :quant 3 :unit (d / day)))")
        >>> print(penman.encode(with_relative_times(graph, "Tre giorni fa", "it"), indent=None))
        (g / go-02 :time (b / before :op1 (n / now) :quant (t / temporal-quantity :quant 3 :unit (d / day))))
    """
    if not any(concept == "temporal-quantity" for _, _, concept in graph.instances()):
        return graph
    triples = list[Triple](graph.triples)
    for phrase in _lasting(text, lang):
        _set_duration(triples, phrase)
    for phrase in phrases(text, lang):
        _unwrap(triples, phrase)
        place = next((i for i in range(len(triples)) if _is_duration(triples, i, phrase)), None)
        if place is not None:
            _set_time(triples, _without_rate(triples, place), phrase, lang)
    if triples == graph.triples:
        return graph
    return laid_out(triples, graph.top)


def phrases(text: str, lang: str) -> Iterator[Phrase]:
    """Yield the times before and after now that a sentence names.

    Example:
        >>> list(phrases("Er kam vor 12 Tagen, sie zwei Wochen später.", "de"))
        [Phrase(concept='before', unit='day', number='12')]
    """
    for pattern, concept, unit, number in _patterns(lang):
        for match in pattern.finditer(text):
            before, after = text[: match.start()], text[match.end() :]
            if _NOT_BEFORE.search(before) or _NOT_AFTER.match(after):
                continue
            if concept == "after" and lang in _FUTURE and not re.search(_FUTURE[lang], text):
                continue
            written = number or match["number"]
            yield Phrase(concept, unit, written if written.isdecimal() else None)


def _lasting(text: str, lang: str) -> Iterator[Phrase]:
    """Yield the times until now that a sentence names."""
    words = _LASTING.get(lang, "$")
    for match in re.finditer(rf"(?<!\w)(?:{words})\s+(\d+|[^\W\d_]+)\s+", text, re.I):
        unit = measures_of(lang).after(text[match.end() :])
        if unit and unit.noun in get_args(Unit):
            yield Phrase("duration", unit.noun, match[1] if match[1].isdecimal() else None)


def _unwrap(triples: list[Triple], phrase: Phrase) -> None:
    """Attach the quantity of a phrase to what is above its preposition: Dutch *over tien minuten*."""
    for node, role, quantity in list(triples):
        own = [triple for triple in triples if node in (triple[0], triple[2])]
        above = [triple for triple in own if triple[2] == node and triple[1] in _ROLES]
        if role == ":op1" and (node, ":instance", "over") in own and len(own) == 3 and len(above) == 1:
            if _is_quantity(triples, quantity, phrase):
                triples[triples.index(above[0])] = (above[0][0], above[0][1], quantity)
                triples[:] = [triple for triple in triples if triple[0] != node]


def _set_duration(triples: list[Triple], phrase: Phrase) -> None:
    """Turn the quantity of a phrase into a duration, where it was read as a frequency or a time ago."""
    for place, (source, role, quantity) in enumerate(triples):
        if role == ":frequency" and _is_duration(triples, place, phrase):
            triples[place] = source, ":duration", quantity
            return
        if role == ":quant" and _is_quantity(triples, quantity, phrase):
            ago = _ago(triples, source, quantity)
            if ago:
                first = min(map(triples.index, ago))
                lifted = triples[first][0], ":duration", quantity
                triples[first] = lifted
                triples[:] = [triple for triple in triples if triple not in ago]
                return


def _ago(triples: list[Triple], before: str, quantity: str) -> list[Triple]:
    """Return the triples of a time ago around its quantity; none if the time says more."""
    own = [triple for triple in triples if before in (triple[0], triple[2])]
    times = [triple for triple in own if triple[1:] == (":time", before)]
    now = next((target for node, role, target in own if (node, role) == (before, ":op1")), "")
    expected: list[Triple] = [*times, (before, ":instance", "before"), (before, ":quant", quantity)]
    if now:
        expected.append((before, ":op1", now))
        own += [triple for triple in triples if now in (triple[0], triple[2]) and triple not in own]
        expected.append((now, ":instance", "now"))
    return own if len(times) == 1 and sorted(own) == sorted(expected) else []


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], str, str, str], ...]:
    """Return patterns with ``before`` or ``after``, the unit, and the number if it is in the phrase."""
    locale = locale_of(lang)
    if locale is None or lang in _LEFT_OUT:
        return ()
    from babel.dates import format_timedelta

    found: dict[str, tuple[str, str, str]] = {}
    for unit, seconds in UNITS.items():
        for number in _NUMBERS:
            for sign, concept in ((-1, "before"), (1, "after")):
                delta = timedelta(seconds=sign * number * seconds)
                phrase = format_timedelta(delta, unit, threshold=1000, add_direction=True, locale=locale)
                digits = re.search(r"\d+", phrase)
                source = re.escape(phrase)
                if digits:
                    source = source.replace(digits[0], r"(?P<number>\d+|[^\W\d_]+)", 1)
                source = source.replace(r"\ ", r"\s?" if lang in ("ja", "ko", "zh") else r"\s+")
                found.setdefault(source, (concept, unit, "" if digits else str(number)))
    return tuple(
        (re.compile(rf"(?<!\w){source}(?!\w)" if lang not in ("ja", "zh", "ko") else source, re.I), *rest)
        for source, rest in found.items()
    )


def _is_duration(triples: list[Triple], place: int, phrase: Phrase) -> bool:
    """Return whether a triple has the quantity of a phrase as its duration, time or frequency."""
    source, role, quantity = triples[place]
    if role not in _ROLES and not (role == ":ARG3" and _above_rate(triples, source) is not None):
        return False
    return _is_quantity(triples, quantity, phrase)


def _is_quantity(triples: list[Triple], quantity: str, phrase: Phrase) -> bool:
    """Return whether a node is the quantity of a phrase."""
    own = [(name, target) for node, name, target in triples if node == quantity]
    if (":instance", "temporal-quantity") not in own:
        return False
    unit = any(name == ":unit" and (target, ":instance", phrase.unit) in triples for name, target in own)
    return unit and (phrase.number is None or (":quant", phrase.number) in own)


def _above_rate(triples: list[Triple], rate: str) -> int | None:
    """Return the place of the triple that leads to a rate with a quantity alone."""
    own = [i for i, triple in enumerate(triples) if rate in (triple[0], triple[2])]
    if len(own) != 3 or (rate, ":instance", "rate-entity-91") not in triples:
        return None
    return next((i for i in own if triples[i][2] == rate and triples[i][1] in _ROLES), None)


def _without_rate(triples: list[Triple], place: int) -> int:
    """Attach the quantity of a rate to the node above; return the new place of the quantity's triple."""
    rate, role, quantity = triples[place]
    above = _above_rate(triples, rate) if role == ":ARG3" else None
    if above is None:
        return place
    lifted: Triple = (triples[above][0], triples[above][1], quantity)
    triples[above] = lifted
    triples.remove((rate, ":instance", "rate-entity-91"))
    triples.remove((rate, role, quantity))
    return triples.index(lifted)


def _set_time(triples: list[Triple], place: int, phrase: Phrase, lang: str) -> None:
    """Replace the duration at ``place`` by a time."""
    source, _, quantity = triples[place]
    used = {node for node, _, _ in triples}
    time = free_variable(phrase.concept[0], used)
    new: list[Triple] = [(source, ":time", time), (time, ":instance", phrase.concept)]
    if phrase.concept == "before" or lang in _FROM_NOW:
        now = free_variable("n", used | {time})
        new += [(time, ":op1", now), (now, ":instance", "now")]
    triples[place : place + 1] = [*new, (time, ":quant", quantity)]
