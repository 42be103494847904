"""Write centuries and decades as AMR does.

::

    au XIXe siècle (fr)     (d / date-entity :year (x / xixe))    ──>  (d / date-entity :century 19)
    in the 1990s            (d / date-entity :year 1990)          ──>  (d / date-entity :decade 1990)

The parser reads the 19th century as the year 19, and *the 90s* as the year 90. Decades without a century are
those of the twentieth from the thirties on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, laid_out
from parser.mini.rules.chinese_numerals import read_chinese
from parser.mini.rules.spelled_days import with_day_digits
from parser.mini.rules.spelled_numbers import with_digits

_N = r"(?P<n>\d{1,2}|[XVI]{1,5})"
_CENTURY = {
    "cs": rf"{_N}\.? stolet", "da": rf"{_N}\. århundrede", "de": rf"{_N}\. Jahrhundert",
    "en": rf"{_N}(?:st|nd|rd|th)?[- ]centur", "es": rf"\bsiglos? {_N}\b", "fr": rf"{_N}(?:e|ème|er)? siècle",
    "it": rf"{_N}[°º]? secolo|\bsecolo {_N.replace('<n>', '<n2>')}\b", "ja": rf"{_N}世紀",
    "ko": rf"{_N} ?세기",
    "nb": rf"{_N}\. århundre", "nl": rf"{_N}e eeuw", "pl": rf"{_N}\.? wiek", "pt": rf"\bséculos? {_N}\b",
    "ro": rf"\bsecolul (?:al )?{_N}", "ru": rf"{_N}(?:-?\w{{1,2}})? век", 
    "sv": rf"{_N}(?:[:-]?(?:e|de))? århundrade",
    "tr": rf"{_N}\.? ?yüzyıl", "uk": rf"{_N}(?:-?\w{{1,2}})? столітт", "vi": rf"thế kỷ (?:thứ )?{_N}\b",
    "zh": rf"{_N}世[纪紀]",
}  # fmt: skip
_D = r"(?P<n>\d{4}|\d0)"
_DECADE = {
    "de": rf"\b{_D}er[- ]?Jahre?n?\b", "en": rf"\bthe (?:early |late |mid-?)?['’]?{_D}['’]?s\b",
    "es": rf"\blos años {_D}\b", "fr": rf"\b(?:les|des) années {_D}\b", 
    "it": rf"\b(?:gli|negli|degli) anni {_D}\b",
    "ja": rf"{_D}年代", "ko": rf"{_D}년대", "nl": rf"\bjaren {_D}\b", "pl": rf"\blat(?:a|ach)? {_D}\.?",
    "pt": rf"\b(?:os|nos|dos) anos {_D}\b", "ru": rf"\b{_D}-?(?:х|е|й|ые|ых) год",
    "tr": rf"\b{_D}['’]?l[ae]r",
    "uk": rf"\b{_D}-?(?:х|ті|тих) рок", "zh": r"(?P<n>\d{4}|\d0|[二三四五六七八九]十)年代",
}  # fmt: skip
_BEFORE_CHRIST = re.compile(r"\b(?:v\. ?Chr|BCE?|av\. J|a\. ?C|до н|p\.n\.e|公元前)|紀元前", re.IGNORECASE)
_ROMAN = {"I": 1, "V": 5, "X": 10}


def with_eras(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the only century and the only decade; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / small :time (d / date-entity :year (x / xix)))")
        >>> print(penman.encode(with_eras(graph, "En el siglo XIX era pequeña.", "es"), indent=None))
        (s / small :time (d / date-entity :century 19))
    """
    dates = {node for node, _, concept in graph.instances() if concept in ("date-entity", "century")}
    if not dates or _BEFORE_CHRIST.search(text):
        return graph
    read = with_digits(with_day_digits(compose(text), lang), lang).text
    for role, forms in ((":century", _CENTURY), (":decade", _DECADE)):
        numbers = list(_numbers(read, forms.get(lang, "(?!)")))
        if len(numbers) == 1:
            graph = _with_era(graph, role, *numbers[0])
            graph = _with_ordinal_century(graph, numbers[0][1]) if role == ":century" else graph
    return graph


def _with_ordinal_century(graph: penman.Graph, number: int) -> penman.Graph:
    """Return the graph with a date for ``(c / century :ord (o / ordinal-entity :value 19))``."""
    centuries = [node for node, _, concept in graph.instances() if concept == "century"]
    orders = [edge for edge in graph.edges(role=":ord") if edge.source in centuries]
    values = [one for one in graph.attributes(role=":value") if orders and one.source == orders[0].target]
    if len(centuries) != 1 or len(orders) != 1 or [str(one.target) for one in values] != [str(number)]:
        return graph
    node, gone = centuries[0], orders[0].target
    if len([triple for triple in graph.triples if triple[0] == node]) != 2:
        return graph
    new: dict[Triple, Triple] = {
        (node, ":instance", "century"): (node, ":instance", "date-entity"),
        (node, ":ord", gone): (node, ":century", str(number)),
    }
    triples = [new.get(triple, triple) for triple in graph.triples if triple[0] != gone]
    return laid_out(triples, graph.top)


def _with_era(graph: penman.Graph, role: str, written: str, number: int) -> penman.Graph:
    """Return the graph with a century or decade in place of the year that was read for it."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    dates = {node for node, concept in concepts.items() if concept == "date-entity"}
    wrong = [
        triple
        for triple in graph.triples
        if triple[0] in dates
        and triple[1] in (":year", ":decade", ":century")
        and _same(concepts.get(str(triple[2]), str(triple[2])), written, number)
    ]
    owners = {triple[0] for triple in wrong}
    if len(owners) != 1 or [triple[1:] for triple in wrong] == [(role, str(number))]:
        return graph
    gone = {str(triple[2]) for triple in wrong} & concepts.keys()
    new: Triple = (wrong[0][0], role, str(number))
    triples = [
        new if triple == wrong[0] else triple
        for triple in graph.triples
        if triple not in wrong[1:] and triple[0] not in gone
    ]
    return laid_out(triples, graph.top)


def _same(value: str, written: str, number: int) -> bool:
    """Return whether a value was read from an era: its number, its digits or its Roman numeral."""
    plain = value.strip('"').lower()
    return plain in (str(number), str(number % 100), written.lower()) or (
        not written.isdecimal() and plain.startswith(written.lower()) and len(plain) <= len(written) + 2
    )


def _numbers(text: str, pattern: str) -> Iterator[tuple[str, int]]:
    """Yield the numerals of the eras of a text, and their values."""
    for match in re.finditer(pattern, text):
        written = next(value for value in match.groups() if value)
        if written.isdecimal():
            number = int(written)
        elif written[0] in _ROMAN:
            values = [_ROMAN[sign] for sign in written]
            number = sum(
                -one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)
            )
        else:
            number = read_chinese(written) or 0
        is_decade = "年代" in match[0] or number % 10 == 0 and 30 <= number < 100
        yield written, number + 1900 if is_decade and 30 <= number < 100 else number
