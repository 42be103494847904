"""Translate adjectives that the parser misreads, and add those that it leaves out before or after a noun.

::

    Das Messer ist rostig. (de)   (r / red-02 :ARG1 (k / knife))  ──>  (r / rusty :domain (k / knife))
    Tiene un hermano terco. (es)  (p / person :ARG0-of ...)       ──>  (p / person ... :mod (a2 / stubborn))

A small parser writes another concept, or none, for a word that it saw rarely. If no concept of the graph is
near the translation of an adjective, the concept that is aligned to it is replaced. The old concept must not
be written like the new one. Nor may it be near the translation of another word, or written like one without a
concept, because then its alignment may be wrong. It has at most one argument, the thing that the adjective
describes.
A noun that describes nothing stays: the word may be that noun, as Russian *лев* is *lion* and *left*. The
relation to that thing follows the new concept: ``:domain`` or ``:mod``, or an argument of a frame of
PropBank. An adjective without a concept is added to that of the noun beside it.

Translations are in ``data/adjectives/``, a file per language, and the concepts near each of them in
``data/near_adjectives.tsv.xz``, made by ``scripts/gather_adjectives.py`` from the dictionaries of WikDict,
and by ``scripts/everyday_adjectives.py`` from lists by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import penman
from penman.layout import Push

from amrx.composed_text import WORD, Span
from linearize.frames import Triple, replace_triples
from linearize.vocabulary import is_frame
from parser.graphs.triples import laid_out
from parser.mini.rules.dictionaries import near_words, translations
from parser.mini.rules.nouns import UNSPACED, alike, lemma
from parser.mini.rules.nouns import translate as noun_of
from parser.mini.rules.verbs import INSIDE, verbs_of

_KEPT = frozenset(
    "and or person multi-sentence name thing this that amr-unknown more most less least too very possible-01"
    " permit-01 obligate-01 obligate-02 recommend-01 cause-01 contrast-01".split()
)
"""Concepts that say no more of a thing than that it is there, and those of moods, degrees and clauses."""
_CONSTRUCTION = re.compile(r".+-(?:9\d|entity|quantity)|[^a-z].*")
_EMPTY = frozenset("person thing have be-located-at".split())
"""Concepts that may be aligned to an adjective by mistake."""
_ROLES = frozenset({"have-rel-role-91", "have-org-role-91"})
_AFTER_NOUN = frozenset({"ca", "es", "fr", "id", "it", "pt"})
"""Languages whose adjectives follow their noun."""
_WHOLE = re.compile("[\u30a0-\u30ff\u4e00-\u9fff]")
"""A letter that may belong to the word beside it: katakana, or a Chinese character."""
_DEGREE = re.compile("(?:[很太更最挺较真]|非常|十分|特别|有点|比较|极其|相当|如此|这么|那么)$")
"""A Chinese adverb of degree."""
_END = re.compile("[的了]|[^\\w]|$")
"""The Chinese letters after an adjective: *de*, *le*, or the end of a clause."""
LONGEST = 6
"""Maximum number of letters of an adjective in a text without spaces."""


class Adjective(NamedTuple):
    """An adjective of a sentence."""

    span: Span
    role: str  # of the thing that it describes
    concept: str


def with_translated_adjectives(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which misread adjectives are translated; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(k / knife :ARG1-of (r / red-02))")
        >>> spans = {"k": (13, 19), "r": (4, 12)}
        >>> graph = with_translated_adjectives(graph, "Ein rostiges Messer.", "de", spans)
        >>> print(penman.encode(graph, indent=None))
        (k / knife :mod (r / rusty))
    """
    for adjective in adjectives(text, lang):
        close = near(lemma(adjective.concept))
        if any(lemma(str(concept)) in close for _, _, concept in graph.instances()):
            continue
        nodes = aligned_concepts(graph, alignments, adjective.span)
        node = next((node for node, old in nodes.items() if _is_misread(graph, node, old, lang)), None)
        if node is not None:
            if not may_be_right(nodes[node], adjective, text, lang, alignments):
                graph = _replaced(graph, node, adjective)
        elif all(lemma(old) in _EMPTY for old in nodes.values()) and lang not in UNSPACED:
            thing = _thing(graph, text, lang, alignments, adjective)
            graph = graph if thing is None else _added(graph, thing, adjective)
    return graph


