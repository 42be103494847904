"""Write *stop* where the sentence says that someone stops doing something.

::

    Lui ha smesso di fumare. (it)    (s / smoke-02 :ARG0 (h / he) :ARG1 (c / cigarette))
                                ──>  (s2 / stop-01 :ARG0 (h / he) :ARG1 (s / smoke-02 :ARG0 h))
    Babam içmeyi bıraktı. (tr)       (l / leave-11 :ARG0 (f / father) :ARG1 (d / drink-01))
                                ──>  (l / stop-01 :ARG0 (f / father) :ARG1 (d / drink-01))

Without it the graph has the opposite meaning. The parser writes one node for both verbs, or another verb for
*stop*. Only sentences with one such pair of verbs, whose graph has no verb of stopping, are changed. A
negation of *stop*, *fail*, *forget* or *refuse* that no word says is removed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span, overlap
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, is_connected, laid_out
from parser.mini.rules.negation_words import is_negated_elsewhere
from parser.mini.rules.verbs import verbs_of

_STOP = {
    "ar": r"(?P<stop>(?:[يتن]?توقف\w*|أقلع\w*))(?: \w+)? عن (?P<verb>ال\w+)",
    "da": r"(?P<stop>(?:holdt|holder) op|stopp?ede|slutte\w*) med at (?P<verb>\w+e)",
    "de": r"(?P<stop>aufgehört|aufhören|hör\w* (?:\w+ )?auf),? (?:[^,.;]* )?zu (?P<verb>\w+n)",
    "es": r"(?P<stop>dej(?:[oóé]|as?|amos|an|aste|aron|aba\w*|ar\w*|ad[oa]|ando|en?|es|emos)) de "
    r"(?P<verb>\w+[aei]r(?:[ltsm]e|[ln]os?|la)?)",
    "fr": r"(?P<stop>(?:arrêt|cess)(?:e[srz]?|é\w*|ons|ent|ai\w*|er\w*|a))"
    r" d(?:e |['’])(?P<verb>\w+(?:er|ir|re))",
    "id": r"(?P<stop>berhenti) (?P<verb>(?:me|ber|ter)\w+|minum|makan|kerja|main)",
    "it": r"(?P<stop>sme(?:tt|ss|s)\w+) di (?P<verb>\w+[aei]r(?:e|s[ie]|l[oaie]|ne|ci|mi|ti))",
    "ko": r"(?P<verb>\w+(?:는|기)(?: (?:것|일|거))?[을를]?) (?P<stop>(?:그만[두뒀]|멈[추췄]|중단하)\w+)",
    "nb": r"(?P<stop>slutt(?:e|er|et)?|stopp(?:e|er|et)) (?:med )?å (?P<verb>\w+)",
    "nl": r"(?P<stop>stop(?:t|te|ten|pen)?|gestopt|opgehouden|ophouden|(?:hield|houdt) op)"
    r" met (?:\w+ )?(?P<verb>\w+en)",
    "pl": r"(?P<stop>przesta[lłćńnjw]\w*|przestać) (?:się )?(?P<verb>\w+[cć])",
    "pt": r"(?P<stop>par(?:o|as?|amos|am|ei|ou|aram|ava\w*|ará|ar|ado|em?)"
    r"|deix(?:o|as?|amos|am|ei|ou|aram|ava\w*|ará|ar|ado|em?)) de (?P<verb>\w+[aeio]r(?:-\w+)?)",
    "ru": r"(?P<stop>переста[лнтйеёв]\w*|перестань\w*|прекра(?:ти|щ)\w+|бро[сш]\w+)"
    r" (?P<verb>\w+(?:ть|ти|чь)(?:ся)?)",
    "sv": r"(?P<stop>sluta(?:de|t|r)?) (?:att )?(?P<verb>\w+a)",
    "tr": r"(?P<verb>\w+m[ae]y[ıi]) (?P<stop>(?:bırak|kes|durdur)\w+)",
    "uk": r"(?P<stop>переста[лнтєєв]\w*|перестань\w*|припин\w+|кину\w+) (?P<verb>\w+ти(?:ся)?)",
    "zh": r"(?P<stop>戒)(?P<verb>[烟酒])",
}  # fmt: skip
"""A verb of stopping and the verb of the action."""
_UNSPACED = frozenset({"ko", "zh"})
_STOPS = frozenset(
    "stop-01 stop-02 stop-03 quit-01 quit-05 cease-01 halt-01 give-up-07 end-01 finish-01 discontinue-01 "
    "refrain-01 suspend-01 abandon-01 drop-05 kick-05 leave-off-02 shut-down-05 break-down-12 fail-01".split()
)
_BELOW = frozenset({":ARG", ":op1", ":op2", ":snt"})
"""Beginnings of the roles of a clause that is part of another one."""
_NEGATIVE = frozenset({"stop-01", "quit-01", "fail-01", "forget-01", "refuse-01"})
_MISREAD = frozenset(
    "take-off-07 let-01 leave-11 leave-15 arrest-01 throw-01 try-01 cut-01 sound-01 hear-01 move-01 want-01 "
    "continue-01 keep-02 go-02 put-01 get-05 possible-01 listen-01 lose-02 break-01 break-18 forget-01 "
    "worry-01 obligate-01 remember-01".split()
)
"""Verbs written for *stop*, never for the action."""


def with_stops(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph with the only verb of stopping; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / smoke-02 :ARG0 (h / he))")
        >>> graph = with_stops(graph, "Lui ha smesso di fumare.", "it", {"s": (7, 13), "h": (0, 3)})
        >>> print(penman.encode(graph, indent=None))
        (s2 / stop-01 :ARG0 (h / he) :ARG1 (s / smoke-02 :ARG0 h))
    """
    pair = _pair(text, lang)
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    if not is_negated_elsewhere(text, lang, 0, 0) and not graph.attributes(role=":mode"):
        inside = {node for node, span in alignments.items() if pair and overlap(span, pair[1])}
        graph = _without_negation(
            graph, inside | {node for node, concept in concepts.items() if concept in _NEGATIVE}
        )
    if pair is None or _STOPS & set(concepts.values()):
        return graph
    stop, action = pair
    frames = [node for node, concept in concepts.items() if is_frame(concept) and node in alignments]
    phases = [node for node in frames if overlap(alignments[node], stop)]
    actions = [node for node in frames if overlap(alignments[node], action) and node not in phases]
    verb = verbs_of(lang).get(text[slice(*action)].lower())
    if len(phases) == 1 and (actions or concepts[phases[0]] in _MISREAD):
        joined = [edge for edge in graph.edges(source=phases[0]) if edge.role in (":ARG1", ":ARG2")]
        below = [edge.target for edge in joined if edge.target in actions or (not actions and verb is None)]
        is_misread = concepts[phases[0]] in _MISREAD | {concepts[node] for node in actions}
        if is_misread and len(below) == 1:
            return _relabelled(graph, phases[0], below[0])
    nodes = phases or actions
    if len(nodes) != 1 or (phases and actions) or graph.attributes(role=":polarity"):
        return graph
    is_clause = nodes[0] == graph.top or any(edge.role[:4] in _BELOW for edge in graph.edges(target=nodes[0]))
    if not is_clause or (concepts[nodes[0]] in _MISREAD and verb is None):
        return graph
    return _stopped(graph, nodes[0], verb if concepts[nodes[0]] in _MISREAD else None, action, alignments)


