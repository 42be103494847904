"""Write how many times something happened, where the parser lost it, and *how often* as a question.

::

    Ich habe zweimal angerufen. (de)    (c / call-02 :ARG0 (i / i))
                                   ──>  (c / call-02 :ARG0 (i / i) :frequency 2)
    How often do you swim?              (s / swim-01 :ARG0 (y / you) :frequency (o / often))
                                   ──>  (s / swim-01 :ARG0 (y / you) :frequency (a / amr-unknown))

The number belongs to the nearest verb between the same commas. Comparisons (*three times as fast*) and rates
(*twice a day*) are left to `parser.mini.rules.multiples` and `parser.mini.rules.rates`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out, subtree
from parser.mini.rules.missing import Held
from parser.mini.rules.number_words import folded_word, number_words
from parser.mini.rules.rates import RATE

_TIMES = {
    "ca": r"\s+vegades(?! (?:més|menys|al|per|cada|tan)\b)", "da": r"\s+gange(?! (?:så|mere|om|i)\b)",
    "de": r"\s?mal(?!\w)(?! (?:so|mehr|am|pro|im|in|jede|die|\w+er)\b)",
    "en": r"\s+times(?! (?:as|more|less|the|an?|per|each|every|\w+er)\b)",
    "es": r"\s+veces(?! (?:más|menos|al|por|a la|cada|tan|mayor|menor)\b)",
    "fr": r"\s+fois(?! (?:plus|moins|par|chaque|aussi)\b)",
    "it": r"\s+volte(?! (?:più|meno|al\w*|a|per|ogni|tanto|maggiore|minore)\b)",
    "nb": r"\s+ganger(?! (?:så|mer|om|i)\b)", "nl": r"\s+(?:keer|maal)(?! (?:zo|meer|per|in|elke|\w+er)\b)",
    "pl": r"\s+razy(?! (?:w|na|więcej|mniej|tyle|bardziej|\w+sz\w+)\b)",
    "pt": r"\s+vezes(?! (?:mais|menos|por|ao|à|a cada|tão|maior|menor)\b)",
    "ru": r"\s+раза?(?! (?:в|больше|меньше|\w+ее|\w+ше)\b)",
    "sv": r"\s+gånger(?! (?:så|mer|om|i|per)\b)", "tr": r"\s+(?:kez|kere|defa)(?! daha\b)",
    "uk": r"\s+раз(?:и|ів)(?! (?:на|в|у|більше|менше|\w+іше)\b)",
}  # fmt: skip
"""The words after the number."""
_ADVERBS = {
    "en": {"twice": 2}, "pl": {"dwukrotnie": 2, "trzykrotnie": 3}, "ru": {"дважды": 2, "трижды": 3},
    "uk": {"двічі": 2, "тричі": 3},
}  # fmt: skip
_HOW_OFTEN = {
    "da": "hvor (?:ofte|tit)", "de": "wie (?:oft|häufig)", "en": "how (?:often|frequently)",
    "es": "(?:con qué frecuencia|cada cuánto)", "fr": "(?:à quelle fréquence|tous les combien)",
    "it": "(?:quanto spesso|con che frequenza)", "ja": ".*どのくらいの頻度で", "ko": ".*얼마나 자주",
    "nb": "hvor ofte", "nl": "hoe vaak", "pl": "jak często", "pt": "com que frequência", "ru": "как часто",
    "sv": "hur ofta", "tr": r".*\bne (?:sıklıkla|kadar sık)", "uk": "як часто", "zh": ".*多久.*一次",
}  # fmt: skip
"""Beginnings of questions for the frequency."""
_UNKNOWN = "amr-unknown"
_NO_RATE = r"(?! (?:as|an?|per|each|every|the|в|на|у)\b)"
_MOST = 1000
_BREAK = re.compile("[,;:.!?]")


def with_repetitions(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the number of times; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / call-02 :ARG0 (i / i))")
        >>> graph = with_repetitions(graph, "Llamé dos veces.", "es", {"c": (0, 5), "i": (0, 5)})
        >>> print(penman.encode(graph, indent=None))
        (c / call-02 :ARG0 (i / i) :frequency 2)
    """
    found = list(_found(text, lang))
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if len(found) != 1 or RATE in concepts.values():
        return graph
    span, number = found[0]
    if Held(graph).number(str(number)) or any(role == ":frequency" for _, role, _ in graph.triples):
        return graph
    verbs = {
        node: distance
        for node, place in alignments.items()
        if is_frame(concepts.get(node, "")) and not re.search(r"-9\d$", concepts[node])
        and (distance := _distance(text, place, span)) is not None
    }  # fmt: skip
    if not verbs:
        return graph
    return laid_out(
        [*graph.triples, (min(verbs, key=verbs.__getitem__), ":frequency", str(number))], graph.top
    )


def with_asked_frequency(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph that asks how often something happens; the same object if its sentence does not.

    Only sentences of one clause are changed.

    Example:
        >>> graph = penman.decode("(s / swim-01 :ARG0 (y / you) :polarity (a / amr-unknown))")
        >>> print(penman.encode(with_asked_frequency(graph, "How often do you swim?", "en"), indent=None))
        (s / swim-01 :ARG0 (y / you) :frequency (a / amr-unknown))
    """
    asked = re.match(rf"\W*(?:{_HOW_OFTEN.get(lang, '(?!)')})[^,.;:!]*[?？]\s*$", text, re.IGNORECASE)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    top = str(graph.top)
    if asked is None or not is_frame(concepts[top]):
        return graph
    said = [edge for edge in graph.edges(source=top) if edge.role in (":frequency", ":duration", ":polarity")]
    said += [edge for edge in graph.edges() if concepts[edge.target] == _UNKNOWN and edge not in said]
    is_right = [(edge.role, concepts[edge.target]) for edge in said] == [(":frequency", _UNKNOWN)]
    gone = {node for edge in said for node in subtree(graph, edge.target)}
    held = {end for edge in graph.edges() if edge not in said for end in (edge.source, edge.target)}
    if is_right or top in gone or any(edge.target in held - gone for edge in said):
        return graph
    kept: list[Triple] = [one for one in graph.triples if gone.isdisjoint((one[0], one[2]))]
    node = free_variable("a", set(concepts) - gone)
    new: list[Triple] = [(top, ":frequency", node), (node, ":instance", _UNKNOWN)]
    return laid_out([*kept, *new], top) if is_connected([*kept, *new]) else graph


def _found(text: str, lang: str) -> Iterator[tuple[Span, int]]:
    """Yield the spans of the numbers of times in a sentence, and the numbers."""
    if lang in _TIMES:
        values = number_words(lang).values
        for match in re.finditer(rf"(?<!\w)(\d+|[^\W\d_]+?){_TIMES[lang]}(?!\w)", text, re.IGNORECASE):
            number = int(match[1]) if match[1].isdecimal() else values.get(folded_word(match[1]), 0)
            if 1 < number < _MOST:
                yield match.span(), number
    for word, number in _ADVERBS.get(lang, {}).items():
        for match in re.finditer(rf"(?<!\w){word}(?!\w){_NO_RATE}", text, re.IGNORECASE):
            yield match.span(), number


def _distance(text: str, word: Span, phrase: Span) -> int | None:
    """Return the number of letters between two places, ``None`` if there is a comma or they overlap."""
    first, last = sorted((word, phrase))
    if last[0] < first[1] or _BREAK.search(text, first[1], last[0]):
        return None
    return last[0] - first[1]
