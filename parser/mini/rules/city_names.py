"""Write the names of cities, countries and continents in English, as AMR does.

::

    Vive en Pekín. (es)     (c / city :name (n / name :op1 "Pekín"))         ──>  :op1 "Beijing"
    他住在北京。 (zh)         (c / city :name (n / name :op1 "Washington"))    ──>  :op1 "Beijing"
    Habla inglés. (es)      (c / country :name (n / name :op1 "inglés"))     ──>  (c / language ... "English"

A name copied from the sentence is translated. In another script names cannot be copied, and the parser may
invent one: a name that is not in the sentence is replaced by the place that the aligned words of its node
name, or by the only place of the sentence if the graph has only one. Cities are those with at least 200,000
people in GeoNames (``data/cities.tsv.xz``, written by ``scripts/gather_cities.py``), countries and continents
those of CLDR.
"""

from __future__ import annotations

import lzma
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Self

import penman

from amrx.composed_text import WORD, Span, overlap
from linearize.frames import replace_triples
from parser.mini.rules.language_names import english_languages
from parser.mini.rules.locales import locale_of
from parser.mini.rules.name_words import name_words, renamed, whole_name
from parser.mini.rules.place_names import plain_form

CITIES = frozenset({"city", "city-district", "town", "village"})
COUNTRIES = frozenset({"continent", "country", "country-region", "state", "world-region"})
_ENGLISH = {
    "BA": "Bosnia and Herzegovina", "CD": "Congo", "CG": "Congo", "CI": "Ivory Coast", "HK": "Hong Kong",
    "MM": "Myanmar", "MO": "Macau", "PS": "Palestine", "TR": "Turkey", "TT": "Trinidad and Tobago",
}  # fmt: skip
"""Names of territories that have another form in CLDR."""
_SHORT = {"abd": "United States", "eeuu": "United States"}
"""Abbreviations, which CLDR's names lack."""
_ALIASES = frozenset("america american britain british england uk us usa".split())
"""Other English names of countries, which the parser rarely invents."""
_LATIN_WORD = re.compile(r"[A-Za-z][\w.'-]*")
_UNSPACED = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
_PREFIXED = ("ARABIC", "HEBREW")
_ALTERNATING = (("їв", "єв"), ("ів", "ов"), ("ів", "ев"))
"""Ends of Ukrainian names, and their stems before an ending: *Київ, у Києві*, *Харків, у Харкові*."""
MOST_LETTERS = 12
"""Maximum number of letters of a name in scripts without spaces between words."""
MOST_WORDS = 3
"""Maximum number of words of a name in other scripts."""
MOST_ENDING = 4
"""Maximum difference in length, in letters, between a name and its inflected form."""


def table_form(name: str) -> str:
    """Return a name in lower case; in Latin script also without marks and dots.

    Example:
        >>> table_form("Pekín"), table_form("ガーナ")
        ('pekin', 'ガーナ')
    """
    latin = any(unicodedata.name(letter, "").startswith("LATIN") for letter in name[:1])
    return plain_form(name) if latin else unicodedata.normalize("NFC", name.casefold())


@dataclass(frozen=True, eq=False)
class Gazetteer:
    """Names of places.

    Example:
        >>> table = Gazetteer.of({"москва": "Moscow", "пекин": "Beijing"})
        >>> list(table.places_in("В Москве и Пекине"))
        [((2, 8), 'Moscow'), ((11, 17), 'Beijing')]
    """

    english: Mapping[str, str]  # English names by other names, as `table_form` writes them
    starts: Mapping[str, list[str]]  # the other names by their first two letters

    @classmethod
    def of(cls, english: Mapping[str, str]) -> Self:
        """Index names."""
        starts: defaultdict[str, list[str]] = defaultdict(list)
        for name in english:
            starts[name[:2]].append(name)
        return cls(english, dict(starts))

    def places_in(self, text: str) -> Iterator[tuple[Span, str]]:
        """Yield the places named in a sentence of a non-Latin script, with their spans."""
        first = next((unicodedata.name(sign, "") for sign in text if sign.isalpha()), "")
        if first.startswith(_UNSPACED):
            yield from self._within(text.casefold())
            return
        matches = list(WORD.finditer(text))
        words = [table_form(match.group()) for match in matches]
        for place, (match, word) in enumerate(zip(matches, words, strict=True)):
            if match.group()[0] != match.group()[0].upper():
                continue  # a script with capitals capitalises names
            spelled = {
                text[match.start() : last.end()].casefold(): last
                for last in reversed(matches[place : place + MOST_WORDS])
            }
            whole = next((name for name in spelled if name in self.english), None)
            if whole is not None:
                yield (match.start(), spelled[whole].end()), self.english[whole]
                continue
            inside = [word[begin:] for begin in (1, 2, 3) if first.startswith(_PREFIXED)]
            near = [name for name in inside if name in self.english] + [
                name for name in self.starts.get(word[:2], ()) if _inflected(name, word)
            ]
            if near:
                yield match.span(), self.english[near[0]]

    def _within(self, text: str) -> Iterator[tuple[Span, str]]:
        """Yield the longest matching names from left to right, in a script without spaces."""
        place = 0
        while place < len(text):
            ends = range(min(len(text), place + MOST_LETTERS), place + 1, -1)
            end = next((end for end in ends if text[place:end] in self.english), None)
            if end is not None:
                yield (place, end), self.english[text[place:end]]
            place = end or place + 1


