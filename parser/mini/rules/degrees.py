"""Write what follows from a degree as its consequence: *too tired to drive*, *so angry that he left*.

Romance superlatives, which are written like comparatives, get ``most`` (`with_superlatives`).

::

    Er ist zu müde, um zu fahren. (de)     (t / tire-01 :ARG1 (h / he) :ARG2 (d / drive-01 :ARG0 h))
            ──>  (h2 / have-degree-91 :ARG1 (h / he) :ARG2 (t / tire-01 :ARG1 h) :ARG3 (t2 / too)
                                      :ARG6 (d / drive-01 :ARG0 h))
    La soupe était si chaude que ... (fr)  (h / have-degree-91 ... :ARG3 (e / equal) :ARG4 (b / burn-01 ...))
            ──>  (h / have-degree-91 ... :ARG3 (s / so) :ARG6 (b / burn-01 ...))

The parser reads *too* well beside most adjectives, but *too tired to drive* as *tired of driving*, and *so*
as *as*. The quality is the one node aligned between the word of the degree and that of the consequence, the
consequence the one verb aligned after it that no other verb there governs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out

_BE = {
    "cs": "je|jsou|byl[aoiy]?|jsem", "da": "er|var|blev",
    "de": "bin|bist|ist|sind|war|waren|wurde|wurden|wird",
    "en": r"am|is|are|was|were|be|been|became|becomes?|got|gets?|felt|feels?|looks?|looked|seem(?:s|ed)?"
    r"|\w+['’](?:s|m|re)",
    "fr": "est|sont|était|étaient|suis|es|étais|sera|fut", "nb": "er|var|ble|blir",
    "nl": "ben|bent|is|zijn|was|waren|werd|wordt", "pl": r"jest\w*|są|był\w*|będzie",
    "sv": "är|var|blev|blir",
}  # fmt: skip
"""Forms of *be* before a degree, where its word has other senses."""
_TOO = {
    "cs": ("příliš|moc", "aby"), "da": ("{be} for", "til at"), "de": ("{be} zu", "um"), "en": ("too", "to"),
    "es": ("demasiado", "para"), "fr": ("trop", "pour"), "it": ("troppo", "per"),
    "nb": ("{be} for", "til å"), "nl": ("{be} te", "om"), "pl": ("zbyt|{be} za", "żeby|aby|by"),
    "pt": ("demasiado|muito", "para"), "ro": ("prea", "ca să|pentru a"), "ru": ("слишком|чересчур", "чтобы"),
    "sv": ("{be} för", "för att"), "uk": ("занадто|надто", "щоб"),
}  # fmt: skip
_SO = {
    "cs": ("tak", "že"), "da": ("{be} så", "at"), "de": ("{be} so|derart", "dass"), "en": ("{be} so", "that"),
    "es": ("tan", "que"), "fr": ("{be} si|tellement", "qu(?:e|['’])"), "it": ("così", "che"),
    "nb": ("{be} så", "at"), "nl": ("{be} zo", "dat"), "pl": ("tak(?:[aie]|ie)?", "że"), "pt": ("tão", "que"),
    "ro": ("atât de|așa de", "încât"),
    "ru": ("так(?! (?:как|что))(?:ой|ая|ое|ие)?|настолько", "что"), "sv": ("{be} så", "att"),
    "uk": ("так(?! (?:як|що))(?:ий|а|е|і)?|настільки", "що"),
}  # fmt: skip
"""The word of the degree and that of the consequence."""
_MOST = {
    "es": r"\b(?:el|las?|los)\s(?:\w+\s)?m[áa]s\s\w+\s(?:del?|en|entre)\b",
    "it": r"\b(?:il|lo|la|i|gli|le|l['’])\s?(?:\w+\s)?più\s\w+\s"
    r"(?:d(?:i|el|ell[aeo]|ei|egli)|tra|fra|in|nel\w*)\b",
    "pt": r"\b[ao]s?\s(?:\w+\s)?mais\s\w+\s(?:d[aeo]s?|entre|em|n[ao]s?)\b",
}  # fmt: skip
"""Superlatives that are written like comparatives."""
_TOO_AFTER = {"pt": ("demais", "para")}
"""A word for *too* after its adjective."""
_END = re.compile("[;:.!?–—]|,(?=.*,)")
_ENDS = (":ARG1", ":ARG2")
_DEGREE = "have-degree-91"
_WORDS = frozenset({"too", "so", "equal", "much", "more", "very", "enough"})
"""Concepts of degrees."""


def with_consequences(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the consequence of its only degree; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(t / tire-01 :ARG1 (h / he) :ARG2 (d / drive-01 :ARG0 h))")
        >>> spans = {"t": (10, 14), "h": (0, 2), "d": (22, 28)}
        >>> print(penman.encode(with_consequences(graph, "Er ist zu müde, um zu fahren.", "de", spans)))
        (h2 / have-degree-91
            :ARG1 (h / he)
            :ARG2 (t / tire-01
                     :ARG1 h)
            :ARG3 (t2 / too)
            :ARG6 (d / drive-01
                     :ARG0 h))
    """
    found = [(word, match) for word, pattern in _patterns(lang) for match in pattern.finditer(text)]
    if len(found) != 1:
        return graph
    word, match = found[0]
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    starts = {node: span[0] for node, span in alignments.items() if node in concepts}
    end = _END.search(text, match.end())
    last = end.start() if end else len(text)
    qualities = [
        node
        for node, start in starts.items()
        if match.start() <= start < match.end("quality")
        and concepts[node] != _DEGREE
        and concepts[node] not in _WORDS
    ]
    verbs = {
        node
        for node, start in starts.items()
        if match.end("quality") <= start < last
        and is_frame(concepts[node])
        and not concepts[node].endswith("-91")
    }
    below = {edge.target for edge in graph.edges() if edge.source in verbs and edge.role != ":ARG1-of"}
    verbs -= below
    if not qualities and len(verbs) == 1:
        (verb,) = verbs
        qualities = [edge.source for edge in graph.edges(target=verb) if edge.source not in starts]
    if len(qualities) != 1 or len(verbs) != 1:
        return _without_comparison(graph) if word == "so" else graph
    return _joined(graph, word, qualities[0], verbs.pop())


