"""Write languages by their English names, as AMR requires, by CLDR, and as languages.

::

    Parlez-vous anglais ? (fr)   (l / language :name (n / name :op1 "anglais"))  ──>  :op1 "English"
    Auf Chinesisch. (de)         (c / country :name (n / name :op1 "China"))
                            ──>  (c / language :name (n / name :op1 "Chinese"))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import penman
from penman.graph import Edge

from amrx.composed_text import WORD, Span, overlap
from parser.graphs.triples import Triple, laid_out
from parser.mini.rules.locales import locale_of
from parser.mini.rules.name_words import name_words, renamed, whole_name
from parser.mini.rules.place_names import plain_form

_SPOKEN_ROLES = frozenset(":ARG1 :ARG2 :ARG3 :ARG4 :location :medium :manner :instrument".split())
_COUNTRIES = {
    "en": ("England", "Britain", "Great Britain", "United Kingdom", "UK", "US", "USA", "America"),
    "nl": ("Holland",), "tr": ("Turkey",), "cs": ("Czech Republic",),
}  # fmt: skip
"""Other names of countries of a language."""
_ENDINGS = {"de": "(?:en?)?", "tr": r"['’]?\w*"}
_SLAVIC = {
    "cs": r"\bNN\w{1,3}\b", "pl": r"\b[Pp]o NNu\b|\bjęzyk\w* NN\w+|\bNN\w+ język\w*",
    "ru": r"\b[Пп]о-NNи\b|\bNN\w+ язык\w*", "uk": r"\bNNою\b(?!\s+(?!мов)\w)|\bNN\w+ мов\w+",
}  # fmt: skip
"""Forms around the stem ``NN`` of the adjective that the language is named by."""
_LEARNT = frozenset(
    "learn-01 speak-01 talk-01 understand-01 translate-01 write-01 read-01 study-01 teach-01".split()
)
_UNAMBIGUOUS = frozenset({"ja", "ko", "tr", "zh"})
"""Languages that do not name languages by the adjective of the country."""
_CHINESE = "中文|汉语|普通话"


def with_english_languages(graph: penman.Graph, lang: str) -> penman.Graph:
    """Return a graph with English names of languages; the same object if nothing changes.

    Only names of one word are translated, in the form listed by CLDR.

    Args:
        graph: The graph.
        lang: Language of the sentence.

    Example:
        >>> graph = penman.decode('(s / speak-01 :ARG3 (l / language :name (n / name :op1 "inglés")))')
        >>> print(penman.encode(with_english_languages(graph, "es"), indent=None))
        (s / speak-01 :ARG3 (l / language :name (n / name :op1 "English")))
    """
    languages = {triple.source for triple in graph.instances() if triple.target == "language"}
    if not languages or lang == "en":
        return graph
    names = {edge.target for edge in graph.edges(role=":name") if edge.source in languages}
    for name in names:
        words = name_words(graph, name)
        whole = whole_name(words)
        english = english_languages(lang).get(plain_form(whole), whole)
        if english != whole:
            graph = renamed(graph, words, english)
    return graph


@cache
def english_languages(lang: str) -> Mapping[str, str]:
    """Return the English names of languages by the plain forms of their one-word names in ``lang``."""
    from babel.core import Locale

    own, english = locale_of(lang), Locale.parse("en")
    pairs = (
        [] if own is None else [(name, english.languages.get(code)) for code, name in own.languages.items()]
    )
    return {plain_form(name): known for name, known in pairs if known and " " not in f"{name}{known}"}


def with_spoken_languages(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which what is spoken or written is a language, not a country.

    A country becomes the language that the sentence names if it is an argument or a place and has that
    language, or is aligned to its name: *in Chinese*, not *in China* or *Chinese tea*. So does a person of
    that country who is learnt or spoken.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Spans of the variables in the sentence.

    Example:
        >>> graph = penman.decode('(s / speak-01 :ARG1 (c / country :name (n / name :op1 "China")))')
        >>> print(penman.encode(with_spoken_languages(graph, "She speaks Chinese.", "en", {}), indent=None))
        (s / speak-01 :ARG1 (c / language :name (n / name :op1 "Chinese")))
    """
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    named = [edge for edge in graph.edges(role=":name") if concepts[edge.source] in ("country", "language")]
    spoken = list(_spoken(text, lang)) if named else []
    for owner, _, name in named if spoken else ():
        words, node = name_words(graph, name), _spoken_node(graph, owner, concepts, lang)
        own = plain_form(whole_name(words))
        near = [alignments[one] for one in (owner, name) if one in alignments]
        found = {
            one.english
            for one in spoken
            if own in one.countries or any(overlap(one.span, span) for span in near)
        }
        if not words or node is None or len(found) != 1:
            continue
        if concepts[owner] == "country" or found != {whole_name(words)}:
            graph = _as_language(renamed(graph, words, found.pop()), owner, name, node)
    return graph


