"""Replace words that the parser invented by ``thing``.

A concept without a symbol is spelled character by character, and a small parser mostly spells words that do
not exist. Such a node shows that the sentence has some concept there, but not which; AMR writes that as
``thing``::

    L'imprimante est cassée.    (s / slice-01 :ARG1 (c / colll))  ──>  (s / slice-01 :ARG1 (c / thing))

The rest of the graph stays. Readings that vote (`parser.ensemble`) keep their invented words: each reading
invents another one, so these lose the vote against real words; ``thing`` could win it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

import penman

from linearize.frames import replace_triples
from linearize.vocabulary import frames
from parser.mini.rules.addresses import ENTITIES
from parser.mini.rules.dictionaries import near_words
from parser.mini.rules.nouns import singular, written_nouns
from parser.mini.symbols import Alphabet
from parser.mini.words import Source

THING = "thing"


def without_invented(graph: penman.Graph, invented: Collection[str]) -> penman.Graph:
    """Return a graph with `THING` instead of every invented word; the same object if it has none."""
    changed = {triple: (triple[0], triple[1], THING) for triple in graph.instances() if triple[2] in invented}
    return replace_triples(graph, changed) if changed else graph


def invented_concepts(graph: penman.Graph, alphabet: Alphabet, source: Callable[[], Source]) -> set[str]:
    """Return the concepts of a graph that are no words.

    Known words are the alphabet's symbols, PropBank's frames and their lemmas, the words of the sentence and
    their singulars, and the nouns and adjectives of the dictionaries (`parser.mini.rules.dictionaries`).

    Args:
        graph: The graph.
        alphabet: Symbols of the parser.
        source: Returns the sentence as the parser reads it; called only if a concept is neither a symbol nor
            a frame.
    """
    concepts = {str(concept) for _, _, concept in graph.instances()}
    known = alphabet.ids, frames(), _lemmas(), alphabet.frames, ENTITIES
    odd = {concept for concept in concepts if not any(concept in words for words in known)}
    return odd - _copies(source()) - written_nouns() - near_words("adjectives").keys() if odd else odd


@cache
def _lemmas() -> frozenset[str]:
    return frozenset(name.rpartition("-")[0] for name in frames())


def _copies(source: Source) -> set[str]:
    """Return the concepts that result from copying words of the sentence, and their singulars."""
    copies = {copy for word in source.words for copy in (word.plain or "", word.text.lower())}
    return copies.union(filter(None, map(singular, copies)))
