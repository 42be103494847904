"""Write the agent of a passive as the agent, by the mark of its noun.

::

    男の子は先生に褒められた。 (ja)    (p / praise-01 :ARG0 (b / boy) :ARG1 (t / teacher))
                               ──>  (p / praise-01 :ARG0 (t / teacher) :ARG1 (b / boy))
    Король был убит солдатом. (ru)  (k / kill-01 :ARG1 (k2 / king) :ARG2 (s / soldier))
                               ──>  (k / kill-01 :ARG0 (s / soldier) :ARG1 (k2 / king))

Here Japanese, Korean, Russian and Ukrainian write the agent as others write a recipient or an instrument.
Only people and animals are moved, beside a verb in a passive form whose subject comes first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, laid_out
from parser.mini.rules.object_first import ANIMATE, noun_span


class _Passive(NamedTuple):
    """Forms of a passive with its agent."""

    subject: str  # the end of the subject, or its mark
    agent: str  # the rest of the noun, with its mark
    verb: str  # a passive between agent and verb, or between subject and agent


_PASSIVES = {
    "ja": _Passive(
        "[^、。]{0,2}(?:は|が|も)", "[^、。にはがを]{0,6}に(?:よって)?",
        "[^、。]*(?<!生)(?<!現)[かさたなまらわがば]れ(?:た|る|て|ま)",
    ),
    "ko": _Passive(
        r"(?<=[은는이가])\b", r"\w*(?:에게|한테|(?<=경찰)에|에\s의해)\b",
        "[^,.]*(?:당[하했한]|되[었어]|됐|받[았는]|물[렸린]|쫓[겼긴]|잡[혔힌])",
    ),
    "ru": _Passive(
        r"\b", r"\w*(?:[оеё]м|[оеи]й|[ая]ми)\b",
        r".*\bбыл[аои]?\s(?!довол|занят|бол[еь]н|полон|недовол)\w+(?:[её]н|н[аоы]|т[аоы]?)\s$",
    ),
    "uk": _Passive(
        r"\b", r"\w*(?:[оеє]м|[оеє]ю|[ая]ми)\b",
        r".*\bбу(?:в|л[аои])\s(?!задовол|зайнят|хвор)\w+(?:ний|н[аеіо]|тий|т[аеіо])\s$",
    ),
}  # fmt: skip
_VERB_LAST = frozenset({"ja", "ko"})
_REST = 5
"""Number of letters after the aligned word of a verb that may hold its passive ending."""
_BEINGS = ANIMATE | frozenset(
    "army cat child dog girl lady man mother nurse police policeman sister student wife woman".split()
)
_TOLD = frozenset({"ask-01", "say-01", "tell-01"})
"""Verbs whose hearer is ``:ARG2``."""
_TAKES = frozenset({"give-01", "get-01", "receive-01", "send-01"})
"""Verbs of which a Korean word for *get* is no passive."""


def with_passive_agents(
    graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]
) -> penman.Graph:
    """Return a graph with the agents of passives; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(b / break-01 :ARG1 (w / window) :ARG2 (m / man))")
        >>> spans = {"w": (0, 1), "m": (2, 3), "b": (4, 5)}
        >>> print(penman.encode(with_passive_agents(graph, "窓は男に割られた。", "ja", spans), indent=None))
        (b / break-01 :ARG1 (w / window) :ARG0 (m / man))
    """
    if lang not in _PASSIVES:
        return graph
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    new: dict[Triple, Triple] = {}
    for verb in {edge.source for edge in graph.edges() if concepts[edge.source] not in _TAKES}:
        edges = [edge for edge in graph.edges(source=verb) if edge.role.startswith((":ARG", ":location"))]
        if len(edges) != 2 or concepts[verb].endswith("-91"):
            continue
        subject, agent = sorted(edges, key=lambda edge: edge.role)
        spans = [noun_span(graph, node, verb, alignments) for node in (subject.target, agent.target)]
        known = [span for span in (*spans, alignments.get(verb)) if span is not None]
        may_be = subject.role in (":ARG0", ":ARG1") and not is_frame(concepts[subject.target])
        if (
            may_be
            and concepts[agent.target] in _BEINGS
            and len(known) == 3
            and _is_passive(text, lang, *known)
        ):
            patient = ":ARG2" if concepts[verb] in _TOLD else ":ARG1"
            new[agent] = (verb, ":ARG0", agent.target)
            new[subject] = (verb, patient, subject.target)
    if not new:
        return graph
    return laid_out([new.get(triple, triple) for triple in graph.triples], graph.top)


def _is_passive(text: str, lang: str, subject: Span, agent: Span, verb: Span) -> bool:
    """Return whether the words at three spans are subject, agent and verb of a passive."""
    forms = _PASSIVES[lang]
    noun = re.compile(forms.agent).match(text, agent[0] + 1)
    if noun is None or subject[1] > agent[0] or not re.compile(forms.subject).match(text, subject[1]):
        return False
    if lang in _VERB_LAST:
        return verb[0] >= noun.end() and re.match(forms.verb, text[noun.end() : verb[1] + _REST]) is not None
    return re.match(forms.verb, text[subject[1] : agent[0]]) is not None