def _spoken_node(graph: penman.Graph, owner: str, concepts: Mapping[str, str], lang: str) -> str | None:
    """Return the node that could be the language: the country, or what it describes; ``None`` if neither."""
    above = graph.edges(target=owner)
    if concepts[owner] == "country" and len(above) == 1 and above[0].role == ":mod":
        whole = str(above[0].source)
        learnt = [concepts[one.source] in _LEARNT for one in graph.edges(target=whole)]
        is_bare = concepts[whole] == "person" and len(graph.edges(source=whole)) == 1
        if concepts[whole] == "language" or (is_bare and learnt == [True]):  # the *Chinese language*
            return whole
    is_spoken = lang in _UNAMBIGUOUS or all(_is_spoken(graph, one, concepts) for one in above)
    return owner if concepts[owner] == "language" or (above and is_spoken) else None


def _as_language(graph: penman.Graph, owner: str, name: str, node: str) -> penman.Graph:
    """Return a graph in which ``node`` is the language of a name, and its owner nothing else."""
    gone = {one.source for one in graph.edges(target=name) if _is_alone(graph, one.source)} - {node}
    gone |= {owner} - {node}
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if (source, role, target) == (owner, ":name", name):
            triples.append((node, role, target))
        elif (source, role) == (node, ":instance"):
            triples.append((source, role, "language"))
        elif gone.isdisjoint((source, target)):
            triples.append((source, role, target))
    return laid_out(triples, graph.top)


def _is_alone(graph: penman.Graph, node: str) -> bool:
    """Return whether a node has a name and nothing else."""
    return not graph.edges(target=node) and len(graph.edges(source=node)) == 1 and node != graph.top


class _Spoken(NamedTuple):
    """A language that a sentence names."""

    span: Span
    english: str
    countries: frozenset[str]  # plain forms of the English names of the countries that it could be read as


def _is_spoken(graph: penman.Graph, edge: Edge, concepts: Mapping[str, str]) -> bool:
    """Return whether a relation to a country could be one to a language."""
    if concepts[edge.source] in ("and", "or") and edge.role.startswith(":op"):
        above = graph.edges(target=edge.source)
        return bool(above) and all(_is_spoken(graph, one, concepts) for one in above)
    return edge.role in _SPOKEN_ROLES or (edge.role == ":mod" and concepts[edge.source] == "language")


def _spoken(text: str, lang: str) -> Iterator[_Spoken]:
    """Yield the languages that a sentence names."""
    for pattern, english, countries in _patterns(lang):
        for found in pattern.finditer(text):
            yield _Spoken(found.span(), english, countries)


@cache
def _patterns(lang: str) -> list[tuple[re.Pattern[str], str, frozenset[str]]]:
    """Return the main languages of territories: a pattern of their names, English names, and countries."""
    from babel.core import Locale, get_global

    own, english, likely = locale_of(lang), Locale.parse("en"), get_global("likely_subtags")
    patterns = []
    for code, name in own.languages.items() if own else ():
        territory = likely.get(code, "").rpartition("_")[2]
        is_main = likely.get(f"und_{territory}", "en").partition("_")[0] == code
        known = english.languages.get(code, "")
        if not is_main or not WORD.fullmatch(name) or not WORD.fullmatch(known):
            continue
        countries = {english.territories.get(territory, ""), known, *_COUNTRIES.get(code, ())}
        form = _form(name, lang)
        patterns.append((re.compile(form), known, frozenset(map(plain_form, countries))))
    return patterns


def _form(name: str, lang: str) -> str:
    """Return a pattern for the forms of the name of a language."""
    if lang in ("ar", "ja", "ko", "zh"):
        return _CHINESE if name == "中文" else re.sub("语$", "[语文]", re.escape(name))
    if lang in _SLAVIC:
        return _SLAVIC[lang].replace("NN", re.escape(name[:-2] if lang == "ru" else name[:-1]))
    before = "(?<![Tt]he )" if lang == "en" else ""
    return rf"{before}\b{re.escape(name)}{_ENDINGS.get(lang, '')}\b"
