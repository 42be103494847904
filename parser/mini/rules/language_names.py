"""Translate the names of languages to English, as AMR requires, by CLDR.

::

    Parlez-vous anglais ? (fr)    (l / language :name (n / name :op1 "anglais"))  ──>  :op1 "English"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import penman

from parser.mini.rules.locales import locale_of
from parser.mini.rules.name_words import name_words, renamed, whole_name
from parser.mini.rules.place_names import plain_form


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