def with_english_places(graph: penman.Graph, text: str, lang: str, spans: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with English names of places; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        spans: Aligned span of each variable in the sentence, if known.

    Example:
        >>> graph = penman.decode('(l / live-01 :location (c / city :name (n / name :op1 "Pekín")))')
        >>> print(penman.encode(with_english_places(graph, "Vive en Pekín.", "es", {}), indent=None))
        (l / live-01 :location (c / city :name (n / name :op1 "Beijing")))
    """
    if lang == "en":
        return graph
    concepts = {node.source: node.target for node in graph.instances()}
    used = set[str]()
    is_only = sum(concepts.get(owner) in CITIES | COUNTRIES for owner, _, _ in graph.edges(role=":name")) == 1
    for owner, _, name in graph.edges(role=":name"):
        words = name_words(graph, name)
        if not words or concepts.get(owner) not in CITIES | COUNTRIES:
            continue
        language = english_languages(lang).get(plain_form(whole_name(words)))
        if concepts[owner] in COUNTRIES and language is not None:
            graph = renamed(graph, words, language)
            country = (owner, ":instance", concepts[owner])
            graph = replace_triples(graph, {country: (owner, ":instance", "language")})
            continue
        table = city_table() if concepts[owner] in CITIES else country_table(lang)
        whole = whole_name(words)
        english = table.english.get(table_form(whole), whole)
        unknown = table_form(english) == table_form(whole)
        if unknown and _in_another_script(text) and not _holds(text, whole):
            near = [spans[variable] for variable in (name, owner) if variable in spans]
            named = _named(text, table, near, whole)
            if named == whole and is_only:
                named = _named(text, table, [(0, len(text))], whole)
            english = whole if named in used else named
            used.add(named)
        if table_form(english) != table_form(whole):
            graph = renamed(graph, words, english)
    return graph


def _holds(text: str, name: str) -> bool:
    """Return whether a sentence of a non-Latin script contains a name in Latin letters."""
    return {*map(plain_form, _LATIN_WORD.findall(text))}.issuperset(map(plain_form, name.split()))


def _named(text: str, table: Gazetteer, near: Sequence[Span], name: str) -> str:
    """Return the only place in the aligned words; ``name`` if it is in the sentence, or no place is found."""
    places = list(table.places_in(text))
    here = {english for span, english in places if any(map(partial(overlap, span), near))}
    known = {table_form(place) for _, place in places} | _ALIASES
    return here.pop() if len(here) == 1 and table_form(name) not in known else name


def _inflected(name: str, word: str) -> bool:
    """Return whether a word is a name with another ending, or with a Korean particle."""
    for closed, opened in _ALTERNATING:
        if name.endswith(closed) and _inflected(name.removesuffix(closed) + opened, word):
            return True
    stem = max(len(name) - 2, 4)
    if unicodedata.name(name[0], "").startswith("HANGUL"):
        stem = max(len(name), 2)
    return word[:stem] == name[:stem] and len(name) >= stem and abs(len(word) - len(name)) <= MOST_ENDING


def _in_another_script(text: str) -> bool:
    latin = [unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha()]
    return 2 * sum(latin) < len(latin)


@cache
def city_table() -> Gazetteer:
    """Return the cities of GeoNames."""
    packed = (files("parser.mini.rules") / "data" / "cities.tsv.xz").read_bytes()
    table: dict[str, str] = {}
    for line in lzma.decompress(packed).decode("utf-8").splitlines():
        english, *others = line.split("\t")
        table.update(dict.fromkeys((table_form(english), *others), english))
    return Gazetteer.of(table)


@cache
def country_table(lang: str) -> Gazetteer:
    """Return the countries and continents of CLDR in a language."""
    from babel.core import Locale

    own, known = locale_of(lang), Locale.parse("en").territories
    names = {} if own is None else own.territories
    pairs = ((name, _ENGLISH.get(code, known.get(code, ""))) for code, name in names.items())
    plain = ((name, english) for name, english in pairs if WORD.fullmatch(english.replace(" ", "")))
    long = {table_form(name): english for name, english in plain if english != "Americas"}
    return Gazetteer.of(long | _SHORT)