def _without_comparison(graph: penman.Graph) -> penman.Graph:
    """Return the graph with a consequence in place of what its only degree is compared with."""
    equal = {node for node, _, concept in graph.instances() if concept == "equal"}
    degrees = [edge.source for edge in graph.edges(role=":ARG3") if edge.target in equal]
    compared = [edge for edge in graph.edges(role=":ARG4") if edge.source in degrees]
    if len(degrees) != 1 or len(compared) != 1:
        return graph
    new: dict[Triple, Triple] = {compared[0]: (compared[0].source, ":ARG6", compared[0].target)}
    new |= {(node, ":instance", "equal"): (node, ":instance", "so") for node in equal}
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)


def with_superlatives(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph whose only degree is a superlative if the sentence's is; the same object if it is.

    Example:
        >>> graph = penman.decode("(h / have-degree-91 :ARG2 (t / tall) :ARG3 (m / more) :ARG4 (c / class))")
        >>> graph = with_superlatives(graph, "Es la chica más alta de la clase.", "es")
        >>> print(penman.encode(graph, indent=None))
        (h / have-degree-91 :ARG2 (t / tall) :ARG3 (m / most) :ARG5 (c / class))
    """
    if lang not in _MOST or len(re.findall(_MOST[lang], text, re.IGNORECASE)) != 1:
        return graph
    degrees = [node for node, _, concept in graph.instances() if concept == _DEGREE]
    more = [node for node, _, concept in graph.instances() if concept == "more"]
    if len(degrees) != 1 or len(more) != 1 or (degrees[0], ":ARG3", more[0]) not in graph.triples:
        return graph
    new: dict[Triple, Triple] = {
        (edge.source, edge.role, edge.target): (edge.source, ":ARG5", edge.target)
        for edge in graph.edges(source=degrees[0], role=":ARG4")
    }
    new[more[0], ":instance", "more"] = (more[0], ":instance", "most")
    triples = [new.get(triple, triple) for triple in graph.triples]
    return laid_out(triples, graph.top)


def _joined(graph: penman.Graph, word: str, quality: str, verb: str) -> penman.Graph:
    """Return the graph with a degree of a quality whose consequence is a verb; the same if it has it."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    edges: list[Triple] = [(edge.source, edge.role, edge.target) for edge in graph.edges()]
    degrees = sorted({s for s, _, t in edges if t == quality and concepts[s] == _DEGREE})
    between = [edge for edge in edges if {edge[0], edge[2]} == {quality, verb}]
    leaves = {
        t
        for s, _, t in edges
        if s in (quality, *degrees) and concepts[t] in ("too", "so", "equal") and not graph.edges(source=t)
    }
    subjects = [t for s, role, t in edges if s in degrees and role in _ENDS and t not in (quality, verb)] or [
        t for s, role, t in edges if s == quality and role in (":ARG1", ":domain") and t != verb
    ] or [t for s, role, t in edges if s == verb and role == ":ARG0" and t != quality]  # fmt: skip
    if len(degrees) > 1 or not subjects or subjects[0] == verb:
        return graph
    degree = degrees[0] if degrees else free_variable("h", graph.variables())
    if (degree, ":ARG6", verb) in edges and not any(concepts[leaf] == "equal" for leaf in leaves):
        return graph
    leaf = min(leaves) if leaves else free_variable(word[0], {*graph.variables(), degree})
    own: list[Triple] = [
        (degree, ":instance", _DEGREE),
        (degree, ":ARG1", subjects[0]),
        (degree, ":ARG2", quality),
        (degree, ":ARG3", leaf),
        (leaf, ":instance", word),
        (degree, ":ARG6", verb),
    ]
    gone = {*between, *own, (quality, ":domain", subjects[0])}
    gone |= {edge for edge in edges if edge[0] == degree and edge[1] in {*_ENDS, ":ARG4"}}
    kept = [
        triple
        for triple in graph.triples
        if triple not in gone and not leaves & {triple[0], triple[2]}
    ]  # fmt: skip
    if not degrees:  # what was said of the quality is said of its degree
        kept = [(s, role, degree if t == quality else t) for s, role, t in kept]
    top = degree if graph.top in (quality, verb) else graph.top
    kept.sort(key=lambda triple: triple[0] != verb)  # so that its subject does not govern it
    triples = own + kept
    return laid_out(triples, top) if is_connected(triples) else graph


@cache
def _patterns(lang: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of a degree, its quality and the word of its consequence, with its concept."""
    be = f"(?:{_BE.get(lang, '')})"
    patterns = []
    for concept, forms in (("too", _TOO), ("so", _SO), ("too", _TOO_AFTER)):
        if lang in forms:
            word, marker = forms[lang]
            degree = f"(?:{word.replace('{be}', be)})"
            form = (
                rf"(?P<quality>\w+)\s{degree}"
                if forms is _TOO_AFTER
                else rf"{degree}\s(?P<quality>\w+(?:\s\w+)?)"
            )
            pattern = rf"\b{form},?\s(?:{marker})(?:\b|(?<=['’]))"
            patterns.append((concept, re.compile(pattern, re.IGNORECASE)))
    return tuple(patterns)
