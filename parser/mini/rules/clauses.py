"""Write the clause after *although* and the noun after *despite* as concessions, *unless* as a condition.

::

    Er ging hinaus, obwohl es regnete. (de)    (g / go-02 :time (r / rain-01))
                                           ──>  (g / go-02 :concession (r / rain-01))
    Malgré la pluie, on sort. (fr)             (g / go-out-17 ... :condition (r / rain-01))
                                           ──>  (g / go-out-17 ... :concession (r / rain-01))
    虽然她很累，但她还在工作。 (zh)               (w / work-01 :ARG1-of (c / cause-01 :ARG0 (t / tire-01)))
                                           ──>  (w / work-01 :concession (t / tire-01))
    We leave unless you pay.           (l / leave-11 :polarity - :condition (p / pay-01))
                                           ──>  (l / leave-11 :condition (p / pay-01 :polarity -))

Outside English the parser writes most concessions as times, conditions or causes; it leaves the negation of
*unless* out, or writes it at the verb of the main clause. Only sentences with one such word are changed,
if its clause is joined to the rest by one relation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

import penman
from penman.graph import Edge

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, is_connected, laid_out
from parser.mini.rules.negation import negated
from parser.mini.rules.negation_words import is_negated_elsewhere

_ALTHOUGH = {
    "da": "selvom|skønt", "de": "obwohl|obgleich|obschon", "en": "although|though", "es": "aunque",
    "fr": "bien qu(?:e|['’])|quoiqu(?:e|['’])", "it": "sebbene|benché|nonostante", "nb": "selv om|skjønt",
    "nl": "hoewel|ofschoon", "pl": "chociaż|choć|mimo że",
    "pt": r"(?<!\bir )(?<!\bv[oa][ui] )(?<!\bvão )(?<!mos )(?<!\bfoi )embora",  # *ir embora* is to leave
    "ru": "хотя",
    "sv": "fastän|trots att",
    "uk": "хоча", "zh": "虽然|尽管",
}  # fmt: skip
_DESPITE = {
    "da": "trods|på trods af", "de": "trotz|ungeachtet", "en": "despite|in spite of|notwithstanding",
    "es": "a pesar del?|pese al?", "fr": "malgré|en dépit d(?:e|u|es)", "it": "nonostante|malgrado",
    "nb": "til tross for|på tross av", "nl": "ondanks", "pl": "pomimo|mimo", "pt": "apesar d[aeo]s?",
    "ru": "несмотря на|вопреки", "sv": "trots", "uk": "попри|незважаючи на|всупереч",
}  # fmt: skip
"""Prepositions of concessions; conjunctions such as Swedish *trots att* are in `_ALTHOUGH`."""
_CONJUNCTION = r"(?!\s+(?:at|att|che|dat|que|że|iż|то|те|те,)\b)"
_OTHER = {
    "da": "hvis|fordi", "de": "wenn|falls|weil|denn", "en": "if|unless|because|since|as", "es": "si|porque",
    "fr": "si|s['’]il|parce|sachant|sai[st]|savons|savez|savent",
    "it": "se|perché", "nb": "hvis|fordi", "nl": "als|omdat|want",
    "pl": "jeśli|jeżeli|bo|ponieważ|gdy", "pt": "se|porque", "ru": "если|потому|бы", "sv": "om|eftersom",
    "uk": "якщо|тому|би?", "zh": "如果|因为|要是",
}  # fmt: skip
"""Words of conditions and causes, beside which nothing changes."""
_UNLESS = {
    "da": "medmindre", "de": "es sei denn", "en": "unless", "es": "a menos que|a no ser que",
    "fr": "à moins qu(?:e|['’])", "it": "a meno che", "nb": "med mindre", "nl": "tenzij", "pl": "chyba że",
    "pt": "a menos que|a não ser que", "zh": "除非",
}  # fmt: skip
_END = re.compile("[,;:.!?，。；！？–—]|但是?")
_CAUSE = "cause-01"
_LINKS = frozenset({"and", "contrast-01"})
"""Coordinations of the clause of *unless* with the main clause."""
_READ_AS = frozenset({":time", ":condition", ":manner", ":purpose", ":mod", ":location"})
"""Relations that a concession was read as."""
_READ_AS_UNLESS = _READ_AS | {":concession", ":ARG4"}
_ARGUMENTS = frozenset({":ARG1", ":ARG2", ":ARG4"})
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})
_LONGEST = 30
"""Maximum number of letters from *despite* to the end of its noun."""


def with_clauses(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with the only concession and the only *unless*; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(g / go-02 :time (r / rain-01))")
        >>> spans = {"g": (3, 7), "r": (27, 34)}
        >>> mended = with_clauses(graph, "Er ging hinaus, obwohl es regnete.", "de", spans)
        >>> print(penman.encode(mended, indent=None))
        (g / go-02 :concession (r / rain-01))
    """
    clause = _clause(text, lang, _UNLESS)
    if clause is None:
        if any(role == ":concession" for _, role, _ in graph.triples):
            return graph
        clause = _clause(text, lang, _ALTHOUGH)
        frames = set() if clause is None else _frames(graph, clause, alignments)
        mended = _joined(graph, frames, ":concession", _READ_AS)
        return _with_noun(graph, text, lang, alignments) if mended is graph else mended
    mended = _joined(graph, _frames(graph, clause, alignments), ":condition", _READ_AS_UNLESS)
    conditions = mended.edges(role=":condition")
    inside = [edge for edge in conditions if clause[0] <= alignments.get(edge.target, (-1, 0))[0] < clause[1]]
    if len(inside) != 1:
        return graph
    event, _, condition = inside[0]
    if is_negated_elsewhere(text, lang, *clause):  # *We never go unless you pay.*
        is_both = (event, ":polarity", "-") in mended.triples
        return negated(mended, condition) if is_both and not _is_negated(mended, condition) else graph
    triples = [triple for triple in mended.triples if triple != (event, ":polarity", "-")]
    if triples == list(mended.triples) and _is_negated(mended, condition):
        return mended
    new = laid_out([triple for triple in triples if triple != (condition, ":polarity", "-")], mended.top)
    return negated(new, condition)


