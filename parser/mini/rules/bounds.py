"""Correct the bounds of numbers by the words in the sentence.

::

    weniger als 5 Leute (de)    :quant (a / at-least :op1 5)    ──>  :quant (l / less-than :op1 5)
    au plus 5 heures (fr)       :duration (t / temporal-quantity :quant 5 ...)
                                ──>  :duration (a / at-most :op1 (t / temporal-quantity :quant 5 ...))

The parser reads nearly all bounds as *at least* or *more than*, so that *less than* and *at most* become
their opposite. A bound is written only beside its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.chinese_numerals import read_chinese
from parser.mini.rules.fractions import with_fractions
from parser.mini.rules.literals import FRACTION, NUMBER, read_words
from parser.mini.rules.number_words import number_words
from parser.mini.rules.spelled_numbers import Words, with_digits

LEAST, MOST, LESS, MORE, ABOUT = BOUNDS = ("at-least", "at-most", "less-than", "more-than", "about")
_SAME = {
    MOST: {"no-more-than", "maximum"},
    LESS: {"under", "below", "almost", "nearly"},
    MORE: {"over", "above"},
    ABOUT: {"around", "approximately", "some", "nearly", "almost", "circa", "roughly", "close"},
    LEAST: {"minimum", "no-less-than"},
}
"""Other concepts of the same meaning."""
_BEFORE: Mapping[str, Mapping[str, str]] = {
    "ar": {LEAST: "ما لا يقل عن|على الأقل", MOST: "ما لا يزيد عن|على الأكثر",
        LESS: "أقل من", MORE: "أكثر من"},
    "cs": {LEAST: "alespoň|aspoň|nejméně|minimálně", MOST: "nejvýše|nanejvýš|maximálně",
        LESS: "méně než|míň než", MORE: "více než|víc než", ABOUT: "přibližně|zhruba"},
    "da": {LEAST: "mindst", MOST: "højst", LESS: "mindre end|færre end", MORE: "mere end|flere end",
        ABOUT: "cirka|omkring"},
    "de": {LEAST: "mindestens|wenigstens|zumindest|nicht weniger als",
        MOST: "höchstens|maximal|nicht mehr als", LESS: "weniger als", MORE: "mehr als",
        ABOUT: "ungefähr|circa|ca[.]|etwa|rund"},
    "en": {LEAST: "at least|(?:no|not) (?:less|fewer) than|a minimum of",
        MOST: "at (?:the )?most|(?:no|not) more than|a maximum of", LESS: "(?:less|fewer) than",
        MORE: "more than", ABOUT: "approximately|roughly"},
    "es": {LEAST: "al menos|por lo menos|como mínimo|no menos de",
        MOST: "como máximo|como mucho|a lo sumo|no más de", LESS: "menos de", MORE: "más de",
        ABOUT: "aproximadamente|alrededor de|cerca de|un[oa]s"},
    "fr": {LEAST: "au moins|au minimum|pas moins de", MOST: "au (?:plus|maximum)|pas plus de",
        LESS: "moins de", MORE: "plus de", ABOUT: "environ|à peu près"},
    "id": {LEAST: "setidaknya|paling sedikit|sekurang-kurangnya|minimal|tidak kurang dari",
        MOST: "paling banyak|maksimal|tidak lebih dari", LESS: "kurang dari", MORE: "lebih dari",
        ABOUT: "sekitar|kira-kira"},
    "it": {LEAST: "almeno|come minimo|non meno di", MOST: "al massimo|al più|non più di", LESS: "meno di",
        MORE: "più di|oltre", ABOUT: "circa|all['’]incirca"},
    "ja": {LEAST: "少なくとも|最低でも|最低", MOST: "最大で|最大|最高でも|最高で|多くとも|多くても|せいぜい",
        ABOUT: "約|およそ"},
    "ko": {LEAST: "적어도|최소한?", MOST: "최대|많아야|기껏해야", ABOUT: "약|대략"},
    "nb": {LEAST: "minst", MOST: "høyst|maksimalt", LESS: "mindre enn|færre enn", MORE: "mer enn|flere enn",
        ABOUT: "cirka|omtrent"},
    "nl": {LEAST: "minstens|ten ?minste|minimaal|niet minder dan",
        MOST: "hoogstens|maximaal|ten hoogste|niet meer dan", LESS: "minder dan", MORE: "meer dan",
        ABOUT: "ongeveer|circa"},
    "pl": {LEAST: "co najmniej|przynajmniej|nie mniej niż|minimum",
        MOST: "(?:co )?najwyżej|nie więcej niż|maksymalnie",
        LESS: "mniej niż", MORE: "więcej niż|ponad", ABOUT: "około|mniej więcej"},
    "pt": {LEAST: "pelo menos|ao menos|no mínimo|não menos (?:de|que)", MOST: "no máximo|não mais (?:de|que)",
        LESS: "menos de", MORE: "mais de", ABOUT: "cerca de|aproximadamente|por volta de"},
    "ru": {LEAST: "не (?:менее|меньше)(?: чем)?|по крайней мере|по меньшей мере|как минимум",
        MOST: "не (?:более|больше)(?: чем)?|максимум|самое большее",
        LESS: "(?:менее|меньше)(?:,? чем)?", MORE: "(?:более|больше)(?:,? чем)?|свыше",
        ABOUT: "около|примерно|приблизительно"},
    "sv": {LEAST: "minst|åtminstone", MOST: "högst|maximalt", LESS: "mindre än|färre än",
        MORE: "mer än|fler än", ABOUT: "ungefär|cirka"},
    "tr": {LEAST: "en az(?:ından)?", MOST: "en (?:fazla|çok)", ABOUT: "yaklaşık"},
    "uk": {LEAST: "щонайменше|не (?:менше|менш)(?: ніж| як)?|принаймні|як мінімум",
        MOST: "щонайбільше|не (?:більше|більш)(?: ніж| як)?|максимум",
        LESS: "менше(?:,? ніж)?|менш (?:ніж|як)",
        MORE: "більше(?:,? ніж)?|більш (?:ніж|як)|понад", ABOUT: "близько|приблизно"},
    "vi": {LEAST: "ít nhất|tối thiểu", MOST: "nhiều nhất|tối đa|không quá", LESS: "ít hơn",
        MORE: "nhiều hơn|hơn", ABOUT: "khoảng"},
    "zh": {LEAST: "至少|最少|不少于|不低于", MOST: "最多|至多|不超过|不多于|顶多",
        LESS: "不到|少于|低于|不足", MORE: "超过|多于|高于", ABOUT: "大约|大概|约"},
}  # fmt: skip
"""Words right before a number, by language and bound."""
_AFTER: Mapping[str, Mapping[str, str]] = {
    "ja": {LESS: r"[^\W\d]{0,3}未満", MOST: r"[^\W\d]{0,3}以下"},
    "ko": {LESS: r"[^\W\d]{0,2}\s?미만", MOST: r"[^\W\d]{0,2}\s?이하"},
    "tr": {LESS: r"(?:['’]?[dt][ae]n|\s\w+[dt][ae]n)?\s(?:daha\s)?az\b",
        MORE: r"(?:['’]?[dt][ae]n|\s\w+[dt][ae]n)?\s(?:daha\s)?(?:fazla|çok)\b"},
}  # fmt: skip
"""Words right after a number; 以上 and 이상 are left out, as they are *at least* or *more than*."""
_NEGATED = re.compile(r"(?:no|not|nicht|pas|non?|não|niet|nie|не|tidak)\b", re.IGNORECASE)


class Bound(NamedTuple):
    """A bound of a number in a sentence."""

    concept: str
    number: str  # as AMR writes it


def with_bounds(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the bounds that the sentence names; the same object if nothing changes.

    A negation of the graph may be that of *not more than*; then the bound stays *more than*.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.

    Example:
        >>> graph = penman.decode("(c / come-01 :ARG1 (p / person :quant (a / at-least :op1 5)))")
        >>> print(penman.encode(with_bounds(graph, "Es kamen weniger als 5 Leute.", "de"), indent=None))
        (c / come-01 :ARG1 (p / person :quant (a / less-than :op1 5)))
    """
    negated = any(value == "-" for _, _, value in graph.attributes(role=":polarity"))
    triples = [triple for triple in graph.triples if not _is_bounded(triple, graph.triples)]
    bounds = list(bounds_in(text, lang, negated=negated))
    for bound in bounds:
        places = [
            place
            for place, (_, role, value) in enumerate(triples)
            if value == bound.number and role in (":quant", ":value", ":op1")
        ]
        if len(places) > 1:  # a number written twice: only bounds that are there are corrected
            is_only = sum(other.number == bound.number for other in bounds) == 1
            places = [place for place in places if is_only and triples[place][1] == ":op1"]
        for place in reversed(places):
            _bind(triples, place, bound, graph.top)
    triples = [triple for triple in triples if not _is_bounded(triple, triples)]
    if triples == graph.triples:
        return graph
    return laid_out(triples, graph.top)


