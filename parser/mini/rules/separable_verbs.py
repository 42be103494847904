"""Write the frame of a separable verb, whose particle is at the end of the clause.

::

    Die App stürzt ständig ab. (de)    (f / fall-01 :ARG1 (a / application) :direction (o / off))
                                  ──>  (f / crash-01 :ARG1 (a / application))
    De trein komt om acht aan. (nl)    (c / come-01 :ARG1 (t / train))  ──>  (c / arrive-01 :ARG1 ...)

The parser reads the stem alone, or the stem with another particle. ``data/separable_verbs.tsv`` has per line
a language, the finite forms and the infinitive of a stem, its participle, and its particles, each with the
frame to write and others that say the same. The verb before a particle is the last one of its clause that
has this particle; a joined form (*abgestürzt*, *anzurufen*) is one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import penman

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out, subtree

_AFTER = {
    "de": "und|oder|aber|weil|dass|denn|wenn|als|um|sondern|obwohl|damit|bevor|nachdem|sobald|bis|an|in|mit"
    "|bei|von|für|nach",
    "nl": "en|of|maar|omdat|want|als|toen|dat|zodra|voordat|om|aan|in|met|bij|van|voor|naar",
}  # fmt: skip
"""Words after a clause, or between a particle and a last adverbial."""
_NO_PARTICLE = {
    "de": r"\bvo[nm] (?:\w+ ){1,2}$|\bda?rauf $|\b(?:auf|ab|hin) und $",
    "nl": r"\bvan(?:af)? (?:\w+ ){1,2}$|\ben $",
}  # fmt: skip
"""Text before a preposition or an adverb: *von Anfang an*."""
_PAIR = re.compile(r" (?:und (?:zu|an|ab)|en (?:toe|neer|aan|af))\b")
"""Text after another adverb: *ab und zu*."""
_ANOTHER_VERB = {
    "de": re.compile(r"\b(?:und|oder|aber|dann) (?!d[aeiu]\w|k?ein|mein|sein|ihr|unser|all|nicht)[a-zäöü]"),
    "nl": re.compile(r"\b(?:en|of|maar|dan)\b"),
}  # fmt: skip
"""Text between a verb and a particle of another verb."""
_START = re.compile(r"(?:^|[.!?:…\"„“«»]\s*)$")
_BARE = frozenset("off up out away down on in back over forth toward to near".split())
"""Concepts of a particle that was read alone."""
_ROLES = frozenset({":direction", ":location", ":mod", ":destination", ":manner", ":ARG2", ":ARG4"})
_RISES = frozenset({"get-up-26", "come-01", "fall-01", "stand-01", "rise-01", "fall-07"})
"""Verbs without an agent that are written for one with an agent."""
_THEMES = frozenset(
    "arrive-01 crash-01 fail-01 get-up-26 grow-up-04 wake-up-02 collapse-01 begin-01 die-01 increase-01 "
    "decrease-01 return-01 occur-01 hold-04".split()
)
"""Verbs whose subject is ``:ARG1``."""
_HIRE, _PEOPLE = "hire-01", frozenset({"person", "man", "woman", "secretary", "job", "cook", "teacher"})
_OTHER = re.compile(r".*-91|(?:possible|permit|obligate|recommend|have|contrast|cause|and)-\d\d")


class _Stem(NamedTuple):
    """A verb without its particles."""

    finite: str
    participle: str
    frames: Mapping[str, tuple[str, ...]]  # by particle: the frame to write, then others that say the same


class _Verb(NamedTuple):
    """A verb of the sentence, with its particle unless it is joined."""

    spans: tuple[Span, ...]
    frames: tuple[str, ...]


def with_separable_verbs(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the frames of separable verbs; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(c / come-01 :ARG1 (p / package) :time (t / today))")
        >>> spans = {"c": (10, 15), "p": (4, 9), "t": (16, 21)}
        >>> graph = with_separable_verbs(graph, "Das Paket kommt heute an.", "de", spans)
        >>> print(penman.encode(graph, indent=None))
        (c / arrive-01 :ARG1 (p / package) :time (t / today))
    """
    for verb in sorted(_verbs_in(text, lang)):
        concepts = {node: str(concept) for node, _, concept in graph.instances()}
        if not set(verb.frames).isdisjoint(concepts.values()):
            continue
        frames = {node for node, one in concepts.items() if is_frame(one) and not _OTHER.fullmatch(one)}
        for span in verb.spans:
            nodes = [node for node in frames if node in alignments and overlap(alignments[node], span)]
            if len(nodes) == 1 and (frame := _frame(graph, nodes[0], verb, concepts)):
                graph = _replaced(graph, nodes[0], _Verb(verb.spans, (frame,)), alignments)
                break
    return graph


