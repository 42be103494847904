"""Write the clause after *because* as a cause where the parser read a condition or a concession.

::

    Como el ascensor estaba roto, subimos. (es)    (c / climb-01 :condition (b / break-01 ...))
                ──>  (c / climb-01 :ARG1-of (c2 / cause-01 :ARG0 (b / break-01 ...)))

The words of causes at the beginning of a sentence, German *da*, French *comme*, Spanish *como*, Japanese
*ので*, have other senses too, and the parser takes them for *if* or *although*. A clause ends at the next
comma; in Japanese its word ends it. Sentences with two such words stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import penman

from amrx.composed_text import Span
from linearize.vocabulary import is_frame
from parser.graphs.triples import Triple, free_variable, laid_out

_BECAUSE = {
    "cs": r"\bprotože\b|\bneboť\b", "da": r"\bfordi\b",
    "de": r"\bweil\b|(?:^|, )da (?=(?:d(?:er|ie|as)|ich|du|e[rs]|sie|wir|ihr|man|(?:k?ein|mein|unser)\w*)\b)",
    "en": r"\bbecause\b(?! of)",
    "es": r"\bporque\b|\bya que\b|\bpuesto que\b|^como\b(?=[^,]+,)",
    "fr": r"\bparce qu(?:e\b|['’])|\bpuisqu(?:e\b|['’])|^comme\b(?=[^,]+,)",
    "it": r"\bpoiché\b|\bsiccome\b|\bdato che\b|\bvisto che\b|(?<=\w )perché\b",
    "ja": r"(?<=[いたなるくすうむつぬぶぐ])ので(?!は|しょう)", "nb": r"\bfordi\b",
    "nl": r"\bomdat\b|\baangezien\b|\bwant\b",
    "pl": r"\bponieważ\b|\bbo\b|\bgdyż\b", "pt": r"\bporque\b|\bjá que\b|^como\b(?=[^,]+,)",
    "ro": r"\bpentru că\b|\bdeoarece\b|\bfiindcă\b", "ru": r"\bпотому что\b|\bтак как\b|\bпоскольку\b",
    "sv": r"\beftersom\b|\bdärför att\b", "uk": r"\bтому що\b|\bоскільки\b|\bбо\b", "zh": "因为|由于",
}  # fmt: skip
_IF = {
    "cs": r"\b(?:když|pokud|jestli)", "da": r"\b(?:hvis|selvom)\b", "de": r"\b(?:wenn|falls|obwohl)\b",
    "en": r"\b(?:if|unless|although|though)\b", "es": r"\b(?:si|aunque)\b",
    "fr": r"\b(?:si|bien que|quoique)\b|s['’]il", "it": r"\b(?:se|sebbene|benché)\b",
    "ja": "もし|たら|れば|のに|なら", "nb": r"\b(?:hvis|selv om)\b", "nl": r"\b(?:als|hoewel)\b",
    "pl": r"\b(?:jeśli|jeżeli|gdyby|choć|chociaż)\b", "pt": r"\b(?:se|embora)\b", "ro": r"\b(?:dacă|deși)\b",
    "ru": r"\b(?:если|хотя)\b", "sv": r"\b(?:om|fastän)\b", "uk": r"\b(?:якщо|хоча)\b",
    "zh": "如果|要是|虽然|尽管",
}  # fmt: skip
"""Words of conditions and concessions, which may be in the clause of a cause."""
_END = re.compile("[,;:.!?，。；！？、–—]")
_READ_AS = frozenset({":condition", ":concession", ":time"})
_CAUSE = "cause-01"


def with_causes(graph: penman.Graph, text: str, lang: str, alignments: Mapping[str, Span]) -> penman.Graph:
    """Return a graph whose only clause of *because* is a cause; the same object if nothing changes.

    Example:
        >>> graph = penman.decode("(s / stay-01 :condition (r / rain-01))")
        >>> spans = {"r": (3, 9), "s": (10, 14)}
        >>> mended = with_causes(graph, "雨が降ったので家にいた。", "ja", {"r": (0, 5), "s": (7, 11)})
        >>> print(penman.encode(mended, indent=None))
        (s / stay-01 :ARG1-of (c / cause-01 :ARG0 (r / rain-01)))
    """
    clause = _clause(text, lang)
    if clause is None:
        return graph
    inside = {node for node, (begin, _) in alignments.items() if clause[0] <= begin < clause[1]}
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    joined = [
        edge
        for edge in graph.edges()
        if edge.role in _READ_AS
        and edge.target in inside
        and edge.source not in inside
        and is_frame(concepts[edge.target])
    ]
    if len(joined) != 1:
        return graph
    event, role, reason = joined[0]
    causes = [node for node, concept in concepts.items() if concept == _CAUSE]
    if causes and (causes != [reason] or graph.edges(source=reason, role=":ARG1")):
        return graph
    if causes:  # :concession (c / cause-01 :ARG0 ...)
        new: list[Triple] = [(reason, ":ARG1", event)]
    else:
        cause = free_variable("c", graph.variables())
        new = [(cause, ":ARG1", event), (cause, ":instance", _CAUSE), (cause, ":ARG0", reason)]
    triples = [kept for one in graph.triples for kept in (new if one == (event, role, reason) else [one])]
    return laid_out(triples, graph.top)


def _clause(text: str, lang: str) -> Span | None:
    """Return the span of the only clause of a cause, if it has no word of conditions."""
    words = list(re.finditer(_BECAUSE.get(lang, "(?!)"), text, re.IGNORECASE))
    if len(words) != 1:
        return None
    begin, after = words[0].span()
    if lang == "ja":
        marks = [mark.end() for mark in _END.finditer(text, 0, begin)]
        begin, end = (marks[-1] if marks else 0), begin
    else:
        mark = _END.search(text, after)
        end = mark.start() if mark else len(text)
        if begin == 0 and end >= len(text.rstrip(" .!?。！？")):
            return None  # where the clause ends is unknown
    return None if re.search(_IF[lang], text[begin:end], re.IGNORECASE) else (begin, end)
