"""Write how many times more or as much something is, as AMR does.

::

    twice as big as ours       :ARG3 (e / equal)                     ──>  :ARG3 (t / times :quant 2)
    dix fois plus grand (fr)   :ARG3 (m / more :quant 10)            ──>  :ARG3 (t / times :quant 10)
    half as big                :ARG3 (e / equal)                     ──>  :ARG3 (e / equal :quant "1/2")

The parser leaves the number out, or writes it as a frequency. Only sentences with one comparison
are changed.
"""

from __future__ import annotations

import re

import penman

from amrx.composed_text import compose
from parser.graphs.triples import Triple, free_variable, laid_out
from parser.mini.rules.bounds import numbers_in
from parser.mini.rules.number_words import number_words
from parser.mini.rules.spelled_numbers import with_digits

_TIMES = {
    "da": r"\s+gange\s+(?:så\s+\w+|\w*ere\b|mere|flere)",
    "de": r"\s?mal\s+(?:so\s+\w+|mehr|\w+er\s+als)",
    "en": r"\s+times\s+(?:as\s+\w+|more|\w+er\s+than)",
    "es": r"\s+veces\s+(?:más|mayor\w*|mejor\w*)",
    "fr": r"\s+fois\s+(?:plus|aussi)",
    "it": r"\s+volte\s+(?:più|tanto|maggior\w*)",
    "nb": r"\s+ganger\s+(?:så\s+\w+|\w*ere\b|mer|flere)",
    "nl": r"\s+(?:keer|maal)\s+(?:zo\s?\w+|\w+er\s+dan|meer)",
    "pl": r"\s+raz[ay]?\s+(?:więcej|bardziej|\w+sz[yaei]\w*)",
    "pt": r"\s+vezes\s+(?:mais|maior\w*|melhor\w*)",
    "ru": r"\s+раза?\s+(?:больше|более|\w+(?:ее|ей|же|че|ще|ше)\b)",
    "sv": r"\s+gånger\s+(?:så\s+\w+|\w+re\b|mer)",
    "tr": r"\s+kat(?:ı)?\s+(?:daha|büyük\w*|fazla\w*)",
    "uk": r"\s+раз(?:и|ів)\s+(?:більш\w*|\w+(?:іш\w+|[чш](?:е|а|ий)|ще)\b)",
}  # fmt: skip
"""The words after a number that compare; also the word after them, if it is needed."""
_TWICE = {
    "da": r"dobbelt\s+så\s+\w+",
    "de": r"doppelt\s+so\s+\w+",
    "en": r"twice\s+as\s+\w+",
    "es": r"el\s+doble\s+de\s+\w+",
    "it": r"il\s+doppio\s+(?:di|più)",
    "nb": r"dobbelt\s+så\s+\w+",
    "nl": r"dubbel\s+zo\s+\w+|tweemaal\s+zo\s?\w+",
    "pl": r"dwukrotnie\s+\w+sz[yaei]\w*",
    "pt": r"o\s+dobro\s+d[eoa]s?",
    "ru": r"вдвое\s+(?:больше|\w+(?:ее|ей|же|че|ще|ше)\b)",
    "sv": r"dubbelt\s+så\s+\w+",
    "uk": r"вдвічі\s+(?:більш\w*|\w+(?:іш\w+|[чш](?:е|а|ий)|ще)\b)",
}  # fmt: skip
_HALF = {
    "da": r"halvt\s+så\s+\w+",
    "de": r"halb\s+so\s+\w+",
    "en": r"half\s+as\s+\w+",
    "nb": r"halvparten\s+så\s+\w+",
    "nl": r"half\s+zo\s?\w+",
    "sv": r"hälften\s+så\s+\w+",
}  # fmt: skip
_LESS = re.compile(
    r"\b(?:less|fewer|weniger|moins|menos|meno|minder|mniej|меньше|менее|менше|färre|mindre|færre|little|few|"
    r"peu|wenig\w*|often|oft|öfter|häufig\w*|souvent|frequent\w*|a menudo|spesso|чаще|частіше|vaak|"
    r"vaker|ofte\w*)\b",
    re.IGNORECASE,
)
"""Words that turn the comparison, or that count events."""
_COMPARISONS = ("have-degree-91", "have-quant-91")
_DEGREES = frozenset({"equal", "more", "times"})


def with_multiples(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph whose only comparison has the number of times; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(h / have-degree-91 :ARG1 (i / it) :ARG2 (b / big) :ARG3 (e / equal))")
        >>> print(penman.encode(with_multiples(graph, "It is twice as big.", "en"), indent=None))
        (h / have-degree-91 :ARG1 (i / it) :ARG2 (b / big) :ARG3 (t / times :quant 2))
    """
    nodes = [node for node, _, concept in graph.instances() if concept in _COMPARISONS]
    number = _number(text, lang) if len(nodes) == 1 else None
    if number is None:
        return graph
    degrees = [edge for edge in graph.edges(source=nodes[0], role=":ARG3")]
    if len(degrees) != 1:
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    degree = degrees[0].target
    below = [triple for triple in graph.triples if triple[0] == degree and triple[1] != ":instance"]
    quantities = {value for _, role, value in below if role == ":quant"}
    if concepts[degree] not in _DEGREES or len(below) > len(quantities) or quantities - {number}:
        return graph
    holders = {
        concepts[node] for node, role, value in graph.attributes() if (role, value) == (":quant", number)
    }
    if any(concept.endswith(("-quantity", "-entity")) for concept in holders):
        return graph
    kind = "equal" if number.startswith('"') else "times"
    if (concepts[degree], quantities) == (kind, {number}):
        return graph
    triples: list[Triple] = [
        triple
        for triple in graph.triples
        if triple[0] != degree and not (triple[1] in (":quant", ":frequency") and triple[2] == number)
    ]
    new = free_variable(kind[0], set(concepts) - {degree})
    triples = [(source, role, new if target == degree else target) for source, role, target in triples]
    triples += [(new, ":instance", kind), (new, ":quant", number)]
    return laid_out(triples, graph.top)


def _number(text: str, lang: str) -> str | None:
    """Return the number of times of the only comparison of a sentence, as AMR writes it."""
    if lang not in _TIMES or _LESS.search(text):
        return None
    text = with_digits(compose(text), lang).text
    numbers = list(numbers_in(text, lang))
    ends = {end: number for (_, end), number in numbers}
    multiples = [
        number
        for match in re.finditer(_TIMES[lang], text, re.IGNORECASE)
        for number in [ends.get(match.start()) or _word_before(text[: match.start()], lang)]
        if number
    ]
    multiples += ["2" for _ in _matches(_TWICE, text, lang)] + ['"1/2"' for _ in _matches(_HALF, text, lang)]
    if len(multiples) != 1:
        return None
    return multiples[0] if [number for _, number in numbers].count(multiples[0]) <= 1 else None


def _matches(words: dict[str, str], text: str, lang: str) -> list[str]:
    """Return the phrases of a language in a text."""
    return re.findall(rf"\b(?:{words[lang]})", text, re.IGNORECASE) if lang in words else []


def _word_before(text: str, lang: str) -> str | None:
    """Return the number whose word a text ends with: German *dreimal* is one word."""
    word = re.search(r"\w*$", text)
    number = number_words(lang).values.get(word[0].lower()) if word else None
    return None if number is None else str(number)
