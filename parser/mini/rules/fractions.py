"""Read fractions, and write them as AMR does, in quotes.

::

    two thirds, zwei Drittel, 三分之二    2/3, in the text that the parser reads
    2½, two and a half, anderthalb      2.5 and 1.5
    :quant (p / percentage-entity :value "2/3")    ──>  :quant "2/3"
    :quant (h / half)                              ──>  :quant "1/2"

The parser copies such a fraction, while it reads *two thirds* as 2. Words with another frequent meaning are
fractions only before *of*: *a quarter of the houses*.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import penman

from amrx.composed_text import Composed, Span
from linearize.frames import Triple
from parser.graphs.triples import laid_out
from parser.mini.rules.halves import halves_in
from parser.mini.rules.literals import FRACTION, group_sign

_OF = {
    "de": r"(?=\s+(?:de[rs]|von|vom|all\w+|(?:[mds]ein|ihr|unser|dies)e[rs])\b)",
    "en": r"(?=\s+of\b)",
    "es": r"(?=\s+(?:del?\b(?!\s+(?:baño|estar|juegos))))",
    "fr": r"(?=\s+(?:d['’]|des?\b|du\b))",
    "it": r"(?=\s+(?:d['’]|di\b|de[il]\b|degli\b|dell[ae]\b|dell['’]))",
    "nl": r"(?=\s+van\b)",
    "pt": r"(?=\s+d[aeo]s?\b)",
    "sv": r"(?=\s+av\b)",
}
"""The word *of* after a fraction."""


class Words(NamedTuple):
    """Words of fractions in a language, as patterns."""

    one: str  # numerator 1; the other ones are ``numbers``
    numbers: Mapping[str, int]
    parts: Mapping[str, int]  # denominators; after 1 or *quarter*, *of* has to follow
    sole: Mapping[str, str] = {}  # noqa: RUF012  # whole phrases, and their digits


_WORDS = {
    "de": Words("ein(?:em|es)?", {"zwei": 2, "drei": 3, "vier": 4, "fünf": 5},
        {"Drittel[ns]?": 3, "Viertel[ns]?": 4, "Fünftel[ns]?": 5, "Sechstel[ns]?": 6, "Achtel[ns]?": 8},
        {rf"d(?:ie|er) Hälfte{_OF['de']}": "1/2", "(?:andert|einein)halb": "1.5",
         "zweieinhalb": "2.5", "dreieinhalb": "3.5", "viereinhalb": "4.5"}),
    "en": Words("one|a", {"two": 2, "three": 3, "four": 4, "five": 5, "seven": 7},
        {"thirds?": 3, "quarters?": 4, "fourths?": 4, "fifths?": 5, "sixths?": 6, "eighths?": 8},
        {"one and a half": "1.5", "two and a half": "2.5", "three and a half": "3.5",
         "four and a half": "4.5", "five and a half": "5.5"}),
    "es": Words("un", {"dos": 2, "tres": 3, "cuatro": 4},
        {"tercios?": 3, "cuartos?": 4, "quintos?": 5}, {rf"la mitad{_OF['es']}": "1/2"}),
    "fr": Words("un", {"deux": 2, "trois": 3, "quatre": 4},
        {"tiers": 3, "quarts?": 4, "cinquièmes?": 5, "sixièmes?": 6, "huitièmes?": 8},
        {rf"la moitié{_OF['fr']}": "1/2"}),
    "id": Words("satu", {"dua": 2, "tiga": 3}, {"per\\s?tiga": 3, "per\\s?empat": 4, "per\\s?lima": 5},
        {"sepertiga": "1/3", "seperempat": "1/4", "setengah(?= dari)": "1/2"}),
    "it": Words("un", {"due": 2, "tre": 3, "quattro": 4}, {"terz[oi]": 3, "quart[oi]": 4, "quint[oi]": 5},
        {rf"la metà{_OF['it']}": "1/2"}),
    "nl": Words("een|één", {"twee": 2, "drie": 3, "vier": 4},
        {"derden?": 3, "kwart": 4, "vierden?": 4, "vijfden?": 5},
        {rf"de helft{_OF['nl']}": "1/2", "anderhal(?:f|ve)": "1.5"}),
    "pl": Words("jedn[aąe]j?", {"dwie|dwóch": 2, "trzy|trzech": 3, "cztery|czterech": 4},
        {"trzeci(?:a|ą|e|ej|ch)": 3, "czwart(?:a|ą|e|ej|ych)": 4, "piąt(?:a|ą|e|ej|ych)": 5},
        {"połow[aęy]": "1/2", "półtor(?:a|ej)": "1.5"}),
    "pt": Words("um", {"dois": 2, "três": 3, "quatro": 4}, {"terços?": 3, "quartos?": 4, "quintos?": 5},
        {rf"(?:a )?metade{_OF['pt']}": "1/2"}),
    "ru": Words("одн(?:а|у|ой)", {"две|двух": 2, "три|трёх|трех": 3},
        {"трет(?:ь|и|ей)": 3, "четверт(?:ь|и|ей)": 4},
        {"треть": "1/3", "половин[ауы]": "1/2", "полтор[аы]": "1.5"}),
    "sv": Words("en", {"två": 2, "tre": 3, "fyra": 4},
        {"tredjedel(?:ar)?": 3, "fjärdedel(?:ar)?": 4, "femtedel(?:ar)?": 5}),
    "tr": Words("", {}, {}, {"(?<=[ıiuü]n )yarısı(?:nı|nın)?": "1/2"}),
    "uk": Words("одн(?:а|у|ієї)", {"дві|двох": 2, "три|трьох": 3}, {"третин[аиу]?": 3, "чверт[іь]": 4},
        {"третин[ау]": "1/3", "половин[аиу]": "1/2", "півтор[аи]": "1.5"}),
}  # fmt: skip
_EVER = frozenset({"id", "pl", "ru", "sv", "uk"})
"""Languages whose words for parts have no other frequent meaning after *one*."""
_ORDINALS = re.compile(r"(?:перв|втор|перш|друг|pierwsz|drug)\w+\s+$", re.IGNORECASE)
"""*The first* before a half, which is then no number."""
_DIGITS = "一二三四五六七八九"
_CHINESE = {
    "ja": re.compile(rf"(?P<part>[{_DIGITS}2-8])分の(?P<number>[{_DIGITS}1-7])"),
    "ko": re.compile(r"(?P<part>[이삼사오육팔2-8])\s?분의\s?(?P<number>[일이삼사오칠1-7])(?!\d)"),
    "zh": re.compile(rf"(?P<part>[{_DIGITS}2-8])分之(?P<number>[{_DIGITS}1-7])"),
}
_KOREAN = "일이삼사오육칠팔구"
_TURKISH = {"iki": 2, "üç": 3, "dört": 4, "beş": 5}
_LOCATIVE = re.compile(
    r"(?<!saat )\b(?P<part>ikide|üçte|dörtte|beşte) (?P<number>bir|iki|üç|dört)(?:s?[iıuü]n?\w{0,3})?\b",
    re.IGNORECASE,
)
_SIGN = re.compile("(?P<whole>(?<![\\d.,/])\\d{1,3} ?)?(?P<sign>[¼-¾⅓-⅞])")
_MIXED = re.compile(r"(?<![\d.,/:-])(?P<whole>\d{1,3}) (?P<sign>1/[2458]|3/[458]|[57]/8)(?![\d/]|[.,:]\d)")


def with_fractions(composed: Composed, lang: str) -> Composed:
    """Return a text with fractions in digits; the same object if nothing changes.

    Example:
        >>> with_fractions(Composed("Two thirds of 2½ litres"), "en").text
        '2/3 of 2.5 litres'
    """
    parts = sorted((*_in_signs(composed.text, lang), *_in_words(composed.text, lang)))
    places = [part for part, before in zip(parts, (None, *parts), strict=False) if _is_after(part, before)]
    return composed.with_replaced(places)


def _is_after(part: tuple[Span, str], before: tuple[Span, str] | None) -> bool:
    return before is None or part[0][0] >= before[0][1]


def _in_signs(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the fractions with a sign of their own, and those after a whole number."""
    for match in (*_SIGN.finditer(text), *_MIXED.finditer(text)):
        number, _, part = unicodedata.normalize("NFKC", match["sign"]).replace("\u2044", "/").partition("/")
        if match["whole"] is None:
            yield match.span(), f"{number}/{part}"
        elif int(part) in (2, 4, 5, 8):
            yield match.span(), _local(str(int(match["whole"]) + int(number) / int(part)), lang)