def _is_bounded(triple: Triple, triples: list[Triple]) -> bool:
    """Return whether an amount is written a second time under a bound of the same node."""
    node, role, number = triple
    return role == ":quant" and any(
        (bound, ":op1", number) in triples and (bound, ":instance", concept) in triples
        for source, own, bound in triples
        if (source, own) == (node, role)
        for concept in BOUNDS
    )


def _bind(triples: list[Triple], place: int, bound: Bound, top: str | None) -> None:
    """Write a bound around the number at ``place``."""
    concepts = {node: concept for node, role, concept in triples if role == ":instance"}
    node, role, number = triples[place]
    is_amount = concepts[node].endswith(("-quantity", "-entity"))
    if is_amount:  # of temporal-quantity, percentage-entity
        above = [i for i, (_, _, target) in enumerate(triples) if target == node]
        if len(above) != 1 or node == top or concepts[node] in ("date-entity", "ordinal-entity"):
            return
        place = above[0]
    source, role, target = triples[place]
    known = {"up-to"} | {same for one in BOUNDS for same in (one, *_SAME[one])}
    if role == ":op1" and concepts[source] in known:
        if concepts[source] not in (bound.concept, *_SAME[bound.concept]):
            old: Triple = (source, ":instance", concepts[source])
            triples[triples.index(old)] = (source, ":instance", bound.concept)
    elif role == ":quant" or (is_amount and bound.concept != ABOUT and not re.match(":op|.*-of$", role)):
        variable = free_variable(bound.concept[0], set(concepts))
        triples[place : place + 1] = [
            (source, role, variable),
            (variable, ":instance", bound.concept),
            (variable, ":op1", target),
        ]


