"""Align the nodes of an English graph with the words that name them.

The decoder's attention aligns nodes with words, and is often off by one word (apple = "an"). If the sentence
contains the concept itself or a regular form of it, the node is aligned with that word; all other spans stay.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from amrx.types import Parse

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SENSE = re.compile(r"-\d\d+$")
_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "ers", "r", "ly", "n", "en")
_PRONOUNS = {
    "i": {"me", "my", "myself", "mine"}, "he": {"him", "his", "himself"}, "she": {"her", "herself", "hers"},
    "we": {"us", "our", "ourselves", "ours"}, "they": {"them", "their", "themselves", "theirs"},
    "you": {"your", "yourself", "yours"}, "it": {"its", "itself"}, "person": {"people"},
    "man": {"men"}, "woman": {"women"}, "child": {"children"},
}  # fmt: skip


def forms_of(concept: str) -> set[str]:
    """Return a concept's lemma and its regular forms, in lower case.

    Example:
        >>> "carrying" in forms_of("carry-01"), "stopped" in forms_of("stop-01"), "an" in forms_of("apple")
        (True, True, False)
    """
    lemma = _SENSE.sub("", concept.lower())
    stems = {lemma, lemma + lemma[-1:]}
    if lemma.endswith("e"):
        stems.add(lemma[:-1])
    if lemma.endswith("y"):
        stems.add(lemma[:-1] + "i")
    return {lemma, *(stem + ending for stem in stems for ending in _ENDINGS), *_PRONOUNS.get(lemma, ())}


def with_own_words(parse: Parse) -> Parse:
    """Return an English parse with nodes aligned with their own words; return other parses unchanged.

    Nodes share a word only if no other form of the concept is free; of several words the nearest is taken.
    """
    if parse.lang != "en" or not parse.alignments:
        return parse
    spans = dict(parse.alignments)
    words = defaultdict(list)  # by their lower case, because a document has thousands of words and nodes
    for match in _WORD.finditer(parse.text):
        words[match[0].lower()].append(match.span())
    concepts: Mapping[str, str] = {
        node: concept for node, _, concept in parse.graph.instances() if node in spans and concept
    }
    own = {
        node: sorted(span for form in forms_of(concept) if form in words for span in words[form])
        for node, concept in concepts.items()
    }
    # an aligned span may contain punctuation, as in "Dr."
    held = {
        node: {span for span in own[node] if spans[node][0] <= span[0] and span[1] <= spans[node][1]}
        for node in own
    }
    right = {node for node in own if held[node]}
    taken = {span for node in right for span in held[node]}
    for node, places in own.items():
        if node not in right and places:
            free = [span for span in places if span not in taken] or places
            spans[node] = min(free, key=lambda span: abs(span[0] - parse.alignments[node][0]))
            taken.add(spans[node])
    return replace(parse, alignments=spans)