def adjectives(text: str, lang: str) -> Iterator[Adjective]:
    """Yield the known adjectives of a text.

    Example:
        >>> list(adjectives("Das Messer ist rostig.", "de"))
        [Adjective(span=(15, 21), role=':domain', concept='rusty')]
    """
    table = adjectives_of(lang)
    spans = _unspaced(text, lang) if lang in UNSPACED else (match.span() for match in WORD.finditer(text))
    for begin, end in spans if table else ():
        word = text[begin:end]
        if word.lower() in table and not (word[0].isupper() and INSIDE.search(text[:begin])):
            yield Adjective((begin, end), *table[word.lower()].split())


def _unspaced(text: str, lang: str) -> Iterator[Span]:
    """Yield the spans of adjectives in a text without spaces, the longest of those that begin at a letter.

    Of Japanese, a kanji or katakana at either end must not be beside another one. Of Chinese, an adverb of
    degree is before the word, or *de*, *le* or the end of a clause after it, and no known noun or verb
    overlaps it unless it is inside it.
    """
    table, after = adjectives_of(lang), 0
    for begin in range(len(text)):
        ends = range(min(begin + LONGEST, len(text)), begin + 1, -1)
        end = next((end for end in ends if text[begin:end] in table), 0)
        if begin < after or not end:
            continue
        if lang == "zh":
            is_whole = _is_marked(text, begin, end) and not _is_part(text, (begin, end), lang)
        else:
            is_whole = not (_cuts(text, begin) or _cuts(text, end))
        if is_whole:
            yield begin, end
            after = end


def _cuts(text: str, at: int) -> bool:
    """Return whether a place is between two letters that may belong to one word."""
    return bool(_WHOLE.match(text[max(at - 1, 0) : at]) and _WHOLE.match(text[at : at + 1]))


def _is_marked(text: str, begin: int, end: int) -> bool:
    """Return whether a Chinese word is after an adverb of degree, or before *de* or the end of a clause."""
    return bool(_DEGREE.search(text[:begin]) or _END.match(text[end:]))


def _is_part(text: str, span: Span, lang: str) -> bool:
    """Return whether a known noun or verb that is not inside a span of Chinese has a part of it."""
    nouns, verbs = translations("nouns", lang), verbs_of(lang)
    return any(
        text[begin:end] in nouns or text[begin:end] in verbs
        for begin in range(max(span[0] - LONGEST + 1, 0), span[1])
        for end in range(max(begin, span[0]) + 1, min(begin + LONGEST, len(text)) + 1)
        if begin < span[0] or end > span[1]
    )


def aligned_concepts(graph: penman.Graph, alignments: Mapping[str, Span], span: Span) -> dict[str, str]:
    """Return the concepts of the nodes that are aligned to a word or to a part of it."""
    return {
        node: str(concept)
        for node, _, concept in graph.instances()
        if node in alignments and alignments[node][0] < span[1] and alignments[node][1] > span[0]
    }


def _is_misread(graph: penman.Graph, node: str, concept: str, lang: str) -> bool:
    """Return whether a node may be an adjective: it has no name, describes one thing at most, and is no noun.

    A noun describes nothing and is no frame; in German nouns have capitals.
    """
    named = any(edge.role == ":name" for edge in graph.edges(source=node))
    described = sum(_describes(edge, node) for edge in graph.edges())
    may_be_noun = not described and not is_frame(concept) and not graph.edges(target=node, role=":manner")
    is_noun = may_be_noun and lang != "de"
    return not (concept in _KEPT or _CONSTRUCTION.fullmatch(concept) or named or is_noun or described > 1)