def _pair(text: str, lang: str) -> tuple[Span, Span] | None:
    """Return the spans of the only verb of stopping and of its action."""
    if lang not in _STOP:
        return None
    edge = "" if lang in _UNSPACED else r"\b"
    matches = list(re.finditer(rf"{edge}(?:{_STOP[lang]}){edge}", text, re.IGNORECASE))
    if len(matches) != 1:
        return None
    return matches[0].span("stop"), matches[0].span("verb")


def _without_negation(graph: penman.Graph, nodes: set[str]) -> penman.Graph:
    triples = [one for one in graph.triples if one[1:] != (":polarity", "-") or one[0] not in nodes]
    return graph if len(triples) == len(graph.triples) else laid_out(triples, graph.top)


def _relabelled(graph: penman.Graph, node: str, action: str) -> penman.Graph:
    """Return a graph in which the verb above the action is *stop*; its subject is that of the action."""
    subjects = [edge.target for edge in graph.edges(source=node, role=":ARG0")]
    others = [edge.target for edge in graph.edges(source=node, role=":ARG1") if edge.target != action]
    if subjects and others:
        return graph
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if (source, role) == (node, ":instance"):
            triples.append((source, role, "stop-01"))
        elif source == node and target == action:
            triples.append((source, ":ARG1", target))
        elif source == node and role == ":ARG1" and not subjects:
            triples.append((source, ":ARG0", target))
        else:
            triples.append((source, role, target))
    subject = next(iter(subjects or others), None)
    own = [edge for edge in graph.edges(source=action, role=":ARG0") if edge.target != subject]
    if subject and own:
        same = [(action, ":ARG0", subject) if one == tuple(own[0]) else one for one in triples]
        triples = same if is_connected(same) else triples
    return laid_out(triples, graph.top)


def _stopped(
    graph: penman.Graph, node: str, verb: str | None, action: Span, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with *stop* above the action, without an object that only the verb's word says."""
    stop = free_variable("s", graph.variables())
    said_by_verb = {
        edge.target
        for edge in graph.edges(source=node)
        if edge.target in alignments
        and overlap(alignments[edge.target], action)
        and sum(edge.target in (one.source, one.target) for one in graph.edges()) == 1
    }
    triples: list[Triple] = []
    for source, role, target in graph.triples:
        if source in said_by_verb or target in said_by_verb:
            continue
        if (source, role) == (node, ":instance"):
            subjects = [(stop, ":ARG0", edge.target) for edge in graph.edges(source=node, role=":ARG0")]
            triples += [(stop, ":instance", "stop-01"), *subjects, (stop, ":ARG1", node)]
            triples.append((source, role, verb or target))
        elif source == node and role in (":polarity", ":mode", ":time", ":duration", ":cause", ":condition"):
            triples.append((stop, role, target))
        else:
            triples.append((source, role, stop if target == node else target))
    return laid_out(triples, stop if graph.top == node else graph.top)
