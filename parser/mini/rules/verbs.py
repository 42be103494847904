"""Translate verbs that the parser misreads.

::

    Ayer compré un martillo. (es)    (s / show-01 :ARG0 (i / i) ...)  ──>  (s / buy-01 :ARG0 (i / i) ...)

A small parser writes another verb for a word that it saw rarely. A frame is replaced if the verb that it is
aligned to has an English translation whose frame is not in the graph. The old frame must not be near any
translation. Nor may it be near the translation of another verb of the sentence, or written like another word,
because then its alignment may be wrong. Its arguments stay. English verbs, too, are read as others
(*download* as *file*); there no other verb is near enough.

Translations are in ``data/verbs/``, a file per language, and the verbs near each of them in
``data/near_verbs.tsv.xz``, made by ``scripts/gather_verbs.py`` from the dictionaries of WikDict and from a
list of everyday verbs (``scripts/everyday_verbs.tsv``), the only ones in Japanese and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import penman

from amrx.composed_text import WORD, Span
from linearize.frames import replace_triples
from parser.mini.rules.dictionaries import near_words, translations
from parser.mini.rules.nouns import LONGEST, UNSPACED, alike, is_inside

_FRAME = re.compile(r"([a-z][a-z-]*)-(?!9)\d\d")
_KEPT = frozenset("have be possible permit obligate recommend make do get let cause contrast".split())
"""Verbs of constructions, which neither are replaced nor replace others."""
INSIDE = re.compile(r"[\w,;][^\w.!?:…]*$")
"""The text before a word that does not begin a sentence."""


def with_translated_verbs(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph in which misread verbs are translated; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(s / sing-01 :ARG1 (b / bridge))")
        >>> spans = {"s": (15, 26), "b": (4, 10)}
        >>> graph = with_translated_verbs(graph, "Die Brücke ist eingestürzt.", "de", spans)
        >>> print(penman.encode(graph, indent=None))
        (s / collapse-01 :ARG1 (b / bridge))
    """
    verbs = verbs_of(lang)
    if not verbs:
        return graph
    present = {verb for _, _, concept in graph.instances() if (verb := _verb(str(concept)))}
    changed = {}
    for triple in graph.instances():
        node, _, concept = triple
        verb = _verb(str(concept))
        if verb is None or verb in _KEPT or node not in alignments:
            continue
        begin, end = _written(text, alignments[node], lang)
        frame = verbs.get(text[begin:end].lower())
        if _is_noun(text, begin, lang):
            continue
        if frame is None or (right := _verb(frame)) is None or right in present | _KEPT:
            continue
        others = [word for word in _words(text, lang) if word[1] <= begin or word[0] >= end]
        close = {right} if lang == "en" else near(right)
        particle = verb.startswith(f"{right} ")  # wake up
        if (
            not particle
            and verb not in close
            and not any(_says(text[slice(*word)], verb, verbs) for word in others)
        ):
            changed[triple] = (node, ":instance", frame)
            present.add(right)
    return replace_triples(graph, changed) if changed else graph


def verb_frames(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the verbs of a sentence with their frames.

    Example:
        >>> list(verb_frames("Die Brücke stürzte ein, er nieste.", "de"))
        [((27, 33), 'sneeze-01')]
    """
    verbs, words = verbs_of(lang), _words(text, lang)
    for begin, end in words if verbs else ():
        frame = verbs.get(text[begin:end].lower())
        if frame and not _is_noun(text, begin, lang) and not is_inside((begin, end), words):
            yield (begin, end), frame


def _is_noun(text: str, begin: int, lang: str) -> bool:
    """Return whether a German word has a capital inside the sentence."""
    return lang == "de" and text[begin : begin + 1].isupper() and bool(INSIDE.search(text[:begin]))


def _words(text: str, lang: str) -> list[Span]:
    """Return the spans of words; those of verbs that are known in scripts without spaces."""
    if lang not in UNSPACED:
        return [word.span() for word in WORD.finditer(text)]
    verbs, places = verbs_of(lang), range(len(text) + 1)
    return [
        (begin, end)
        for begin in places
        for end in places[begin : begin + LONGEST + 1]
        if text[begin:end] in verbs
    ]


def _written(text: str, span: Span, lang: str) -> Span:
    """Return the span of the longest known verb that overlaps a span, or the span itself.

    Example:
        >>> _written("球滚动了。", (2, 3), "zh"), _written("Er nieste.", (3, 9), "de")
        ((1, 3), (3, 9))
    """
    if lang not in UNSPACED:
        return span
    known = [word for word in _words(text, lang) if word[0] < span[1] and word[1] > span[0]]
    return max(known, key=lambda word: word[1] - word[0], default=span)


def _says(word: str, verb: str, verbs: Mapping[str, str]) -> bool:
    """Return whether a word may be the one that the parser read as ``verb``."""
    other = _verb(verbs.get(word.lower(), ""))
    return alike(word, verb) or (other is not None and (verb == other or verb in near(other)))


def _verb(frame: str) -> str | None:
    """Return the verb of a frame; ``None`` for other concepts.

    Example:
        >>> _verb("turn-off-05"), _verb("have-rel-role-91"), _verb("dog")
        ('turn off', None, None)
    """
    match = _FRAME.fullmatch(frame)
    return match[1].replace("-", " ") if match else None


def verbs_of(lang: str) -> Mapping[str, str]:
    """Return frames by the verbs of a language; empty for languages without translations."""
    return translations("verbs", lang)


def near(verb: str) -> frozenset[str]:
    """Return the verbs of a meaning near that of an English verb in `verbs_of`, itself included."""
    return near_words("verbs").get(verb, frozenset())