def _verbs_in(text: str, lang: str) -> Iterator[_Verb]:
    """Yield the separable verbs of a sentence."""
    stems = _stems().get(lang, ())
    for stem in stems:
        forms = stem.finite + (f"|{stem.participle}" if stem.participle else "")
        for word in re.finditer(rf"(?<![\w-])({'|'.join(stem.frames)})(?:zu|te)?(?:{forms})(?![\w-])", text):
            yield _Verb((word.span(),), stem.frames[word[1]])
    particles = "|".join({particle for stem in stems for particle in stem.frames})
    end = rf'\b(?=\s*(?:[.,;:!?)"»“”…]|$)|\s+(?:{_AFTER.get(lang, "")})\b)'
    for particle in re.finditer(rf"(?<=\s)({particles}){end}", text) if stems else ():
        clause = re.split(r"[.,;:!?](?!\d)", text[: particle.start()])[-1]
        if re.search(_NO_PARTICLE[lang], clause) or _PAIR.match(text, particle.end()):
            continue
        begin = particle.start() - len(clause)
        verbs = [
            _Verb(((begin + word.start(), begin + word.end()), particle.span()), stem.frames[particle[1]])
            for stem in stems
            if particle[1] in stem.frames
            for word in re.finditer(rf"(?<![\w-])(?:{stem.finite})(?![\w-])", clause, re.IGNORECASE)
            if _is_verb(text, begin + word.start()) and not _ANOTHER_VERB[lang].search(clause, word.end())
        ]
        yield from verbs and [max(verbs)]


def _is_verb(text: str, begin: int) -> bool:
    """Return whether a word is no noun: it begins with a small letter, or the sentence."""
    return text[begin].islower() or _START.search(text[:begin]) is not None


def _frame(graph: penman.Graph, node: str, verb: _Verb, concepts: Mapping[str, str]) -> str | None:
    """Return the frame to write; only people are hired (*einstellen*, *aannemen*)."""
    hires = any(concepts[edge.target] in _PEOPLE for edge in graph.edges(source=node, role=":ARG1"))
    if hires and _HIRE in verb.frames:
        return _HIRE
    return None if verb.frames[0] == _HIRE else verb.frames[0]


def _replaced(graph: penman.Graph, node: str, verb: _Verb, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return the graph with another frame, without the particle that was read alone."""
    frame = verb.frames[0]
    concepts = {one: str(concept) for one, _, concept in graph.instances()}
    bare = {
        edge.target
        for edge in graph.edges(source=node)
        if edge.role in _ROLES
        and concepts[edge.target] in _BARE
        and subtree(graph, edge.target) == {edge.target}
        and len(graph.edges(target=edge.target)) == 1
        and any(overlap(alignments.get(edge.target, span), span) for span in verb.spans)
    }
    roles = {edge.role for edge in graph.edges(source=node)}
    renamed: dict[str, str] = {}
    if frame in _THEMES and ":ARG0" in roles and ":ARG1" not in roles:
        renamed = {":ARG0": ":ARG1"}
    elif frame not in _THEMES and concepts[node] in _RISES and ":ARG0" not in roles:
        renamed = {":ARG1": ":ARG0"}
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if source in bare or target in bare:
            continue
        if source == node:
            role, target = renamed.get(role, role), frame if role == ":instance" else target
        triples.append((source, role, target))
    return laid_out(triples, graph.top)


@cache
def _stems() -> Mapping[str, tuple[_Stem, ...]]:
    """Return the stems by language."""
    text = (files("parser.mini.rules") / "data" / "separable_verbs.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    pairs = [
        (lang, _Stem(finite, participle, dict(_particle(one) for one in verbs.split())))
        for lang, finite, participle, verbs in rows
    ]
    return {lang: tuple(stem for own, stem in pairs if own == lang) for lang in {row[0] for row in rows}}


def _particle(written: str) -> tuple[str, tuple[str, ...]]:
    particle, frames = written.split(":")
    return particle, tuple(frames.split(","))