def _is_negated(graph: penman.Graph, node: str) -> bool:
    """Return whether a node is negated."""
    return (node, ":polarity", "-") in graph.triples


def _with_noun(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with the noun after the only *despite* as a concession; the same object if none is."""
    words = list(re.finditer(rf"\b(?:{_DESPITE.get(lang, '(?!)')})\b{_CONJUNCTION}", text, re.IGNORECASE))
    if len(words) != 1:
        return graph
    begin, after = words[0].span()
    end = _END.search(text, after)
    stop = min(end.start() if end else len(text), after + _LONGEST)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    places = {node: span[0] for node, span in alignments.items() if concepts.get(node) not in _PRONOUNS}
    joined: list[Edge] = []
    for start in (after, begin):  # a noun may be aligned to *despite*
        inside = [
            one
            for one in graph.edges()
            if start <= places.get(one.target, -1) < stop
            and not start <= places.get(one.source, -1) < places[one.target]
        ]
        causes = [one for one in inside if one.role == ":ARG0" and concepts[one.source] == _CAUSE]
        loose = causes + [one for one in inside if one.role in _READ_AS]
        joined = joined or loose or [one for one in inside if one.role in _ARGUMENTS]
    if len(joined) != 1:
        return graph
    noun = joined[0].target
    mended = _joined(graph, {noun}, ":concession", {joined[0].role} - {":ARG0"})
    other = {node for node in places if begin <= places[node] < after} - {noun, graph.top}
    leaves = {node for node in other if not graph.edges(source=node) and len(graph.edges(target=node)) == 1}
    triples = [one for one in mended.triples if leaves.isdisjoint((one[0], one[2]))]
    is_said_twice = mended is not graph and bool(leaves) and is_connected(triples)  # *trotz* is *beyond*
    return laid_out(triples, mended.top) if is_said_twice else mended


def _frames(graph: penman.Graph, clause: Span, alignments: Mapping[str, Span]) -> set[str]:
    """Return the events that are aligned in a clause."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    return {
        node
        for node, (begin, _) in alignments.items()
        if clause[0] <= begin < clause[1]
        and is_frame(concepts.get(node, ""))
        and concepts[node] != _CAUSE
        and not concepts[node].endswith("-91")
    }


def _joined(graph: penman.Graph, inside: Set[str], role: str, read_as: Set[str]) -> penman.Graph:
    """Return a graph with the relation of a clause; the same object if nothing changes."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    causes = {node for node, concept in concepts.items() if concept == _CAUSE}
    joined: list[tuple[Triple, str]] = []  # the relation, and the event outside the clause
    for source, given, target in graph.edges():
        if target in inside and source not in inside and given in read_as and is_frame(concepts[source]):
            joined.append(((source, given, target), source))
        elif target in inside and source in causes and given == ":ARG0":
            effects = [edge.target for edge in graph.edges(source=source, role=":ARG1")]
            if len(effects) == 1 and len([one for one in graph.triples if one[0] == source]) == 3:
                joined.append(((source, given, target), effects[0]))
        elif target in inside and concepts[source] in _LINKS and role == ":condition":
            others = [edge.target for edge in graph.edges(source=source) if edge.target != target]
            if len(others) == 1 and len([one for one in graph.triples if one[0] == source]) == 3:
                joined.append(((source, given, target), others[0]))
    if len(joined) != 1 or joined[0][1] in inside:
        return graph
    (source, given, target), event = joined[0]
    relation = (event, role, target)
    if source != event:  # a cause or a coordination, which goes
        place = next(i for i, triple in enumerate(graph.triples) if source in (triple[0], triple[2]))
        triples: list[Triple] = [*graph.triples[:place], relation, *graph.triples[place:]]
        above: list[Triple] = [
            (one[0], one[1], event) for one in graph.edges(target=source) if concepts[source] in _LINKS
        ]
        triples = [triple for triple in triples if source not in (triple[0], triple[2])] + above
        return (
            laid_out(triples, event if graph.top == source else graph.top) if is_connected(triples) else graph
        )
    return laid_out(
        [relation if triple == (source, given, target) else triple for triple in graph.triples], graph.top
    )


def _clause(text: str, lang: str, conjunctions: Mapping[str, str]) -> Span | None:
    """Return the span of the only one of some conjunctions and of the clause after it."""
    if lang not in conjunctions:
        return None
    edge = "" if lang == "zh" else r"\b"
    words = list(re.finditer(rf"{edge}(?:{conjunctions[lang]})", text, re.IGNORECASE))
    if len(words) != 1:
        return None
    begin = words[0].end()
    rest = text[: words[0].start()] + "," + text[begin:]
    if re.search(rf"{edge}(?:{_OTHER[lang]}){edge}", rest, re.IGNORECASE):
        return None
    comma = re.compile(r"\s*,").match(text, begin)  # German *es sei denn, ...*
    end = _END.search(text, comma.end() if comma else begin)
    is_first = not text[: words[0].start()].strip()
    if is_first and (end is None or end.end() == len(text)):
        return None  # where the clause ends is unknown
    return words[0].start(), end.start() if end else len(text)
