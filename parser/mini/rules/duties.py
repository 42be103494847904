"""Write duties and prohibitions as such, where the parser takes one for the other.

::

    働かなければならない。 (ja)   (p / possible-01 :polarity - :ARG1 (w / work-01 :ARG0 (i / i)))
                      ──>  (o / obligate-01 :ARG1 (i / i) :ARG2 (w / work-01 :ARG0 i))
    Tu nie wolno palić. (pl)  (o / obligate-01 :polarity - :ARG1 (t / they) :ARG2 (s / smoke-02))
                      ──>  (p / permit-01 :polarity - :ARG1 (s / smoke-02 :ARG0 (t / they)))

*One must not not do it* is a duty in Japanese, and Polish *nie wolno* is a prohibition, no lack of a duty.
"""

from __future__ import annotations

import re

import penman

from parser.graphs.triples import Triple, laid_out

_MUST = re.compile(
    "(?:なければ|なくては|なくちゃ|ないと|ねば)(?:なら|なり|いけ)(?:ない|なかった|ません|ませんでした|ず)|なきゃ"
)
"""Japanese *must*: *if not, it will not do*."""
_MAY_NOT = {"pl": r"\bnie wolno\b", "uk": r"\bне можна\b", "ru": r"\bнельзя\b"}


def with_duties(graph: penman.Graph, text: str, lang: str) -> penman.Graph:
    """Return a graph with the only duty or prohibition; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(p / possible-01 :polarity - :ARG1 (w / work-01 :ARG0 (i / i)))")
        >>> print(penman.encode(with_duties(graph, "私は働かなければならない。", "ja"), indent=None))
        (p / obligate-01 :ARG1 (i / i) :ARG2 (w / work-01 :ARG0 i))
    """
    modals = [
        (node, str(concept))
        for node, _, concept in graph.instances()
        if concept in ("possible-01", "obligate-01", "permit-01", "recommend-01")
    ]
    if len(modals) != 1:
        return graph
    node, concept = modals[0]
    is_negated = (node, ":polarity", "-") in graph.triples
    own = {edge.role: edge.target for edge in graph.edges(source=node)}
    if lang == "ja" and concept != "obligate-01" and is_negated and len(_MUST.findall(text)) == 1:
        return _duty(graph, node, concept, own.get(":ARG1"))
    words = _MAY_NOT.get(lang)
    if words and concept == "obligate-01" and is_negated and len(re.findall(words, text, re.IGNORECASE)) == 1:
        return _prohibition(graph, node, own)
    return graph


def _duty(graph: penman.Graph, node: str, concept: str, action: str | None) -> penman.Graph:
    """Return the graph in which what is not possible without an action is that action's duty."""
    if action is None:
        return graph
    agents = [edge.target for edge in graph.edges(source=action, role=":ARG0")]
    new: dict[Triple, list[Triple]] = {
        (node, ":instance", concept): [(node, ":instance", "obligate-01")],
        (node, ":polarity", "-"): [],
        (action, ":polarity", "-"): [],
        (node, ":ARG1", action): [*((node, ":ARG1", agent) for agent in agents[:1]), (node, ":ARG2", action)],
    }
    return laid_out([kept for one in graph.triples for kept in new.get(one, [one])], graph.top)


def _prohibition(graph: penman.Graph, node: str, own: dict[str, str]) -> penman.Graph:
    """Return the graph in which what is no duty is not permitted."""
    action, agent = own.get(":ARG2"), own.get(":ARG1")
    if action is None:
        return graph
    has_agent = bool(graph.edges(source=action, role=":ARG0"))
    new: dict[Triple, list[Triple]] = {
        (node, ":instance", "obligate-01"): [(node, ":instance", "permit-01")],
        (node, ":ARG2", action): [(node, ":ARG1", action)],
    }
    if agent is not None:
        new[node, ":ARG1", agent] = []
        if not has_agent:
            new[node, ":ARG2", action] = [(node, ":ARG1", action), (action, ":ARG0", agent)]
    return laid_out([kept for one in graph.triples for kept in new.get(one, [one])], graph.top)
