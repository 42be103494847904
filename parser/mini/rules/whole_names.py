"""Give names the words between their words that the parser lost, and take those of other names from them.

::

    ... the New England Journal of Medicine      :name (n / name :op1 "New" :op2 "England" :op3 "Medicine")
                ──>  :name (n / name :op1 "New" :op2 "England" :op3 "Journal" :op4 "of" :op5 "Medicine")

A name is completed if all of its words stand in one part of the sentence that could be a name: at most `MOST`
words more, all with a capital letter, a digit, or small words such as *of*, without a comma, and none that is
aligned to another concept or stands in another name. If the words stand in no such part, those that another
name of the graph has are taken away (*Nicklaus*, and *Nicklaus Perry*).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain, product

import penman

from amrx.composed_text import Span, overlap
from parser.mini.rules.name_words import name_words, renamed, whole_name

MOST = 3
"""Maximum number of words that a name lacks."""
_JOINING = frozenset(("and", "e", "et", "i", "und", "y"))
_SMALL = _JOINING.union(
    "& das de dei del dell della delle den der des die do dos du".split(),
    "el for la las le les los of the van von".split(),
)
_TOKEN = re.compile(r"[^\s(\[{\"“„«‘'’@]\S*")
_JOIN = r"[-\s./'’]{1,2}"
"""The signs between two neighbouring words of a name."""
_PART = re.compile(r"\w(?:[\w.]*\w)?")
_BREAK = re.compile(r"[,;:()\[\]{}\"“”„«»!?…]|['’]s?(?=\s|$)|\w{4,}\.\s")
"""Ends of a name: punctuation, a possessive, the end of a sentence."""


def with_whole_names(graph: penman.Graph, text: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with whole names, and none of parts of two; the same object if nothing changes.

    Args:
        graph: Graph of a sentence.
        text: The sentence. One in capitals, or of a script without them, gives nothing.
        alignments: Spans of the variables in the text.

    Example:
        >>> graph = penman.decode('(u / university :name (n / name :op1 "Penn" :op2 "University"))')
        >>> graph = with_whole_names(graph, "It is from Penn State University.", {})
        >>> print(penman.encode(graph, indent=None))
        (u / university :name (n / name :op1 "Penn" :op2 "State" :op3 "University"))
    """
    owners = {name: owner for owner, _, name in graph.edges(role=":name")}
    words = {name: whole_name(name_words(graph, name)).split() for name in owners}
    if text.isupper():
        return graph
    for name, owner in owners.items():
        own, pattern = words[name], _JOIN.join(map(re.escape, words[name]))
        if len(own) < 2 or re.search(pattern, text, re.IGNORECASE):
            continue
        others = {word.casefold() for other in words if other != name for word in words[other]}
        part, lost = _part(own, text)
        if part is None:
            words[name] = _own_words(own, others, text)
        elif _are_free(
            text, lost, others, [alignments[node] for node in alignments if node not in (name, owner)]
        ):
            words[name] = text[slice(*part)].split()
        if words[name] is not own:
            graph = renamed(graph, name_words(graph, name), " ".join(words[name]))
    return graph


def _part(words: list[str], text: str) -> tuple[Span | None, list[Span]]:
    """Return the part of the sentence that could be a whole name, and the words in it that the name lacks."""
    tokens = [found.span() for found in _TOKEN.finditer(text)]
    parts = [_parts(text[begin:end]) for begin, end in tokens]
    shortest = _shortest(words, parts)
    if shortest is None:
        return None, []
    first, after = shortest
    begin, end = tokens[after - 1]
    ends = [place for word in words for _, place in _places(word, text[begin:end])]
    span = tokens[first][0], begin + max(ends, default=end - begin)
    lost = [tokens[i] for i in range(first, after) if parts[i].keys().isdisjoint(map(str.casefold, words))]
    return (span, lost) if _is_name(text[slice(*span)], words) else (None, [])


def _parts(token: str) -> Counter[str]:
    """Return a word without punctuation, and its parts at hyphens and the like, in small letters."""
    bare = token.casefold().rstrip(",;:!?)]}\"”»'’")
    return Counter({bare, bare.rstrip("."), *_PART.findall(bare)})


def _shortest(words: list[str], parts: list[Counter[str]]) -> Span | None:
    """Return the tokens of the shortest part of the sentence with all words of a name."""
    wanted = Counter(map(str.casefold, words))
    for size in range(1, len(words) + MOST + 1):
        for begin in range(len(parts) - size + 1):
            inside = sum(parts[begin : begin + size], Counter[str]())
            if wanted <= inside:
                places = [next(i for i, part in enumerate(parts[begin:]) if word in part) for word in wanted]
                return (begin, begin + size) if places == sorted(places) or len(words) > 2 else None
    return None


def _own_words(words: list[str], others: set[str], text: str) -> list[str]:
    """Return the words of a name without those of other names that are elsewhere in the sentence."""
    own = [word for word in words if word.casefold() not in others]
    if len(own) == len(words) or not any(len(word) > 1 and word[0].isupper() for word in own):
        return words
    places = {word: _places(word, text) for word in words}
    pairs = product(
        chain.from_iterable(places[word] for word in own),
        chain.from_iterable(places[word] for word in words if word not in own),
    )
    between = [text[min(one[1], other[1]) : max(one[0], other[0])] for one, other in pairs]
    is_apart = all(places.values()) and not any(
        len(part.split()) <= MOST and _is_name(part, words) for part in between
    )
    return own if is_apart else words


def _places(word: str, text: str) -> list[Span]:
    """Return where a text has a word."""
    found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return [one.span() for one in found]


def _is_name(part: str, words: list[str]) -> bool:
    """Return whether a part of the sentence could be one name."""
    own = {word.casefold() for word in words}
    return _BREAK.search(part) is None and all(
        word[0].isupper() or word[0].isdigit() or word in _SMALL or word.casefold() in own
        for word in part.split()
    )


def _are_free(text: str, lost: list[Span], others: set[str], taken: list[Span]) -> bool:
    """Return whether lost words are neither of another name nor of another concept."""
    words = {text[begin:end].casefold() for begin, end in lost}
    return (
        (not words or not words <= _JOINING)
        and others.isdisjoint(words - _SMALL)
        and not any(overlap(span, word) for span in taken for word in lost)
    )
