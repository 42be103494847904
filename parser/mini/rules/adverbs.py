"""Write everyday adverbs that the parser loses or misreads.

::

    Helaas regent het. (nl)    (r / rain-01 :mod (p / probable))  ──>  (... :mod (u / unfortunate))
    Fumaba a escondidas. (es)  (s / smoke-02 :ARG0 (h / he))      ──>  (... :manner (s2 / secret))

A sentence with one clause only is changed: one frame, at the top, and no comma or quotation mark except next
to the adverb. If no concept is near that of the adverb, a leaf that is aligned to the adverb is replaced, or
else the adverb is added to the top. A negated clause is left unchanged, and so is a leaf whose
concept may be right for another word.

The adverbs are in ``data/adverbs.tsv``: a language, a role, a concept, and its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import free_variable, laid_out
from parser.mini.rules.adjectives import Adjective, aligned_concepts, may_be_right, near
from parser.mini.rules.nouns import lemma

_NEAR = {
    "accidental": {"accident", "chance", "coincidence", "coincidental", "random", "happen"},
    "careful": {"care", "caution", "cautious", "prudent", "attentive", "gentle"},
    "hardly": {"barely", "scarce", "almost", "little", "just"},
    "loud": {"noisy", "aloud"},
    "rare": {"seldom", "infrequent"},
    "secret": {"covert", "secretive", "clandestine"},
    "sudden": {"abrupt", "unexpected"},
    "unfortunate": {"regrettable", "regret", "sad", "sorry", "pity", "fortunate"},
    "usual": {"normal", "typical", "general", "most", "common", "habit"},
}
"""Concepts that say the same as that of an adverb, without senses."""
_BREAK = re.compile('[,;:"«»„“”]')
_DETERMINER = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|[msd]ein|ihr|unser|euer|eur)(?:e[mnrs]?)?"
    r"|de|het|een|mijn|jouw|uw|zijn|haar|hun|onze?) $",
    re.IGNORECASE,
)
"""German and Dutch text before an adverb of an adjective: *seine heimlich geliebte Frau*."""
_PARTICIPLE = re.compile(r" \w+e[mnrs]? \w")
"""Text after it."""
_GERMANIC = frozenset({"de", "nl"})
_COURTEOUS = frozenset({"accidental", "sudden"})
"""Adverbs that mean *perhaps* in a question."""
_STATES = re.compile(r"have-.*-9\d")
_DOERS = frozenset({"person", "thing", "company", "organization"})
"""Concepts of which a frame may tell what they do (``person :ARG0-of teach-01``)."""


def with_adverbs(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with its lost or misread adverbs; the same object if nothing changes.

    Args:
        graph: The graph.
        text: The sentence.
        lang: Its language.
        alignments: Span of the word of each node, by variable.

    Example:
        >>> graph = penman.decode("(r / rain-01 :mod (p / probable))")
        >>> graph = with_adverbs(graph, "Helaas regent het.", "nl", {"r": (7, 13), "p": (0, 6)})
        >>> print(penman.encode(graph, indent=None))
        (r / rain-01 :mod (u / unfortunate))
    """
    for adverb in adverbs(text, lang):
        concepts = {node: lemma(str(concept)) for node, _, concept in graph.instances()}
        plain = lemma(adverb.concept)
        begin, end = adverb.span
        around = text[:begin].rstrip(" ,") + text[end:].lstrip(" ,")
        known = near(plain) | _NEAR[plain] | {plain}
        is_known = not known.isdisjoint(concepts.values())
        if is_known or _is_another(adverb, text, lang) or _BREAK.search(around) or not _is_one_clause(graph):
            continue
        wrong = aligned_concepts(graph, alignments, adverb.span)
        if any(not _is_leaf(graph, node) for node in wrong) or any(
            concept == "amr-unknown" or may_be_right(concept, adverb, text, lang, alignments)
            for concept in wrong.values()
        ):
            continue
        kept = [triple for triple in graph.triples if triple[0] not in wrong and triple[2] not in wrong]
        name = free_variable(plain[0], concepts)
        source, role, target = (
            (name, adverb.role.removesuffix("-of"), graph.top)
            if adverb.role.endswith("-of")
            else (graph.top, adverb.role, name)
        )
        graph = laid_out([*kept, (source, role, target), (name, ":instance", adverb.concept)], graph.top)
    return graph


def _is_another(adverb: Adjective, text: str, lang: str) -> bool:
    """Return whether an adverb has another meaning, or is not that of the sentence.

    *Weet je toevallig hoe laat het is?*, *Осторожно, двери закрываются.*, *Nauwelijks thuis belde hij.*
    """
    begin, end = adverb.span
    return (
        (adverb.concept in _COURTEOUS and "?" in text)
        or (adverb.concept == "careful" and text[end:].startswith(","))
        or (adverb.concept == "hardly" and not text[:begin].strip())
        or (lang in _GERMANIC and bool(_DETERMINER.search(text[:begin]) and _PARTICIPLE.match(text, end)))
    )


def adverbs(text: str, lang: str) -> Iterator[Adjective]:
    """Yield the known adverbs of a text.

    Example:
        >>> [adverb.concept for adverb in adverbs("De repente ladró el perro.", "es")]
        ['sudden']
    """
    for words, role, concept in _adverbs_of(lang):
        for match in words.finditer(text):
            yield Adjective(match.span(), role, concept)


@cache
def _adverbs_of(lang: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    lines = (files("parser.mini.rules") / "data" / "adverbs.tsv").read_text("utf-8").splitlines()
    rows = (line.replace(" ", "\t", 1).split("\t") for line in lines)
    return tuple(
        (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), role, concept)
        for own, role, concept, words in rows
        if own == lang
    )


def _is_one_clause(graph: penman.Graph) -> bool:
    """Return whether the top is a frame that is not negated, and the only frame with arguments of its own."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    negated = any(role == ":polarity" for _, role, _ in graph.attributes())
    targets = {target for _, _, target in graph.edges()}
    others = any(
        role.startswith(":ARG")
        and source != graph.top
        and target != graph.top
        and not _STATES.fullmatch(concepts[source])
        and (source in targets or concepts[target] not in _DOERS)
        for source, role, target in graph.edges()
    )
    top = concepts[str(graph.top)]
    return is_frame(top) and not re.search(r"-9\d$", top) and not negated and not others


def _is_leaf(graph: penman.Graph, node: str) -> bool:
    """Return whether a node has one relation, and that is not from the top of the graph down to a subject."""
    related = [edge for edge in graph.edges() if node in (edge.source, edge.target)]
    return (
        node != graph.top
        and len(related) == 1
        and related[0].role != ":ARG0"
        and not graph.attributes(source=node)
    )