def _local(number: str, lang: str) -> str:
    """Return a number with the decimal separator of a language."""
    return number if group_sign(lang) == "," else number.replace(".", ",")


def _in_words(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    for match in _CHINESE[lang].finditer(text) if lang in _CHINESE else ():
        number, part = (_digit(match[name]) for name in ("number", "part"))
        before = text[match.start() - 1 : match.start()]
        if FRACTION.fullmatch(f"{number}/{part}") and not re.match(rf"[{_DIGITS}十百千\d]", before):
            yield match.span(), f"{number}/{part}"
    for match in _LOCATIVE.finditer(text) if lang == "tr" else ():
        number, part = {"bir": 1, **_TURKISH}[match["number"].lower()], _TURKISH[match["part"].lower()[:-2]]
        if number < part:
            yield match.span(), f"{number}/{part}"
    yield from halves_in(text, lang)
    for pattern, digits in _patterns(lang):
        for match in pattern.finditer(text):
            if not _ORDINALS.search(text[: match.start()]):
                yield match.span(), digits


def _digit(sign: str) -> int:
    return int(sign) if sign.isdecimal() else (_DIGITS if sign in _DIGITS else _KOREAN).index(sign) + 1


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of fractions of a language, with their digits."""
    if lang not in _WORDS:
        return ()
    words, of = _WORDS[lang], _OF.get(lang, "")
    sources = {source: _local(digits, lang) for source, digits in words.sole.items()}
    for numbers, number in {words.one: 1, **words.numbers}.items():
        for part, share in words.parts.items():
            digits = f"{number}/{share}"
            if FRACTION.fullmatch(digits):
                needs = number == 1 and lang not in _EVER or share == 4 or lang in ("es", "it", "pt")
                gap = r"[\s-]+" if lang != "en" or number > 1 else r"\s+"
                sources[rf"(?:{numbers}){gap}{part}\b{of if needs else ''}"] = digits
                if lang == "en" and number == 1:
                    sources[rf"one-{part}\b"] = digits
    return tuple(
        (re.compile(rf"(?<![\w-])(?:{source})(?!\w)", re.IGNORECASE), digits)
        for source, digits in sources.items()
    )


def with_plain_fractions(graph: penman.Graph) -> penman.Graph:
    """Return a graph with fractions as constants; the same object if nothing changes.

    Example:
        >>> graph = penman.decode('(p / person :quant (e / percentage-entity :value "2/3"))')
        >>> print(penman.encode(with_plain_fractions(graph), indent=None))
        (p / person :quant "2/3")
    """
    own: dict[str, list[tuple[str, str]]] = {node: [] for node in graph.variables()}
    for source, role, target in graph.triples:
        own[source].append((role, str(target)))
    halves = {node for node, pairs in own.items() if pairs == [(":instance", "half")]}
    values = dict.fromkeys(halves, '"1/2"')
    for node, pairs in own.items():
        if len(pairs) == 2 and (":instance", "percentage-entity") in pairs:
            value = next((values.get(target, target) for role, target in pairs if role == ":value"), "")
            if FRACTION.fullmatch(value.strip('"')) and value.startswith('"'):
                values[node] = value
    roles = {node: [role for _, role, target in graph.edges() if target == node] for node in values}
    values.pop(graph.top or "", None)
    values = {
        node: values[node] for node in values if roles[node] in ([":quant"], [":ARG3"], [":value"], [":op1"])
    }
    if not values:
        return graph
    triples: list[Triple] = [
        (source, role, values.get(str(target), target))
        for source, role, target in graph.triples
        if source not in values
    ]
    return laid_out(triples, graph.top)