def bounds_in(text: str, lang: str, *, negated: bool = False) -> Iterator[Bound]:
    """Yield the bounds of the numbers of a sentence.

    Args:
        text: The sentence.
        lang: Its language.
        negated: Whether *not more than* is *more than* beside another negation.

    Example:
        >>> list(bounds_in("At least five of fewer than 20 men", "en"))
        [Bound(concept='at-least', number='5'), Bound(concept='less-than', number='20')]
    """
    pattern = _pattern(lang)
    if pattern is None or not pattern.search(text):
        return
    text = with_digits(with_fractions(compose(text), lang), lang).text
    numbers = dict(numbers_in(text, lang))
    begins = {begin: number for (begin, _), number in numbers.items()}
    ends = {end: number for (_, end), number in numbers.items()}
    for match in pattern.finditer(text):
        name = match.lastgroup or ""
        concept = name[1:].replace("_", "-")
        number = begins.get(match.end()) if name[0] == "b" else ends.get(match.start())
        if _NEGATED.match(match[0]) and negated and concept in (MOST, LEAST):
            concept = MORE if concept == MOST else LESS
        if number is not None:
            yield Bound(concept, number)


@cache
def _pattern(lang: str) -> re.Pattern[str] | None:
    """Return a pattern of the bounds of a language, in groups with ``b`` before and ``a`` after a number."""
    begin, end = ("", r"\s?") if lang in ("ja", "ko", "zh") else (r"(?<!\w)", r"(?!\w)\s*(?:US)?[$€£¥]?")
    groups = [
        f"(?P<b{concept.replace('-', '_')}>{begin}(?:{words}){end})"
        for concept, words in _BEFORE.get(lang, {}).items()
    ] + [f"(?P<a{concept.replace('-', '_')}>{words})" for concept, words in _AFTER.get(lang, {}).items()]
    return re.compile("|".join(groups), re.IGNORECASE) if groups else None


def numbers_in(text: str, lang: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the spans of the numbers of a sentence, in digits and in words, and the numbers."""
    for span, word in read_words(text, lang):
        if NUMBER.fullmatch(word.plain or "") or FRACTION.fullmatch((word.plain or "").strip('"')):
            yield span, str(word.plain)
    if lang in ("ja", "zh"):
        for match in re.finditer("[一二三四五六七八九十两]+", text):
            number = read_chinese(match[0], lang)
            if number is not None:
                yield match.span(), str(number)
    elif number_words(lang).values:
        words = Words.of(text, lang)
        for place in range(len(words.spans)):
            end, number = words.longest(place)
            if number is not None:
                yield (words.spans[place][0], words.spans[end - 1][1]), str(number)