def _describes(edge: Triple, node: str) -> bool:
    """Return whether a relation leads from a node to the thing that it describes, or to an argument."""
    source, role, target = edge
    argument = source == node and (role == ":domain" or role.startswith(":ARG"))
    return argument or (role, target) == (":mod", node)


def _replaced(graph: penman.Graph, node: str, adjective: Adjective) -> penman.Graph:
    """Return the graph with a new concept of a node, and a relation of that concept to the thing."""
    changed = dict[Triple, Triple]()
    for triple in graph.triples:
        source, role, target = triple
        if source == node and role == ":instance":
            changed[triple] = (node, role, adjective.concept)
        elif _describes(triple, node):
            marks = graph.epidata.get(triple, ())
            inverse = any(isinstance(mark, Push) and mark.variable == node for mark in marks)
            thing = str(target if source == node else source)
            is_mod = adjective.role == ":domain" and inverse
            changed[triple] = (thing, ":mod", node) if is_mod else (node, adjective.role, thing)
    return replace_triples(graph, changed)


def _added(graph: penman.Graph, thing: str, adjective: Adjective) -> penman.Graph:
    """Return the graph with an adjective that describes a thing."""
    node = next(name for number in range(2, 1000) if (name := f"a{number}") not in graph.variables())
    relation = (thing, ":mod", node) if adjective.role == ":domain" else (node, adjective.role, thing)
    return laid_out([*graph.triples, relation, (node, ":instance", adjective.concept)], graph.top)


def _thing(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span], adjective: Adjective
) -> str | None:
    """Return the node of the noun beside an adjective; a person for its relation or role."""
    words = [match.span() for match in WORD.finditer(text)]
    place = words.index(adjective.span) + (-1 if lang in _AFTER_NOUN else 1)
    if not 0 <= place < len(words):
        return None
    begin, end = words[place]
    between = text[adjective.span[1] : begin] if begin > adjective.span[0] else text[end : adjective.span[0]]
    if between != " " or noun_of(text, (begin, end), lang) is None:
        return None
    node = next(iter(aligned_concepts(graph, alignments, (begin, end))), None)
    if node is None:
        return None
    concepts = {one: concept for one, _, concept in graph.instances()}
    relations = [
        edge.source for edge in graph.edges(role=":ARG2", target=node) if concepts[edge.source] in _ROLES
    ]
    agents = [edge.target for one in (node, *relations) for edge in graph.edges(source=one, role=":ARG0")]
    return next((str(one) for one in agents if concepts[one] == "person"), node)


def may_be_right(
    concept: str, adjective: Adjective, text: str, lang: str, alignments: Mapping[str, Span]
) -> bool:
    """Return whether a concept may be that of an adjective, or of a word, as a noun or verb, too."""
    plain, spans = lemma(concept), set(alignments.values())
    return alike(concept, adjective.concept) or any(
        (span not in spans and alike(text[slice(*span)], plain)) or plain in _meanings(text, span, lang)
        for span in (match.span() for match in WORD.finditer(text))
    )


def _meanings(text: str, span: Span, lang: str) -> set[str]:
    """Return concepts that may be right for a word, as far as a dictionary has it, without senses."""
    word = text[slice(*span)].lower()
    noun, verb, adjective = noun_of(text, span, lang), verbs_of(lang).get(word), adjectives_of(lang).get(word)
    close = near_words("verbs").get(lemma(verb).replace("-", " "), ()) if verb else ()
    meanings = {one.replace(" ", "-") for one in close}
    if noun:
        meanings |= {noun, *near_words("nouns").get(noun, ())}
    return meanings | near(lemma(adjective.split()[1])) if adjective else meanings


def adjectives_of(lang: str) -> Mapping[str, str]:
    """Return roles and concepts by the adjectives of a language; empty for languages without translations."""
    return translations("adjectives", lang)


def near(adjective: str) -> frozenset[str]:
    """Return the concepts near that of an adjective in `adjectives_of`, without senses, itself included."""
    return near_words("adjectives").get(adjective, frozenset())
